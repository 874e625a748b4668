//! Every wrong answer fails exactly the tests that its manifest names, and its failure
//! message identifies it.
//!
//! The wrong body of a function is compiled beside the right one, and an environment variable
//! selects it, so that one build serves them all. A wrong type needs a crate of its own.

pub mod answers;
pub mod crates;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use anyhow::Result;

use self::answers::{Answer, STACK, STUBS, WRONG};
use super::cases::Case;
use super::context::{Context, Finding};
use super::part::{self, Part, Unproved};
use super::proofs::SHARP;
use super::test_crates::{SWITCH, TestRun};
use crate::cargo::Test;
use crate::manifest::SectionId;
use crate::verdict;

/// Runs the tests of its chapter with each wrong answer, and compares the failures.
pub fn check(context: &Context) -> Result<Finding> {
    let unproved = context.unproved(SHARP)?;
    let mut problems = Vec::new();
    if !unproved.is_empty() {
        are_caught(context, &unproved, &mut problems)?;
    }
    let count = context.answers()?.len();
    let count = format!("{count} wrong answers caught and explained");
    context.finding(SHARP, count, &unproved, problems)
}

/// Finds wrong answers that are not caught as the manifests say.
fn are_caught(
    context: &Context,
    unproved: &[Unproved],
    problems: &mut Vec<(SectionId, String)>,
) -> Result<()> {
    let executed = context.executed()?;
    let crates = context.crates_with_answers(unproved, &executed)?;
    let cases = part::cases(unproved);
    let mut runs = Vec::new();
    for answer in context.answers()? {
        let Some(cases) = cases.get(&answer.wrong.section) else {
            continue;
        };
        let tests = answer.tests(&executed).into_iter();
        let tests = tests.map(|(_, test)| (test.clone(), answer.case(test)));
        let tests: BTreeMap<String, Case> =
            tests.filter(|(_, case)| cases.contains(case)).collect();
        let caught = Case::Caught(answer.place);
        if cases.contains(&caught) && !tests.values().any(|case| *case == caught) {
            let name = answer.name();
            problems.push((
                answer.wrong.section,
                format!("{name} cannot fail its `tests`: these sections come before the one that asks for this code; move the answer to that section"),
            ));
            continue;
        }
        if tests.is_empty() {
            continue;
        }
        if answer.is_switchable {
            // Without it, every answer would report the same error.
            crates.ensure_compiled(SWITCH)?;
        }
        // The proof also rests on the right body, of which the wrong one is made.
        for case in tests.values() {
            let right = answer.function.into_iter().collect();
            crates.add_executed(answer.wrong.section, case.clone(), right);
        }
        let run = TestRun {
            package: answer.package(),
            section: answer.wrong.section,
            tests,
            env: vec![(WRONG, answer.number.to_string()), stack()],
            timeout: Duration::from_secs(answer.manifest.timeout_seconds),
        };
        runs.push((answer, run));
    }
    let results = crates.run(runs.iter().map(|(_, run)| run));
    for ((answer, run), result) in runs.iter().zip(results) {
        let section = answer.wrong.section;
        let name = answer.name();
        let mut found = Vec::new();
        match result {
            Ok(results) => {
                let again = || Ok(crates.run_one(run)?.tests);
                others_pass(&name, run, &results.tests, again, &mut found);
                if cases[&section].contains(&Case::Caught(answer.place)) {
                    is_identified(&name, answer, &results.tests, &mut found);
                }
            }
            Err(error) => found.push(format!("{name}: {error:#}")),
        }
        problems.extend(found.into_iter().map(|it| (section, it)));
    }
    Ok(())
}

/// Finds tests that the manifest does not name and that do not pass, or have no result. `again` runs
/// the tests once more: a race between wrong code and a test can fail that test now and then, so such
/// a test must fail twice.
fn others_pass(
    name: &str,
    run: &TestRun,
    tests: &[Test],
    again: impl FnOnce() -> Result<Vec<Test>>,
    problems: &mut Vec<String>,
) {
    let others = run.tests.iter();
    let others = others.filter(|(_, case)| matches!(case, Case::Passes(..)));
    let mut others: Vec<&str> = others.map(|(test, _)| test.as_str()).collect();
    let drop_passed = |others: &mut Vec<&str>, tests: &[Test]| {
        let has_passed = |name| {
            let mut results = tests.iter().filter(|test| test.name == name);
            results.any(|test| test.failure.is_none())
        };
        others.retain(|name| !has_passed(*name));
    };
    drop_passed(&mut others, tests);
    if !others.is_empty()
        && let Ok(again) = again()
    {
        drop_passed(&mut others, &again);
    }
    if !others.is_empty() {
        problems.push(format!(
            "{name} also fails {}; add it to its `tests`",
            others.join(", ")
        ));
    }
}

/// Finds out whether the tests that the manifest names fail, and with a message that belongs to no
/// other answer.
fn is_identified(
    name: &str,
    Answer {
        manifest, wrong, ..
    }: &Answer,
    tests: &[Test],
    problems: &mut Vec<String>,
) {
    let failed = failed(tests);
    let named = wrong.tests.iter().map(String::as_str);
    let passed: Vec<&str> = named
        .clone()
        .filter(|test| !failed.contains(test))
        .collect();
    let has_result = |name: &&str| tests.iter().any(|test| test.name == *name);
    let (passed, lost): (Vec<&str>, Vec<&str>) = passed.into_iter().partition(has_result);
    if !lost.is_empty() {
        problems.push(format!(
            "{name} leaves {} without a result: the test program hung or ended; make the test fail instead",
            lost.join(", ")
        ));
        return;
    }
    if failed.is_empty() {
        problems.push(format!(
            "{name} is not caught: every test passes with it; make a test fail, or remove the answer"
        ));
        return;
    }
    if !passed.is_empty() {
        problems.push(format!(
            "{name} does not fail {}; make the test stricter, or remove it from its `tests`",
            passed.join(", ")
        ));
        return;
    }
    let named: BTreeSet<&str> = named.collect();
    let mut named_tests = tests.to_vec();
    named_tests.retain(|test| named.contains(test.name.as_str()));
    match verdict::known_mistake(manifest, wrong.section, &named_tests) {
        Some(found) if std::ptr::eq(found, *wrong) => {}
        Some(found) => problems.push(format!(
            "{name} is mistaken for the one that says {:?}; make the two `says` differ",
            found.says
        )),
        None => {
            let messages: Vec<&str> = named_tests
                .iter()
                .filter_map(|test| Some(test.failure.as_ref()?.message.as_str()))
                .collect();
            problems.push(format!(
                "{name} is not identified: no failure message contains {:?}. The messages are:\n{}",
                wrong.says,
                messages.join("\n")
            ));
        }
    }
}

/// The names of the tests that failed.
fn failed(tests: &[Test]) -> BTreeSet<&str> {
    let failed = tests.iter().filter(|test| test.failure.is_some());
    failed.map(|test| test.name.as_str()).collect()
}

/// A run of a section's tests, as parts of one case, in which the functions of the sections `stubs` are stubs.
pub fn with_stubs(stubs: impl Iterator<Item = SectionId>, part: &Part, case: &Case) -> TestRun {
    let stubs: Vec<String> = stubs.map(|id| id.to_string()).collect();
    TestRun {
        env: vec![(STUBS, stubs.join(" ")), stack()],
        ..TestRun::of_section(SWITCH.to_string(), part, case)
    }
}

/// The stack size, as an environment variable of a test run.
fn stack() -> (&'static str, String) {
    (STACK.0, STACK.1.to_string())
}
