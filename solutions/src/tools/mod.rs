//! From a tool call to a result, whatever goes wrong on the way.
//!
//! [`execute`] is the road; the other modules are its stations: arguments are checked
//! ([`validate`]), the tool runs, and its output is cut to a size that a model can read
//! ([`bounded`]). [`ListTool`] is the first real tool on it.

mod execute;
mod list;
mod resolve;
mod schema;
mod truncate;
mod validate;

pub use execute::*;
pub use list::*;
pub use resolve::*;
pub use schema::*;
pub use truncate::*;
pub use validate::*;
