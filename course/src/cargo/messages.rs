//! Cargo's own messages: lines of JSON, among them rustc's.

use std::path::PathBuf;

use serde::Deserialize;

use super::Diagnostic;

/// Cargo's messages, which are lines of JSON.
#[derive(Default)]
pub struct Messages {
    /// The messages.
    pub all: Vec<Message>,
    /// Whether cargo says that the build succeeded.
    pub built: bool,
}

impl Messages {
    /// Reads what cargo printed.
    pub fn read(stdout: &str) -> Self {
        let mut messages = Self::default();
        let lines = stdout
            .lines()
            .filter(|line| line.starts_with("{\"reason\":"));
        for message in lines.filter_map(|line| serde_json::from_str::<Message>(line).ok()) {
            messages.built |= message.success == Some(true);
            messages.all.push(message);
        }
        messages
    }

    /// What rustc said at one level, `error` or `warning`.
    pub fn of(&self, level: &str) -> Vec<Diagnostic> {
        self.all
            .iter()
            .filter_map(|message| message.message.as_ref())
            .filter(|said| said.is_about_code() && said.level == level)
            .cloned()
            .map(Diagnostic::from)
            .collect()
    }
}

/// One message.
#[derive(Deserialize)]
pub struct Message {
    success: Option<bool>,
    /// Rustc's words, if it is of these that the message tells.
    pub message: Option<Said>,
    /// The package that it is about.
    #[serde(default)]
    pub package_id: String,
    /// The program that was built, if one was.
    executable: Option<PathBuf>,
    /// The `Cargo.toml` of its package.
    manifest_path: Option<PathBuf>,
    profile: Option<Profile>,
}

#[derive(Deserialize)]
struct Profile {
    test: bool,
}

impl Message {
    /// The test program that was built, if one was, and the folder of its package.
    pub fn take_program(&mut self) -> Option<(PathBuf, PathBuf)> {
        self.profile.as_ref().filter(|profile| profile.test)?;
        let program = self.executable.take()?;
        let mut dir = self.manifest_path.take()?;
        dir.pop();
        Some((program, dir))
    }
}

/// What rustc said.
#[derive(Clone, Deserialize)]
pub struct Said {
    rendered: Option<String>,
    level: String,
    code: Option<serde_json::Value>,
    spans: Vec<SaidSpan>,
}

#[derive(Clone, Deserialize)]
struct SaidSpan {
    file_name: String,
    line_start: usize,
    is_primary: bool,
}

impl Said {
    /// Not a summary such as "2 warnings emitted".
    pub fn is_about_code(&self) -> bool {
        !self.spans.is_empty() || self.code.is_some()
    }
}

impl From<Said> for Diagnostic {
    fn from(said: Said) -> Self {
        let primary = said.spans.iter().find(|span| span.is_primary);
        Self {
            rendered: said.rendered.unwrap_or_default().trim_end().to_string(),
            file: primary.map(|span| span.file_name.clone()),
            line: primary.map_or(0, |span| span.line_start),
        }
    }
}

/// `path+file:///…/start-1#0.1.0` and `path+file:///…/x#start-1@0.1.0` are `start-1`.
pub fn package_name(id: &str) -> String {
    let (path, version) = id.rsplit_once('#').unwrap_or((id, ""));
    let name = match version.split_once('@') {
        Some((name, _)) => name,
        None => path.rsplit('/').next().unwrap_or(path),
    };
    name.to_string()
}
