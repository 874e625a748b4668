//! Checks names in the text: tests, files and the README's links.

use std::collections::BTreeSet;
use std::fs;

use anyhow::{Context, Result};
use course::book::Problem;
use course::repo::{Repo, files_below, rust_files};

use crate::page::Page;
use crate::prose::Prose;

/// Inline code with one of these prefixes is the path of a file or folder.
const FOLDERS: [&str; 7] = [
    "src/",
    "tests/",
    "solutions/",
    "book/",
    "course/",
    ".ci/",
    "offline/",
];

/// The tests and files that the text may name.
pub(super) struct Names {
    repo: Repo,
    tests: BTreeSet<String>,
}

impl Names {
    /// Reads the test files.
    pub(super) fn load(repo: &Repo) -> Result<Self> {
        let mut tests = BTreeSet::new();
        for file in rust_files(&repo.tests())? {
            let text = fs::read_to_string(&file)
                .with_context(|| format!("cannot read {}", file.display()))?;
            // Searches the text, since attributes differ: `#[test]`, `#[tokio::test]`.
            for (at, _) in text.match_indices("fn test_ch") {
                tests.insert(word(&text[at + 3..]).to_string());
            }
        }
        Ok(Self {
            repo: repo.clone(),
            tests,
        })
    }

    /// Checks that every test and every path on the page exists.
    pub(super) fn check(&self, page: &Page, prose: &Prose) -> Vec<Problem> {
        let mut problems = Vec::new();
        let text = prose.text.iter().chain(&prose.code);
        for piece in text.chain(prose.typed()) {
            for message in self.unknown_tests(&piece.text) {
                problems.push(page.problem(piece.line, message));
            }
        }
        for piece in &prose.code {
            if let Some(message) = self.unknown_path(&piece.text) {
                problems.push(page.problem(piece.line, message));
            }
        }
        problems
    }

    /// Checks the same in the texts of the manifests and quizzes.
    pub(super) fn check_manifests(&self) -> Result<Vec<Problem>> {
        let mut problems = Vec::new();
        for path in files_below(&self.repo.book())? {
            if path.extension().is_none_or(|extension| extension != "toml") {
                continue;
            }
            let page = self.repo.relative(&path);
            let text = fs::read_to_string(&path).with_context(|| format!("cannot read {page}"))?;
            for (text, line) in text.lines().zip(1..) {
                let code = text.split('`').skip(1).step_by(2);
                let paths = code.filter_map(|code| self.unknown_path(code));
                for message in self.unknown_tests(text).chain(paths) {
                    let page = page.clone();
                    problems.push(Problem {
                        page,
                        line,
                        message,
                    });
                }
            }
        }
        Ok(problems)
    }

    /// Checks the README's relative links.
    pub(super) fn check_readme(&self) -> Result<Vec<Problem>> {
        let path = self.repo.root().join("README.md");
        if !path.is_file() {
            return Ok(Vec::new());
        }
        let text = fs::read_to_string(&path).context("cannot read README.md")?;
        let dead = Prose::parse(&text).links.into_iter().filter(|link| {
            let file = link.text.split(['#', '?']).next().unwrap_or_default();
            !file.is_empty() && !file.contains(':') && !self.repo.root().join(file).exists()
        });
        Ok(dead
            .map(|link| Problem {
                page: "README.md".to_string(),
                line: link.line,
                message: format!("the link leads to `{}`, which does not exist", link.text),
            })
            .collect())
    }

    fn unknown_tests(&self, text: &str) -> impl Iterator<Item = String> {
        let names = test_names(text).into_iter();
        names.filter_map(|name| self.unknown_test(&name))
    }

    fn unknown_path(&self, code: &str) -> Option<String> {
        let path = path_in(code).filter(|path| !self.exists(path))?;
        Some(format!(
            "there is no `{path}` in the repository; correct the path"
        ))
    }

    fn unknown_test(&self, name: &TestName) -> Option<String> {
        match name {
            TestName::Whole(name) if !self.tests.contains(*name) => Some(format!(
                "there is no test `{name}` in tests/; correct the name"
            )),
            TestName::Prefix(start) if !self.tests.iter().any(|t| t.starts_with(start)) => Some(
                format!("no test in tests/ begins with `{start}`; correct the name"),
            ),
            _ => None,
        }
    }

    /// Whether a path exists. A file of `src/` may exist only in the reference.
    fn exists(&self, path: &str) -> bool {
        let root = self.repo.root();
        root.join(path).exists()
            || path.starts_with("src/") && root.join("solutions").join(path).exists()
    }
}

enum TestName<'a> {
    Whole(&'a str),
    /// A prefix, written with `…` or `*` after it.
    Prefix(&'a str),
}

/// Every `test_chN_…` in `text`, N being a number.
fn test_names(text: &str) -> Vec<TestName<'_>> {
    text.match_indices("test_ch")
        .filter(|(at, _)| !text[..*at].ends_with(is_word))
        .filter_map(|(at, prefix)| {
            let name = word(&text[at..]);
            let rest = &name[prefix.len()..];
            let number = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            if number == 0 || !rest[number..].starts_with('_') {
                return None;
            }
            let open = text[at + name.len()..].starts_with(['…', '*']);
            Some(if open {
                TestName::Prefix(name)
            } else {
                TestName::Whole(name)
            })
        })
        .collect()
}

/// A piece of inline code as a path, unless it is a pattern or something else.
fn path_in(code: &str) -> Option<&str> {
    let is_pattern =
        code.contains(['…', '*', '<', '{']) || code.contains("NN") || code.contains("..");
    let is_path = FOLDERS.iter().any(|folder| code.starts_with(folder));
    if is_pattern || !is_path || code.contains(char::is_whitespace) {
        return None;
    }
    // Removes a line number.
    Some(code.split(':').next().unwrap_or(code))
}

fn word(text: &str) -> &str {
    &text[..text.find(|c| !is_word(c)).unwrap_or(text.len())]
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
