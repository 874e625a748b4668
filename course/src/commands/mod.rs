//! The subcommands. Each gives the lines to print, so that the watch screen can show
//! them as well as the command line.

mod book;
mod check;
mod demo;
mod hint;
mod maintain;
mod open;
mod report;
mod solution;
mod status;
mod undo;

pub use book::{book, book_command};
pub use check::check;
pub use demo::demo;
pub use hint::hint;
pub use maintain::generate;
pub use open::{jump, next, open};
pub use report::report;
pub use solution::{reset, solution};
pub use status::{status, status_json};
pub use undo::{undo, undo_list};

use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;

use crate::progress::Progress;
use crate::saves::Save;
use crate::view::Style;

/// What a command has to say, and whether all is well.
#[derive(Debug, Default)]
pub struct Outcome {
    /// The lines to print.
    pub lines: Vec<String>,
    /// Whether what was asked about is red; the exit status follows it.
    pub red: bool,
}

impl From<Vec<String>> for Outcome {
    fn from(lines: Vec<String>) -> Self {
        Self { lines, red: false }
    }
}

/// Tells on the terminal's error output that tests are being run, and wipes it.
fn run_news() -> impl FnMut(usize) + Send {
    let terminal = std::io::stderr().is_terminal();
    if terminal {
        eprint!("\r\x1b[2mcompiling …\x1b[0m");
    }
    move |ended| {
        if terminal {
            eprint!("\r\x1b[K\x1b[2m{ended} tests run …\x1b[0m\r\x1b[K");
            let _ = std::io::stderr().flush();
        }
    }
}

/// Files of the learner's, as the saves take them.
fn in_src(
    progress: &Progress,
    files: BTreeMap<String, String>,
) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
    files
        .into_iter()
        .map(|(file, text)| (progress.repo.src().join(file), Some(text.into_bytes())))
        .collect()
}

/// What was overwritten, and how to get it back.
fn saved(style: &Style, save: &Save) -> Vec<String> {
    let mut lines: Vec<String> = save
        .files
        .iter()
        .map(|file| format!("  wrote {}", file.path.display()))
        .collect();
    lines.push(style.dim(&format!(
        "What stood there before is save {}, in .course/saves/{:04}; `cargo course undo` puts it back.",
        save.number, save.number
    )));
    lines
}
