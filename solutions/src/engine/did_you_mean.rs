//! A word to a model that calls a tool by a name that no tool has.

use async_trait::async_trait;

use crate::engine::Gate;
use crate::tools::nearest;
use crate::types::{ToolCall, ToolSet};

/// Adds to the answer which tool was most likely meant.
///
/// The call is not carried out under that name. It is a guess, and the model has its
/// arguments at hand: asked for the right tool, it may want to change them too.
pub struct DidYouMean;

#[async_trait]
impl Gate for DidYouMean {
    /// ``did you mean `read`?``, or nothing where no name is near.
    async fn unknown(&self, call: &ToolCall, tools: &ToolSet) -> Option<String> {
        let name = nearest(&call.name, &tools.names())?;
        Some(format!("did you mean `{name}`?"))
    }
}
