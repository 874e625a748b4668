//! Finds the test files of chapters and sections.
//!
//! The tests of a chapter are in a folder, such as `tests/ch01`. In it, `s03_message_constructors.rs`
//! holds the tests of section 1.3 and nothing else, `support.rs` holds the chapter's helpers,
//! and `mod.rs` lists the files. `tests/support` holds the helpers that several chapters share.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::course_toml::{Chapter, Course};
use crate::manifest::SectionId;
use crate::repo::Repo;
use crate::source::declared_modules;

/// The prefix of the name of a section's test file, such as `s03_`.
pub fn file_prefix(section: SectionId) -> String {
    format!("s{:02}_", section.number)
}

/// The names of the modules in a chapter's test folder, sorted, without `mod`.
pub fn modules(repo: &Repo, chapter: &Chapter) -> Result<Vec<String>> {
    let dir = chapter.suite_dir(repo);
    let unreadable = || {
        format!(
            "cannot read {}, which holds the tests of chapter {}",
            repo.relative(&dir),
            chapter.number
        )
    };
    let mut modules = Vec::new();
    for entry in fs::read_dir(&dir).with_context(unreadable)? {
        let name = entry.with_context(unreadable)?.file_name();
        let module = name.to_str().and_then(|name| name.strip_suffix(".rs"));
        modules.extend(module.filter(|it| *it != "mod").map(str::to_string));
    }
    modules.sort();
    Ok(modules)
}

/// The modules of a test program outside of `tests`, with the tests of these sections and their
/// helpers.
pub fn declarations(
    repo: &Repo,
    course: &Course,
    sections: &BTreeSet<SectionId>,
) -> Result<String> {
    let mut text = String::new();
    for (chapter, manifest) in course.written() {
        let mut own = manifest.sections.iter();
        if !own.any(|section| sections.contains(&section.id)) {
            continue;
        }
        let dir = chapter.suite_dir(repo);
        let list = dir.join("mod.rs");
        let list = fs::read_to_string(&list)
            .with_context(|| format!("cannot read {}", repo.relative(&list)))?;
        let mut modules = declared_modules(&list);
        for section in &manifest.sections {
            if !sections.contains(&section.id) {
                let prefix = file_prefix(section.id);
                modules.retain(|module| !module.starts_with(&prefix));
            }
        }
        let modules = modules
            .iter()
            .map(|name| module(name, dir.join(format!("{name}.rs"))));
        let modules: String = modules.collect();
        text += &format!("mod {} {{\n{modules}}}\n", chapter.feature());
    }
    Ok(text + &shared(repo))
}

/// The declaration of the helpers that several chapters share.
fn shared(repo: &Repo) -> String {
    let file = repo.tests().join("support/mod.rs");
    match file.is_file() {
        true => module("support", file),
        false => String::new(),
    }
}

fn module(name: &str, path: PathBuf) -> String {
    format!("#[path = {path:?}]\nmod {name};\n")
}

/// The file with the tests of `section`, relative to the repository. `None` if there is none.
pub fn section_file(repo: &Repo, chapter: &Chapter, section: SectionId) -> Option<String> {
    let prefix = file_prefix(section);
    let modules = modules(repo, chapter).ok()?;
    let module = modules.iter().find(|module| module.starts_with(&prefix))?;
    let file = chapter.suite_dir(repo).join(format!("{module}.rs"));
    Some(repo.relative(&file))
}
