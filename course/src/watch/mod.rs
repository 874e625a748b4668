//! Bare `cargo course` in a terminal: runs the current chapter's tests on every save
//! and shows the first checkpoint that is not green.
//!
//! Three threads send [`News`] to one loop: the keyboard, the file watcher, and the
//! run that is under way. Only the loop draws.

mod draw;
mod files;
mod keys;
mod screen;

use std::process::Child;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use crossterm::event::{self, Event, KeyEventKind};

use crate::cargo;
use crate::manifest::SectionId;
use crate::progress::{Progress, first_to_do};
use crate::repo::Repo;
use crate::results;
use crate::verdict::ChapterReport;
use crate::view::Style;
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

    fn show(&mut self, pane: Pane) {
        self.pane = pane;
        self.scroll = 0;
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
