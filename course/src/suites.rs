//! The test files: where each section's tests are, and the lists that take them in.
//!
//! A chapter's tests are a folder, such as `tests/ch01`. In it, `s03_message_constructors.rs`
//! holds the tests of section 1.3 and nothing else, `support.rs` holds the chapter's helpers,
//! and `mod.rs` lists the files. `tests/support` holds the helpers that several chapters share.
//! `tests/main.rs` lists the chapters for the learner's crate,
//! `solutions/tests/chapters.rs` for the reference.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::contents::{Chapter, Course};
use crate::manifest::SectionId;
use crate::repo::Repo;

/// How the name of a section's test file begins, such as `s03_`.
pub fn file_prefix(section: SectionId) -> String {
    format!("s{:02}_", section.number)
}

/// The names of the modules in a chapter's test folder, sorted, `mod` left out.
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

/// The file with the tests of `section`, relative to the repository. `None` if there is none.
pub fn section_file(repo: &Repo, chapter: &Chapter, section: SectionId) -> Option<String> {
    let prefix = file_prefix(section);
    let modules = modules(repo, chapter).ok()?;
    let module = modules.iter().find(|module| module.starts_with(&prefix))?;
    let file = chapter.suite_dir(repo).join(format!("{module}.rs"));
    Some(repo.relative(&file))
}

/// The lists of test files that `cargo course generate` writes: path and text.
pub fn lists(repo: &Repo, course: &Course) -> Result<BTreeMap<PathBuf, String>> {
    let mut files = BTreeMap::new();
    let mut learner = String::from(LEARNER_HEAD);
    let mut reference = String::from(REFERENCE_HEAD);
    for (chapter, _) in course.written() {
        let (number, feature) = (chapter.number, chapter.feature());
        let mut list = format!(
            "//! The tests of chapter {number}, {}: one file for each section.\n//!\n//! {GENERATED}\n\n",
            chapter.title
        );
        for module in modules(repo, chapter)? {
            let _ = writeln!(list, "mod {module};");
        }
        files.insert(chapter.suite_dir(repo).join("mod.rs"), list);
        let _ = write!(
            learner,
            "\n#[cfg(all(feature = {feature:?}, not(without = {feature:?})))]\n#[path = \"ch{number:02}/mod.rs\"]\nmod {feature};\n"
        );
        let _ = write!(
            reference,
            "\n#[cfg(feature = {feature:?})]\n#[path = \"../../tests/ch{number:02}/mod.rs\"]\nmod {feature};\n"
        );
    }
    if repo.tests().join("support").is_dir() {
        learner.push_str("\nmod support;\n");
        reference.push_str("\n#[path = \"../../tests/support/mod.rs\"]\nmod support;\n");
    }
    files.insert(repo.tests().join("main.rs"), learner);
    let chapters = repo.root().join("solutions/tests/chapters.rs");
    files.insert(chapters, reference);
    Ok(files)
}

const GENERATED: &str = "`cargo course generate` writes this list.";

const LEARNER_HEAD: &str = "\
//! The tests of every chapter, in one test program: it is linked once.
//!
//! `cargo course` runs one chapter and leaves out the others with `--cfg 'without=\"ch2\"'`,
//! so that they need not be compiled. `cargo course generate` writes this list.
";

const REFERENCE_HEAD: &str = "\
//! The tests of every chapter, run against the reference.
//!
//! They are the same files that test the learner's crate; only the crate's name differs.
//! `cargo course generate` writes this list.

extern crate claw_code_solutions as claw_code;
";
