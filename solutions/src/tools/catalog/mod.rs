//! What the registry knows of a tool: whether its definition is valid, how each API wants
//! it, which name was meant, and which tools a session gets.

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
