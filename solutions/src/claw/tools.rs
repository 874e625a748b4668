//! Which tools `claw` has: those of the chapters that are open.

use std::path::Path;

use anyhow::Result;

use super::Options;
use crate::engine::QueryEngine;

/// Gives the engine the tool of chapter 3; from chapter 9 on, the standard tools, or
/// those of them that the options choose, and the gate that knows which tool was meant.
pub fn equip(engine: QueryEngine, folder: &Path, options: &Options) -> Result<QueryEngine> {
    #[cfg(feature = "ch9")]
    {
        let mut registry = crate::tools::Registry::standard(folder)?;
        if let Some(patterns) = &options.tools {
            registry = registry.matching(patterns)?;
        }
        let engine = engine.tools(registry.tool_set());
        Ok(engine.gate(crate::tools::DidYouMean))
    }
    #[cfg(not(feature = "ch9"))]
    {
        let _ = options;
        let tools = crate::types::ToolSet::new().with(crate::tools::ListTool::new(folder));
        Ok(engine.tools(tools))
    }
}
