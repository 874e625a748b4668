//! `cargo course`.

use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, ensure};
use clap::Parser;
use course::backups;
use course::cli::{Cli, Command};
use course::commands::{self, Outcome};
use course::installed::Installed;
use course::messages::{NO_WRAP, Style, is_dumb_terminal};
use course::old_state;
use course::progress::Progress;
use course::repo::Repo;
use course::subfolder_alias;

/// Whether the program was interrupted. Errors that follow are not reported.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

fn main() -> ExitCode {
    if let Some(code) = course::cargo::supervise_if_asked() {
        return code;
    }
    // An interrupt kills the child processes first.
    let handler = ctrlc::set_handler(|| {
        INTERRUPTED.store(true, Ordering::SeqCst);
        course::cargo::kill_running();
        course::watch::restore_terminal();
        commands::clear_progress();
        std::process::exit(130);
    });
    if let Err(error) = handler {
        eprintln!("course: cannot handle Ctrl-C: {error}");
    }
    let outcome = run(Cli::parse());
    if INTERRUPTED.load(Ordering::SeqCst) {
        return ExitCode::from(130);
    }
    match outcome {
        Ok(outcome) => {
            let text: String = outcome
                .lines
                .iter()
                .map(|line| format!("{}\n", line.trim_start_matches(NO_WRAP)))
                .collect();
            // Ignores a closed output, such as after `| head`.
            let _ = std::io::stdout().write_all(text.as_bytes());
            ExitCode::from(u8::from(outcome.red))
        }
        Err(error) => {
            eprintln!("course: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(cli: Cli) -> Result<Outcome> {
    let here = std::env::current_dir().context("the current folder does not exist")?;
    let repo = Repo::find(&here)?;
    let style = Style::for_stdout(repo.root());
    let notes = match cli.command {
        // Works where nothing else does, and writes no file of the course's.
        Some(Command::Doctor { .. }) => Vec::new(),
        _ => prepare(&repo, &cli)?,
    };
    let is_watch = cli.command.is_none()
        && std::io::stdout().is_terminal()
        && std::io::stdin().is_terminal()
        && !is_dumb_terminal();
    if !is_watch {
        notes.iter().for_each(|line| eprintln!("{line}"));
    }
    let load = || Progress::load(repo.clone());
    match cli.command {
        None if is_watch => {
            course::watch::watch(&repo, &style, notes)?;
            Ok(Outcome::default())
        }
        None => commands::status(&repo, &style),
        Some(Command::Status { json: false }) => commands::status(&repo, &style),
        Some(Command::Status { json: true }) => commands::status_json(&mut load()?),
        Some(Command::Check { what }) => commands::check(&mut load()?, &style, what.as_deref()),
        Some(Command::Hint { section }) => commands::hint(&mut load()?, &style, section),
        Some(Command::Next) => commands::next(&mut load()?, &style),
        Some(Command::Open { what }) => commands::open(&mut load()?, &style, what),
        Some(Command::Solution { what, apply: false }) => {
            commands::solution(&load()?, &style, what)
        }
        Some(Command::Solution { what, apply: true }) => {
            commands::apply(&mut load()?, &style, what)
        }
        Some(Command::Jump { what }) => commands::jump(&mut load()?, &style, what),
        Some(Command::Path { path }) => commands::path(&mut load()?, &style, path),
        Some(Command::Reset {
            what: Some(what), ..
        }) => commands::reset(&mut load()?, &style, what),
        Some(Command::Reset { what: None, .. }) => commands::reset_given(&mut load()?, &style),
        Some(Command::Undo { list: true, .. }) => commands::undo_list(&repo, &style),
        Some(Command::Undo { backup, all, .. }) => {
            let backup = backup.or_else(|| backups::to_finish(&repo));
            commands::undo(&repo, &style, backup, all)
        }
        Some(Command::Update { source, dry_run }) => {
            commands::update(&mut load()?, &style, source.as_deref(), dry_run)
        }
        Some(Command::Demo { yours, prompt }) => commands::demo(&repo, &style, yours, &prompt),
        Some(Command::Claw { arguments }) => commands::claw(&repo, &style, &arguments),
        Some(Command::Doctor { json: false }) => Ok(commands::doctor(&repo, &style)),
        Some(Command::Doctor { json: true }) => commands::doctor_json(&repo),
        Some(Command::Fetch) => commands::fetch(&repo, &style),
        Some(Command::Report {
            junit: Some(file), ..
        }) => commands::report(&mut load()?, &style, &file),
        Some(Command::Report { class, .. }) => {
            let file = class.context("`--junit` or `--class` names the file")?;
            Ok(commands::class_report(&mut load()?, &style, &file)?.into())
        }
        Some(Command::Book { open, port }) => commands::book(&repo, open, port),
        Some(Command::Bundle { arguments }) => commands::teacher(&repo, "bundle", &arguments),
        Some(Command::Class { arguments }) => commands::teacher(&repo, "class", &arguments),
        Some(Command::Grade { arguments }) => commands::teacher(&repo, "grade", &arguments),
        Some(Command::Generate) => commands::generate(&load()?, &style),
        Some(Command::NewChapter { number, slug }) => {
            commands::new_chapter(&load()?, &style, number, &slug)
        }
        Some(Command::Verify { chapter, fresh }) => Ok(Outcome {
            red: !course::verify::verify(&load()?, &style, chapter, fresh)?,
            ..Outcome::default()
        }),
    }
}

/// Finishes what an earlier command left unfinished, and checks what the command needs. Returns
/// notes for the learner.
fn prepare(repo: &Repo, cli: &Cli) -> Result<Vec<String>> {
    // `undo` does it itself.
    if !matches!(cli.command, Some(Command::Undo { .. })) {
        backups::finish(repo)?
            .iter()
            .for_each(|line| eprintln!("{line}"));
    }
    // Without this record, an update names fewer files. A full disk must not stop the command.
    let _ = Installed::store_first(repo);
    // A folder that can't be written to must not, either.
    let _ = subfolder_alias::write(repo);
    ensure!(
        repo.has_solutions() || !cli.needs_solutions(),
        SOLUTIONS_ARE_MISSING
    );
    old_state::carry_over(repo)
}

const SOLUTIONS_ARE_MISSING: &str = "the folder solutions/ is missing or incomplete. The tests and \
this command need it. `git restore solutions` brings it back, in a sparse clone `git \
sparse-checkout add solutions`, and otherwise a new clone. Until then, `cargo course hint 1.3`, \
`cargo course path` and `cargo course undo` work";
