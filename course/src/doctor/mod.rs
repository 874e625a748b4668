//! Finds out what a machine lacks for the course. No check reads more of the course than it needs,
//! so that each works while another part is broken.

mod configuration;
mod crates;
mod finding;
mod folder;
mod loopback;
mod program;
mod terminal;
mod toolchain;

use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::repo::Repo;
use finding::Finding;

pub use finding::State;

/// The result of one check.
#[derive(Debug, Serialize)]
pub struct Check {
    /// What was checked, such as `linker`.
    pub name: &'static str,
    /// The result and what to do.
    #[serde(flatten)]
    pub finding: Finding,
}

/// A function that makes a check.
type Probe = fn(&Repo) -> Finding;

/// The checks, in the order in which they are shown.
const CHECKS: [(&str, Probe); 14] = [
    ("Rust", toolchain::rust),
    ("linker", toolchain::linker),
    ("C compiler", toolchain::c_compiler),
    ("git", toolchain::git),
    ("system", terminal::system),
    ("course files", folder::course_files),
    ("path", folder::path),
    ("write access", folder::write_access),
    ("disk space", folder::disk_space),
    ("clock", folder::clock),
    ("cargo config", configuration::configuration),
    ("crates", crates::crates),
    ("loopback", loopback::loopback),
    ("terminal", terminal::terminal),
];

/// The time limit for all checks together, which run at the same time.
const LIMIT: Duration = Duration::from_secs(9);

/// Runs all checks. One that does not finish in time becomes a warning.
pub fn checks(repo: &Repo) -> Vec<Check> {
    let (sender, findings) = mpsc::channel();
    for (index, (_, check)) in CHECKS.into_iter().enumerate() {
        let (sender, repo) = (sender.clone(), repo.clone());
        thread::spawn(move || {
            // Nobody listens after the time limit.
            let _ = sender.send((index, check(&repo)));
        });
    }
    drop(sender);
    let mut found: [Option<Finding>; CHECKS.len()] = Default::default();
    let end = Instant::now() + LIMIT;
    let left = || end.saturating_duration_since(Instant::now());
    while let Ok((index, finding)) = findings.recv_timeout(left()) {
        found[index] = Some(finding);
    }
    let named = CHECKS.into_iter().zip(found);
    let check = |((name, _), finding): (_, Option<Finding>)| Check {
        name,
        finding: finding.unwrap_or_else(Finding::unknown),
    };
    named.map(check).collect()
}
