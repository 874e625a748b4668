//! The crates with the wrong answers.

use std::collections::{BTreeMap, BTreeSet};

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
    let solution = reporting;
    let is_wide = test_crates::is_wide(progress, stubs.len() + sharp.len());
    let sharp = part::cases(sharp);
    let mut suite: BTreeSet<SectionId> = stubs.iter().map(|part| part.section.id).collect();
    if is_wide {
        suite.extend(all.iter().map(|part| part.section.id));
    }
    let mut packages = Vec::new();
    let mut bodies: BTreeMap<String, Vec<Switched>> = BTreeMap::new();
    // Every function of a section can be switched back to a stub.
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
    for answer in answers {
        let wrong = answer.wrong;
        let due = sharp.get(&wrong.section);
        if due.is_none() && !is_wide {
            continue;
        }
        let root = progress.repo.solutions();
        let (file, _, found) = solution.find(&root, &wrong.item)?;
        let source = solution.file(&file).context("the file was just found")?;
        match &found.body {
            Some(body) if answer.is_switchable => {
                suite.extend(answer.tests(executed).iter().map(|(section, _)| *section));
                let body = (answer.number, wrong.apply(&source.text[body.clone()])?);
                let functions = bodies.entry(file).or_default();
                match functions.iter_mut().find(|f| f.found.range == found.range) {
                    Some(function) => function.answers.push(body),
                    None => functions.push(Switched {
                        found,
                        section: wrong.section,
                        answers: vec![body],
                    }),
                }
            }
            _ => {
                let cases = answer.cases(executed);
                if due.is_none_or(|due| due.is_disjoint(&cases)) {
                    continue;
                }
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
                let (of, _) = progress.course.written_chapter(chapter)?;
                let mut files =
                    reach.render_reached(solution, &[of], |id| id.chapter <= chapter)?;
                // This chapter is solved in these files, so they contain the item unchanged.
                let right = &source.text[found.range.clone()];
                if let Some(text) = files.get_mut(&file) {
                    *text = text.replacen(right, &item, 1);
                }
                allow_warnings(&mut files);
                packages.push(Package {
                    name: answer.package(),
                    chapter,
                    suite: answer
                        .manifest
                        .sections
                        .iter()
                        .map(|section| section.id)
                        .collect(),
                    files,
                    compile: Compile::Build,
                    with_tests: None,
                    strict: false,
                    incremental: false,
                });
            }
        }
    }
    let mut tested: Vec<&Chapter> = Vec::new();
    for (chapter, _) in progress.course.written() {
        if suite.iter().any(|id| id.chapter == chapter.number) {
            tested.push(chapter);
        }
    }
    let Some(newest) = tested.last() else {
        return Ok(packages);
    };
    let mut files = reach.render_solved(solution, &tested)?;
    bodies.retain(|file, _| files.get(file).is_some_and(|text| !text.is_empty()));
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
    packages.push(Package {
        name: SWITCH.to_string(),
        chapter: newest.number,
        suite,
        files,
        compile: Compile::Build,
        with_tests: None,
        strict: false,
        incremental: is_wide,
    });
    Ok(packages)
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
