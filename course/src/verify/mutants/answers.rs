//! The wrong answers of the manifests and the crates that they are compiled in.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;

use crate::manifest::{Manifest, SectionId, WrongAnswer};
use crate::progress::Progress;
use crate::source::{Found, Kind};
use crate::stubs::Solution;
use crate::verify::cases::Case;
use crate::verify::functions::{Executed, Functions};
use crate::verify::part::Part;
use crate::verify::test_crates::SWITCH;

/// The variable with the number of the wrong answer to use, counted from 1.
pub const WRONG: &str = "COURSE_WRONG";
/// The stack of the tests' threads, in bytes. A function of the switch crate holds the local
/// variables of all its wrong bodies at once, and an async function keeps them in its future, so
/// the default of 2 MiB is too little.
pub const STACK: (&str, &str) = ("RUST_MIN_STACK", "16777216");
/// The variable with the ids of sections, separated by spaces. Their functions are stubs.
pub const STUBS: &str = "COURSE_STUBS";

/// A wrong answer.
pub struct Answer<'a> {
    /// Its number among all wrong answers, from 1.
    pub number: usize,
    /// Its place among the wrong answers to its section.
    pub place: usize,
    /// The chapter's manifest.
    pub manifest: &'a Manifest,
    /// What the manifest says about it.
    pub wrong: &'a WrongAnswer,
    /// Whether it can be compiled beside the right one. If not, it needs a crate of its own.
    pub is_switchable: bool,
    /// The number of the function whose body is wrong. A type has none. Nor has a `const fn`: it is
    /// not known what executes it.
    pub function: Option<usize>,
    /// The section that asks for the function or the type.
    asked_in: Option<SectionId>,
}

/// The wrong answers to these sections.
pub fn answers<'a>(
    progress: &Progress,
    functions: &Functions,
    parts: &[Part<'a>],
) -> Result<Vec<Answer<'a>>> {
    let solution = progress.solution()?;
    let mut answers = Vec::new();
    for part in parts {
        for (place, wrong) in part.wrong_answers().enumerate() {
            let (file, path, found) = solution.find(&progress.repo.solutions(), &wrong.item)?;
            answers.push(Answer {
                number: answers.len() + 1,
                place,
                manifest: part.manifest,
                wrong,
                is_switchable: is_switchable(solution, &file, &found),
                function: name_of(solution, &file, &found)
                    .and_then(|name| functions.number(&file, &name)),
                asked_in: solution.section_of(&file, &path),
            });
        }
    }
    Ok(answers)
}

fn is_switchable(solution: &Solution, file: &str, found: &Found) -> bool {
    let head = match (&found.body, solution.file(file)) {
        (Some(body), Some(source)) => &source.text[found.bare.start..body.start],
        _ => "",
    };
    // Two bodies that return one `impl Trait` would have two types.
    let is_opaque = head
        .split_once("->")
        .is_some_and(|(_, returned)| returned.contains("impl "));
    found.kind == Kind::Function && found.body.is_some() && !is_opaque
}

/// The [name](crate::source::Implementation::name) of a function in its file.
fn name_of(solution: &Solution, file: &str, found: &Found) -> Option<String> {
    let mut functions = solution.file(file)?.implementations().into_iter();
    let function = functions.find(|function| found.body.as_ref() == Some(&function.body));
    Some(function?.name)
}

impl<'a> Answer<'a> {
    /// Its name in messages.
    pub fn name(&self) -> String {
        let wrong = self.wrong;
        format!("the wrong answer to {} in {}", wrong.section, wrong.item)
    }

    /// The name of the crate that it is compiled in.
    pub fn package(&self) -> String {
        match self.is_switchable {
            true => SWITCH.to_string(),
            false => format!("wrong-{}-{}", self.wrong.section.chapter, self.number),
        }
    }

    /// The tests that it can fail, each with its section: those that the manifest names, and those
    /// that execute the function. The tests of sections before the function's own do not reach it:
    /// they pass while it is a stub, which the check `isolated` proves. `executed` has what each test
    /// executes, as far as that is known.
    pub fn tests(&self, executed: &BTreeMap<String, Executed>) -> Vec<(SectionId, &'a String)> {
        let sections = self.manifest.sections.iter();
        let is_later = |id: SectionId| self.asked_in.is_none_or(|own| id >= own);
        let reached = sections.filter(|section| !self.is_switchable || is_later(section.id));
        let tests = reached.flat_map(|section| section.tests.iter().map(|test| (section.id, test)));
        let may_fail = |test: &String| {
            let function = self.function.filter(|_| self.is_switchable);
            let is_executed = function.and_then(|it| Some(executed.get(test)?.contains(&it)));
            is_executed.unwrap_or(true) || self.wrong.tests.contains(test)
        };
        tests.filter(|(_, test)| may_fail(test)).collect()
    }

    /// What is to be proved of it, and in which of the [tests](Self::tests).
    pub fn cases(&self, executed: &BTreeMap<String, Executed>) -> BTreeSet<Case> {
        let tests = self.tests(executed).into_iter();
        let cases = tests.map(|(_, test)| self.case(test));
        cases.chain([Case::Caught(self.place)]).collect()
    }

    /// What a test proves about it.
    pub fn case(&self, test: &String) -> Case {
        match self.wrong.tests.contains(test) {
            true => Case::Caught(self.place),
            false => Case::Passes(self.place, test.clone()),
        }
    }
}
