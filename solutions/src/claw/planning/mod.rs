//! Plan mode and the todo list of a conversation.
//!
//! - `session_plan` has the switch of plan mode, and adds the tools and gates of chapter 13.
//! - `user_reviewer` brings proposed plans to the conversation, which asks the user.

mod session_plan;
mod user_reviewer;

pub use session_plan::SessionPlan;
pub use user_reviewer::{ProposedPlan, UserReviewer, review};
