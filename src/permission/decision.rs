//! A decision about a call, with its source.

use crate::types::{Permission, PermissionBehavior, PermissionMode, PermissionSource};

/// Whether a call may run, and who decided so.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// The decision, with the reason or the question.
    pub permission: Permission,
    /// The rule, mode, check or approval that decided.
    pub source: PermissionSource,
}

impl Decision {
    /// One sentence for the user: what happens to the call, and why.
    pub fn explain(&self) -> String {
        todo!("decision-explanations: write Decision::explain")
    }
}

/// Why the source decided, as the end of a sentence.
fn explain_source(source: &PermissionSource) -> String {
    todo!("decision-explanations: write explain_source")
}
