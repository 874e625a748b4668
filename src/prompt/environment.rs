//! The facts of a session: its folder, platform, date and git state.

use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use super::{Git, GitState, PromptSection, SectionKind};

/// The tag of the section that [`Environment::section`] makes.
pub const ENVIRONMENT_TAG: &str = "environment";

/// The facts of a session at its start.
///
/// The session reads them once. A date that changes at midnight, or a git state that
/// changes with every edit, would change the prompt in the middle of a conversation.
#[derive(Debug, Clone, PartialEq)]
pub struct Environment {
    /// The folder that the agent works in.
    pub working_directory: PathBuf,
    /// The operating system and the processor architecture, such as `linux x86_64`.
    pub platform: String,
    /// The day in UTC, such as `2026-01-31`.
    pub date: String,
    /// The git state of the working directory.
    pub git: GitState,
}

impl Environment {
    /// Reads the facts. `now` is the start of the session: a program passes
    /// [`SystemTime::now`], a test passes a fixed time.
    pub async fn read(working_directory: impl Into<PathBuf>, now: SystemTime, git: &Git) -> Self {
        todo!("session-facts: write Environment::read")
    }

    /// The facts as a dynamic section, with the tag [`ENVIRONMENT_TAG`], the title
    /// `Environment` and four lines:
    ///
    /// ```text
    /// Working directory: /home/ada/app
    /// Platform: linux x86_64
    /// Date: 2026-01-31 (when this session began)
    /// Git: branch main, 2 files changed (when this session began)
    /// ```
    ///
    /// There are always four lines: `one_line` escapes the control characters in each
    /// value, line endings included.
    pub fn section(&self) -> PromptSection {
        todo!("session-facts: write Environment::section")
    }
}

/// `text` with its control characters escaped, such as `\n`.
fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter.is_control() {
            true => line.extend(letter.escape_default()),
            false => line.push(letter),
        }
    }
    line
}

/// The day of `time` in UTC, as `2026-01-31`. A time before 1970 gives 1970-01-01.
///
/// The standard library has no calendar. These lines compute the Gregorian one in eras of
/// 400 years that begin on March 1, so that a leap day is the last day of its year. A crate
/// such as `jiff` is the better choice if the user's time zone matters.
pub fn date_of(time: SystemTime) -> String {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    let days = since.as_secs() / 86_400 + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}
