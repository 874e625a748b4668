//! Colours and links.

use std::io::IsTerminal;
use std::path::Path;

/// Colours and links, where the output can show them.
#[derive(Debug, Clone)]
pub struct Style {
    /// Whether to colour at all.
    pub color: bool,
    root: String,
}

impl Style {
    /// For standard output: colours in a terminal, unless `NO_COLOR` is set.
    pub fn for_stdout(root: &Path) -> Self {
        let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        Self {
            color: std::io::stdout().is_terminal() && !plain,
            root: root.to_string_lossy().into_owned(),
        }
    }

    /// Stands out.
    pub fn bold(&self, text: &str) -> String {
        self.paint("1", text)
    }

    /// Steps back.
    pub fn dim(&self, text: &str) -> String {
        self.paint("2", text)
    }

    /// Something that is right.
    pub fn green(&self, text: &str) -> String {
        self.paint("32", text)
    }

    /// Something that is wrong.
    pub fn red(&self, text: &str) -> String {
        self.paint("31", text)
    }

    /// Something to do.
    pub fn yellow(&self, text: &str) -> String {
        self.paint("33", text)
    }

    /// `file:line`, or the file alone for line 0, which terminals that know links open in the editor.
    pub fn place(&self, file: &str, line: usize) -> String {
        let (text, anchor) = match line {
            0 => (file.to_string(), String::new()),
            line => (format!("{file}:{line}"), format!("#L{line}")),
        };
        if !self.color {
            return text;
        }
        format!(
            "\x1b]8;;file://{}/{file}{anchor}\x1b\\{}\x1b]8;;\x1b\\",
            self.root.replace(' ', "%20"),
            self.paint("36", &text)
        )
    }

    /// The compiler's words, with its colours only where colours are shown.
    pub(super) fn compiler(&self, rendered: &str) -> String {
        match self.color {
            true => rendered.to_string(),
            false => strip_ansi_escapes::strip_str(rendered),
        }
    }

    fn paint(&self, code: &str, text: &str) -> String {
        match self.color {
            true => format!("\x1b[{code}m{text}\x1b[0m"),
            false => text.to_string(),
        }
    }
}
