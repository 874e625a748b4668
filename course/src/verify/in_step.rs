//! `src/` is what the generator makes, and the manifests leave nothing out.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use anyhow::Result;

use super::{Context, Finding};
use crate::contents;
use crate::generated;
use crate::repo;
use crate::source::{self, Source};
use crate::suite;

/// Compares `src/` with the stubs, the manifests with the reference and the suites.
pub fn check(context: &Context) -> Result<Finding> {
    let mut problems = Vec::new();
    let files = stubs(context, &mut problems)?;
    formatting(context, &mut problems)?;
    let functions = functions(context, &mut problems)?;
    lists(context, &mut problems)?;
    let tests = tests(context, &mut problems)?;
    numbers(context, &mut problems)?;
    Ok(Finding {
        count: format!("{files} files, {functions} functions, {tests} tests"),
        problems,
    })
}

/// `src/`, file by file.
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
        let file = crate::render::relative_name(&repo.src(), &path);
        if !stubs.contains_key(&file) {
            differ.push(format!("src/{file} has no counterpart in solutions/src"));
        }
    }
    if !differ.is_empty() {
        problems.push(format!(
            "{}\nIf solutions/ or a manifest changed, run `cargo course generate` and commit src/. If this is your own work on the course, all is well: verify is for a fresh clone.",
            differ.join("\n")
        ));
    }
    Ok(stubs.len())
}

/// The stubs as rustfmt leaves them, where it is installed.
fn formatting(context: &Context, problems: &mut Vec<String>) -> Result<()> {
    let repo = &context.progress.repo;
    for (file, stub) in context.progress.solution()?.stubs() {
        let Ok(formatted) = rustfmt(&stub) else {
            break;
        };
        if formatted != stub {
            problems.push(format!(
                "the stub of {} is not as rustfmt leaves it; change the reference so that both are",
                repo.relative(&repo.src().join(file))
            ));
        }
    }
    Ok(())
}

fn rustfmt(text: &str) -> std::io::Result<String> {
    use std::io::Write;
    use std::process::{Command, Stdio};
    let mut child = Command::new("rustfmt")
        .args(["--edition", "2024", "--emit", "stdout", "--quiet"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    if let Some(stdin) = child.stdin.take() {
        let mut stdin = stdin;
        stdin.write_all(text.as_bytes())?;
    }
    let output = child.wait_with_output()?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(std::io::Error::other("rustfmt failed")),
    }
}

/// Every function of the reference is the learner's to write, in some section.
fn functions(context: &Context, problems: &mut Vec<String>) -> Result<usize> {
    let solution = context.progress.solution()?;
    let course = &context.progress.course;
    let mut count = 0;
    let mut unmatched: Vec<&String> = context.chapters().flat_map(|(_, m)| &m.given).collect();
    for (file, source) in solution.files() {
        for function in source.functions() {
            count += 1;
            let section = solution.section_of(file, &function);
            let function = function.join("::");
            let whole = format!("{}::{function}", source::module_of(file));
            unmatched.retain(|given| !contents::covers(given, &whole));
            if section.is_none() && !course.gives(&whole) {
                problems.push(format!(
                    "`{function}` in solutions/src/{file} stands in no manifest; list it under `items` of the section that teaches it, or under `given`"
                ));
            }
        }
    }
    problems.extend(unmatched.into_iter().map(|given| {
        format!("`{given}`, listed under `given`, holds no function of the reference; take it out")
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

/// Each section's test file has the tests that the manifest lists, and no other file of the
/// chapter has any. Returns how many tests there are.
fn tests(context: &Context, problems: &mut Vec<String>) -> Result<usize> {
    let repo = &context.progress.repo;
    let mut count = 0;
    for (chapter, manifest) in context.chapters() {
        let modules = suite::modules(repo, chapter)?;
        let dir = chapter.suite_dir(repo);
        let manifest_path = repo.relative(&chapter.manifest_path(repo));
        // Where each test belongs, such as `tests/ch01/s03_….rs`.
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
                        "section {} has no test file; put its tests into {home}, named after the section",
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
                            "{test} is in {file} and belongs into {home}, by {manifest_path}; move it"
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
                "{test} is listed in {manifest_path} and is not in {}; write it or take it off the list",
                homes[test]
            )
        }));
    }
    Ok(count)
}

/// The book numbers the entries of its summary by their order, which has to be the course's.
fn numbers(context: &Context, problems: &mut Vec<String>) -> Result<()> {
    let progress = &context.progress;
    let text = fs::read_to_string(progress.repo.root().join("book/src/SUMMARY.md"))?;
    let titles = text
        .lines()
        .filter_map(|line| line.strip_prefix("- [")?.split_once("](").map(|it| it.0));
    for (chapter, title) in progress.course.chapters().zip(titles) {
        if chapter.title != title {
            problems.push(format!(
                "book/src/SUMMARY.md has {title:?} in place {}, where {:?} belongs; an entry without a page, `- [{}]()`, keeps the place of a planned chapter",
                chapter.number, chapter.title, chapter.title
            ));
            break;
        }
    }
    Ok(())
}
