//! The parts of the registry: definition checks, tool schemas for each API, tools created at
//! run time, subsets of tools, and similar names for an unknown one.

mod definition_check;
mod dynamic_tool;
mod shared_tool;
mod similar_name;
mod standard_tools;
mod strict_schema;
mod tool_filter;
mod tool_schema;

pub use definition_check::*;
pub use dynamic_tool::*;
pub use shared_tool::*;
pub use similar_name::*;
pub use strict_schema::*;
pub use tool_schema::*;
