//! Every wrong answer fails exactly the tests that its manifest names, and its failure
//! message identifies it.
//!
//! The wrong body of a function is compiled beside the right one, and an environment variable
//! selects it, so that one build serves them all. A wrong type needs a crate of its own.

mod answers;
pub mod crates;

use std::collections::BTreeSet;
use std::time::Duration;

use anyhow::{Result, bail};

pub use self::answers::{Noticing, tests_for};
use self::answers::{
    STACK, STUBS, WRONG, answers, function_of, is_switchable, noticed_by, own_crate,
};
use super::context::{Context, Finding};
use super::executed::Executed;
use super::part::Part;
use super::proofs::SHARP;
use super::test_crates::{SWITCH, TestRun, filters};
use crate::cargo::{Run, Test};
use crate::manifest::{Manifest, SectionId, WrongAnswer};
use crate::verdict;

/// Runs the tests of its chapter with each wrong answer, and compares the failures.
pub fn check(context: &Context) -> Result<Finding> {
    let parts = context.unproved(SHARP)?;
    let mut problems = Vec::new();
    if parts
        .iter()
        .any(|part| part.wrong_answers().next().is_some())
    {
        are_caught(context, &parts, &mut problems)?;
    }
    let all = context.sections();
    let count = answers(&all, &all).len();
    let count = format!("{count} wrong answers caught and explained");
    context.finding(SHARP, count, &parts, problems)
}

/// Finds wrong answers that are not caught as the manifests say.
fn are_caught(
    context: &Context,
    parts: &[Part],
    problems: &mut Vec<(SectionId, String)>,
) -> Result<()> {
    let executed = context.executed()?;
    let crates = context.crates_with_answers(parts, &executed)?;
    let answers = answers(&context.sections(), parts);
    let mut runs = Vec::new();
    for (number, manifest, wrong) in &answers {
        let timeout = Duration::from_secs(manifest.timeout_seconds);
        runs.push(match is_switchable(context.progress, wrong)? {
            true => {
                // Without it, every answer would report the same error.
                crates.ensure_compiled(SWITCH)?;
                let noticed_by = noticed_by(context.progress, &executed, manifest, wrong)?;
                TestRun {
                    package: SWITCH.to_string(),
                    filters: filters(noticed_by.into_iter().map(|(_, test)| test)),
                    section: wrong.section,
                    test: None,
                    env: vec![(WRONG, number.to_string()), stack()],
                    timeout,
                }
            }
            false => TestRun {
                package: own_crate(wrong.section, *number),
                filters: vec![format!("ch{}::", wrong.section.chapter)],
                section: wrong.section,
                test: None,
                env: Vec::new(),
                timeout,
            },
        });
    }
    let results = crates.run(&runs);
    // The proof also rests on the right body, of which the wrong one is made.
    for (_, _, wrong) in &answers {
        if let Some((file, place)) = function_of(context.progress, wrong)? {
            crates.add_executed(wrong.section, Executed::one(file, place));
        }
    }
    for (((_, manifest, wrong), run), result) in answers.iter().zip(&runs).zip(results) {
        let name = format!("the wrong answer to {} in {}", wrong.section, wrong.item);
        let mut found = Vec::new();
        match result.and_then(tests_of) {
            Ok(tests) => {
                let again = || crates.run_one(run).and_then(tests_of);
                judge(&name, manifest, wrong, &tests, again, &mut found);
            }
            Err(error) => found.push(format!("{name}: {error:#}")),
        }
        problems.extend(found.into_iter().map(|it| (wrong.section, it)));
    }
    Ok(())
}

/// Compares the tests that failed with the ones that the manifest names. `again` runs the tests
/// once more: a race between wrong code and a test can fail that test now and then, so a test
/// that is not named must fail twice.
fn judge(
    name: &str,
    manifest: &Manifest,
    wrong: &WrongAnswer,
    tests: &[Test],
    again: impl FnOnce() -> Result<Vec<Test>>,
    problems: &mut Vec<String>,
) {
    let failed = failed(tests);
    let named: BTreeSet<&str> = wrong.tests.iter().map(String::as_str).collect();
    if failed.is_empty() {
        problems.push(format!(
            "{name} is not caught: every test passes with it; make a test fail, or remove the answer"
        ));
        return;
    }
    let mut unnamed: Vec<&str> = failed.difference(&named).copied().collect();
    if !unnamed.is_empty()
        && let Ok(again) = again()
    {
        let failed_again = self::failed(&again);
        unnamed.retain(|name| failed_again.contains(name));
    }
    let passed: Vec<&str> = named.difference(&failed).copied().collect();
    if !unnamed.is_empty() {
        problems.push(format!(
            "{name} also fails {}; add it to its `tests`",
            unnamed.join(", ")
        ));
    }
    if !passed.is_empty() {
        problems.push(format!(
            "{name} does not fail {}; make the test stricter, or remove it from its `tests`",
            passed.join(", ")
        ));
    }
    if !unnamed.is_empty() || !passed.is_empty() {
        return;
    }
    let mut named_tests = tests.to_vec();
    named_tests.retain(|test| named.contains(test.name.as_str()));
    match verdict::known_mistake(manifest, wrong.section, &named_tests) {
        Some(found) if std::ptr::eq(found, wrong) => {}
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

/// The results of a run.
pub fn tests_of(run: Run) -> Result<Vec<Test>> {
    match run {
        Run::Ran { tests, .. } => Ok(tests),
        Run::NotBuilt { cargo, .. } => bail!("it was not built: {cargo}"),
    }
}

/// A run of a section's tests in which the functions of the sections `stubs` are stubs.
pub fn with_stubs(stubs: impl Iterator<Item = SectionId>, part: &Part) -> TestRun {
    let stubs: Vec<String> = stubs.map(|id| id.to_string()).collect();
    TestRun {
        env: vec![(STUBS, stubs.join(" ")), stack()],
        ..TestRun::of_section(SWITCH.to_string(), part.manifest, part.section)
    }
}

/// The stack size, as an environment variable of a test run.
fn stack() -> (&'static str, String) {
    (STACK.0, STACK.1.to_string())
}
