//! Which tools `claw` has: those of the chapters that are open.

use std::path::Path;

use anyhow::Result;

use super::Options;

/// The tool of chapter 3, as long as there are no others.
#[cfg(not(feature = "ch9"))]
pub fn equip(
    engine: crate::engine::QueryEngine,
    folder: &Path,
    _options: &Options,
) -> Result<crate::engine::QueryEngine> {
    let tools = crate::types::ToolSet::new().with(crate::tools::ListTool::new(folder));
    Ok(engine.tools(tools))
}

/// From chapter 9 on, the standard tools and the gate that knows which one was meant.
#[cfg(all(feature = "ch9", not(feature = "ch20")))]
pub fn equip(
    engine: crate::engine::QueryEngine,
    folder: &Path,
    options: &Options,
) -> Result<crate::engine::QueryEngine> {
    let engine = engine.tools(chosen(folder, options)?.tool_set());
    Ok(engine.gate(crate::tools::DidYouMean))
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
