//! How a turn looks in a terminal: text as it comes, and a row for each tool.

use std::io::{self, IsTerminal, Write};

use crate::engine::QueryEvent;

/// Writes events to standard output.
pub struct Screen {
    color: bool,
    /// Whether the cursor stands behind text on its line.
    mid_line: bool,
}

impl Screen {
    /// Colours in a terminal, unless `NO_COLOR` is set.
    pub fn for_stdout() -> Self {
        let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        Self {
            color: io::stdout().is_terminal() && !plain,
            mid_line: false,
        }
    }

    /// Shows one event.
    pub fn show(&mut self, event: &QueryEvent) {
        match event {
            QueryEvent::Text(text) => {
                self.write(text);
                self.mid_line = !text.ends_with('\n');
            }
            QueryEvent::ToolStarted { summary, .. } => self.row("36", &format!("● {summary}")),
            QueryEvent::ToolFinished { result, .. } => {
                let mut lines = result.content.lines();
                let first = lines.next().unwrap_or("(nothing)").to_string();
                let more = match lines.count() {
                    0 => String::new(),
                    1 => " … and one more line".to_string(),
                    n => format!(" … and {n} more lines"),
                };
                let failed = result.content.starts_with("error: ");
                self.row(
                    if failed { "31" } else { "2" },
                    &format!("  └ {first}{more}"),
                );
            }
            QueryEvent::Progress(_) | QueryEvent::Usage(_) | QueryEvent::TurnFinished { .. } => {}
        }
    }

    /// Ends the turn on a line of its own.
    pub fn finish(&mut self) {
        if self.mid_line {
            self.write("\n");
            self.mid_line = false;
        }
    }

    fn row(&mut self, code: &str, text: &str) {
        self.finish();
        match self.color {
            true => self.write(&format!("\x1b[{code}m{text}\x1b[0m\n")),
            false => self.write(&format!("{text}\n")),
        }
    }

    /// A reader that has gone, such as `head`, is no error of the turn's.
    fn write(&self, text: &str) {
        let mut out = io::stdout().lock();
        let _ = out.write_all(text.as_bytes());
        let _ = out.flush();
    }
}
