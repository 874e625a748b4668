//! Bare `cargo course` in a terminal: runs the current chapter's tests on every save
//! and shows the first checkpoint that is not green.
//!
//! Three threads send [`News`] to one loop: the keyboard, the file watcher, and the
//! run that is under way. Only the loop draws.

mod files;
mod screen;

use std::process::{Child, Stdio};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use crate::cargo;
use crate::cli::Place;
use crate::commands::{self, Outcome};
use crate::manifest::SectionId;
use crate::progress::{Progress, first_to_do};
use crate::repo::Repo;
use crate::results;
use crate::verdict::ChapterReport;
use crate::view::{self, Style};
use screen::Screen;

pub use screen::leave as give_terminal_back;

/// What the loop is told.
enum News {
    Terminal(Event),
    TerminalGone,
    Saved,
    TestsEnded(usize),
    /// The chapter that the learner is at, while the other open ones are still run.
    Seen(Box<ChapterReport>),
    Judged(Box<Result<ChapterReport>>),
}

/// What fills the lower part of the screen.
enum Pane {
    /// The checkpoint to work on.
    Reason,
    /// What a key brought up, until the next save or `Esc`.
    Note(Vec<String>),
    /// Whether to show the solution of a section.
    Ask(SectionId),
    /// The solution of a section, which one more key puts in.
    Offer(SectionId, Vec<String>),
}

/// Watches until `q` is pressed.
pub fn watch(repo: &Repo, style: &Style) -> Result<()> {
    let (sender, news) = mpsc::channel();
    let saved = sender.clone();
    let _watcher = files::watch(repo, move || {
        let _ = saved.send(News::Saved);
    })?;
    let screen = Screen::enter()?;
    let keys = sender.clone();
    thread::spawn(move || {
        while let Ok(event) = event::read() {
            if keys.send(News::Terminal(event)).is_err() {
                return;
            }
        }
        let _ = keys.send(News::TerminalGone);
    });
    let mut watch = Watch {
        repo,
        style,
        sender,
        screen,
        pane: Pane::Reason,
        full_list: false,
        scroll: 0,
        report: None,
        running: false,
        ended: 0,
        again: false,
        seen: None,
        sources: results::sources(repo).ok(),
        book: None,
    };
    let result = watch.work(&news);
    cargo::kill_running();
    if let Some(mut book) = watch.book.take() {
        let _ = book.kill();
        let _ = book.wait();
    }
    result
}

struct Watch<'a> {
    repo: &'a Repo,
    style: &'a Style,
    sender: Sender<News>,
    screen: Screen,
    pane: Pane,
    full_list: bool,
    scroll: usize,
    report: Option<Result<ChapterReport>>,
    running: bool,
    ended: usize,
    again: bool,
    /// The chapter whose verdict this run has shown already.
    seen: Option<u32>,
    sources: Option<u64>,
    book: Option<Child>,
}

impl Watch<'_> {
    fn work(&mut self, news: &Receiver<News>) -> Result<()> {
        self.start_run();
        loop {
            self.draw()?;
            let mut next = news.recv().context("every source of news has ended")?;
            loop {
                match next {
                    News::Terminal(Event::Key(key)) if key.kind != KeyEventKind::Release => {
                        if !self.key(key) {
                            return Ok(());
                        }
                    }
                    News::Terminal(_) => {}
                    News::TerminalGone => return Ok(()),
                    News::Saved => self.saved(),
                    News::TestsEnded(ended) => self.ended = ended,
                    News::Seen(report) => self.seen(*report),
                    News::Judged(report) => self.judged(*report),
                }
                match news.try_recv() {
                    Ok(more) => next = more,
                    Err(_) => break,
                }
            }
        }
    }

    /// Runs the tests, or, while they are running, breaks off and runs them again.
    fn start_run(&mut self) {
        if self.running {
            self.again = true;
            cargo::kill_running();
            return;
        }
        self.running = true;
        self.seen = None;
        self.ended = 0;
        let sender = self.sender.clone();
        let repo = self.repo.clone();
        thread::spawn(move || {
            let ended = |ended| {
                let _ = sender.send(News::TestsEnded(ended));
            };
            let seen = |report: &ChapterReport| {
                let _ = sender.send(News::Seen(Box::new(report.clone())));
            };
            let report = run_current(repo, ended, seen);
            let _ = sender.send(News::Judged(Box::new(report)));
        });
    }

    fn judged(&mut self, report: Result<ChapterReport>) {
        self.running = false;
        if self.again {
            self.again = false;
            self.start_run();
            return;
        }
        let number = report.as_ref().ok().map(|report| report.number);
        if number.is_none() || number != self.seen {
            self.scroll = 0;
        }
        self.report = Some(report);
    }

    /// A first verdict, which a newer save may have made old.
    fn seen(&mut self, report: ChapterReport) {
        if !self.again {
            self.seen = Some(report.number);
            self.report = Some(Ok(report));
            self.scroll = 0;
        }
    }

    /// Something was written. Only a change of content is worth a run.
    fn saved(&mut self) {
        let sources = results::sources(self.repo).ok();
        if sources.is_none() || sources != self.sources {
            self.sources = sources;
            self.pane = Pane::Reason;
            self.start_run();
        }
    }

    /// Answers a key; `false` ends the watch.
    fn key(&mut self, key: KeyEvent) -> bool {
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

    fn show(&mut self, pane: Pane) {
        self.pane = pane;
        self.scroll = 0;
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

    fn draw(&mut self) -> Result<()> {
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

    fn reason(&self) -> Vec<String> {
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

/// Runs all open chapters, and picks the one that the learner is at. The one that it was
/// before runs by itself, ahead of the others, and `seen` gets its verdict: nobody waits
/// for the suites of chapters that are done. They may still tell that one is not.
fn run_current(
    repo: Repo,
    mut ended: impl FnMut(usize) + Send,
    seen: impl FnMut(&ChapterReport),
) -> Result<ChapterReport> {
    let mut progress = Progress::load(repo)?;
    let mut others = progress.open_numbers();
    let current = progress.results.last_current();
    let mut reports = Vec::new();
    if let Some(at) = others.iter().position(|number| *number == current) {
        reports = progress.run(&[others.remove(at)], &mut ended)?;
        let judged = |report: &ChapterReport| !report.is_not_built();
        if others.is_empty() || !reports.iter().all(judged) {
            return first_to_do(reports);
        }
        reports.iter().for_each(seen);
    }
    reports.extend(progress.run(&others, ended)?);
    reports.sort_by_key(|report| report.number);
    first_to_do(reports)
}

/// How long to wait for more writes after the first: editors save in several steps.
const SETTLE: Duration = Duration::from_millis(30);

const STILL_RUNNING: &str = "The tests are still running: ask again when they have ended.";
const NOTHING_RED: &str = "Every checkpoint is green: press n for what comes next.";
const KEYS: &str = "h hint · l list · n next · o book · s solution · u undo · r run · q quit";
