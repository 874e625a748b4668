//! Helpers for the tests of chapter 5, The System Prompt.
//!
//! The tests run the real git in temporary repositories.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use claw_code::prompt::*;
use claw_code::types::Message;

pub use crate::support::TempFolder;

/// A section built from its fields, so that the builder's tests do not need section 5.1.
pub fn section(kind: SectionKind, tag: &str, title: &str, text: &str) -> PromptSection {
    PromptSection {
        tag: tag.to_string(),
        title: title.to_string(),
        text: text.to_string(),
        kind,
    }
}

pub fn builder(sections: impl IntoIterator<Item = PromptSection>) -> PromptBuilder {
    let sections = sections.into_iter();
    sections.fold(PromptBuilder::new(), PromptBuilder::section)
}

pub fn prompt(text: &str, cache_boundary: usize) -> SystemPrompt {
    SystemPrompt {
        text: text.to_string(),
        cache_boundary,
    }
}

#[track_caller]
pub fn tag_and_content(message: &Message) -> (&str, &str) {
    match message {
        Message::System(system) => (system.tag.as_deref().unwrap_or("no tag"), &system.content),
        other => panic!("a prompt gives only system messages, but got {other:?}"),
    }
}

pub fn repository(branch: Option<&str>, commit: Option<&str>, changes: usize) -> GitState {
    GitState::Repository {
        branch: branch.map(str::to_string),
        commit: commit.map(str::to_string),
        changes,
    }
}

pub fn environment() -> Environment {
    Environment {
        working_directory: PathBuf::from("/home/ada/app"),
        platform: "linux x86_64".to_string(),
        date: "2026-01-31".to_string(),
        git: repository(Some("main"), Some("1a2b3c4d"), 2),
    }
}

/// Git with a limit that a busy machine does not reach.
pub fn patient_git() -> Git {
    Git {
        limit: Duration::from_secs(20),
        ..Git::default()
    }
}

/// A git that does not exist.
pub fn missing_git() -> Git {
    Git {
        program: "claw-test-no-such-program".into(),
        ..patient_git()
    }
}

/// A shell script in `folder` that runs in place of git and ignores its arguments.
///
/// Another process writes the file. If this one did, a program that another test starts at
/// the same time could hold the file open, and it could not be run ("text file busy").
#[track_caller]
pub fn fake_git(folder: &TempFolder, script: &str) -> Git {
    let path = folder.path().join("fake-git");
    let write = r#"printf '#!/bin/sh\n%s\n' "$2" > "$1" && chmod +x "$1""#;
    let mut shell = Command::new("sh");
    shell.args(["-c", write, "sh"]).arg(&path).arg(script);
    let written = shell.status().expect("this test needs a shell");
    assert!(written.success(), "the script {path:?} was not written");
    Git {
        program: path.into(),
        ..patient_git()
    }
}

/// A folder with an empty repository whose branch is `trunk`.
pub fn repository_folder() -> TempFolder {
    let folder = TempFolder::new();
    git(&folder, &["init", "--quiet", "--initial-branch=trunk"]);
    folder
}

/// Commits a new file `a.txt` and returns the commit's id.
pub fn commit_file(folder: &TempFolder) -> String {
    folder.write("a.txt", "a");
    git(folder, &["add", "."]);
    git(folder, &["commit", "--quiet", "--message=first"]);
    git(folder, &["rev-parse", "HEAD"])
}

/// Runs git in a folder, without the user's own settings, and returns its trimmed output.
#[track_caller]
pub fn git(folder: &TempFolder, args: &[&str]) -> String {
    let output = Command::new("git")
        .arg("-C")
        .arg(folder.path())
        .args(["-c", "user.name=Ada", "-c", "user.email=ada@example.com"])
        .args(args)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env_remove("GIT_DIR")
        .env_remove("GIT_WORK_TREE")
        .env_remove("GIT_INDEX_FILE")
        .output()
        .expect("these tests need git: install it and run them again");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "git {args:?} failed: {error}");
    String::from_utf8_lossy(&output.stdout).trim().to_string()
}

#[track_caller]
pub fn assert_unknown(case: &str, state: &GitState, part: &str) {
    assert!(
        matches!(state, GitState::Unknown(reason) if reason.starts_with("fatal: ") && reason.contains(part) && !reason.contains('\n')),
        "{case}: the state should be Unknown with the first line of git's error output, `fatal: …`, which contains {part:?}; got {state:?}"
    );
}

/// Replaces the repository's HEAD with a named pipe that has no writer, so that git hangs
/// when it opens HEAD. Returns false on a system without named pipes.
pub fn replace_head_with_pipe(folder: &TempFolder) -> bool {
    let head = folder.path().join(".git/HEAD");
    let made =
        std::fs::remove_file(&head).and_then(|()| Command::new("mkfifo").arg(&head).status());
    made.is_ok_and(|status| status.success())
}

/// Returns when a process has this folder in its command line, or the other side of `end` is
/// dropped. Only Linux can tell; on other systems it returns at once.
pub fn wait_for_process(folder: &Path, end: &mpsc::Receiver<()>) {
    while Path::new("/proc/self/cmdline").exists()
        && !is_running(folder)
        && end.try_recv() != Err(mpsc::TryRecvError::Disconnected)
    {
        std::thread::yield_now();
    }
}

/// Whether every process with this folder in its command line ends within 5 seconds. Only
/// Linux can tell; other systems give true.
pub async fn has_no_process(folder: &TempFolder) -> bool {
    let deadline = Instant::now() + Duration::from_secs(5);
    while is_running(folder.path()) {
        if Instant::now() > deadline {
            return false;
        }
        tokio::task::yield_now().await;
    }
    true
}

/// Whether a process has this folder in its command line. Only Linux can tell.
fn is_running(folder: &Path) -> bool {
    let name = folder.display().to_string();
    let Ok(processes) = std::fs::read_dir("/proc") else {
        return false;
    };
    processes.flatten().any(|process| {
        let line = std::fs::read(process.path().join("cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).contains(&name)
    })
}
