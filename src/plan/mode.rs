//! Whether a session is in plan mode.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether a session is in plan mode. All clones are one switch: a change is visible at once to
/// the gate, the tool and the program that hold one.
///
/// The permission mode of the session is not in here, so ending plan mode can't change it.
#[derive(Debug, Clone, Default)]
pub struct PlanMode(Arc<AtomicBool>);

impl PlanMode {
    /// A switch that is on or off.
    pub fn new(is_on: bool) -> Self {
        Self(Arc::new(AtomicBool::new(is_on)))
    }

    /// Turns plan mode on.
    pub fn enter(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// Turns plan mode off.
    pub fn leave(&self) {
        self.0.store(false, Ordering::SeqCst);
    }

    /// Whether plan mode is on.
    pub fn is_on(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}
