//! Reads the files that learners hand in. Any file can be there: cut off, foreign, or written to
//! do harm.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use serde_json::Value;

/// The format that this program knows.
const FORMAT: u64 = 1;

/// The size of the largest file that is read. The status of all chapters takes 1 MB.
const LARGEST: u64 = 8 << 20;

/// The number of files that are read.
const MOST_FILES: usize = 500;

/// The number of mistakes of one learner that are counted.
const MOST_MISTAKES: usize = 2_000;

/// The number of characters of a text that are shown.
const LONGEST: usize = 300;

/// A file that a learner handed in.
pub(super) struct HandIn {
    /// The name of the file without `.json`.
    pub nickname: String,
    /// The learner's progress, or why the file has none, such as `is empty`.
    pub progress: Result<Progress, String>,
}

/// A learner's progress. Files of older versions lack some of it.
#[derive(Debug, Default)]
pub(super) struct Progress {
    /// The number of the current section. `None` if all open chapters are green.
    pub section: Option<String>,
    /// The title of the current section.
    pub title: String,
    /// The state of the current section, or the problem that keeps tests from running.
    pub state: String,
    /// The explanation of the mistake in the current section, if it is a known one.
    pub explanation: Option<String>,
    /// The learner's green sections.
    pub done: usize,
    /// The learner's sections in the open chapters.
    pub all: usize,
    /// The path: `core` or `full`.
    pub path: Option<String>,
    /// The version of the course.
    pub course: Option<String>,
    /// When the file was written, in seconds since 1970.
    pub written_at: Option<u64>,
    /// Since when the current section is the current one, in seconds since 1970.
    pub red_since: Option<u64>,
    /// The sections and explanations of the mistakes that were made, each once.
    pub mistakes: BTreeSet<(String, String)>,
}

/// Reads the `.json` files in `folder`, sorted by nickname.
pub(super) fn read_all(folder: &Path) -> io::Result<Vec<HandIn>> {
    let mut hand_ins = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let is_json = path
            .extension()
            .is_some_and(|end| end.eq_ignore_ascii_case("json"));
        let hidden = |name: &std::ffi::OsStr| name.to_string_lossy().starts_with('.');
        if !is_json || path.file_name().is_some_and(hidden) {
            continue;
        }
        let stem = path.file_stem().unwrap_or_default();
        hand_ins.push(HandIn {
            nickname: clip(&stem.to_string_lossy()),
            progress: read(&path).and_then(|json| progress(&json)),
        });
        if hand_ins.len() == MOST_FILES {
            break;
        }
    }
    hand_ins.sort_by(|a, b| a.nickname.cmp(&b.nickname));
    Ok(hand_ins)
}

/// The JSON of a file, or why it has none.
fn read(path: &Path) -> Result<Value, String> {
    let cannot = |error: io::Error| format!("cannot be read: {error}");
    let metadata = fs::symlink_metadata(path).map_err(cannot)?;
    if !metadata.is_file() {
        return Err("is not a plain file".to_string());
    }
    if metadata.len() > LARGEST {
        return Err(format!("is too large ({} MB)", metadata.len() >> 20));
    }
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(LARGEST).read_to_end(&mut bytes))
        .map_err(cannot)?;
    let text = text(&bytes);
    if text.trim().is_empty() {
        return Err("is empty".to_string());
    }
    serde_json::from_str(&text).map_err(|error| match error.is_eof() {
        true => "is cut off; it may still be copied".to_string(),
        false => "is not JSON".to_string(),
    })
}

/// The text of a file. PowerShell writes UTF-16 when output is redirected into a file.
fn text(bytes: &[u8]) -> String {
    match bytes {
        [0xff, 0xfe, rest @ ..] => {
            let (pairs, _) = rest.as_chunks::<2>();
            let units = pairs.iter().map(|pair| u16::from_le_bytes(*pair));
            char::decode_utf16(units)
                .map(|unit| unit.unwrap_or('\u{fffd}'))
                .collect()
        }
        [0xef, 0xbb, 0xbf, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        _ => String::from_utf8_lossy(bytes).into_owned(),
    }
}

/// The progress that a report has, or why it is no report.
fn progress(json: &Value) -> Result<Progress, String> {
    let Some(chapters) = json["chapters"].as_array() else {
        return Err("is not a report of this course".to_string());
    };
    if json["format"]
        .as_u64()
        .is_some_and(|format| format > FORMAT)
    {
        return Err("is from a newer version of the course; run `cargo course update`".to_string());
    }
    let sections = || {
        let lists = chapters
            .iter()
            .filter_map(|chapter| chapter["sections"].as_array());
        lists.flatten()
    };
    let own =
        || sections().filter(|section| section["given"] != true && section["state"] != "reading");
    let number = json["current_section"].as_str();
    let current = sections().find(|section| number.is_some() && section["id"].as_str() == number);
    let problem = chapters
        .iter()
        .find(|chapter| chapter["number"] == json["current_chapter"])
        .and_then(|chapter| chapter["problem"]["kind"].as_str());
    let state = current.and_then(|section| section["state"].as_str());
    let made = json["wrong_answers"].as_array().into_iter().flatten();
    let made = made.filter_map(|one| Some((one["section"].as_str()?, one["because"].as_str()?)));
    let now = sections().filter_map(|it| Some((it["id"].as_str()?, it["explanation"].as_str()?)));
    let mistakes = now.chain(made).take(MOST_MISTAKES);
    let mistakes = mistakes.map(|(section, because)| (clip(section), clip(because)));
    Ok(Progress {
        section: number.map(clip),
        title: current
            .and_then(|it| it["title"].as_str())
            .map(clip)
            .unwrap_or_default(),
        state: clip(problem.or(state).unwrap_or_default()),
        explanation: current.and_then(|it| it["explanation"].as_str()).map(clip),
        done: own().filter(|section| section["state"] == "done").count(),
        all: own().count(),
        path: json["path"].as_str().map(clip),
        course: json["course"].as_str().map(clip),
        written_at: json["written_at"].as_u64(),
        red_since: json["red_since"].as_u64(),
        mistakes: mistakes.collect(),
    })
}

/// The beginning of a text from a file.
fn clip(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}
