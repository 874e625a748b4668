//! The messages of the threads to the loop.

use anyhow::Result;
use crossterm::event::Event;

use super::run::Verdict;
use crate::cargo::Step;
use crate::verdict::ChapterReport;

/// A message to the loop.
pub(super) enum Input {
    Terminal(Event),
    TerminalClosed,
    SourceSaved,
    /// The step of the run.
    Step(Step),
    /// The verdict on the current chapter, while other open chapters still run.
    EarlyVerdict(Box<ChapterReport>),
    Verdict(Box<Result<Verdict>>),
    /// The tests of the chapter with this number were built.
    BuiltAhead(u32),
}
