//! The tools that `claw` gives the model: those of the open chapters, selected by `--tools`.

use std::path::Path;

use anyhow::Result;

use super::options::Options;

/// Gives `engine` the [selected tools](selected_tools) and the gate that suggests a similar
/// name for an unknown tool. Before chapter 9 there is only the tool of chapter 3.
#[cfg(not(feature = "ch20"))]
pub fn with_tools(
    engine: crate::engine::QueryEngine,
    folder: &Path,
    options: &Options,
) -> Result<crate::engine::QueryEngine> {
    #[cfg(feature = "ch9")]
    {
        let engine = engine.tools(selected_tools(folder, options)?.tool_set());
        Ok(engine.gate(crate::engine::DidYouMean))
    }
    #[cfg(not(feature = "ch9"))]
    {
        let _ = options;
        let tools = crate::types::ToolSet::new().with(crate::tools::ListTool::new(folder));
        Ok(engine.tools(tools))
    }
}

/// The standard tools for `folder` that `--tools` selects; all of them without `--tools`.
/// A pattern that matches no tool is an error.
#[cfg(feature = "ch9")]
pub fn selected_tools(folder: &Path, options: &Options) -> Result<crate::tools::Registry> {
    let registry = crate::tools::Registry::standard(folder)?;
    match &options.tools {
        Some(patterns) => registry.matching(patterns),
        None => Ok(registry),
    }
}
