//! What happens if a hook gives no answer.

use std::panic::AssertUnwindSafe;

use futures_util::FutureExt;

use super::{Hook, HookAnswer, HookDecision, HookEvent, HookInput};

/// The answer for a hook that failed for this reason. The user reads
/// ``the hook `NAME` failed: REASON``. If the event is [guarded](HookEvent::is_guarded), the answer
/// also denies, with the same text as its reason.
pub fn failure_answer(event: &HookEvent, name: &str, reason: &str) -> HookAnswer {
    todo!("hook-failures: write failure_answer")
}

/// Runs a hook and returns its answer, or its [`failure_answer`] if it fails. A panic is a failure
/// with the reason `it panicked`.
pub async fn ask_hook(hook: &dyn Hook, input: &HookInput) -> HookAnswer {
    todo!("hook-failures: write ask_hook")
}
