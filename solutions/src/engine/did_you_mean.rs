//! A suggestion for a model that calls an unknown tool.

use async_trait::async_trait;

use crate::engine::Gate;
use crate::tools::similar_name;
use crate::types::{ToolCall, ToolSet};

/// A gate that suggests a similar tool name when a model calls an unknown tool.
///
/// It does not run the suggested tool. The suggestion is a guess, and the model may want to
/// change the arguments too when it calls the right tool.
pub struct DidYouMean;

#[async_trait]
impl Gate for DidYouMean {
    /// ``did you mean `read`?``, or `None` if no name is similar.
    async fn unknown(&self, call: &ToolCall, tools: &ToolSet) -> Option<String> {
        let name = similar_name(&call.name, &tools.names())?;
        Some(format!("did you mean `{name}`?"))
    }
}
