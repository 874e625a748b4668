//! `cargo course` without a command, in a terminal: runs the tests on every save and shows the
//! first checkpoint that is not green.
//!
//! Three threads send [`Input`] to one loop: the keyboard reader, the file watcher and the
//! current test run. Only the loop draws.

mod ahead;
mod choice;
mod draw;
mod input;
mod keys;
mod run;
mod screen;

use std::path::Path;
use std::process::Child;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use anyhow::{Context, Result};
use crossterm::event::{self, Event, KeyEventKind};

use crate::cargo::{self, Step};
use crate::commands;
use crate::file_watcher::{self, RecursiveMode};
use crate::learning_path::LearningPath;
use crate::manifest::SectionId;
use crate::messages::Style;
use crate::progress::Progress;
use crate::repo::Repo;
use crate::verdict::ChapterReport;
use crate::verdict_cache;
use input::Input;
use run::{Verdict, run_open_chapters};
use screen::Screen;

pub use screen::leave as restore_terminal;

/// The content of the lower part of the screen.
enum Pane {
    /// The verdict on the current checkpoint.
    Verdict,
    /// The output of a command, until the next save or `Esc`.
    Output(Vec<String>),
    /// A question: whether to show the solution of a section.
    ConfirmSolution(SectionId),
    /// The solution of a section, which `a` applies.
    Solution(SectionId, Vec<String>),
}

/// Watches the sources until `q` is pressed. Shows `notes` first.
pub fn watch(repo: &Repo, style: &Style, mut notes: Vec<String>) -> Result<()> {
    let (sender, inputs) = mpsc::channel();
    let saved = sender.clone();
    let folders = [
        (repo.root().to_path_buf(), RecursiveMode::NonRecursive),
        (repo.src(), RecursiveMode::Recursive),
        (repo.tests(), RecursiveMode::Recursive),
        (repo.book(), RecursiveMode::NonRecursive),
    ];
    let _watcher = file_watcher::watch(&folders, is_source, move || {
        let _ = saved.send(Input::SourceSaved);
    })?;
    let mut progress = Progress::load(repo.clone())?;
    let offer = commands::fetch_offer(repo, &progress.verdicts)?;
    let current = progress.verdicts.last_current();
    notes.extend(commands::prepare(&mut progress, style, "", current)?);
    let screen = Screen::enter()?;
    let keys = sender.clone();
    thread::spawn(move || {
        while let Ok(event) = event::read() {
            if keys.send(Input::Terminal(event)).is_err() {
                return;
            }
        }
        let _ = keys.send(Input::TerminalClosed);
    });
    let mut watch = Watch {
        repo,
        style,
        sender,
        screen,
        pane: match notes.is_empty() {
            true => Pane::Verdict,
            false => Pane::Output(notes),
        },
        full_list: false,
        chosen: None,
        in_sight: None,
        scroll: 0,
        report: None,
        finished_chapters: Vec::new(),
        running: false,
        step: None,
        run_again: false,
        early: None,
        sources: verdict_cache::fingerprint(repo).ok(),
        built_ahead: None,
        book: None,
        offer,
    };
    let result = watch.run_loop(&inputs);
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
    sender: Sender<Input>,
    screen: Screen,
    pane: Pane,
    full_list: bool,
    /// The section that was chosen in the list.
    chosen: Option<SectionId>,
    /// The line of the body that the next drawing must show.
    in_sight: Option<usize>,
    scroll: usize,
    report: Option<Result<ChapterReport>>,
    /// The chapters that the last run has found done.
    finished_chapters: Vec<u32>,
    running: bool,
    /// The step of the run, once it is known.
    step: Option<Step>,
    /// Whether to start another run after the current one.
    run_again: bool,
    /// The chapter whose early verdict this run has shown.
    early: Option<u32>,
    /// The fingerprint of the sources at the start of the last run.
    sources: Option<u64>,
    /// The chapter whose tests were built ahead.
    built_ahead: Option<u32>,
    book: Option<Child>,
    /// The offer to download everything, in a first run.
    offer: Option<String>,
}

