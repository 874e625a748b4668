//! Plan mode, in which the agent only reads and then proposes a plan, and the agent's todo list.
//!
//! [`PlanMode`] says whether plan mode is on, and [`PlanGate`] refuses every call that may change
//! something while it is. [`ExitPlanTool`] brings a plan to a [`PlanReviewer`]; if the user
//! approves it, plan mode ends, and the permissions of before decide again. [`TodoTool`] takes
//! the agent's whole list, and [`TodoReminder`] reminds the agent of it.
//!
//! Neither plan nor list is stored: [`PlanState::from_messages`] and
//! [`TodoList::from_messages`] read them from the history of the session, so they survive
//! wherever the history does.

mod approved_plan;
mod exit_plan;
mod gate;
mod mode;
mod notice;
mod plan_check;
mod prompt;
mod replay;
mod resume;
mod reviewer;
mod state;
mod todo_list;
mod todo_reminder;
mod todo_tool;

pub use approved_plan::{approval_text, approved_plan};
pub use exit_plan::{EXIT_PLAN, ExitPlanTool, NOBODY_TO_REVIEW, NOT_PLANNING};
pub use gate::{PLAN_TOOLS, PlanGate};
pub use mode::PlanMode;
pub use notice::{PLAN_ENDED, PLAN_NOTICE, without_notice};
pub use plan_check::{MAX_PLAN_BYTES, check_plan};
pub use prompt::prompt_with_notice;
pub use replay::{ReplayStep, replay};
pub use resume::restored_mode;
pub use reviewer::{NoReviewer, PlanReview, PlanReviewer, ScriptedReviewer};
pub use state::PlanState;
pub use todo_list::{TODO, TodoItem, TodoList, TodoStatus};
pub use todo_reminder::{REMIND_AFTER, TodoReminder};
pub use todo_tool::TodoTool;
