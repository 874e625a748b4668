//! The cases of a proof. An edit to a function repeats only those that execute it.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::functions::Executed;
use crate::manifest::Section;

/// One thing that a check proves about its subject.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Case {
    /// All of it at once.
    Whole,
    /// That this test needs nothing later.
    Alone(String),
    /// That the section's tests fail where the depth sections are given.
    CorePath,
    /// That the wrong answer with this place among those to the section fails the tests that its
    /// manifest names, and is identified.
    Caught(usize),
    /// That this other test passes with the wrong answer at this place.
    Passes(usize, String),
}

/// Some cases, with what the test of each executed.
pub type Cases = BTreeMap<Case, Executed>;

/// What the check [`ISOLATED`](super::proofs::ISOLATED) has to prove of a section: test by test, which
/// shows what each of them executes.
pub fn isolated(section: &Section) -> BTreeSet<Case> {
    let tests = section.tests.iter().cloned();
    tests.map(Case::Alone).chain([Case::CorePath]).collect()
}
