//! `claw` as a process in folders of its own, and what it talks to.

mod process;
mod server;
#[path = "../../../../tests/support/temp_folder.rs"]
pub mod temp_folder;
#[cfg(unix)]
mod terminal;
mod workspace;

pub use process::*;
pub use server::*;
#[cfg(unix)]
pub use terminal::*;
pub use workspace::*;

use std::time::{Duration, Instant};

/// Waits until a condition holds.
#[track_caller]
pub fn wait_until(condition: impl Fn() -> bool) {
    let start = Instant::now();
    while !condition() {
        let waited = start.elapsed();
        assert!(waited < Duration::from_secs(30), "the condition never held");
        std::thread::sleep(Duration::from_millis(5));
    }
}
