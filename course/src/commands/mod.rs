//! The subcommands. Each returns the lines to print, so that the watch screen can show them
//! too.

mod book;
mod check;
mod class_report;
mod claw;
mod demo;
mod doctor;
mod fetch;
mod generate;
mod hint;
mod new_chapter;
mod open;
mod overview;
mod path;
mod report;
mod skeleton;
mod solution;
mod status;
mod teacher;
mod undo;
mod update;
mod written;

pub use book::{book, book_command};
pub use check::check;
pub use class_report::class_report;
pub use claw::claw;
pub use demo::demo;
pub use doctor::{doctor, doctor_json};
pub use fetch::{fetch, fetch_offer};
pub use generate::generate;
pub use hint::hint;
pub use new_chapter::new_chapter;
pub use open::{jump, next, open};
pub use path::{path, prepare};
pub use report::report;
pub use skeleton::FILL_IN;
pub use solution::{apply, reset, reset_given, solution, write_solution};
pub use status::{status, status_json};
pub use teacher::teacher;
pub use undo::{undo, undo_list};
pub use update::update;

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::process::Command;

use anyhow::{Context, Result};

use crate::backups::{BackedUpFile, Backup, Changes};
use crate::cargo::{self, Step};
use crate::messages::{self, Style, files, is_dumb_terminal};
use crate::progress::Progress;

/// The output of a command.
#[derive(Debug, Default)]
pub struct Outcome {
    /// The lines to print.
    pub lines: Vec<String>,
    /// Whether a test that the command is about failed. The exit code is then 1.
    pub red: bool,
}

impl From<Vec<String>> for Outcome {
    fn from(lines: Vec<String>) -> Self {
        Self { lines, red: false }
    }
}

/// Shows the progress of a test run on standard error, if that is a terminal. Elsewhere it only
/// reports, once, that cargo waits for another build.
pub fn show_progress() -> impl FnMut(Step) + Send {
    let line = ProgressLine::new();
    line.show("compiling …");
    let mut has_waited = false;
    move |step| match step {
        Step::Waiting if !line.is_shown && !has_waited => {
            has_waited = true;
            eprintln!("{step}");
        }
        _ => line.show(&step.to_string()),
    }
}

/// Clears the line of [`show_progress`].
pub fn clear_progress() {
    drop(ProgressLine::new());
}

/// The line that shows the progress. It is cleared when this is dropped.
struct ProgressLine {
    /// Whether standard error is a terminal on which a line can be cleared.
    is_shown: bool,
}

impl ProgressLine {
    fn new() -> Self {
        Self {
            is_shown: std::io::stderr().is_terminal() && !is_dumb_terminal(),
        }
    }

    fn show(&self, text: &str) {
        if self.is_shown {
            eprint!("\r\x1b[K\x1b[2m{text}\x1b[0m");
        }
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.show("");
    }
}

/// Builds the program that cargo's arguments `select`, and runs it with what `set` adds to its
/// command.
fn build_and_start(
    style: &Style,
    select: &[&str],
    set: impl FnOnce(&mut Command),
) -> Result<Outcome> {
    let built = cargo::build_program(select, show_progress())?;
    clear_progress();
    match built {
        Ok(program) => {
            let mut command = Command::new(program);
            cargo::remove_package_variables(&mut command);
            set(&mut command);
            start(&mut command)
        }
        Err((errors, cargo)) => Ok(Outcome {
            lines: messages::program_not_built(style, &errors, &cargo),
            red: true,
        }),
    }
}

/// Runs a command. On Unix it replaces this process, so that its program has the
/// terminal, receives Ctrl-C and sets the exit code.
#[cfg(unix)]
fn start(command: &mut Command) -> Result<Outcome> {
    use std::os::unix::process::CommandExt;
    let error = command.exec();
    Err(error).with_context(|| not_started(command))
}

#[cfg(not(unix))]
fn start(command: &mut Command) -> Result<Outcome> {
    let ended = command.status().with_context(|| not_started(command))?;
    Ok(Outcome {
        red: !ended.success(),
        ..Outcome::default()
    })
}

fn not_started(command: &Command) -> String {
    format!("cannot start {}", command.get_program().display())
}

/// Files of `src/` as changes for [`backups::overwrite`](crate::backups::overwrite).
fn in_src(progress: &Progress, files: BTreeMap<String, String>) -> Changes {
    files
        .into_iter()
        .map(|(file, text)| (progress.repo.src().join(file), Some(text.into_bytes())))
        .collect()
}

/// A line for each file of a backup, such as `wrote src/lib.rs`. Many files are counted, except
/// those about which there is more to say.
fn listed(backup: &Backup, line: impl Fn(&BackedUpFile) -> String) -> Vec<String> {
    const MANY: usize = 12;
    let all: Vec<&BackedUpFile> = backup.work().collect();
    let mut counts: BTreeMap<(String, &str), usize> = BTreeMap::new();
    let mut lines = Vec::new();
    for file in &all {
        let line = line(file);
        let verb = line.strip_suffix(&format!(" {}", file.path.display()));
        match verb {
            Some(verb) if all.len() > MANY => {
                let place = match file.path.starts_with("src") {
                    true => "in src/",
                    false => "of the course",
                };
                *counts.entry((verb.to_string(), place)).or_default() += 1;
            }
            _ => lines.push(format!("  {line}")),
        }
    }
    let counted = counts
        .into_iter()
        .map(|((verb, place), count)| format!("  {verb} {} {place}", files(count)));
    lines.extend(counted);
    lines
}

/// The overwritten files, and how to restore them.
fn backed_up(style: &Style, backup: &Backup) -> Vec<String> {
    let mut lines = listed(backup, |file| format!("wrote {}", file.path.display()));
    lines.push(way_back(style, backup));
    lines
}

/// How to restore the files of a backup.
fn way_back(style: &Style, backup: &Backup) -> String {
    let number = backup.number;
    style.dim(&format!(
        "The previous files are backup {number}, in .course/saves/{number:04}. `cargo course undo` restores them."
    ))
}
