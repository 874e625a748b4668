//! What all files of a merge have in common.

use std::collections::{BTreeMap, BTreeSet};

use super::change::Change;
use super::pieces::{Key, Parts};
use super::units::{At, Followed};
use super::version::Version;

/// The files of a learner's `src/`, by their paths in it.
pub type Sources = BTreeMap<String, Vec<u8>>;

/// The form of an item in a learner's file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// The stub.
    Stub,
    /// The reference's code.
    Solved,
    /// Anything else.
    Theirs,
}

/// Code that does not compile with the new version, and so gives way.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct GivesWay {
    /// The items.
    pub items: BTreeSet<At>,
    /// Imports: the file and the line.
    pub imports: BTreeSet<(String, String)>,
    /// The open chapter, if types come complete, since the course's own code needs them: those up
    /// to this chapter that are new to the learner, and those before it that are still stubs.
    pub new_types: Option<u32>,
}

/// A learner's `src/` in the new version.
#[derive(Debug, Default)]
pub struct Merged {
    /// The files that change, by their paths in `src`; `None` for a file that is removed.
    pub files: BTreeMap<String, Option<String>>,
    /// What happens to items.
    pub changes: Vec<Change>,
    /// The names of new sections that are given.
    pub given: Vec<String>,
    /// The number of items that the learner wrote and that stay as they are.
    pub kept: usize,
}

impl Merged {
    /// The files of `learner`, by their paths in `src`, after the merge.
    pub fn applied_to(&self, learner: &Sources) -> Sources {
        let mut sources = learner.clone();
        for (file, text) in &self.files {
            match text {
                Some(text) => drop(sources.insert(file.clone(), text.clone().into_bytes())),
                None => drop(sources.remove(file)),
            }
        }
        sources
    }
}

/// What all files of a merge have in common.
pub struct Common<'a> {
    /// The version that the learner has.
    pub old: &'a Version,
    /// The version to bring.
    pub new: &'a Version,
    /// How the new version's items were called in the old one.
    pub followed: &'a Followed,
    /// The forms of the old version's items.
    pub states: BTreeMap<At, State>,
    /// The new version's items that come solved.
    pub solved: BTreeSet<At>,
    /// The learner's files that had to be split.
    pub parts: BTreeMap<String, Parts>,
    /// Code that gives way.
    pub gives_way: &'a GivesWay,
}

impl Common<'_> {
    /// The text of a file of the old version, in which items that the learner took over from the
    /// reference are solved.
    pub fn old_text(&self, file: &str) -> String {
        let units = &self.old.files[file].units;
        let solved: Vec<_> = units
            .iter()
            .filter(|(key, _)| self.state(file, key) == State::Solved)
            .map(|(_, unit)| &unit.unit)
            .collect();
        self.old
            .solution
            .render_units(file, |_, unit| solved.contains(&unit))
    }

    /// The text of a file of the new version.
    pub fn new_text(&self, file: &str) -> String {
        let units = self.new.files[file].units.iter();
        let solved: Vec<_> = units
            .filter(|(key, _)| self.solved.contains(&(file.to_string(), (*key).clone())))
            .map(|(_, unit)| &unit.unit)
            .collect();
        self.new
            .solution
            .render_units(file, |_, unit| solved.contains(&unit))
    }

    /// The form of an item of the old version.
    pub fn state(&self, file: &str, key: &Key) -> State {
        let at = (file.to_string(), key.clone());
        self.states.get(&at).copied().unwrap_or(State::Stub)
    }
}
