//! mdBook's own includes. Of one whose file, anchor or lines are missing mdBook makes
//! an empty block and ends well; here it is an error.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};

use super::directive::{self, Line};

/// Whether `{{#name argument}}` on a page in the folder `base` finds what it names.
pub(super) fn check(base: &Path, name: &str, argument: &str) -> Result<()> {
    let target = argument.split_whitespace().next();
    let target = target.context("it names no file; write a path relative to the page")?;
    let (path, part) = match target.split_once(':') {
        Some((path, part)) if name != "playground" => (path, part),
        _ => (target, ""),
    };
    let text = std::fs::read_to_string(base.join(path)).with_context(|| {
        format!("cannot read {path}; a path is relative to the folder of the page")
    })?;
    let shown = select(&text, part).with_context(|| format!("in {path}"))?;
    ensure!(
        !shown.trim().is_empty(),
        "that part of {path} is empty; name another one"
    );
    for line in directive::lines(&shown) {
        let inner = match line {
            Line::Directive { text, .. } => Some(text),
            Line::Text { uses, .. } => uses.iter().find(|one| !one.in_code).map(|one| one.text),
        };
        if let Some(inner) = inner {
            bail!("{path} holds the directive `{inner}`, which works on pages only; move it there");
        }
    }
    Ok(())
}

/// The lines that mdBook shows for `part`: an anchor, `line`, `first:last`, either of
/// which may be left out, or nothing at all.
fn select(text: &str, part: &str) -> Result<String> {
    let (first, last) = part.split_once(':').unwrap_or((part, part));
    if !part.contains(':') && !part.is_empty() && part.parse::<usize>().is_err() {
        return anchored(text, part);
    }
    let count = text.lines().count();
    let number = |given: &str, absent| match given {
        "" => Ok(absent),
        given => given.parse::<usize>().with_context(|| {
            format!("`{part}` is no range of lines; write `first:last`, or an anchor's name")
        }),
    };
    let (first, last) = (number(first, 1)?, number(last, count)?);
    ensure!(
        1 <= first && first <= last && last <= count,
        "there are no lines {first} to {last}: the file has {count}; correct the range"
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
