//! What happens if a hook gives no answer.

use std::panic::AssertUnwindSafe;

use futures_util::FutureExt;

use super::{Hook, HookAnswer, HookDecision, HookEvent, HookInput};

/// The answer for a hook that failed for this reason. The user reads
/// ``the hook `NAME` failed: REASON``. If the event is [guarded](HookEvent::is_guarded), the answer
/// also denies, with the same text as its reason.
pub fn failure_answer(event: &HookEvent, name: &str, reason: &str) -> HookAnswer {
    let text = format!("the hook `{name}` failed: {reason}");
    HookAnswer {
        decision: event.is_guarded().then(|| HookDecision::Deny(text.clone())),
        ..HookAnswer::with_message(text)
    }
}

/// Runs a hook and returns its answer, or its [`failure_answer`] if it fails. A panic is a failure
/// with the reason `it panicked`.
pub async fn ask_hook(hook: &dyn Hook, input: &HookInput) -> HookAnswer {
    let run = AssertUnwindSafe(hook.run(input)).catch_unwind().await;
    let answer = run.unwrap_or_else(|_| Err("it panicked".to_string()));
    answer.unwrap_or_else(|reason| failure_answer(&input.event, hook.name(), &reason))
}
