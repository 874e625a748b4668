//! `claw convert`: a conversation from one vocabulary into another.
//!
//! All of it is read and converted before the first byte is written, so that the reader of
//! the output gets all of it or nothing.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Args;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::output::{print, report};
use crate::session::convert::without_position;
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

/// Converts, and reports on standard error what was lost. The exit code is 0 when all was
/// written, and 1 when nothing was, because a message is broken or would lose something.
pub fn run(options: &ConvertOptions) -> Result<ExitCode> {
    let (name, bytes) = input(options.file.as_deref())?;
    let messages = match Messages::of(&bytes) {
        Ok(messages) => messages,
        Err(problem) => return Ok(refuse(&format!("{name}, {problem}"))),
    };
    if let Some(line) = messages.torn {
        let torn = format!("{name}, line {line} is torn: its message is incomplete");
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
            return Ok(refuse(&format!("{name}, line {line}: {}", broken.problem)));
        }
    };
    report_losses(&messages, &converted);
    let is_whole = converted.losses.is_empty() && messages.torn.is_none();
    if options.strict && !is_whole {
        return Ok(refuse("--strict allows no loss"));
    }
    Ok(print(&messages.output(&converted)))
}

/// The whole input, and its name for messages.
fn input(file: Option<&Path>) -> Result<(String, Vec<u8>)> {
    if let Some(path) = file.filter(|path| *path != Path::new("-")) {
        let name = path.display().to_string();
        let bytes = std::fs::read(path).with_context(|| format!("cannot read {name}"))?;
        return Ok((name, bytes));
    }
    let mut bytes = Vec::new();
    let read = io::stdin().lock().read_to_end(&mut bytes);
    read.context("cannot read standard input")?;
    Ok(("standard input".to_string(), bytes))
}

/// The messages of an input as JSON texts.
#[derive(Default)]
struct Messages<'a> {
    /// Each message with the number of its first line.
    texts: Vec<(usize, &'a str)>,
    /// The number of the last line if it is torn.
    torn: Option<usize>,
    is_array: bool,
}

impl<'a> Messages<'a> {
    /// Splits an input whose first character is `[` as an array, and any other into lines.
    fn of(bytes: &'a [u8]) -> Result<Self, String> {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        match bytes.trim_ascii_start().starts_with(b"[") {
            true => Self::of_array(bytes),
            false => Self::of_lines(bytes),
        }
    }

    fn of_array(bytes: &'a [u8]) -> Result<Self, String> {
        let elements: Vec<&RawValue> = serde_json::from_slice(bytes)
            .map_err(|error| format!("line {}: {}", error.line(), without_position(&error)))?;
        let mut messages = Self {
            is_array: true,
            ..Self::default()
        };
        let mut rest = std::str::from_utf8(bytes).map_err(|error| error.to_string())?;
        let mut line = 1;
        for element in elements.into_iter().map(RawValue::get) {
            // Only a comma and white space are between two elements.
            let (before, after) = rest.split_once(element).unwrap_or(("", rest));
            line += before.matches('\n').count();
            messages.texts.push((line, element));
            line += element.matches('\n').count();
            rest = after;
        }
        Ok(messages)
    }

    /// Like chapter 20's reader, takes a last line without a line end for torn if it is not
    /// JSON. Empty lines are skipped.
    fn of_lines(bytes: &'a [u8]) -> Result<Self, String> {
        let mut messages = Self::default();
        let lines = bytes.split_inclusive(|byte| *byte == b'\n');
        for (number, line) in (1..).zip(lines) {
            let is_last = !line.ends_with(b"\n");
            match std::str::from_utf8(line) {
                Ok(text) if text.trim().is_empty() => {}
                Ok(text) if is_last && serde_json::from_str::<IgnoredAny>(text).is_err() => {
                    messages.torn = Some(number);
                }
                Ok(text) => messages.texts.push((number, text.trim())),
                Err(_) if is_last => messages.torn = Some(number),
                Err(error) => return Err(format!("line {number} is not UTF-8: {error}")),
            }
        }
        Ok(messages)
    }

    /// The output, in the form of the input.
    fn output(&self, converted: &Converted) -> String {
        let messages = &converted.messages;
        match (self.is_array, messages.is_empty()) {
            (true, true) => "[]\n".to_string(),
            (true, false) => format!("[\n{}\n]\n", messages.join(",\n")),
            (false, true) => String::new(),
            (false, false) => messages.join("\n") + "\n",
        }
    }
}

/// Reports what each message lost, one line for each, and then how often each field is lost.
fn report_losses(messages: &Messages<'_>, converted: &Converted) {
    let losses = &converted.losses;
    let mut count = 0;
    for one in losses.chunk_by(|one, next| one.message == next.message) {
        let fields = counted(one.iter().map(|loss| &loss.field));
        let (line, _) = messages.texts[one[0].message];
        report(format!("line {line} loses {fields}"));
        count += 1;
    }
    if count > 0 {
        let total = messages.texts.len();
        let fields = counted(losses.iter().map(|loss| &loss.field));
        report(format!(
            "{count} of {total} messages lose something: {fields}"
        ));
    }
}

/// The fields, each with its count if that is more than one.
fn counted<'a>(fields: impl Iterator<Item = &'a String>) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    fields.for_each(|field| *counts.entry(field).or_default() += 1);
    let fields = counts.iter().map(|(field, count)| match count {
        1 => field.to_string(),
        _ => format!("{field} ({count} times)"),
    });
    fields.collect::<Vec<_>>().join(", ")
}

fn refuse(why: &str) -> ExitCode {
    report(format!("{why}; nothing was written"));
    ExitCode::FAILURE
}
