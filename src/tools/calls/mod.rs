//! Executes a tool call: validation, execution, truncation and progress reports.

mod execution;
mod json_schema;
#[cfg(feature = "ch4")]
mod progress;
mod truncation;
mod validation;

pub use execution::*;
pub use json_schema::*;
#[cfg(feature = "ch4")]
pub use progress::*;
pub use truncation::*;
pub use validation::*;
