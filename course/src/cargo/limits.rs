//! Limits for code that is not the learner's own.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Instant;

/// Limits of a build and of the run of its tests. The test program must have a witness: see
/// [`WITNESS`](super::WITNESS).
#[derive(Debug, Clone)]
pub struct Limits {
    /// The only environment variables that cargo and the tests get.
    pub environment: Vec<(OsString, OsString)>,
    /// A command that starts the tests in a sandbox. Empty without one.
    pub sandbox: Vec<OsString>,
    /// The most memory of each process, in bytes.
    pub memory: u64,
    /// The largest file that a process can write, in bytes.
    pub file: u64,
    /// When to stop, if ever.
    pub end: Option<Instant>,
    /// A folder for the log and the witness. Its path is short, as a socket's must be.
    pub scratch: PathBuf,
}
