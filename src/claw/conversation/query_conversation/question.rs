//! Questions for the user while a turn runs: about a call, and about a plan.

use std::path::Path;

#[cfg(feature = "ch10")]
pub use crate::claw::permissions::AskedQuestion;
#[cfg(feature = "ch10")]
use crate::claw::permissions::answer;
#[cfg(feature = "ch13")]
pub use crate::claw::planning::ProposedPlan;
#[cfg(feature = "ch13")]
use crate::claw::planning::review;
use crate::claw::terminal::{Input, Screen};
#[cfg(feature = "ch10")]
use crate::permission::Answer;
#[cfg(feature = "ch13")]
use crate::plan::PlanReview;

/// How a question about a call ended.
#[allow(dead_code, reason = "before chapter 10, nothing asks")]
pub enum Asked {
    /// The user answered.
    Answered,
    /// No user could answer.
    Nobody,
    /// The user stopped the turn instead.
    Interrupted,
}

/// Asks the user about a call.
pub async fn ask_user(
    asked: AskedQuestion,
    folder: &Path,
    screen: &mut Screen,
    input: &mut Input,
) -> Asked {
    #[cfg(feature = "ch10")]
    {
        let Some(answer) = answer(&asked.question, folder, screen, input).await else {
            return Asked::Interrupted;
        };
        let outcome = match answer {
            Answer::NobodyToAsk => Asked::Nobody,
            _ => Asked::Answered,
        };
        asked.answer(answer);
        outcome
    }
    #[cfg(not(feature = "ch10"))]
    {
        let _ = (folder, screen, input);
        match asked {}
    }
}

/// Has the user review a plan.
pub async fn review_plan(proposed: ProposedPlan, screen: &mut Screen, input: &mut Input) -> Asked {
    #[cfg(feature = "ch13")]
    {
        let Some(review) = review(&proposed.plan, screen, input).await else {
            return Asked::Interrupted;
        };
        let outcome = match review {
            PlanReview::NobodyToAsk => Asked::Nobody,
            _ => Asked::Answered,
        };
        proposed.answer(review);
        outcome
    }
    #[cfg(not(feature = "ch13"))]
    {
        let _ = (screen, input);
        match proposed {}
    }
}

/// Before chapter 13, no plan is proposed.
#[cfg(not(feature = "ch13"))]
pub type ProposedPlan = std::convert::Infallible;

/// Before chapter 10, there is no question.
#[cfg(not(feature = "ch10"))]
pub type AskedQuestion = std::convert::Infallible;
