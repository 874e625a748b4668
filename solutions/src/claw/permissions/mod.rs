//! What `claw` may do without asking, and how it asks.
//!
//! - `permission_options` turns the command line's mode and rules into a permission engine.
//! - `user_approver` brings the gate's questions to the conversation, which asks the user.
//! - `explain` is the subcommand `claw permissions explain`.

mod explain;
mod permission_options;
mod user_approver;

pub use explain::{PermissionsCommand, run};
pub use permission_options::PermissionOptions;
pub use user_approver::{AskedQuestion, UserApprover, answer};
