//! Every wrong answer is caught, by just the tests that its manifest names, and is
//! known again by what they say.
//!
//! A wrong body is compiled in beside the right one and chosen by an environment
//! variable, so that all of them cost one build. A wrong type needs a crate of its own.

mod packages;

pub use packages::packages;

use std::collections::BTreeSet;
use std::time::Duration;

use anyhow::Result;

use super::scratch::Trial;
use super::{Context, Finding};
use crate::cargo::Run;
use crate::manifest::{Manifest, SectionId, WrongAnswer};
use crate::source::Kind;
use crate::verdict;

/// Chooses the wrong answer of this number, counted over the whole course from 1.
const WRONG: &str = "COURSE_WRONG";
/// Leaves the functions of the sections behind this one stubs.
const UP_TO: &str = "COURSE_UP_TO";

/// Runs every wrong answer's chapter and compares what fails.
pub fn check(context: &Context) -> Result<Finding> {
    let scratch = context.scratch()?;
    let mut problems = Vec::new();
    let mut trials = Vec::new();
    for (number, manifest, wrong) in answers(context) {
        let (package, env) = match home(context, wrong)? {
            Home::Switch => (SWITCH.to_string(), vec![(WRONG, number.to_string())]),
            Home::Own => (own_name(wrong, number), Vec::new()),
        };
        trials.push(Trial {
            package,
            filters: vec![format!("ch{}::", wrong.section.chapter)],
            env,
            patience: Duration::from_secs(manifest.patience_seconds),
        });
    }
    let count = trials.len();
    for ((_, manifest, wrong), run) in answers(context).zip(scratch.run(&trials)) {
        let name = format!("the wrong answer to {} in {}", wrong.section, wrong.item);
        match run {
            Ok(run) => judge(&name, manifest, wrong, &run, &mut problems),
            Err(error) => problems.push(format!("{name}: {error:#}")),
        }
    }
    Ok(Finding {
        count: format!("{count} wrong answers caught and explained"),
        problems,
    })
}

fn judge(
    name: &str,
    manifest: &Manifest,
    wrong: &WrongAnswer,
    run: &Run,
    problems: &mut Vec<String>,
) {
    let Run::Ran { tests, .. } = run else { return };
    let failed: BTreeSet<&str> = tests
        .iter()
        .filter(|test| test.failure.is_some())
        .map(|test| test.name.as_str())
        .collect();
    let named: BTreeSet<&str> = wrong.tests.iter().map(String::as_str).collect();
    if failed.is_empty() {
        problems.push(format!(
            "{name} is not caught: every test passes with it; make one fail, or take it out"
        ));
        return;
    }
    let unnamed: Vec<&str> = failed.difference(&named).copied().collect();
    let spared: Vec<&str> = named.difference(&failed).copied().collect();
    if !unnamed.is_empty() {
        problems.push(format!(
            "{name} also fails {}; add to its `tests`",
            unnamed.join(", ")
        ));
    }
    if !spared.is_empty() {
        problems.push(format!(
            "{name} does not fail {}; sharpen the test, or take it off its `tests`",
            spared.join(", ")
        ));
    }
    if !unnamed.is_empty() || !spared.is_empty() {
        return;
    }
    match verdict::known_mistake(manifest, wrong.section, tests) {
        Some(found) if std::ptr::eq(found, wrong) => {}
        Some(found) => problems.push(format!(
            "{name} is taken for another, which says {:?}; make the two `says` tell them apart",
            found.says
        )),
        None => {
            let said: Vec<&str> = tests
                .iter()
                .filter_map(|test| Some(test.failure.as_ref()?.message.as_str()))
                .collect();
            problems.push(format!(
                "{name} is not known again: no failure says {:?}. They say:\n{}",
                wrong.says,
                said.join("\n")
            ));
        }
    }
}

/// The tests with the functions of all sections behind `id` still stubs.
pub fn up_to(id: SectionId, filter: String, patience: Duration) -> Trial {
    Trial {
        package: SWITCH.to_string(),
        filters: vec![filter],
        env: vec![(UP_TO, id.to_string())],
        patience,
    }
}

/// Every wrong answer to verify, with its number.
fn answers<'a>(
    context: &'a Context,
) -> impl Iterator<Item = (usize, &'a Manifest, &'a WrongAnswer)> {
    let all = context.chapters();
    let all = all.flat_map(|(_, manifest)| manifest.wrong.iter().map(move |w| (manifest, w)));
    (1..)
        .zip(all)
        .map(|(number, (manifest, wrong))| (number, manifest, wrong))
}

/// Where a wrong answer is compiled.
enum Home {
    /// Beside the right one.
    Switch,
    /// In a crate of its own.
    Own,
}

fn home(context: &Context, wrong: &WrongAnswer) -> Result<Home> {
    let root = context.progress.repo.solutions();
    let (file, _, found) = context.progress.solution()?.find(&root, &wrong.item)?;
    let source = context.progress.solution()?.file(&file);
    let head = match (&found.body, source) {
        (Some(body), Some(source)) => &source.text[found.bare.start..body.start],
        _ => "",
    };
    // Two bodies behind one `impl Trait` would be two types.
    let opaque = head
        .split_once("->")
        .is_some_and(|(_, to)| to.contains("impl "));
    Ok(match found.kind {
        Kind::Function if found.body.is_some() && !opaque => Home::Switch,
        _ => Home::Own,
    })
}

fn own_name(wrong: &WrongAnswer, number: usize) -> String {
    format!("wrong-{}-{number}", wrong.section.chapter)
}

const SWITCH: &str = "switch";

const SWITCH_MODULE: &str = r#"
pub mod course_switch {
    use std::sync::OnceLock;
    pub fn wrong() -> usize {
        static CHOSEN: OnceLock<usize> = OnceLock::new();
        *CHOSEN.get_or_init(|| {
            std::env::var("COURSE_WRONG").ok().and_then(|n| n.parse().ok()).unwrap_or(0)
        })
    }
    pub fn is_stub(chapter: u32, section: u32) -> bool {
        static UP_TO: OnceLock<Option<(u32, u32)>> = OnceLock::new();
        let up_to = UP_TO.get_or_init(|| {
            let text = std::env::var("COURSE_UP_TO").ok()?;
            let (chapter, section) = text.split_once('.')?;
            Some((chapter.parse().ok()?, section.parse().ok()?))
        });
        up_to.is_some_and(|up_to| (chapter, section) > up_to)
    }
}
"#;
