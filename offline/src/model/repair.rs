//! "Make the tests pass": run them, read the file that fails, edit it, and run them
//! again, until they pass or the rules know no further.
//!
//! The rules know one kind of mistake: a function of two numbers that uses the wrong
//! operator, as it stands in small projects made to show an agent at work.

mod failure;
mod fix;

use super::task::Move;
use super::toolbox::Action;
use super::{Round, is_error};

use failure::{Case, case, has_failed, places};
use fix::{defines, fix, without_line_numbers};

/// What to do next so that this command succeeds. The rounds are gone through from the
/// first, as if each were about to be made: what was to be done then says what its
/// output means, and the first step that has no round yet is the next.
pub(crate) fn next(command: &str, rounds: &[Round]) -> Move {
    let mut steps = Steps { rounds, taken: 0 };
    match repair(command, &mut steps) {
        Ok((said, is_well)) => Move::Over {
            rounds: steps.taken,
            said,
            is_well,
        },
        Err(next) => next,
    }
}

/// The rounds, one after the other.
struct Steps<'a> {
    rounds: &'a [Round<'a>],
    taken: usize,
}

impl Steps<'_> {
    /// What the action gave when it was done, or that it is to be done now.
    fn act(&mut self, said: &str, action: Action) -> Result<String, Move> {
        match self.rounds.get(self.taken) {
            Some(round) => {
                self.taken += 1;
                Ok(round.output())
            }
            None => Err(Move::Call(said.into(), vec![action])),
        }
    }
}

/// How it ended, in words, and whether well; or the next step.
fn repair(command: &str, steps: &mut Steps) -> Result<(String, bool), Move> {
    let mut mended: Vec<String> = Vec::new();
    loop {
        let said = match mended.as_slice() {
            [] => format!("I will run `{command}` and see what fails."),
            _ => format!("I will run `{command}` again."),
        };
        let run = Action::Run {
            command: command.into(),
        };
        let output = steps.act(&said, run)?;
        if !has_failed(&output) {
            return Ok((passed(&mended), true));
        }
        match mend(command, &output, &mended, steps)? {
            Ok(function) => mended.push(function),
            Err(why) => return Ok((format!("{why} {GIVE_UP}"), false)),
        }
    }
}

/// Mends the first failure. The function that was mended, or why none was; or the next
/// step.
fn mend(
    command: &str,
    output: &str,
    mended: &[String],
    steps: &mut Steps,
) -> Result<Result<String, String>, Move> {
    // Tests that run at once fail in any order: the first in the file is the one.
    let Some(place) = places(output).into_iter().min() else {
        let last = output.trim().lines().next_back().unwrap_or_default();
        return Ok(Err(format!(
            "The command failed in a way that I have no rule for: {last}."
        )));
    };
    let path = below(command, &place.path);
    let said = format!("`{place}` fails. I will read `{path}`.");
    let test = read(&path, &said, steps)?;
    let Some(blamed) = test
        .lines()
        .skip(place.line.saturating_sub(1))
        .take(CASE)
        .find_map(case)
    else {
        return Ok(Err(format!(
            "At `{place}` I see no case that I have a rule for."
        )));
    };
    let name = &blamed.function;
    if mended.contains(name) {
        return Ok(Err(format!("`{name}` still fails after my edit.")));
    }
    let (path, text) = if defines(&test, name) {
        (path, test.clone())
    } else {
        match definition(name, steps)? {
            Some(found) => found,
            None => return Ok(Err(format!("I find no definition of `{name}`."))),
        }
    };
    let cases = test.lines().filter_map(case);
    let cases: Vec<Case> = cases.filter(|it| it.function == *name).collect();
    let Some(edit) = fix(&text, name, &cases) else {
        return Ok(Err(format!("I see no operator that would mend `{name}`.")));
    };
    let said = format!(
        "{blamed}, so `{name}` needs `{}` for `{}`.",
        edit.operator, edit.wrong_operator
    );
    let replace = Action::Replace {
        path,
        from: edit.from,
        to: edit.to,
    };
    let output = steps.act(&said, replace)?;
    Ok(match is_error(&output) {
        true => Err(format!("My edit was not made: {}.", output.trim())),
        false => Ok(blamed.function),
    })
}

/// Searches for the file that defines a function: its path and text.
fn definition(name: &str, steps: &mut Steps) -> Result<Option<(String, String)>, Move> {
    let search = Action::Search {
        pattern: format!("(fn|def) {name}\\("),
        path: ".".into(),
    };
    let said = format!("It tests `{name}`, which is defined elsewhere: I will search for it.");
    let found = steps.act(&said, search)?;
    let Some(path) = first_path(&found) else {
        return Ok(None);
    };
    let text = read(
        &path,
        &format!("It is in `{path}`. I will read that."),
        steps,
    )?;
    Ok(defines(&text, name).then_some((path, text)))
}

fn read(path: &str, said: &str, steps: &mut Steps) -> Result<String, Move> {
    let path = path.to_string();
    let output = steps.act(said, Action::Read { path })?;
    Ok(without_line_numbers(&output))
}

/// The first word of a search's output that looks like a source file's path.
fn first_path(output: &str) -> Option<String> {
    let mut words = output.split([':', ' ', '\t', '\n']);
    let is_source = |word: &&str| [".rs", ".py"].iter().any(|end| word.ends_with(end));
    words
        .find(is_source)
        .map(|path| path.trim_start_matches("./").to_string())
}

/// A path that a command printed, as it is from here: `cd demo && …` runs below `demo`.
fn below(command: &str, path: &str) -> String {
    let folder = command
        .strip_prefix("cd ")
        .and_then(|it| it.split_once(" && "));
    match folder {
        Some((folder, _)) => format!("{}/{path}", folder.trim_end_matches('/')),
        None => path.into(),
    }
}

fn passed(mended: &[String]) -> String {
    match mended {
        [] => "The tests pass as they are. I changed nothing.".into(),
        [_, ..] => format!("The tests pass now. I mended `{}`.", mended.join("`, `")),
    }
}

/// How many lines a case may be away from the line that is blamed.
const CASE: usize = 3;
const GIVE_UP: &str = "This is as far as my rules go.";
