//! Draws the screen.

use anyhow::Result;

use super::screen::{NO_BREAK, size};
use super::{KEYS, Pane, Watch};
use crate::messages;

impl Watch<'_> {
    pub(super) fn draw(&mut self) -> Result<()> {
        let head = self.head();
        let mut body = match &self.pane {
            Pane::Verdict => self.verdict_lines(),
            Pane::Output(lines) => self.above_verdict(lines),
            Pane::Solution(_, lines) => lines.clone(),
            Pane::ConfirmSolution(id) => vec![format!(
                "Press s again to see the solution of {id}, or h for a hint instead."
            )],
        };
        if let (true, Some(Ok(report))) = (self.full_list, &self.report) {
            // A list that is too long for the screen scrolls.
            let mut list = messages::list(self.style, report, self.chosen, size().0);
            list.push(String::new());
            body.splice(..0, list);
        }
        let step = self.step.map(|step| step.to_string());
        let mut state = match self.running {
            true => self.style.yellow(step.as_deref().unwrap_or("compiling …")),
            false => self.style.dim("watching"),
        };
        if self.running && self.early.is_none() && self.report.is_some() {
            state += &self.style.dim(" (shown: the verdict before this save)");
        }
        let keys = match self.pane {
            Pane::Verdict if self.full_list => format!("↑ ↓ choose · {KEYS}"),
            Pane::Verdict if self.chosen_section().is_some() => format!("esc back · {KEYS}"),
            Pane::Verdict => KEYS.to_string(),
            Pane::Output(_) => format!("esc back · {KEYS}"),
            Pane::ConfirmSolution(_) => format!("s show it · esc back · {KEYS}"),
            Pane::Solution(..) => {
                "a write it into src/ (your code is backed up first) · esc back · q quit"
                    .to_string()
            }
        };
        // A key stays on one line with what it does.
        let keys = keys.split(" · ").map(|key| key.replacen(' ', NO_BREAK, 1));
        let keys = keys.collect::<Vec<_>>().join(" · ");
        let foot = format!("{state}  {}", self.style.dim(&keys));
        let in_sight = self.in_sight.take();
        self.scroll = self
            .screen
            .draw(self.style, &head, &body, &foot, self.scroll, in_sight)?;
        Ok(())
    }

    fn head(&self) -> Vec<String> {
        match &self.report {
            Some(Ok(report)) if self.full_list => vec![messages::heading(self.style, report)],
            Some(Ok(report)) => vec![
                messages::heading(self.style, report),
                messages::bar(self.style, report),
            ],
            _ => vec![self.style.bold("claw-code")],
        }
    }

    /// The output of a command above the verdict, unless it shows the verdict itself.
    fn above_verdict(&self, lines: &[String]) -> Vec<String> {
        let mut lines = lines.to_vec();
        let verdict = self.verdict_lines();
        if verdict.first().is_some_and(|line| !lines.contains(line)) {
            lines.push(String::new());
            lines.extend(verdict);
        }
        lines
    }

    /// The lines that show the verdict.
    fn verdict_lines(&self) -> Vec<String> {
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
                lines.extend(match self.chosen_section() {
                    Some(section) if !report.is_not_built() => {
                        messages::section_reason(self.style, &report.page, section)
                    }
                    _ => messages::reason(self.style, report),
                });
                if report.is_done() && !self.running {
                    lines.push("Press n for what comes next.".to_string());
                }
                if let Some(offer) = &self.offer {
                    lines.extend([String::new(), self.style.dim(offer)]);
                }
                lines
            }
        }
    }
}
