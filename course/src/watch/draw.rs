//! What the screen shows.

use anyhow::Result;

use super::{KEYS, Pane, Watch};
use crate::view;

impl Watch<'_> {
    pub(super) fn draw(&mut self) -> Result<()> {
        let head = self.head();
        let body = match &self.pane {
            Pane::Reason => self.reason(),
            Pane::Note(lines) => lines.clone(),
            Pane::Ask(id) => vec![format!(
                "This shows the reference's answer to {id}. Press s again if you want to see it; h gives a hint instead."
            )],
            Pane::Offer(_, lines) => lines.clone(),
        };
        let state = match (self.running, self.ended) {
            (true, 0) => self.style.yellow("compiling …"),
            (true, ended) => self.style.yellow(&format!("{ended} done …")),
            (false, _) => self.style.dim("watching"),
        };
        let keys = match self.pane {
            Pane::Reason => KEYS.to_string(),
            Pane::Note(_) => format!("esc back · {KEYS}"),
            Pane::Ask(_) => format!("s show it · esc back · {KEYS}"),
            Pane::Offer(..) => {
                "a put it into src/ (yours is saved first) · esc back · q quit".to_string()
            }
        };
        let foot = format!("{state}  {}", self.style.dim(&keys));
        self.scroll = self.screen.draw(&head, &body, &foot, self.scroll)?;
        Ok(())
    }

    fn head(&self) -> Vec<String> {
        match &self.report {
            Some(Ok(report)) if self.full_list => {
                let mut lines = vec![view::heading(self.style, report)];
                lines.extend(view::list(self.style, report));
                lines
            }
            Some(Ok(report)) => vec![
                view::heading(self.style, report),
                view::bar(self.style, report),
            ],
            _ => vec![self.style.bold("claw-code")],
        }
    }

    pub(super) fn reason(&self) -> Vec<String> {
        match &self.report {
            None => vec![
                "Building your crate and its tests …".to_string(),
                self.style
                    .dim("The first time, its dependencies are built as well."),
            ],
            Some(Err(error)) => vec![self.style.red(&format!("{error:#}"))],
            Some(Ok(report)) => {
                let mut lines = view::reason(self.style, report);
                if report.is_done() {
                    lines.push("Press n for what comes next.".to_string());
                }
                lines
            }
        }
    }
}
