//! Which tools `claw` has: those of the chapters that are open.

use std::path::Path;

use anyhow::Result;

use super::Options;

/// Gives the engine the tool of chapter 3; from chapter 9 on, those that are [`chosen`], and
/// the gate that knows which one was meant.
#[cfg(not(feature = "ch20"))]
pub fn equip(
    engine: crate::engine::QueryEngine,
    folder: &Path,
    options: &Options,
) -> Result<crate::engine::QueryEngine> {
    #[cfg(feature = "ch9")]
    {
        let engine = engine.tools(chosen(folder, options)?.tool_set());
        Ok(engine.gate(crate::engine::DidYouMean))
    }
    #[cfg(not(feature = "ch9"))]
    {
        let _ = options;
        let tools = crate::types::ToolSet::new().with(crate::tools::ListTool::new(folder));
        Ok(engine.tools(tools))
    }
}

/// The standard tools, or those of them that the options choose.
#[cfg(feature = "ch9")]
pub fn chosen(folder: &Path, options: &Options) -> Result<crate::tools::Registry> {
    let registry = crate::tools::Registry::standard(folder)?;
    match &options.tools {
        Some(patterns) => registry.matching(patterns),
        None => Ok(registry),
    }
}
