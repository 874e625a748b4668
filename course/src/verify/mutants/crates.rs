//! The crates with the wrong answers.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context as _, Result};

use super::answers::Answer;
use crate::cargo::Compile;
use crate::course_toml::Chapter;
use crate::manifest::SectionId;
use crate::progress::Progress;
use crate::source::Found;
use crate::stubs::Solution;
use crate::verify::functions::Executed;
use crate::verify::part::{self, Part, Unproved};
use crate::verify::reach::Reach;
use crate::verify::test_crates::{self, Package, SWITCH};

/// One crate for all wrong bodies of functions, and one for each other wrong answer of which
/// something in `sharp` is still to be proved. The first one also serves the runs
/// [`with_stubs`](super::with_stubs) of the sections in `stubs`. `all` has the sections to verify
/// and `answers` the wrong answers to them; `executed` has what each test executes, as far as that
/// is known.
pub fn packages(
    progress: &Progress,
    reporting: &Solution,
    reach: &Reach,
    [all, stubs]: [&[Part]; 2],
    answers: &[Answer],
    sharp: &[Unproved],
    executed: &BTreeMap<String, Executed>,
) -> Result<Vec<Package>> {
    let root = progress.repo.solutions();
    let is_wide = test_crates::is_wide(progress, stubs.len() + sharp.len());
    let due = part::cases(sharp);
    let mut suite: BTreeSet<SectionId> = stubs.iter().map(|part| part.section.id).collect();
    if is_wide {
        suite.extend(all.iter().map(|part| part.section.id));
    }
    let mut packages = Vec::new();
    let mut functions = functions(reporting)?;
    for answer in answers {
        let due = due.get(&answer.wrong.section);
        if answer.is_switchable {
            if is_wide || due.is_some() {
                suite.extend(answer.tests(executed).iter().map(|(section, _)| *section));
                add_wrong_body(reporting, &root, answer, &mut functions)?;
            }
        } else if due.is_some_and(|due| !due.is_disjoint(&answer.cases(executed))) {
            packages.push(own_crate(progress, reporting, reach, answer)?);
        }
    }
    let switch = switch_crate(progress, reporting, reach, suite, functions)?;
    packages.extend(switch.map(|package| Package {
        incremental: is_wide,
        ..package
    }));
    Ok(packages)
}

/// By file, the functions that sections ask for. Each can be switched back to a stub.
fn functions(solution: &Solution) -> Result<BTreeMap<String, Vec<Switched>>> {
    let mut functions: BTreeMap<String, Vec<Switched>> = BTreeMap::new();
    for (file, source) in solution.files() {
        for path in source.functions() {
            let found = source.find(&path)?;
            if let (Some(found), Some(section)) = (found, solution.section_of(file, &path)) {
                let functions = functions.entry(file.to_string()).or_default();
                functions.push(Switched {
                    found,
                    section,
                    answers: Vec::new(),
                });
            }
        }
    }
    Ok(functions)
}

/// Adds the wrong body of a switchable answer to its function.
fn add_wrong_body(
    solution: &Solution,
    root: &Path,
    answer: &Answer,
    functions: &mut BTreeMap<String, Vec<Switched>>,
) -> Result<()> {
    let wrong = answer.wrong;
    let (file, _, found) = solution.find(root, &wrong.item)?;
    let source = solution.file(&file).context("the file was just found")?;
    let body = found.body.clone().context("a switchable item has a body")?;
    let body = (answer.number, wrong.apply(&source.text[body])?);
    let functions = functions.entry(file).or_default();
    match functions
        .iter_mut()
        .find(|it| it.found.range == found.range)
    {
        Some(function) => function.answers.push(body),
        // A function that the course gives.
        None => functions.push(Switched {
            found,
            section: wrong.section,
            answers: vec![body],
        }),
    }
    Ok(())
}

