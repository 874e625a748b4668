//! Colors and links.

use std::io::IsTerminal;
use std::path::Path;

/// Colors and links, if the output supports them.
#[derive(Debug, Clone)]
pub struct Style {
    /// Whether to use colors and links.
    pub color: bool,
    root: String,
}

impl Style {
    /// The style for standard output: colors in a terminal, unless `NO_COLOR` is set or the
    /// terminal is a dumb one.
    pub fn for_stdout(root: &Path) -> Self {
        let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let plain = no_color || is_dumb_terminal();
        Self {
            color: std::io::stdout().is_terminal() && !plain,
            root: root.to_string_lossy().into_owned(),
        }
    }

    /// Bold text.
    pub fn bold(&self, text: &str) -> String {
        self.paint("1", text)
    }

    /// Dim text, for details.
    pub fn dim(&self, text: &str) -> String {
        self.paint("2", text)
    }

    /// Green text, for success.
    pub fn green(&self, text: &str) -> String {
        self.paint("32", text)
    }

    /// Red text, for failure.
    pub fn red(&self, text: &str) -> String {
        self.paint("31", text)
    }

    /// Yellow text, for work to do.
    pub fn yellow(&self, text: &str) -> String {
        self.paint("33", text)
    }

    /// `file:line`, or only the file if `line` is 0. Terminals that support links open it in
    /// the editor.
    pub fn location(&self, file: &str, line: usize) -> String {
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

    /// A compiler message, with its colors removed if the style has none.
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

/// Whether the terminal says that it understands no escape sequences.
pub fn is_dumb_terminal() -> bool {
    std::env::var_os("TERM").is_some_and(|term| term == "dumb")
}
