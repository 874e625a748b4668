//! The time of every reply. It is fixed, so that equal requests get equal answers.

/// 1 January 2026, in seconds since the epoch.
pub(super) const CREATED: u64 = 1_767_225_600;

/// [`CREATED`] as RFC 3339.
pub(super) const CREATED_RFC3339: &str = "2026-01-01T00:00:00Z";
