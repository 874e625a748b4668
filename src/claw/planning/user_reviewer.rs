//! The user's reviews of proposed plans.

use std::fs;
use std::io::Write;

use anyhow::{Context, Result};
use async_trait::async_trait;
use tempfile::NamedTempFile;
use tokio::sync::{mpsc, oneshot};

use crate::claw::output::report;
use crate::claw::safe_text::without_control_chars;
use crate::claw::terminal::{Input, Screen};
use crate::claw::typed_line::TypedLine;
use crate::plan::{PlanReview, PlanReviewer};

/// Sends each plan to the conversation, which alone has the terminal.
pub struct UserReviewer {
    plans: mpsc::Sender<ProposedPlan>,
}

/// A plan that waits for its review.
pub struct ProposedPlan {
    /// The plan.
    pub plan: String,
    reply: oneshot::Sender<PlanReview>,
}

impl UserReviewer {
    /// A reviewer, and the receiver of its plans.
    pub fn new() -> (Self, mpsc::Receiver<ProposedPlan>) {
        // One is enough: `exit_plan` is not concurrent-safe.
        let (plans, receiver) = mpsc::channel(1);
        (Self { plans }, receiver)
    }
}

#[async_trait]
impl PlanReviewer for UserReviewer {
    async fn review(&self, plan: &str) -> PlanReview {
        let (reply, review) = oneshot::channel();
        let plan = plan.to_string();
        // The agent sends the start event of this call when the call first waits, and the user
        // reads that event before the plan.
        tokio::task::yield_now().await;
        // Without a conversation, no user can answer.
        if self.plans.send(ProposedPlan { plan, reply }).await.is_err() {
            return PlanReview::NobodyToAsk;
        }
        match review.await {
            Ok(review) => review,
            // Only a stopped turn drops the plan, and it drops this future, too. An answer would
            // reach the history as if nobody could be asked.
            Err(_) => std::future::pending().await,
        }
    }
}

impl ProposedPlan {
    /// Gives the review. A cancelled proposal ignores it.
    pub fn answer(self, review: PlanReview) {
        let _ = self.reply.send(review);
    }
}

/// Shows a plan to the user and waits for the review. `None` if the user presses Esc or
/// Ctrl-C, or a signal ends the program.
///
/// Where standard input is not a terminal, nobody is asked: the user reads how to continue.
pub async fn review(plan: &str, screen: &mut Screen, input: &mut Input) -> Option<PlanReview> {
    screen.message(&format!("The plan:\n{}\n", without_control_chars(plan)));
    if !input.lines.is_terminal {
        screen.end_line();
        report(HOW_TO_APPROVE);
        return Some(PlanReview::NobodyToAsk);
    }
    loop {
        input.lines.ask_question(CHOICES, screen);
        let text = match input.next_answer().await? {
            TypedLine::Exit => return Some(PlanReview::Rejected(None)),
            TypedLine::Prompt(text) => text,
            _ => continue,
        };
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((&text, ""));
        match (word.to_ascii_lowercase().as_str(), rest.trim()) {
            ("y" | "yes", "") => return Some(PlanReview::Approved),
            ("n" | "no", "") => return Some(PlanReview::Rejected(None)),
            ("n" | "no", reason) => return Some(PlanReview::Rejected(Some(reason.to_string()))),
            ("e" | "edit", "") => match edit(plan, screen, input).await? {
                Ok(plan) => {
                    let shown = without_control_chars(&plan);
                    screen.message(&format!("The approved plan:\n{shown}"));
                    return Some(PlanReview::Edited(plan));
                }
                Err(error) => report(format!("{error:#}")),
            },
            _ => {}
        }
    }
}

/// Lets the user edit the plan in a file, with any editor, and returns what the file holds then.
/// `None` if the user presses Esc or Ctrl-C, or a signal ends the program.
async fn edit(plan: &str, screen: &mut Screen, input: &mut Input) -> Option<Result<String>> {
    let file = match plan_file(plan) {
        Ok(file) => file,
        Err(error) => return Some(Err(error)),
    };
    let path = file.path().display();
    loop {
        let text = format!(
            "The plan is in {path}. Edit the file and save it.\n  \
             Enter  approve the plan in the file\n  \
             Esc    stop without an approval\n"
        );
        input.lines.ask_question(&text, screen);
        match input.next_answer().await? {
            TypedLine::Empty => {
                let read = fs::read_to_string(file.path());
                return Some(read.context("cannot read the edited plan"));
            }
            TypedLine::Exit => return None,
            _ => {}
        }
    }
}

/// A temporary file with the plan.
fn plan_file(plan: &str) -> Result<NamedTempFile> {
    let file = tempfile::Builder::new()
        .prefix("claw-plan-")
        .suffix(".md")
        .tempfile();
    let mut file = file.context("cannot make a file for the plan")?;
    let written = file.write_all(plan.as_bytes());
    written.context("cannot write the plan to a file")?;
    Ok(file)
}

const CHOICES: &str = "Carry out this plan?
  y  yes
  e  edit it first, in a file
  n  no; a reason for the model may follow: n leave the parser alone
";

/// What a user reads who was not there to review a plan.
const HOW_TO_APPROVE: &str = if cfg!(feature = "ch20") {
    "the plan is not approved, since nobody can be asked. To review it, continue in a terminal: \
     claw --resume. To carry it out without a review: claw --resume --permission-mode auto -p \
     'carry out the plan'"
} else {
    "the plan is not approved, since nobody can be asked. Plans are reviewed in a terminal: claw \
     --permission-mode plan"
};
