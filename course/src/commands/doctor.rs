//! `cargo course doctor`: says what is missing on this machine.

use anyhow::Result;

use super::Outcome;
use crate::doctor::{self, Check, State};
use crate::messages::Style;
use crate::repo::Repo;

/// Prints a line for each check, and below it what to do. The outcome is red if something is
/// missing without which the course does not work.
pub fn doctor(repo: &Repo, style: &Style) -> Outcome {
    let checks = doctor::checks(repo);
    let mut lines: Vec<String> = checks
        .iter()
        .flat_map(|check| shown(style, check))
        .collect();
    let red = is_red(&checks);
    lines.push(match red {
        true => style.red("Something is missing. After each `→`, you see how to get it."),
        false => style.green("This machine is ready for the course."),
    });
    Outcome { lines, red }
}

/// The same as JSON: `ready`, and the `checks` with `name`, `state`, `found` and `remedy`.
pub fn doctor_json(repo: &Repo) -> Result<Outcome> {
    let checks = doctor::checks(repo);
    let red = is_red(&checks);
    let json = serde_json::json!({ "ready": !red, "checks": checks });
    Ok(Outcome {
        lines: vec![serde_json::to_string_pretty(&json)?],
        red,
    })
}

fn is_red(checks: &[Check]) -> bool {
    let mut checks = checks.iter();
    checks.any(|check| check.finding.state == State::Missing)
}

fn shown(style: &Style, check: &Check) -> Vec<String> {
    let finding = &check.finding;
    let state = match finding.state {
        State::Ok => style.green("ok     "),
        State::Warning => style.yellow("warning"),
        State::Missing => style.red("missing"),
    };
    let line = format!("{state}  {:<13} {}", check.name, finding.found);
    let remedy = finding.remedy.iter();
    std::iter::once(line)
        .chain(remedy.map(|remedy| format!("         → {remedy}")))
        .collect()
}
