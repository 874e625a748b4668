//! Every test passes on the reference.

use anyhow::Result;

use super::cases::Case;
use super::context::{Context, Finding};
use super::part::{self, Part};
use super::proofs::GREEN;
use super::test_crates::{REFERENCE, TestRun};
use crate::manifest::SectionId;

/// Runs each section's tests on the reference.
pub fn check(context: &Context) -> Result<Finding> {
    let unproved = context.unproved(GREEN)?;
    let parts = part::parts(&unproved);
    let mut problems = Vec::new();
    if !parts.is_empty() {
        if let Err(error) = context.crates()?.ensure_compiled(REFERENCE) {
            return Ok(Finding {
                count: "the reference does not compile".to_string(),
                problems: vec![format!("{error:#}")],
            });
        }
        pass_on_the_reference(context, &parts, &mut problems)?;
    }
    let all = context.sections();
    let count: usize = all.iter().map(|part| part.section.tests.len()).sum();
    let count = format!("{count} tests pass on the reference");
    context.finding(GREEN, count, &unproved, problems)
}

/// Finds tests that fail.
fn pass_on_the_reference(
    context: &Context,
    parts: &[Part],
    problems: &mut Vec<(SectionId, String)>,
) -> Result<()> {
    let tested = parts.iter().filter(|part| !part.section.tests.is_empty());
    let runs: Vec<TestRun> = tested
        .clone()
        .map(|part| TestRun::of_section(REFERENCE.to_string(), part, &Case::Whole))
        .collect();
    for (part, run) in tested.zip(context.crates()?.run(&runs)) {
        for failure in part.failures(run?) {
            problems.push((part.section.id, format!("on the reference, {failure}")));
        }
    }
    Ok(())
}
