//! The rule for "make the tests pass".
//!
//! It knows one kind of mistake: a Rust function of two numbers that uses the wrong
//! arithmetic operator, as in the project in `course/demo`. That is enough to show an agent
//! at work with real tools and without a key: it runs the tests, reads the failing line,
//! searches for the function, reads it, edits it, and runs the tests again. For any other
//! failure it says that it has no rule.

use super::action::Action;
use super::exchange::ToolRound;
use super::line_numbers::without_line_numbers;
use super::operator_fix::{Case, Fix};
use super::outcome::outcome;
use super::task::Step;
use crate::command_output::CommandOutput;
use crate::conversation::ToolStatus;

/// The next step towards passing tests. It replays the rounds from the first one, so that
/// each step knows what the earlier ones returned; the first action without a round is the
/// next step.
pub(super) fn next_step(rounds: &[ToolRound]) -> Step {
    let mut replay = Replay { rounds, used: 0 };
    let (text, is_success) = match repair(&mut replay) {
        Ok(text) => (text, true),
        Err(Stop::Act { text, action }) => {
            let actions = vec![action];
            return Step::Act { text, actions };
        }
        Err(Stop::GiveUp(reason)) => (format!("{reason} I have no other rule for this."), false),
    };
    Step::Done {
        rounds: replay.used,
        text,
        is_success,
    }
}

/// Why the replay stops before the tests pass.
enum Stop {
    /// This action has no result yet.
    Act { text: String, action: Action },
    /// The rule does not apply.
    GiveUp(String),
}

/// The rounds of tool calls, one for each action so far.
struct Replay<'a> {
    rounds: &'a [ToolRound<'a>],
    used: usize,
}

impl<'a> Replay<'a> {
    /// The round of this action, or a stop because the action is still to be done or its
    /// tool failed.
    fn act(&mut self, text: String, action: Action) -> Result<&'a ToolRound<'a>, Stop> {
        let Some(round) = self.rounds.get(self.used) else {
            return Err(Stop::Act { text, action });
        };
        self.used += 1;
        match round.has_failed() {
            true => Err(Stop::GiveUp(round.summary())),
            false => Ok(round),
        }
    }

    /// Runs the tests: their output, or `None` if they pass.
    fn run_tests(&mut self, text: &str) -> Result<Option<String>, Stop> {
        let command = "cargo test".into();
        let round = self.act(text.into(), Action::Run { command })?;
        let has_passed = round.results.iter().all(|(call, result)| {
            outcome(call, result) == ToolStatus::Succeeded
                && CommandOutput::parse(&result.content.text)
                    .exit_code
                    .is_none()
        });
        Ok((!has_passed).then(|| round.output()))
    }

    fn read(&mut self, text: String, path: &str) -> Result<String, Stop> {
        let path = path.into();
        let round = self.act(text, Action::Read { path })?;
        Ok(without_line_numbers(&round.output()))
    }
}

/// The outcome of the repair, once the tests pass.
fn repair(replay: &mut Replay) -> Result<String, Stop> {
    let Some(output) = replay.run_tests("I will run `cargo test` and see what fails.")? else {
        return Ok("The tests pass as they are. I changed nothing.".into());
    };
    // Tests run in parallel and fail in any order, so take the first location by path and line.
    let Some((test_path, line)) = output.lines().filter_map(panic_location).min() else {
        let last = output.trim().lines().next_back().unwrap_or_default();
        return give_up(format!("I found no failing test in the output: {last}."));
    };
    let text = format!("`{test_path}:{line}` fails. I will read `{test_path}`.");
    let test = replay.read(text, test_path)?;
    let Some(case) = test
        .lines()
        .nth(line.saturating_sub(1))
        .and_then(Case::parse)
    else {
        return give_up(format!("I do not understand line {line} of `{test_path}`."));
    };
    let name = case.function;
    let text = format!("It tests `{name}`, which is defined elsewhere: I will search for it.");
    let search = Action::Search {
        pattern: format!("fn {name}\\("),
        path: ".".into(),
    };
    let matches = replay.act(text, search)?.output();
    let Some(path) = first_source_path(&matches) else {
        return give_up(format!("I found no definition of `{name}`."));
    };
    let source = replay.read(format!("It is in `{path}`. I will read that."), path)?;
    let cases = test.lines().filter_map(Case::parse);
    let cases: Vec<Case> = cases.filter(|it| it.function == name).collect();
    let Some(fix) = Fix::find(&source, name, &cases) else {
        return give_up(format!("No operator gives `{name}` the expected results."));
    };
    let text = format!(
        "{name}({}, {}) should be {}, so `{name}` needs `{}` for `{}`.",
        case.left, case.right, case.expected, fix.operator, fix.wrong_operator
    );
    let edit = Action::Replace {
        path: path.into(),
        from: fix.from,
        to: fix.to,
        source: Some(source),
    };
    replay.act(text, edit)?;
    match replay.run_tests("I will run `cargo test` again.")? {
        None => Ok(format!("The tests pass now. I fixed `{name}`.")),
        Some(_) => give_up(format!("I fixed `{name}`, but tests still fail.")),
    }
}

fn give_up<T>(reason: String) -> Result<T, Stop> {
    Err(Stop::GiveUp(reason))
}

/// The path and the line in a message such as
/// `thread 'adds' panicked at tests/sums.rs:5:5:`.
fn panic_location(line: &str) -> Option<(&str, usize)> {
    let (_, location) = line.split_once("panicked at ")?;
    let mut fields = location.split(':');
    Some((fields.next()?, fields.next()?.parse().ok()?))
}

/// The first path of a Rust file in a search result.
fn first_source_path(matches: &str) -> Option<&str> {
    let mut words = matches.split([':', ' ', '\t', '\n']);
    let path = words.find(|word| word.ends_with(".rs"))?;
    Some(path.trim_start_matches("./"))
}