/// The crate of an answer that cannot be switched, such as a wrong type: its chapter solved, with
/// the wrong item in place of the right one.
fn own_crate(
    progress: &Progress,
    solution: &Solution,
    reach: &Reach,
    answer: &Answer,
) -> Result<Package> {
    let wrong = answer.wrong;
    let (file, _, found) = solution.find(&progress.repo.solutions(), &wrong.item)?;
    let source = solution.file(&file).context("the file was just found")?;
    let right = &source.text[found.range.clone()];
    let item = match &found.body {
        Some(body) => {
            let mut item = right.to_string();
            let start = body.start - found.range.start;
            let answer = wrong.apply(&source.text[body.clone()])?;
            item.replace_range(start..start + body.len(), &answer);
            item
        }
        None => wrong.apply(right)?,
    };
    let number = wrong.section.chapter;
    let (chapter, _) = progress.course.written_chapter(number)?;
    let mut files = reach.render_reached(solution, &[chapter], |id| id.chapter <= number)?;
    // This chapter is solved in these files, so they contain the item unchanged.
    if let Some(text) = files.get_mut(&file) {
        *text = text.replacen(right, &item, 1);
    }
    allow_warnings(&mut files);
    let sections = answer.manifest.sections.iter();
    Ok(Package {
        suite: sections.map(|section| section.id).collect(),
        compile: Compile::Build,
        incremental: false,
        ..Package::new(answer.package(), number, files)
    })
}

/// The crate with all wrong bodies of functions and the tests of `suite`; none without tests.
fn switch_crate(
    progress: &Progress,
    solution: &Solution,
    reach: &Reach,
    suite: BTreeSet<SectionId>,
    mut functions: BTreeMap<String, Vec<Switched>>,
) -> Result<Option<Package>> {
    let written = progress.course.written().map(|(chapter, _)| chapter);
    let tested: Vec<&Chapter> = written
        .filter(|chapter| suite.iter().any(|id| id.chapter == chapter.number))
        .collect();
    let Some(newest) = tested.last() else {
        return Ok(None);
    };
    let mut files = reach.render_solved(solution, &tested)?;
    functions.retain(|file, _| files.get(file).is_some_and(|text| !text.is_empty()));
    for (file, mut functions) in functions {
        let Some(source) = solution.file(&file) else {
            continue;
        };
        // From the end to the start, so that the ranges before stay right.
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
    Ok(Some(Package {
        suite,
        compile: Compile::Build,
        ..Package::new(SWITCH.to_string(), newest.number, files)
    }))
}

/// A function of the switch crate, whose body is chosen at run time.
struct Switched {
    found: Found,
    section: SectionId,
    /// Its wrong bodies with their numbers.
    answers: Vec<(usize, String)>,
}

impl Switched {
    /// A body that is a stub, wrong or right, depending on the environment.
    fn body(&self, right: &str) -> String {
        let arms: String = self
            .answers
            .iter()
            .map(|(number, body)| format!("{number} => {body}\n"))
            .collect();
        let id = self.section;
        format!(
            "{{ if crate::course_switch::is_stub({}, {}) {{ todo!(\"{id}: write this\") }}
            match crate::course_switch::wrong() {{ {arms} _ => {right} }} }}",
            id.chapter, id.number
        )
    }
}

fn allow_warnings(files: &mut BTreeMap<String, String>) {
    if let Some(lib) = files.get_mut("lib.rs") {
        *lib = format!("#![allow(warnings)]\n{lib}");
    }
}

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
        static STUBS: OnceLock<Vec<(u32, u32)>> = OnceLock::new();
        let stubs = STUBS.get_or_init(|| {
            let ids = std::env::var("COURSE_STUBS").unwrap_or_default();
            let parse = |id: &str| {
                let (chapter, section) = id.split_once('.').unwrap();
                (chapter.parse().unwrap(), section.parse().unwrap())
            };
            ids.split_whitespace().map(parse).collect()
        });
        stubs.contains(&(chapter, section))
    }
}
"#;
