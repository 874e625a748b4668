//! Every wrong answer is caught, by just the tests that its manifest names, and is
//! known again by what they say.
//!
//! A wrong body is compiled in beside the right one and chosen by an environment
//! variable, so that all of them cost one build. A wrong type needs a crate of its own.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use anyhow::{Context as _, Result};

use super::scratch::{Package, Scratch};
use super::{Context, Finding};
use crate::cargo::Run;
use crate::manifest::{Manifest, SectionId, WrongAnswer};
use crate::source::{Found, Kind};
use crate::verdict;

/// Chooses the wrong answer of this number, counted over the whole course from 1.
const WRONG: &str = "COURSE_WRONG";
/// Leaves the functions of the sections behind this one stubs.
const UP_TO: &str = "COURSE_UP_TO";

/// Runs every wrong answer's chapter and compares what fails.
pub fn check(context: &Context) -> Result<Finding> {
    let scratch = context.scratch()?;
    let mut problems = Vec::new();
    let mut count = 0;
    for (number, manifest, wrong) in answers(context) {
        count += 1;
        let filter = format!("ch{}::", wrong.section.chapter);
        let patience = Duration::from_secs(manifest.patience_seconds);
        let run = match home(context, wrong)? {
            Home::Switch => {
                let env = [(WRONG, number.to_string())];
                scratch.run(SWITCH, &[filter], &env, patience)
            }
            Home::Own => scratch.run(&own_name(wrong, number), &[filter], &[], patience),
        };
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

/// The crates that hold the wrong answers.
pub fn packages(context: &Context) -> Result<Vec<Package>> {
    let solution = &context.progress.solution()?;
    let mut packages = Vec::new();
    let mut bodies: BTreeMap<String, Vec<Switched>> = BTreeMap::new();
    // Every function with a section gets the switch for "still a stub".
    for (file, source) in solution.files() {
        for path in source.functions() {
            let found = source.find(&path)?;
            if let (Some(found), Some(section)) = (found, solution.section_of(file, &path)) {
                let functions = bodies.entry(file.to_string()).or_default();
                functions.push(Switched {
                    found,
                    section,
                    answers: Vec::new(),
                });
            }
        }
    }
    for (number, _, wrong) in answers(context) {
        let root = context.progress.repo.solutions();
        let (file, _, found) = solution.find(&root, &wrong.item)?;
        let source = solution.file(&file).context("the file was just found")?;
        match (home(context, wrong)?, &found.body) {
            (Home::Switch, Some(body)) => {
                let answer = wrong.apply(&source.text[body.clone()])?;
                let functions = bodies.entry(file).or_default();
                match functions.iter_mut().find(|f| f.found.range == found.range) {
                    Some(function) => function.answers.push((number, answer)),
                    None => functions.push(Switched {
                        found,
                        section: wrong.section,
                        answers: vec![(number, answer)],
                    }),
                }
            }
            _ => {
                let mut item = source.text[found.range.clone()].to_string();
                match &found.body {
                    Some(body) => {
                        let answer = wrong.apply(&source.text[body.clone()])?;
                        let start = body.start - found.range.start;
                        item.replace_range(start..start + body.len(), &answer);
                    }
                    None => item = wrong.apply(&item)?,
                }
                let chapter = wrong.section.chapter;
                let mut files = solution.render_all(|section| section.chapter <= chapter);
                // The chapter's own items are whole in the reference and in this
                // rendering alike, so the text is found as it stands there.
                let right = &source.text[found.range.clone()];
                if let Some(text) = files.get_mut(&file) {
                    *text = text.replacen(right, &item, 1);
                }
                allow_warnings(&mut files);
                packages.push(Package {
                    name: own_name(wrong, number),
                    chapter,
                    suites: chapter..=chapter,
                    files,
                    strict: false,
                });
            }
        }
    }
    let mut files = solution.render_all(|_| true);
    for (file, mut functions) in bodies {
        let Some(source) = solution.file(&file) else {
            continue;
        };
        functions.sort_by_key(|function| std::cmp::Reverse(function.found.range.start));
        let mut text = source.text.clone();
        for function in functions {
            if let Some(body) = &function.found.body {
                let right = &source.text[body.clone()];
                text.replace_range(body.clone(), &function.body(right));
            }
        }
        files.insert(file, text);
    }
    allow_warnings(&mut files);
    if let Some(lib) = files.get_mut("lib.rs") {
        lib.push_str(SWITCH_MODULE);
    }
    let newest = context.chapters().last();
    let newest = newest.map_or(1, |(chapter, _)| chapter.number);
    packages.push(Package {
        name: SWITCH.to_string(),
        chapter: newest,
        suites: 1..=newest,
        files,
        strict: false,
    });
    Ok(packages)
}

/// Runs the tests with the functions of all sections behind `id` still stubs.
pub fn run_up_to(
    scratch: &Scratch,
    id: SectionId,
    filter: String,
    patience: Duration,
) -> Result<Run> {
    scratch.run(SWITCH, &[filter], &[(UP_TO, id.to_string())], patience)
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

/// A function that the switch crate chooses a body for.
struct Switched {
    found: Found,
    section: SectionId,
    /// Its wrong answers by their numbers.
    answers: Vec<(usize, String)>,
}

impl Switched {
    /// A body that is a stub, wrong or right as the environment says.
    fn body(&self, right: &str) -> String {
        let arms: String = self
            .answers
            .iter()
            .map(|(number, body)| format!("{number} => {body}\n"))
            .collect();
        let id = self.section;
        format!(
            "{{ if crate::course_switch::is_stub({}, {}) {{ todo!(\"{id}: \") }}
            match crate::course_switch::wrong() {{ {arms} _ => {right} }} }}",
            id.chapter, id.number
        )
    }
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

fn allow_warnings(files: &mut BTreeMap<String, String>) {
    if let Some(lib) = files.get_mut("lib.rs") {
        *lib = format!("#![allow(warnings)]\n{lib}");
    }
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
