//! A trace while it is being recorded.

use std::fmt::Debug;
use std::fs;
use std::path::Path;

use serde::Serialize;

use super::json;

/// A recorded run.
#[derive(Serialize)]
pub struct Trace {
    title: &'static str,
    steps: Vec<Step>,
}

/// One step of a run. Backticks in `title` and `about` enclose code.
#[derive(Serialize)]
pub struct Step {
    /// Who acts, such as `Model`.
    pub lane: &'static str,
    /// What happens, in a few words.
    pub title: &'static str,
    /// The value that this step makes.
    #[serde(flatten)]
    pub value: Recorded,
    /// The path of the item that makes it, from the root of the crate.
    pub code: &'static str,
    /// Why this happens, in a sentence or two.
    pub about: &'static str,
}

/// A recorded value as text.
#[derive(Serialize)]
pub struct Recorded {
    language: &'static str,
    value: Vec<String>,
}

impl Recorded {
    /// A value as JSON.
    pub fn json(value: &impl Serialize) -> Self {
        Self::json_lines([value])
    }

    /// Several values as JSON, each beginning on a line of its own.
    pub fn json_lines<T: Serialize>(values: impl IntoIterator<Item = T>) -> Self {
        let values = values.into_iter();
        let lines = values.flat_map(|value| {
            let value = serde_json::to_value(value).expect("the value can be written as JSON");
            json::lines(&value)
        });
        Self {
            language: "json",
            value: lines.collect(),
        }
    }

    /// Values as `{:?}` writes them, each on a line of its own.
    pub fn debug<T: Debug>(values: impl IntoIterator<Item = T>) -> Self {
        let values = values.into_iter();
        Self {
            language: "rust",
            value: values.map(|value| format!("{value:?}")).collect(),
        }
    }

    /// Bytes as text, with escapes for those that are not printable, and a new line after each
    /// line feed.
    pub fn bytes(bytes: &[u8]) -> Self {
        let lines = bytes.split_inclusive(|byte| *byte == b'\n');
        let escaped = |byte: &u8| match byte {
            b'"' | b'\\' => char::from(*byte).to_string(),
            byte => byte.escape_ascii().to_string(),
        };
        Self {
            language: "text",
            value: lines
                .map(|line| line.iter().map(escaped).collect())
                .collect(),
        }
    }

    /// Text as it is.
    pub fn text(text: &str) -> Self {
        Self {
            language: "text",
            value: text.lines().map(String::from).collect(),
        }
    }
}

impl Trace {
    /// A trace without steps.
    pub fn new(title: &'static str) -> Self {
        Self {
            title,
            steps: Vec::new(),
        }
    }

    /// Adds a step.
    pub fn add(&mut self, step: Step) {
        self.steps.push(step);
    }

    /// Compares the trace with the committed one, or replaces that one if `CLAW_TRACES` is
    /// `write`.
    #[track_caller]
    pub fn check(self, name: &str) {
        let mut recorded = serde_json::to_string_pretty(&self).expect("a trace can be written");
        recorded.push('\n');
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../book/src/traces");
        let path = folder.join(format!("{name}.json"));
        if std::env::var_os("CLAW_TRACES").is_some_and(|value| value == "write") {
            fs::create_dir_all(&folder).expect("the folder of the traces");
            fs::write(&path, recorded).expect("the trace can be written");
            return;
        }
        let committed = fs::read_to_string(&path).unwrap_or_default();
        let same = committed.lines().zip(recorded.lines());
        let same = same.take_while(|(one, other)| one == other).count();
        assert!(
            committed == recorded,
            "book/src/traces/{name}.json differs from the recording; line {} should be\n{}\n\
             To write it again: CLAW_TRACES=write cargo test -p claw-code-solutions --test traces",
            same + 1,
            recorded
                .lines()
                .nth(same)
                .unwrap_or("(the end of the file)"),
        );
    }
}
