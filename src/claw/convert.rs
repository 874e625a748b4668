//! `claw convert`: a conversation from one vocabulary into another.
//!
//! All of it is read and converted before the first byte is written, so that whoever reads
//! the output gets the whole of it or nothing.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Args;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::output::{print, report};
use crate::session::convert::without_place;
use crate::session::{Converted, Vocabulary, convert};

/// What to convert, and into what.
#[derive(Debug, Clone, PartialEq, Args)]
pub struct ConvertOptions {
    /// The vocabulary of the messages: types, agent, transcript or chat
    #[arg(long, value_name = "VOCABULARY")]
    pub from: Vocabulary,
    /// The vocabulary to convert them to
    #[arg(long, value_name = "VOCABULARY")]
    pub to: Vocabulary,
    /// Write nothing if anything would be lost
    #[arg(long)]
    pub strict: bool,
    /// The messages: JSON Lines or a JSON array (default: standard input)
    pub file: Option<PathBuf>,
}

/// Converts, and says on standard error what was lost. The exit code is 0 when all was
/// written, and 1 when nothing was, because a message is broken or would lose something.
pub fn run(options: &ConvertOptions) -> Result<ExitCode> {
    let (name, bytes) = input(options.file.as_deref())?;
    let messages = match Messages::of(&bytes) {
        Ok(messages) => messages,
        Err(problem) => return Ok(refuse(&format!("{name}, {problem}"))),
    };
    if let Some(line) = messages.torn {
        let torn = format!("{name}, line {line} is torn: it breaks off before its message ends");
        if messages.texts.is_empty() {
            return Ok(refuse(&torn));
        }
        report(&torn);
    }
    let texts: Vec<&str> = messages.texts.iter().map(|(_, text)| *text).collect();
    let converted = match convert(options.from, options.to, &texts) {
        Ok(converted) => converted,
        Err(broken) => {
            let (line, _) = messages.texts[broken.message];
            let line = line + broken.problem.line - 1;
            return Ok(refuse(&format!("{name}, line {line}: {}", broken.problem)));
        }
    };
    report_losses(&messages, &converted);
    let is_whole = converted.losses.is_empty() && messages.torn.is_none();
    if options.strict && !is_whole {
        return Ok(refuse("--strict allows no loss"));
    }
    Ok(print(&messages.written(&converted)))
}

/// The whole input, and what to call it.
fn input(file: Option<&Path>) -> Result<(String, Vec<u8>)> {
    if let Some(path) = file.filter(|path| *path != Path::new("-")) {
        let name = path.display().to_string();
        let bytes = std::fs::read(path).with_context(|| format!("cannot read {name}"))?;
        return Ok((name, bytes));
    }
    let mut bytes = Vec::new();
    let mut stdin = io::stdin().lock();
    stdin
        .read_to_end(&mut bytes)
        .context("cannot read standard input")?;
    Ok(("standard input".to_string(), bytes))
}

/// The messages of an input, not yet read.
struct Messages<'a> {
    /// Each with the number of its first line.
    texts: Vec<(usize, &'a str)>,
    /// The last line, if it is torn.
    torn: Option<usize>,
    is_array: bool,
}

impl<'a> Messages<'a> {
    /// Takes the input apart: an array, if its first sign is a bracket, and lines otherwise.
    fn of(bytes: &'a [u8]) -> Result<Self, String> {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let start = bytes.trim_ascii_start();
        match start.first() {
            Some(b'[') => Self::of_array(bytes),
            _ => Self::of_lines(bytes),
        }
    }

    fn of_array(bytes: &'a [u8]) -> Result<Self, String> {
        let elements: Vec<&RawValue> = serde_json::from_slice(bytes)
            .map_err(|error| format!("line {}: {}", error.line(), without_place(&error)))?;
        let (mut line, mut counted) = (1, 0);
        let texts = elements.into_iter().map(|element| {
            let text = element.get();
            // Every element is lent by the input, so its address says where it stands.
            let at = text.as_ptr().addr() - bytes.as_ptr().addr();
            line += count_lines(&bytes[counted..at]);
            counted = at;
            (line, text)
        });
        Ok(Self {
            texts: texts.collect(),
            torn: None,
            is_array: true,
        })
    }

    /// As chapter 20's reader has it, a last line without a line end that is no JSON is torn.
    /// An empty line is none.
    fn of_lines(bytes: &'a [u8]) -> Result<Self, String> {
        let mut lines = Self {
            texts: Vec::new(),
            torn: None,
            is_array: false,
        };
        for (index, line) in bytes.split_inclusive(|byte| *byte == b'\n').enumerate() {
            let number = index + 1;
            let is_torn = !line.ends_with(b"\n");
            if line.trim_ascii().is_empty() {
                continue;
            }
            match std::str::from_utf8(line) {
                Ok(text) if is_torn && serde_json::from_str::<IgnoredAny>(text).is_err() => {
                    lines.torn = Some(number);
                }
                Ok(text) => lines.texts.push((number, text.trim())),
                Err(_) if is_torn => lines.torn = Some(number),
                Err(error) => return Err(format!("line {number} is not UTF-8: {error}")),
            }
        }
        Ok(lines)
    }

    /// The output, in the form of the input.
    fn written(&self, converted: &Converted) -> String {
        let messages = &converted.messages;
        match (self.is_array, messages.is_empty()) {
            (true, true) => "[]\n".to_string(),
            (true, false) => format!("[\n{}\n]\n", messages.join(",\n")),
            (false, true) => String::new(),
            (false, false) => messages.join("\n") + "\n",
        }
    }
}

fn count_lines(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte == b'\n').count()
}

/// Says what each message lost, a line for each, and at the end how often each field is lost.
fn report_losses(messages: &Messages<'_>, converted: &Converted) {
    let mut all: BTreeMap<&str, usize> = BTreeMap::new();
    let losing = converted
        .losses
        .chunk_by(|one, next| one.message == next.message);
    let mut count = 0;
    for losses in losing {
        let mut fields: BTreeMap<&str, usize> = BTreeMap::new();
        for loss in losses {
            *fields.entry(&loss.field).or_default() += 1;
            *all.entry(&loss.field).or_default() += 1;
        }
        let (line, _) = messages.texts[losses[0].message];
        report(format!("line {line} loses {}", listed(&fields)));
        count += 1;
    }
    if count > 0 {
        let total = messages.texts.len();
        report(format!(
            "{count} of {total} messages lose something: {}",
            listed(&all)
        ));
    }
}

/// Fields, each with how often it is meant if that is more than once.
fn listed(fields: &BTreeMap<&str, usize>) -> String {
    let fields = fields.iter().map(|(field, count)| match count {
        1 => field.to_string(),
        _ => format!("{field} ({count} times)"),
    });
    fields.collect::<Vec<_>>().join(", ")
}

fn refuse(why: &str) -> ExitCode {
    report(format!("{why}; nothing was written"));
    ExitCode::FAILURE
}
