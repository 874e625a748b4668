//! Control of an agent from other tasks while it runs.

pub(super) mod handle;
mod input_filter;
mod queue;

pub use handle::AgentHandle;
pub use input_filter::*;
pub use queue::*;
