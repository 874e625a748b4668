//! Plan mode at the start of a session.

use super::{PlanMode, PlanState};
use crate::types::{Message, PermissionMode};

/// The switch for a session that begins with this history, which is empty for a new one.
///
/// The mode that the user has chosen for this start decides: plan mode is on for
/// [`Plan`](PermissionMode::Plan) and off for any other. Without a choice, plan mode is on if the
/// history ends in it.
pub fn restored_mode(chosen: Option<&PermissionMode>, history: &[Message]) -> PlanMode {
    PlanMode::new(match chosen {
        Some(mode) => *mode == PermissionMode::Plan,
        None => PlanState::from_messages(history).is_planning(),
    })
}
