//! `tests/modules.rs`: the modules of the crate as the tests of one chapter use them.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;

use anyhow::Result;

use super::condition::condition;
use super::modules::file_of;
use crate::course_toml::Course;
use crate::repo::{self, Repo, relative_name};
use crate::source::top_module;

/// The list, for a `lib.rs` in which a module uses only modules of its own chapter and of earlier
/// ones.
pub(super) fn module_list(repo: &Repo, course: &Course) -> Result<String> {
    let changes = first_changes(repo, course)?;
    let mut list = String::from(HEAD);
    for (chapter, manifest) in course.written() {
        let open = condition(manifest, &chapter.feature());
        let with_tests: Vec<String> = changes
            .iter()
            .filter(|(number, first)| **first <= chapter.number && chapter.number <= **number)
            .map(|(number, _)| format!("with_tests = \"ch{number}\""))
            .collect();
        let here = match &with_tests[..] {
            [one] => one.clone(),
            several => format!("any({})", several.join(", ")),
        };
        let mut modules = manifest.modules.clone();
        modules.sort();
        for module in modules {
            // The list of modules in `lib.rs` reports a module without a file.
            let Some(file) = file_of(repo, &module) else {
                continue;
            };
            let _ = write!(
                list,
                "\n#[cfg(all({open}, {here}))]\n#[path = \"../src/{file}\"]\npub mod {module};\n#[cfg(all({open}, not({here})))]\npub use library::{module};\n"
            );
        }
    }
    Ok(list)
}

/// For each chapter, the first chapter in whose modules it has code.
fn first_changes(repo: &Repo, course: &Course) -> Result<BTreeMap<u32, u32>> {
    let begins = |module: &str| {
        let mut chapters = course.written();
        let chapter = chapters.find(|(_, manifest)| manifest.modules.iter().any(|it| it == module));
        Some(chapter?.0.number)
    };
    let mut files = Vec::new();
    for path in repo::rust_files(&repo.solutions())? {
        let name = relative_name(&repo.solutions(), &path);
        if let Some(chapter) = begins(top_module(&name)) {
            files.push((chapter, fs::read_to_string(&path)?));
        }
    }
    let mut changes = BTreeMap::new();
    for (chapter, manifest) in course.written() {
        let feature = format!("feature = {:?}", chapter.feature());
        let under_feature = files.iter().filter(|(_, text)| text.contains(&feature));
        let sections = manifest.sections.iter();
        let items = sections.flat_map(|section| {
            let attributes = section.attributes.iter().map(|given| &given.on);
            section.items.iter().chain(attributes)
        });
        let written = items.filter_map(|item| begins(item.split("::").next()?));
        let all = under_feature.map(|(chapter, _)| *chapter).chain(written);
        let first = all.chain([chapter.number]).min();
        changes.extend(first.map(|first| (chapter.number, first)));
    }
    Ok(changes)
}

const HEAD: &str = "\
// The modules of the crate, for the tests of one chapter.
//
// When `cargo course` checks chapter 2, the modules that the chapter changes compile into its test
// program, with `--cfg 'with_tests=\"ch2\"'`. The other modules come from the library without the
// chapter, which compiles once. So a change compiles in a fraction of the time. `cargo course
// generate` writes this list.
";
