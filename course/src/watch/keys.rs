//! Handles the keys.

use std::process::Stdio;

use anyhow::Result;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{Pane, Watch};
use crate::cli::Scope;
use crate::commands::{self, Outcome};
use crate::messages::{self, Style};
use crate::progress::Progress;
use crate::verdict_cache;

impl Watch<'_> {
    /// Handles a key. Returns `false` if it ends the watch.
    pub(super) fn key(&mut self, key: KeyEvent) -> bool {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('c' | 'd') if control => return false,
            // Such as Ctrl-U, which scrolls in other programs. Alt is also Esc before a key.
            KeyCode::Char(_) if control => {}
            KeyCode::Char('q') => return false,
            KeyCode::Char('r') => self.run_now(),
            KeyCode::Char('l') => {
                let is_shown = self.full_list;
                self.show(Pane::Verdict);
                self.full_list = !is_shown;
            }
            KeyCode::Char('h') => self.hint(),
            KeyCode::Char('n') if self.running => {
                self.show(Pane::Output(vec![STILL_RUNNING.to_string()]));
            }
            KeyCode::Char('n') => self.next(),
            KeyCode::Char('o') => self.open_book(),
            KeyCode::Char('s') => self.show_solution(),
            KeyCode::Char('a') => self.apply_solution(),
            KeyCode::Char('u') => {
                self.command(|progress, style| commands::undo(&progress.repo, style, None, false));
            }
            KeyCode::Esc => {
                if matches!(self.pane, Pane::Verdict) {
                    self.full_list = false;
                    self.chosen = None;
                }
                self.show(Pane::Verdict);
            }
            KeyCode::Enter => {
                self.full_list = false;
                self.scroll = 0;
            }
            KeyCode::Down | KeyCode::Char('j') if self.full_list => self.choose(1),
            KeyCode::Up | KeyCode::Char('k') if self.full_list => self.choose(-1),
            KeyCode::Down | KeyCode::Char('j') => self.scroll += 1,
            KeyCode::Up | KeyCode::Char('k') => self.scroll = self.scroll.saturating_sub(1),
            KeyCode::PageDown | KeyCode::Char(' ') => self.scroll += 10,
            KeyCode::PageUp => self.scroll = self.scroll.saturating_sub(10),
            KeyCode::Home => self.scroll = 0,
            _ => {}
        }
        true
    }

    /// Runs a command and shows its output, if it has any.
    pub(super) fn command(&mut self, command: impl Fn(&mut Progress, &Style) -> Result<Outcome>) {
        let outcome = Progress::load(self.repo.clone())
            .and_then(|mut progress| command(&mut progress, self.style));
        let lines = match outcome {
            Ok(outcome) => outcome.lines,
            Err(error) => vec![self.style.red(&format!("{error:#}"))],
        };
        if !lines.is_empty() {
            self.show(Pane::Output(lines));
        }
        // Starts a run for the files that the command wrote, and keeps its output on screen.
        let sources = verdict_cache::fingerprint(self.repo).ok();
        if sources != self.sources {
            self.sources = sources;
            self.start_run();
        }
    }

    /// Goes to the next chapter, or says why not.
    fn next(&mut self) {
        self.chosen = None;
        match self.chapter() {
            Some(report) if !report.is_done() => {
                let line = messages::comes_first(report.number);
                self.show(Pane::Output(vec![line]));
            }
            _ => self.command(commands::next),
        }
    }

    /// The next hint for the section that the screen shows.
    fn hint(&mut self) {
        let id = self.section().map(|section| section.id);
        match (id, self.chapter().is_some()) {
            (Some(id), _) => {
                self.command(|progress, style| commands::hint(progress, style, Some(id)));
            }
            (None, true) => self.show(Pane::Output(vec![ALL_GREEN.to_string()])),
            (None, false) if self.running => {
                self.show(Pane::Output(vec![STILL_RUNNING.to_string()]));
            }
            // The error on the screen is what there is to do.
            (None, false) => self.show(Pane::Verdict),
        }
    }

    /// Shows the solution of the same section after a confirmation.
    fn show_solution(&mut self) {
        let Some(id) = self.section().map(|section| section.id) else {
            return;
        };
        if !matches!(self.pane, Pane::ConfirmSolution(asked) if asked == id) {
            self.show(Pane::ConfirmSolution(id));
            return;
        }
        let shown = Progress::load(self.repo.clone())
            .and_then(|progress| commands::solution(&progress, self.style, Scope::Section(id)));
        self.show(match shown {
            Ok(outcome) => Pane::Solution(id, outcome.lines),
            Err(error) => Pane::Output(vec![self.style.red(&format!("{error:#}"))]),
        });
    }

    /// Writes the shown solution into `src/`.
    fn apply_solution(&mut self) {
        if let Pane::Solution(id, _) = self.pane {
            self.command(|progress, style| {
                commands::write_solution(progress, style, Scope::Section(id))
            });
        }
    }

    /// Serves the book in the background. Its output goes to `.course/book.log`.
    fn open_book(&mut self) {
        if let Some(book) = &mut self.book
            && matches!(book.try_wait(), Ok(None))
        {
            let _ = book.kill();
            let _ = book.wait();
        }
        let log = self.repo.state().join("book.log");
        let started = std::fs::create_dir_all(self.repo.state())
            .and_then(|()| std::fs::File::create(&log))
            .and_then(|file| {
                let errors = file.try_clone()?;
                commands::book_command(self.repo)
                    .args(["serve", "--open"])
                    .stdout(Stdio::from(file))
                    .stderr(Stdio::from(errors))
                    .spawn()
            });
        let line = match started {
            Ok(child) => {
                self.book = Some(child);
                "The book opens in your browser, until you quit this screen. Its address is the last line of .course/book.log. The first time, building it takes a few minutes, and the log shows the progress.".to_string()
            }
            Err(error) => self
                .style
                .red(&format!("the book cannot be started: {error}")),
        };
        self.show(Pane::Output(vec![line]));
    }
}

const STILL_RUNNING: &str = "The tests are still running. Try again when they have finished.";
const ALL_GREEN: &str = "Every checkpoint is green. Press n for what comes next.";
