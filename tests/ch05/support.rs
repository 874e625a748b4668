//! Chapter 5, The System Prompt.
//!
//! Git is the real one, in repositories made for the test and removed after it.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use claw_code::prompt::*;
use claw_code::types::Message;

/// A section made by hand, so that a test of the builder needs none of section 5.1.
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
        other => panic!("a prompt is made of system messages, not of {other:?}"),
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

/// Git with time enough for a machine that is busy with other tests.
pub fn patient() -> Git {
    Git {
        limit: Duration::from_secs(20),
        ..Git::default()
    }
}

/// A folder of its own for one test, removed at its end.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new() -> Self {
        let path = std::env::temp_dir().join(format!("claw-ch5-{}", uuid::Uuid::new_v4()));
        std::fs::create_dir_all(&path).expect("a new folder among the temporary files");
        Self(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    pub fn write(&self, name: &str, text: &str) {
        let file = self.0.join(name);
        let above = file.parent().expect("it lies in the folder");
        std::fs::create_dir_all(above).expect("a new folder");
        std::fs::write(file, text).expect("a new file");
    }

    /// Runs git in this folder, apart from the user's own settings, and gives what it wrote.
    #[track_caller]
    pub fn git(&self, args: &[&str]) -> String {
        let output = std::process::Command::new("git")
            .arg("-C")
            .arg(&self.0)
            .args(["-c", "user.name=Ada", "-c", "user.email=ada@example.com"])
            .args(args)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env_remove("GIT_DIR")
            .env_remove("GIT_WORK_TREE")
            .env_remove("GIT_INDEX_FILE")
            .output()
            .expect("these tests need git: install it, and run them again");
        assert!(
            output.status.success(),
            "git {args:?} failed: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8_lossy(&output.stdout).trim().to_string()
    }

    /// Replaces the repository's HEAD by a pipe that nobody writes to: whoever opens it
    /// waits. Says whether that could be done.
    pub fn hang(&self) -> bool {
        let head = self.0.join(".git/HEAD");
        let made = std::fs::remove_file(&head)
            .and_then(|()| std::process::Command::new("mkfifo").arg(&head).status());
        made.is_ok_and(|status| status.success())
    }

    /// Whether no program that was told of this folder runs any more, after a while. Only
    /// Linux is asked; elsewhere it is taken to be so.
    pub async fn nobody_is_left(&self) -> bool {
        let name = self.0.display().to_string();
        let runs = || {
            let Ok(processes) = std::fs::read_dir("/proc") else {
                return false;
            };
            processes.flatten().any(|process| {
                let line = std::fs::read(process.path().join("cmdline")).unwrap_or_default();
                String::from_utf8_lossy(&line).contains(&name)
            })
        };
        let begin = SystemTime::now();
        while runs() {
            if begin
                .elapsed()
                .is_ok_and(|time| time > Duration::from_secs(5))
            {
                return false;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        true
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
