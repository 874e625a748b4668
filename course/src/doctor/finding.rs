//! What a check found, and what to do.

use serde::Serialize;

use super::program::ProgramError;

/// What a check found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Whether the course can be done with it.
    pub state: State,
    /// One line about what was found.
    pub found: String,
    /// What to do on this system, unless the state is [`State::Ok`].
    pub remedy: Option<String>,
}

/// Whether the course can be done with what was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// Nothing to do.
    Ok,
    /// The course works, or most of it.
    Warning,
    /// The course, or a later chapter, does not work without it.
    Missing,
}

impl Finding {
    pub(super) fn ok(found: impl Into<String>) -> Self {
        Self {
            state: State::Ok,
            found: found.into(),
            remedy: None,
        }
    }

    pub(super) fn warning(found: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self {
            state: State::Warning,
            found: found.into(),
            remedy: Some(remedy.into()),
        }
    }

    pub(super) fn missing(found: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self {
            state: State::Missing,
            ..Self::warning(found, remedy)
        }
    }

    /// A program failed with `error`. One that is only too slow is not missing.
    pub(super) fn failed(
        error: &ProgramError,
        found: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        match error {
            ProgramError::TooSlow => Self::unknown(),
            ProgramError::NotFound | ProgramError::Failed(_) => Self::missing(found, remedy),
        }
    }

    /// A check did not finish in time.
    pub(super) fn unknown() -> Self {
        Self::warning(
            "not known, since this check did not finish in time",
            "Run `cargo course doctor` again when the machine is less busy.",
        )
    }
}

/// The text for this system.
pub(super) fn for_system(
    linux: &'static str,
    macos: &'static str,
    windows: &'static str,
) -> &'static str {
    match std::env::consts::OS {
        "macos" => macos,
        "windows" => windows,
        _ => linux,
    }
}
