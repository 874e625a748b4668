//! Each section's test file has the tests that the manifest lists, and no other file of the
//! chapter has any.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use anyhow::Result;

use super::context::Context;
use crate::repo;
use crate::source::Source;
use crate::suite;

/// Compares the test files with the manifests. Returns how many tests there are.
pub fn check(context: &Context, problems: &mut Vec<String>) -> Result<usize> {
    let repo = &context.progress.repo;
    let mut count = 0;
    for (chapter, manifest) in context.chapters() {
        let modules = suite::modules(repo, chapter)?;
        let dir = chapter.suite_dir(repo);
        let manifest_path = repo.relative(&chapter.manifest_path(repo));
        // The file that each test belongs in.
        let mut homes: BTreeMap<&str, String> = BTreeMap::new();
        let mut pending: BTreeSet<&str> = BTreeSet::new();
        for section in &manifest.sections {
            let prefix = suite::file_prefix(section.id);
            let files: Vec<&String> = modules.iter().filter(|m| m.starts_with(&prefix)).collect();
            let file = |module: &str| repo.relative(&dir.join(format!("{module}.rs")));
            let home = match files.as_slice() {
                [module] if section.tests.is_empty() => {
                    problems.push(format!(
                        "{} is for section {}, which has no tests in {manifest_path}; list its tests there or delete the file",
                        file(module), section.id
                    ));
                    continue;
                }
                [module] => file(module),
                [] if section.tests.is_empty() => continue,
                [] => {
                    let home = file(&format!("{prefix}…"));
                    problems.push(format!(
                        "section {} has no test file; write its tests in {home}, named after the section",
                        section.id
                    ));
                    home
                }
                [first, second, ..] => {
                    problems.push(format!(
                        "{} and {} are both for section {}; move its tests into one of them",
                        file(first),
                        file(second),
                        section.id
                    ));
                    file(first)
                }
            };
            if let [module] = files.as_slice() {
                let head = format!("//! Section {}: {}", section.id, section.title);
                let text = fs::read_to_string(dir.join(format!("{module}.rs")))?;
                if text.lines().next() != Some(&head) {
                    problems.push(format!("the first line of {home} must be `{head}`"));
                }
            }
            for test in &section.tests {
                homes.insert(test, home.clone());
                pending.insert(test);
            }
        }
        for path in repo::rust_files(&dir)? {
            let file = repo.relative(&path);
            for test in Source::read(&path)?.tests() {
                count += 1;
                match homes.get(test.as_str()) {
                    Some(home) if *home == file => {
                        pending.remove(test.as_str());
                    }
                    Some(home) => {
                        pending.remove(test.as_str());
                        problems.push(format!(
                            "{test} is in {file}, but {manifest_path} puts it in {home}; move it"
                        ));
                    }
                    None => problems.push(format!(
                        "{test} in {file} is in no manifest; list it under `tests` of its section"
                    )),
                }
            }
        }
        problems.extend(pending.into_iter().map(|test| {
            format!(
                "{test} is listed in {manifest_path} and is not in {}; write it or remove it from the list",
                homes[test]
            )
        }));
    }
    Ok(count)
}
