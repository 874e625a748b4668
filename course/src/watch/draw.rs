//! Draws the screen.

use anyhow::Result;

use super::{KEYS, Pane, Watch};
use crate::messages;

impl Watch<'_> {
    pub(super) fn draw(&mut self) -> Result<()> {
        let head = self.head();
        let body = match &self.pane {
            Pane::Verdict => self.verdict_lines(),
            Pane::Output(lines) | Pane::Solution(_, lines) => lines.clone(),
            Pane::ConfirmSolution(id) => vec![format!(
                "Press s again to see the solution of {id}, or h for a hint instead."
            )],
        };
        let state = match (self.running, self.step) {
            (true, None) => self.style.yellow("compiling …"),
            (true, Some(step)) => self.style.yellow(&step.to_string()),
            (false, _) => self.style.dim("watching"),
        };
        let keys = match self.pane {
            Pane::Verdict => KEYS.to_string(),
            Pane::Output(_) => format!("esc back · {KEYS}"),
            Pane::ConfirmSolution(_) => format!("s show it · esc back · {KEYS}"),
            Pane::Solution(..) => {
                "a write it into src/ (your code is backed up first) · esc back · q quit"
                    .to_string()
            }
        };
        let foot = format!("{state}  {}", self.style.dim(&keys));
        self.scroll = self.screen.draw(&head, &body, &foot, self.scroll)?;
        Ok(())
    }

    fn head(&self) -> Vec<String> {
        match &self.report {
            Some(Ok(report)) if self.full_list => {
                let mut lines = vec![messages::heading(self.style, report)];
                lines.extend(messages::list(self.style, report));
                lines
            }
            Some(Ok(report)) => vec![
                messages::heading(self.style, report),
                messages::bar(self.style, report),
            ],
            _ => vec![self.style.bold("claw-code")],
        }
    }

    /// The lines that show the verdict.
    pub(super) fn verdict_lines(&self) -> Vec<String> {
        match &self.report {
            None => vec![
                "Building your crate and its tests …".to_string(),
                self.style
                    .dim("The first time, this also builds its dependencies."),
            ],
            Some(Err(error)) => vec![self.style.red(&format!("{error:#}"))],
            Some(Ok(report)) => {
                let finished = &self.finished_chapters;
                let mut lines = messages::finished(self.style, finished, report);
                lines.extend(messages::reason(self.style, report));
                if report.is_done() {
                    lines.push("Press n for what comes next.".to_string());
                }
                lines
            }
        }
    }
}
