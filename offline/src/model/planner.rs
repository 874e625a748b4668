//! The planner: from tasks and finished tool calls to the next step.

use super::action::Action;
use super::exchange::ToolRound;
use super::line_numbers::without_line_numbers;
use super::repair;
use super::task::{Step, Task};

/// The next step for these tasks. Each task takes the rounds that it made; the first task
/// that has not ended determines the step. A task that fails ends all. `needs_source` is
/// whether a replacement needs the text of the file.
pub(super) fn next_step(tasks: &[Task], rounds: &[ToolRound], needs_source: bool) -> Step {
    let mut used = 0;
    let mut texts = Vec::new();
    let mut is_success = true;
    for task in tasks {
        match task_step(task, &rounds[used..], needs_source) {
            Step::Done {
                rounds,
                text,
                is_success: has_succeeded,
            } => {
                used += rounds;
                texts.push(text);
                is_success = has_succeeded;
                if !is_success {
                    break;
                }
            }
            step => return step,
        }
    }
    Step::Done {
        rounds: used,
        text: texts.join(" "),
        is_success,
    }
}

/// The next step for one task. The rounds start with its own; rounds of later tasks may
/// follow.
fn task_step(task: &Task, rounds: &[ToolRound], needs_source: bool) -> Step {
    match task {
        Task::Do(actions) => match actions.as_slice() {
            [Action::Replace { path, from, to, .. }] if needs_source => {
                patch_step(path, from, to, rounds)
            }
            actions => action_step(actions, rounds),
        },
        Task::MakeTestsPass => repair::next_step(rounds),
        Task::Plan(tasks) => plan_step(tasks, rounds, needs_source),
    }
}

/// A plan has a round for its proposal, one that writes the todo list, the rounds of its tasks,
/// and one that completes the list. A plan that is not approved has ended.
fn plan_step(tasks: &[Task], rounds: &[ToolRound], needs_source: bool) -> Step {
    let steps: Vec<String> = tasks.iter().map(description).collect();
    let work = match rounds {
        [] => return act(vec![Action::Propose { steps }]),
        [proposal, ..] if proposal.has_failed() => return done(1, proposal),
        [_] => return act(vec![todos(steps, "in_progress", "pending")]),
        [_, _, work @ ..] => work,
    };
    match next_step(tasks, work, needs_source) {
        Step::Done {
            rounds,
            text,
            is_success: true,
        } => match work.get(rounds) {
            None => act(vec![todos(steps, "completed", "completed")]),
            Some(_) => Step::Done {
                rounds: rounds + 3,
                text,
                is_success: true,
            },
        },
        Step::Done {
            rounds,
            text,
            is_success,
        } => Step::Done {
            rounds: rounds + 2,
            text,
            is_success,
        },
        step => step,
    }
}

/// The list of these steps, with the status of the first and that of the others.
fn todos(steps: Vec<String>, first: &'static str, others: &'static str) -> Action {
    let statuses = std::iter::once(first).chain(std::iter::repeat(others));
    Action::WriteTodos {
        items: steps.into_iter().zip(statuses).collect(),
    }
}

/// A task as a step of a plan.
fn description(task: &Task) -> String {
    match task {
        Task::Do(actions) => {
            let announcements: Vec<String> = actions.iter().map(Action::announcement).collect();
            let text = announcements.join(" ");
            text.replace("I will ", "")
                .trim_end_matches('.')
                .to_string()
        }
        Task::MakeTestsPass => "make the tests pass".to_string(),
        Task::Plan(_) => "plan".to_string(),
    }
}

fn action_step(actions: &[Action], rounds: &[ToolRound]) -> Step {
    let Some(first) = rounds.first() else {
        return act(actions.to_vec());
    };
    if let [change @ (Action::Replace { path, .. } | Action::Create { path, .. })] = actions
        && needs_read(first)
    {
        return read_and_retry(change, path, rounds);
    }
    done(1, first)
}

/// A replacement that needs the text of the file: a round that reads it, then the change.
fn patch_step(path: &str, from: &str, to: &str, rounds: &[ToolRound]) -> Step {
    match rounds {
        [] => act(vec![Action::Read { path: path.into() }]),
        [read, ..] if read.has_failed() => done(1, read),
        [read] => act(vec![Action::Replace {
            path: path.into(),
            from: from.into(),
            to: to.into(),
            source: Some(without_line_numbers(&read.output())),
        }]),
        [_, change, ..] => done(2, change),
    }
}

/// Whether a change failed because the tool requires the file to be read first.
fn needs_read(round: &ToolRound) -> bool {
    let output = round.output().to_lowercase();
    let mut hints = ["read it", "been read", "read first"].iter();
    round.has_failed() && hints.any(|it| output.contains(it))
}

fn read_and_retry(change: &Action, path: &str, rounds: &[ToolRound]) -> Step {
    match rounds {
        [] | [_] => act(vec![Action::Read { path: path.into() }]),
        [_, read] if !read.has_failed() => act(vec![change.clone()]),
        [_, read] => done(2, read),
        [_, _, retry, ..] => done(3, retry),
    }
}

fn act(actions: Vec<Action>) -> Step {
    let announcements: Vec<String> = actions.iter().map(Action::announcement).collect();
    Step::Act {
        text: announcements.join(" "),
        actions,
    }
}

fn done(rounds: usize, last: &ToolRound) -> Step {
    Step::Done {
        rounds,
        text: last.summary(),
        is_success: !last.has_failed(),
    }
}
