//! `src/` is what the generator makes, and the manifests leave nothing out.

use std::collections::BTreeSet;
use std::fs;

use anyhow::Result;

use super::{Context, Finding};
use crate::contents;
use crate::repo;
use crate::source::{self, Source};

/// Compares `src/` with the stubs, the manifests with the reference and the suites.
pub fn check(context: &Context) -> Result<Finding> {
    let mut problems = Vec::new();
    let files = stubs(context, &mut problems)?;
    formatting(context, &mut problems)?;
    let functions = functions(context, &mut problems)?;
    let tests = tests(context, &mut problems)?;
    features(context, &mut problems)?;
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

/// The suites' tests and the manifests' are the same.
fn tests(context: &Context, problems: &mut Vec<String>) -> Result<usize> {
    let repo = &context.progress.repo;
    let mut count = 0;
    for (chapter, manifest) in context.chapters() {
        let path = chapter.suite_path(repo);
        let suite: BTreeSet<String> = Source::read(&path)?.tests().into_iter().collect();
        let listed: BTreeSet<String> = manifest
            .sections
            .iter()
            .flat_map(|section| section.tests.clone())
            .collect();
        count += suite.len();
        for test in suite.difference(&listed) {
            problems.push(format!(
                "{test} in {} stands in no manifest; list it under `tests` of its section",
                repo.relative(&path)
            ));
        }
        for test in listed.difference(&suite) {
            problems.push(format!(
                "{test} is listed in {} and is not in {}; write it or take it off the list",
                repo.relative(&chapter.manifest_path(repo)),
                repo.relative(&path)
            ));
        }
    }
    Ok(count)
}

/// Both packages know every written chapter as a feature, and both test binaries its
/// suite.
fn features(context: &Context, problems: &mut Vec<String>) -> Result<()> {
    let root = context.progress.repo.root();
    for manifest in ["Cargo.toml", "solutions/Cargo.toml"] {
        let text = fs::read_to_string(root.join(manifest))?;
        let document: toml_edit::DocumentMut = text.parse()?;
        let features = document.get("features").and_then(|item| item.as_table());
        for (chapter, _) in context.chapters() {
            let feature = chapter.feature();
            if !features.is_some_and(|table| table.contains_key(&feature)) {
                problems.push(format!("{manifest} has no feature `{feature}`; add it"));
            }
        }
    }
    for main in ["tests/main.rs", "solutions/tests/chapters.rs"] {
        let text = fs::read_to_string(root.join(main))?;
        for (chapter, _) in context.chapters() {
            if !text.contains(&format!("mod {};", chapter.feature())) {
                problems.push(format!(
                    "{main} does not take in the suite of chapter {}; add `mod {};`",
                    chapter.number,
                    chapter.feature()
                ));
            }
        }
    }
    // A suite that can't be left out is built on every save in another chapter.
    let text = fs::read_to_string(root.join("tests/main.rs"))?;
    for (chapter, _) in context.chapters() {
        let feature = chapter.feature();
        if !text.contains(&format!("not(without = {feature:?})")) {
            problems.push(format!(
                "tests/main.rs cannot leave out the suite of chapter {}; put `#[cfg(all(feature = {feature:?}, not(without = {feature:?})))]` above `mod {feature};`",
                chapter.number,
            ));
        }
    }
    Ok(())
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
