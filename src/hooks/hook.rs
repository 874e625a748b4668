//! What a hook is to the rest of the program.

use async_trait::async_trait;

use super::{HookAnswer, HookInput};

/// A hook: a program, or code of this one.
#[async_trait]
pub trait Hook: Send + Sync {
    /// The hook's name, for messages.
    fn name(&self) -> &str;

    /// Answers an event. The error says why the hook has no answer. When the turn is cancelled,
    /// the future is dropped.
    async fn run(&self, input: &HookInput) -> Result<HookAnswer, String>;
}