impl Watch<'_> {
    fn run_loop(&mut self, inputs: &Receiver<Input>) -> Result<()> {
        self.start_run();
        loop {
            self.draw()?;
            let mut next = inputs.recv().context("all input threads have ended")?;
            loop {
                match next {
                    Input::Terminal(Event::Key(key)) if key.kind != KeyEventKind::Release => {
                        if !self.key(key) {
                            return Ok(());
                        }
                    }
                    // Such as a paste: its letters are not meant as keys.
                    Input::Terminal(_) => {}
                    Input::TerminalClosed => return Ok(()),
                    Input::SourceSaved => self.source_saved(),
                    Input::Step(step) => self.step = Some(step),
                    Input::EarlyVerdict(report) => self.early_verdict(*report),
                    Input::Verdict(verdict) => self.verdict(*verdict),
                    Input::BuiltAhead(chapter) => self.built_ahead = Some(chapter),
                }
                match inputs.try_recv() {
                    Ok(more) => next = more,
                    Err(_) => break,
                }
            }
        }
    }

    /// Starts a run of the tests. A run that is still going is stopped first, and so is the build
    /// of the next chapter's crates.
    fn start_run(&mut self) {
        cargo::kill_running();
        if self.running {
            self.run_again = true;
            return;
        }
        self.running = true;
        self.early = None;
        self.step = None;
        let sender = self.sender.clone();
        let (repo, sources) = (self.repo.clone(), self.sources);
        let kills = cargo::kills();
        thread::spawn(move || {
            let on_progress = |step| {
                let _ = sender.send(Input::Step(step));
            };
            let on_verdict = |report: &ChapterReport| {
                let _ = sender.send(Input::EarlyVerdict(Box::new(report.clone())));
            };
            let verdict = run_open_chapters(repo, sources, kills, on_progress, on_verdict);
            let _ = sender.send(Input::Verdict(Box::new(verdict)));
        });
    }

    fn verdict(&mut self, verdict: Result<Verdict>) {
        self.running = false;
        if self.run_again {
            self.run_again = false;
            self.start_run();
            return;
        }
        let report = verdict.map(|verdict| {
            self.finished_chapters = verdict.finished;
            verdict.report
        });
        let number = report.as_ref().ok().map(|report| report.number);
        if number.is_none() || number != self.early {
            self.scroll = 0;
        }
        self.report = Some(report);
        if let Some(number) = number {
            self.give_depth(number);
        }
        ahead::build_ahead(self.repo.clone(), self.built_ahead, self.sender.clone());
    }

    /// Gives the depth sections of a chapter that has become the learner's, and says so.
    fn give_depth(&mut self, number: u32) {
        // Nearly always there is nothing to give, which takes one small file to find out.
        if LearningPath::load(self.repo).is_ok_and(|path| path.is_prepared(number)) {
            return;
        }
        self.command(|progress, style| Ok(commands::prepare(progress, style, "", number)?.into()));
    }

    /// Shows an early verdict, unless a newer save has made it obsolete.
    fn early_verdict(&mut self, report: ChapterReport) {
        if !self.run_again {
            self.early = Some(report.number);
            self.report = Some(Ok(report));
            self.scroll = 0;
        }
    }

    /// Starts a run if the content of the sources has changed.
    fn source_saved(&mut self) {
        let sources = verdict_cache::fingerprint(self.repo).ok();
        if sources.is_none() || sources != self.sources {
            self.sources = sources;
            self.pane = Pane::Verdict;
            self.start_run();
        }
    }

    /// Starts a run even if nothing has changed.
    fn run_now(&mut self) {
        self.sources = verdict_cache::fingerprint(self.repo).ok();
        self.start_run();
    }

    /// Shows `pane`. Only the verdict has room for the list above it.
    fn show(&mut self, pane: Pane) {
        self.full_list &= matches!(pane, Pane::Verdict);
        self.pane = pane;
        self.scroll = 0;
    }
}

/// Whether the tests can depend on a file.
fn is_source(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension == "rs" || extension == "toml")
}

const KEYS: &str = "h hint · l list · n next · o book · s solution · u undo · r run · q quit";
