//! What this system can run.

use std::env;

/// Whether chapters that need Unix run here. The variable [`WITHOUT_UNIX`] makes any system count
/// as one without it.
pub fn has_unix() -> bool {
    cfg!(unix) && env::var_os(WITHOUT_UNIX).is_none()
}

/// Says that a chapter does not run here.
pub fn needs_unix(chapter: u32, title: &str) -> String {
    format!(
        "chapter {chapter}, {title}, needs Unix: Linux, macOS, or WSL on Windows. The chapters after it do without it"
    )
}

/// Tests set it to see what a learner on Windows sees.
const WITHOUT_UNIX: &str = "COURSE_WITHOUT_UNIX";
