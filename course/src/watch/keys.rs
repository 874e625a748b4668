//! What each key does.

use std::process::Stdio;

use anyhow::Result;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{NOTHING_RED, Pane, STILL_RUNNING, Watch};
use crate::cli::Place;
use crate::commands::{self, Outcome};
use crate::progress::Progress;
use crate::results;
use crate::view::Style;

impl Watch<'_> {
    /// Answers a key; `false` ends the watch.
    pub(super) fn key(&mut self, key: KeyEvent) -> bool {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('c' | 'd') if control => return false,
            KeyCode::Char('q') => return false,
            KeyCode::Char('r') => self.start_run(),
            KeyCode::Char('l') => self.full_list = !self.full_list,
            KeyCode::Char('h') => self.hint(),
            KeyCode::Char('n') if self.running => {
                self.show(Pane::Note(vec![STILL_RUNNING.to_string()]));
            }
            KeyCode::Char('n') => self.command(commands::next),
            KeyCode::Char('o') => self.open_book(),
            KeyCode::Char('s') => self.offer_solution(),
            KeyCode::Char('a') => self.apply_offer(),
            KeyCode::Char('u') => {
                self.command(|progress, style| commands::undo(&progress.repo, style, None));
            }
            KeyCode::Esc => self.show(Pane::Reason),
            KeyCode::Down | KeyCode::Char('j') => self.scroll += 1,
            KeyCode::Up | KeyCode::Char('k') => self.scroll = self.scroll.saturating_sub(1),
            KeyCode::PageDown | KeyCode::Char(' ') => self.scroll += 10,
            KeyCode::PageUp => self.scroll = self.scroll.saturating_sub(10),
            KeyCode::Home => self.scroll = 0,
            _ => {}
        }
        true
    }

    /// Runs a command and shows what it says.
    fn command(&mut self, command: impl Fn(&mut Progress, &Style) -> Result<Outcome>) {
        let outcome = Progress::load(self.repo.clone())
            .and_then(|mut progress| command(&mut progress, self.style));
        let lines = match outcome {
            Ok(outcome) => outcome.lines,
            Err(error) => vec![self.style.red(&format!("{error:#}"))],
        };
        self.show(Pane::Note(lines));
        // What the command itself wrote takes its words off the screen no more than
        // the run that follows.
        let sources = results::sources(self.repo).ok();
        if sources != self.sources {
            self.sources = sources;
            self.start_run();
        }
    }

    /// The next hint for the checkpoint that the screen shows.
    fn hint(&mut self) {
        let report = self.report.as_ref().and_then(|report| report.as_ref().ok());
        let id = report.and_then(|report| Some(report.current()?.id));
        match (id, report.is_some()) {
            (Some(id), _) => {
                self.command(|progress, style| commands::hint(progress, style, Some(id)));
                // The hint stands above the failure that it is about.
                let reason = self.reason();
                if let Pane::Note(lines) = &mut self.pane {
                    lines.push(String::new());
                    lines.extend(reason);
                }
            }
            (None, true) => self.show(Pane::Note(vec![NOTHING_RED.to_string()])),
            (None, false) => self.show(Pane::Note(vec![STILL_RUNNING.to_string()])),
        }
    }

    fn offer_solution(&mut self) {
        let Some(Ok(report)) = &self.report else {
            return;
        };
        let Some(id) = report.current().map(|section| section.id) else {
            return;
        };
        if !matches!(self.pane, Pane::Ask(asked) if asked == id) {
            self.show(Pane::Ask(id));
            return;
        }
        let shown = Progress::load(self.repo.clone()).and_then(|progress| {
            commands::solution(&progress, self.style, Place::Section(id), false)
        });
        self.show(match shown {
            Ok(outcome) => Pane::Offer(id, outcome.lines),
            Err(error) => Pane::Note(vec![self.style.red(&format!("{error:#}"))]),
        });
    }

    fn apply_offer(&mut self) {
        if let Pane::Offer(id, _) = self.pane {
            self.command(|progress, style| {
                commands::solution(progress, style, Place::Section(id), true)
            });
        }
    }

    /// Serves the book beside the watch. Its output goes to a file, off this screen.
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
                "The book opens in your browser. The first time it is built, which takes a minute or two; .course/book.log tells how it goes.".to_string()
            }
            Err(error) => self
                .style
                .red(&format!("the book cannot be started: {error}")),
        };
        self.show(Pane::Note(vec![line]));
    }
}
