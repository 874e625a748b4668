//! The tools that `claw` gives the model: those of the open chapters, selected by `--tools`.

use std::path::Path;

use anyhow::Result;

use super::options::Options;

/// Gives `engine` the [selected tools](selected_tools) and the gate that suggests a similar
/// name for an unknown tool. Before chapter 9 it adds the [tools so far](tools_so_far).
#[cfg(not(feature = "ch20"))]
pub fn with_tools(
    engine: crate::engine::QueryEngine,
    folder: &Path,
    options: &Options,
    #[cfg(feature = "ch13")] plan: &super::planning::SessionPlan,
) -> Result<crate::engine::QueryEngine> {
    #[cfg(feature = "ch9")]
    {
        let tools = selected_tools(
            folder,
            options,
            #[cfg(feature = "ch13")]
            plan,
        )?;
        let engine = engine.tools(tools.tool_set());
        Ok(engine.gate(crate::engine::DidYouMean))
    }
    #[cfg(not(feature = "ch9"))]
    {
        let _ = options;
        Ok(engine.tools(tools_so_far(folder)))
    }
}

/// The tools for `folder` of the open chapters, without a registry: `list`, from chapter 6 on
/// the file tools on one workspace, from chapter 7 on `bash`, and from chapter 8 on `glob`
/// and `grep`.
#[cfg(not(feature = "ch9"))]
fn tools_so_far(folder: &Path) -> crate::types::ToolSet {
    #[cfg(feature = "ch8")]
    use super::search_limit::{LimitedSearch, SEARCH_LIMIT};
    use crate::tools::*;
    let tools = crate::types::ToolSet::new().with(ListTool::new(folder));
    #[cfg(feature = "ch6")]
    let workspace = Workspace::new(folder);
    #[cfg(feature = "ch6")]
    let tools = tools
        .with(ReadTool::new(&workspace))
        .with(WriteTool::new(&workspace))
        .with(EditTool::new(&workspace))
        .with(MultiEditTool::new(&workspace));
    #[cfg(all(unix, feature = "ch7"))]
    let tools = tools.with(BashTool::new(folder));
    #[cfg(feature = "ch8")]
    let tools = tools
        .with(LimitedSearch::new(GlobTool::new(folder), SEARCH_LIMIT))
        .with(LimitedSearch::new(GrepTool::new(folder), SEARCH_LIMIT));
    tools
}

/// The standard tools for `folder`, and from chapter 13 on those of `plan`, that `--tools` selects;
/// all of them without `--tools`. A pattern that matches no tool is an error, and a message names
/// each rule whose tool does not exist.
#[cfg(feature = "ch9")]
pub fn selected_tools(
    folder: &Path,
    options: &Options,
    #[cfg(feature = "ch13")] plan: &super::planning::SessionPlan,
) -> Result<crate::tools::Registry> {
    let registry = crate::tools::Registry::standard(folder)?;
    let registry = with_search_limit(registry, folder)?;
    #[cfg(feature = "ch13")]
    let registry = plan.add_tools(registry)?;
    #[cfg(all(unix, feature = "ch11"))]
    let registry = crate::safety::hold_inside(&registry, folder)?;
    #[cfg(all(unix, feature = "ch11"))]
    let registry = with_sandbox(registry, folder, options)?;
    #[cfg(feature = "ch10")]
    options.permissions.report_unknown_tools(&registry.names());
    match &options.tools {
        Some(patterns) => registry.matching(patterns),
        None => Ok(registry),
    }
}

/// Replaces `glob` and `grep` by tools with a time limit.
#[cfg(feature = "ch9")]
fn with_search_limit(
    registry: crate::tools::Registry,
    folder: &Path,
) -> Result<crate::tools::Registry> {
    use super::search_limit::{LimitedSearch, SEARCH_LIMIT};
    use crate::tools::{GlobTool, GrepTool};
    registry
        .matching(&["!glob", "!grep"])?
        .with(LimitedSearch::new(GlobTool::new(folder), SEARCH_LIMIT))?
        .with(LimitedSearch::new(GrepTool::new(folder), SEARCH_LIMIT))
}

/// Replaces `bash` by the tool whose commands run in the sandbox that the options ask for. A
/// message names what this system can't forbid.
#[cfg(all(unix, feature = "ch11"))]
fn with_sandbox(
    registry: crate::tools::Registry,
    folder: &Path,
    options: &Options,
) -> Result<crate::tools::Registry> {
    use crate::safety::{SandboxLevel, SandboxedBash};

    if !options.permissions.wants_sandbox() {
        return Ok(registry);
    }
    let level = options.permissions.sandbox_level();
    match level {
        SandboxLevel::None => super::output::report(NO_SANDBOX),
        SandboxLevel::Files => super::output::report(NO_NETWORK_SANDBOX),
        SandboxLevel::FilesAndNetwork => {}
    }
    match level {
        SandboxLevel::None => Ok(registry),
        _ => registry
            .matching(&["!bash"])?
            .with(SandboxedBash::new(folder)?),
    }
}

/// The message on a system without a sandbox.
#[cfg(all(unix, feature = "ch11"))]
const NO_SANDBOX: &str = "this system has no sandbox for commands (Landlock, Linux 6.2 or newer), \
    so you are asked about every command that is not known to be read-only";

/// The message on a system whose sandbox does not know TCP.
#[cfg(all(unix, feature = "ch11"))]
const NO_NETWORK_SANDBOX: &str =
    "this system's sandbox can't keep commands off the network (that needs Linux 6.7 or newer)";
