//! No file of a chapter has text that `cargo course new-chapter` left to be filled in.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use super::context::Context;
use crate::commands::FILL_IN;
use crate::repo::rust_files;

/// Finds the placeholders in the chapters' manifests, pages, quizzes, tests and modules, and in
/// `course.toml`.
pub fn check(context: &Context, problems: &mut Vec<String>) -> Result<()> {
    let repo = &context.progress.repo;
    let mut files: Vec<PathBuf> = vec![repo.course_toml()];
    for (chapter, manifest) in context.chapters() {
        files.push(chapter.manifest_path(repo));
        files.push(repo.root().join(chapter.page()));
        files.push(chapter.quiz_path(repo));
        files.extend(rust_files(&chapter.suite_dir(repo))?);
        for module in &manifest.modules {
            let dir = repo.solutions().join(module);
            match dir.is_dir() {
                true => files.extend(rust_files(&dir)?),
                false => files.push(dir.with_extension("rs")),
            }
        }
    }
    for file in files.iter().filter(|file| file.is_file()) {
        find(&repo.relative(file), file, problems)?;
    }
    Ok(())
}

fn find(name: &str, file: &Path, problems: &mut Vec<String>) -> Result<()> {
    let text = fs::read_to_string(file).with_context(|| format!("cannot read {name}"))?;
    for (number, line) in (1..).zip(text.lines()) {
        if let Some(at) = line.find(FILL_IN) {
            let placeholder = line[at..].trim_end_matches(['"', ',', ' ', '}']);
            problems.push(format!("{name}:{number}: {placeholder}"));
        }
    }
    Ok(())
}
