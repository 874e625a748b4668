//! The terminal and the operating system.

use std::env;
use std::io::IsTerminal;

use super::finding::Finding;
use crate::messages::is_dumb_terminal;
use crate::repo::Repo;

/// Whether the watch screen of `cargo course` works here.
pub(super) fn terminal(_: &Repo) -> Finding {
    if !std::io::stdout().is_terminal() {
        return Finding::ok("none here, so `cargo course` prints the status once");
    }
    if is_dumb_terminal() {
        return Finding::warning(
            "`TERM` is `dumb`, so `cargo course` prints the status once and does not watch",
            "Use another terminal, or run `cargo course status` after each save.",
        );
    }
    if !is_utf8() {
        return Finding::warning(
            "the locale is not UTF-8, so signs such as ✓ may be unreadable",
            "Run `export LC_ALL=C.UTF-8` (macOS: `export LC_ALL=en_US.UTF-8`), and put it into your shell's profile.",
        );
    }
    match crossterm::terminal::size() {
        Ok((columns, _)) if columns < NARROW => Finding::warning(
            format!("{columns} columns are few; long lines are wrapped"),
            format!("Widen the window to {NARROW} columns or more."),
        ),
        Ok((columns, rows)) => Finding::ok(format!("{columns} columns and {rows} rows")),
        Err(_) => Finding::ok("of unknown size"),
    }
}

/// Whether the locale writes UTF-8. Windows has no such variables.
fn is_utf8() -> bool {
    let set = |name: &&str| env::var(name).is_ok_and(|value| !value.is_empty());
    let name = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find(set);
    let value = name.and_then(|name| env::var(name).ok());
    let value = value.unwrap_or_default().to_lowercase();
    cfg!(windows) || value.contains("utf-8") || value.contains("utf8")
}

/// Whether all chapters can be done on this system.
pub(super) fn system(_: &Repo) -> Finding {
    let name = format!("{} on {}", env::consts::OS, env::consts::ARCH);
    match cfg!(unix) {
        true => Finding::ok(name),
        false => Finding::warning(
            format!("{name}; chapter 7 and parts of chapters 10 to 13 need Unix"),
            "For these chapters, run `wsl --install` in a terminal of the administrator, and do the course inside WSL.",
        ),
    }
}

/// Fewer columns wrap most lines.
const NARROW: u16 = 60;
