//! Checks mdBook's include directives. mdBook inserts nothing for a missing file, anchor or line
//! range and exits with 0; here it is an error.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};

use super::directive::{self, Line};

/// Checks that the target of `{{#name argument}}` on a page in the folder `base` exists.
pub(super) fn check(base: &Path, name: &str, argument: &str) -> Result<()> {
    let target = argument.split_whitespace().next();
    let target = target.context("the path is missing; write one relative to the page")?;
    let (path, part) = match target.split_once(':') {
        Some((path, part)) if name != "playground" => (path, part),
        _ => (target, ""),
    };
    let text = std::fs::read_to_string(base.join(path)).with_context(|| {
        format!("cannot read {path}; the path is relative to the page's folder")
    })?;
    let shown = select(&text, part).with_context(|| format!("in {path}"))?;
    ensure!(
        !shown.trim().is_empty(),
        "that part of {path} is empty; choose another one"
    );
    for line in directive::lines(&shown) {
        let inner = match line {
            Line::Directive { text, .. } => Some(text),
            Line::Text { uses, .. } => uses.iter().find(|one| !one.in_code).map(|one| one.text),
        };
        if let Some(inner) = inner {
            bail!(
                "{path} contains the directive `{inner}`, which works only on pages; move it to the page"
            );
        }
    }
    Ok(())
}

/// The lines that mdBook inserts for `part`: an anchor, `line`, or `first:last` with either
/// number optional. An empty `part` means all lines.
fn select(text: &str, part: &str) -> Result<String> {
    let (first, last) = part.split_once(':').unwrap_or((part, part));
    if !part.contains(':') && !part.is_empty() && part.parse::<usize>().is_err() {
        return anchored(text, part);
    }
    let count = text.lines().count();
    let number = |given: &str, absent| match given {
        "" => Ok(absent),
        given => given.parse::<usize>().with_context(|| {
            format!(
                "`{part}` is not a range of lines; write `first:last`, or the name of an anchor"
            )
        }),
    };
    let (first, last) = (number(first, 1)?, number(last, count)?);
    ensure!(
        1 <= first && first <= last && last <= count,
        "lines {first} to {last} do not exist: the file has {count}; correct the range"
    );
    let lines: Vec<&str> = text
        .lines()
        .skip(first - 1)
        .take(last + 1 - first)
        .collect();
    Ok(lines.join("\n"))
}

fn anchored(text: &str, anchor: &str) -> Result<String> {
    let mut lines = text.lines();
    lines
        .find(|line| is_mark(line, "ANCHOR:", anchor))
        .with_context(|| format!("there is no `ANCHOR: {anchor}`; correct the name or add it"))?;
    let mut shown = Vec::new();
    for line in lines {
        if is_mark(line, "ANCHOR_END:", anchor) {
            return Ok(shown.join("\n"));
        }
        shown.push(line);
    }
    bail!("`ANCHOR: {anchor}` is not followed by `ANCHOR_END: {anchor}`; add it")
}

fn is_mark(line: &str, mark: &str, anchor: &str) -> bool {
    line.split_once(mark).is_some_and(|(_, name)| {
        let name = name.trim_start();
        let end = name
            .find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-'))
            .unwrap_or(name.len());
        &name[..end] == anchor
    })
}
