//! The `cargo course` commands in the book.

use std::collections::BTreeSet;
use std::fs;

use anyhow::{Context, Result};
use course::course_toml::Course;
use course::repo::Repo;

use crate::page::pages;
use crate::prose::Prose;

/// Every `cargo course …` in the book's pages, its checkpoints and the README, sorted, each once.
/// Placeholders for numbers are replaced, so that each command can be parsed.
pub fn commands(repo: &Repo) -> Result<Vec<String>> {
    let mut commands = BTreeSet::new();
    for page in pages(repo)? {
        commands.extend(of(&page.text));
    }
    let readme = repo.root().join("README.md");
    if readme.is_file() {
        let text = fs::read_to_string(&readme).context("cannot read README.md")?;
        commands.extend(of(&text));
    }
    for (_, manifest) in Course::load(repo)?.written() {
        for section in manifest.sections.iter().filter(|one| !one.tests.is_empty()) {
            commands.insert(format!("cargo course check {}", section.id));
        }
    }
    Ok(commands.into_iter().collect())
}

/// The commands of one page before its directives are expanded.
fn of(markdown: &str) -> Vec<String> {
    let prose = Prose::parse(markdown);
    let inline = prose.code.iter().map(|piece| piece.text.as_str());
    let typed = prose.typed().flat_map(|piece| piece.text.lines());
    inline.chain(typed).filter_map(command).collect()
}

fn command(line: &str) -> Option<String> {
    let line = line.trim();
    let line = line.strip_prefix("$ ").unwrap_or(line);
    let line = line.split(" #").next()?.trim();
    let words: Vec<&str> = line
        .split_whitespace()
        .map(|word| match word {
            "N" | "K" | "P" => "1",
            "N.S" | "N[.S]" | "[N.S]" | "[N|N.S]" => "1.1",
            word => word,
        })
        .collect();
    words
        .starts_with(&["cargo", "course"])
        .then(|| words.join(" "))
}
