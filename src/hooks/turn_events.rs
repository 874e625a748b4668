//! The events at the beginning and the end of a turn.

use super::{HookDecision, HookEvent, Hooks};

/// How many times in a row hooks can make a turn continue.
pub const MAX_CONTINUATIONS: usize = 8;

impl Hooks {
    /// Raises [`HookEvent::UserPromptSubmit`], and returns the prompt that the model reads: the
    /// user's, and after it the context of each hook, with an empty line before each.
    ///
    /// If a hook wants the agent to stop or denies, the model must not read the prompt. The error
    /// is the reason, for the user; a reason to stop comes before that of a denial.
    pub async fn submit_prompt(&self, prompt: &str) -> Result<String, String> {
        todo!("prompts-and-stops: write Hooks::submit_prompt")
    }

    /// Raises [`HookEvent::Stop`] with the model's last reply, and returns the text with which the
    /// turn continues: the reason of a hook that denies the stop, otherwise the contexts, with an
    /// empty line between them. `None` if the turn may end.
    ///
    /// `continuations` counts how often hooks have made this turn continue. From
    /// [`MAX_CONTINUATIONS`] on, and if a hook wants the agent to stop, the turn ends.
    pub async fn end_turn(&self, last_reply: &str, continuations: usize) -> Option<String> {
        todo!("prompts-and-stops: write Hooks::end_turn")
    }
}
