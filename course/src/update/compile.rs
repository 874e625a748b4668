//! Builds the learner's crate, to find code that does not compile with the new version.

use std::path::Path;
use std::process::Command;

use cargo_metadata::Message;
use cargo_metadata::diagnostic::DiagnosticLevel;

use crate::cargo::cargo;

/// The result of a build.
pub enum Build {
    /// It compiles.
    Passed,
    /// It does not compile.
    Failed(Vec<Problem>),
    /// Cargo failed before it compiled the crate, with this message.
    NotBuilt(String),
}

/// An error of the compiler.
pub struct Problem {
    /// The file, relative to the repository.
    pub file: String,
    /// The first byte that it is about.
    pub at: usize,
    /// The line.
    pub line: usize,
    /// The message.
    pub message: String,
}

/// Builds the crate in `root`. The dependencies are those that its tests use.
pub fn build(root: &Path, target: &Path) -> Build {
    let mut command = cargo();
    command
        .current_dir(root)
        .args(["build", "--lib", "--quiet"])
        .arg("--target-dir")
        .arg(target);
    run(&mut command)
}

/// Runs a command of cargo's that compiles the crate in the command's folder.
pub fn run(command: &mut Command) -> Build {
    let output = match command.args(["--message-format", "json"]).output() {
        Ok(output) => output,
        Err(error) => return Build::NotBuilt(format!("cargo cannot be started: {error}")),
    };
    if output.status.success() {
        return Build::Passed;
    }
    let messages = Message::parse_stream(output.stdout.as_slice()).flatten();
    let problems: Vec<Problem> = messages
        .filter_map(|message| match message {
            Message::CompilerMessage(message) => Some(message.message),
            _ => None,
        })
        .filter(|message| message.level == DiagnosticLevel::Error)
        .flat_map(|message| {
            let text = message.message;
            let spans = message.spans.into_iter().filter(|span| span.is_primary);
            spans.map(move |span| Problem {
                file: span.file_name.replace('\\', "/"),
                at: span.byte_start as usize,
                line: span.line_start,
                message: text.clone(),
            })
        })
        .collect();
    if problems.is_empty() {
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        let first = error.lines().next().unwrap_or("cargo failed");
        return Build::NotBuilt(first.to_string());
    }
    Build::Failed(problems)
}
