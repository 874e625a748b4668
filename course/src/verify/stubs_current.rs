//! The generated files are current, and the manifests list every function of the reference.

use std::fs;

use anyhow::Result;

use super::context::{Context, Finding};
use super::{layers, placeholders, test_files};
use crate::course_toml;
use crate::generated;
use crate::repo::{self, relative_name};
use crate::source;

/// Compares `src/` and the lists of chapters with what `cargo course generate` writes, and the
/// manifests with the reference and the test files. Checks the order of the layers.
pub fn check(context: &Context) -> Result<Finding> {
    let mut problems = Vec::new();
    let files = stubs(context, &mut problems)?;
    formatting(context, &mut problems)?;
    let functions = functions(context, &mut problems)?;
    lists(context, &mut problems)?;
    let tests = test_files::check(context, &mut problems)?;
    summary(context, &mut problems)?;
    layers::check(context, &mut problems)?;
    placeholders::check(context, &mut problems)?;
    Ok(Finding {
        count: format!("{files} files, {functions} functions, {tests} tests"),
        problems,
    })
}

/// Every file of `src/` is its stub. Returns how many there are.
fn stubs(context: &Context, problems: &mut Vec<String>) -> Result<usize> {
    let repo = &context.progress.repo;
    let stubs = context.progress.solution()?.stubs();
    let mut differ = Vec::new();
    for (file, stub) in &stubs {
        match fs::read_to_string(repo.src().join(file)) {
            Ok(text) if text.replace("\r\n", "\n") == *stub => {}
            Ok(_) => differ.push(format!("src/{file} differs from its stub")),
            Err(_) => differ.push(format!("src/{file} is missing")),
        }
    }
    for path in repo::rust_files(&repo.src())? {
        let file = relative_name(&repo.src(), &path);
        if !stubs.contains_key(&file) {
            differ.push(format!("src/{file} has no counterpart in solutions/src"));
        }
    }
    if !differ.is_empty() {
        problems.push(format!(
            "{}\nIf solutions/ or a manifest changed, run `cargo course generate` and commit src/. If you have worked through sections here, this is expected: `verify` is for a fresh clone.",
            differ.join("\n")
        ));
    }
    Ok(stubs.len())
}

/// Every stub is formatted. Skipped if rustfmt is not installed.
fn formatting(context: &Context, problems: &mut Vec<String>) -> Result<()> {
    let repo = &context.progress.repo;
    let stubs = context.progress.solution()?.stubs();
    match source::unformatted(&stubs) {
        Ok(files) => problems.extend(files.into_iter().map(|file| {
            format!(
                "the stub of {} is not formatted; change the reference so that both are",
                repo.relative(&repo.src().join(file))
            )
        })),
        Err(error) if source::has_rustfmt() => {
            problems.push(format!("rustfmt cannot format the stubs: {error}"));
        }
        Err(_) => {}
    }
    Ok(())
}

/// Every function of the reference is listed in a manifest. Returns how many there are.
fn functions(context: &Context, problems: &mut Vec<String>) -> Result<usize> {
    let solution = context.progress.solution()?;
    let course = &context.progress.course;
    let mut count = 0;
    let mut unmatched: Vec<&String> = context
        .chapters()
        .into_iter()
        .flat_map(|(_, manifest)| &manifest.given)
        .collect();
    for (file, source) in solution.files() {
        for function in source.functions() {
            count += 1;
            let section = solution.section_of(file, &function);
            let function = function.join("::");
            let whole = format!("{}::{function}", source::module_of(file));
            unmatched.retain(|given| !course_toml::covers(given, &whole));
            if section.is_none() && !course.gives(&whole) {
                problems.push(format!(
                    "`{function}` in solutions/src/{file} is in no manifest; list it under `items` of the section that teaches it, or under `given`"
                ));
            }
        }
    }
    problems.extend(unmatched.into_iter().map(|given| {
        format!("`{given}`, listed under `given`, contains no function of the reference; remove it")
    }));
    Ok(count)
}

/// The lists of chapters are what the generator writes.
fn lists(context: &Context, problems: &mut Vec<String>) -> Result<()> {
    let repo = &context.progress.repo;
    for (path, text) in generated::lists(repo, &context.progress.course)? {
        let now = fs::read_to_string(&path).unwrap_or_default();
        if now.replace("\r\n", "\n") != text {
            problems.push(format!(
                "{} is out of date; run `cargo course generate` and commit it",
                repo.relative(&path)
            ));
        }
    }
    Ok(())
}

/// The summary of the book lists the chapters in order. mdBook numbers its entries from 1, so
/// chapter 0 must be an entry without a number.
fn summary(context: &Context, problems: &mut Vec<String>) -> Result<()> {
    let progress = &context.progress;
    let text = fs::read_to_string(progress.repo.root().join("book/src/SUMMARY.md"))?;
    let titles = text
        .lines()
        .filter_map(|line| line.strip_prefix("- [")?.split_once("](").map(|it| it.0));
    let (unnumbered, numbered): (Vec<_>, Vec<_>) =
        (progress.course.chapters()).partition(|chapter| chapter.number == 0);
    for chapter in unnumbered {
        let entry = format!("[{}]({}.md)", chapter.title, chapter.stem());
        if !text.lines().any(|line| line == entry) {
            problems.push(format!(
                "book/src/SUMMARY.md lacks the line `{entry}` before the numbered chapters"
            ));
        }
    }
    for (chapter, title) in numbered.into_iter().zip(titles) {
        if chapter.title != title {
            problems.push(format!(
                "entry {} of book/src/SUMMARY.md is {title:?} and must be {:?}; add `- [{}]()` for a chapter without a page",
                chapter.number, chapter.title, chapter.title
            ));
            break;
        }
    }
    Ok(())
}
