//! Section 5.6: The git state as text

use claw_code::prompt::*;

use super::support::*;

#[test]
fn test_ch5_git_state_as_text() {
    let commit = Some("1a2b3c4d5e6f7a8b9c0d1a2b3c4d5e6f7a8b9c0d");
    for (state, text) in [
        (GitState::NotInstalled, "not installed"),
        (GitState::NoRepository, "not a repository"),
        (
            GitState::Unknown("no answer within 2s".into()),
            "unknown (no answer within 2s)",
        ),
        (GitState::Unknown(String::new()), "unknown ()"),
        (
            repository(Some("main"), commit, 0),
            "branch main, no changes",
        ),
        (
            repository(Some("main"), commit, 1),
            "branch main, 1 file changed",
        ),
        (
            repository(Some("main"), commit, 12),
            "branch main, 12 files changed",
        ),
        (
            repository(Some("main"), None, 3),
            "branch main, no commits yet, 3 files changed",
        ),
        (
            repository(None, None, 0),
            "no branch, no commits yet, no changes",
        ),
        (
            repository(None, commit, 0),
            "no branch, at commit 1a2b3c4, no changes",
        ),
        (
            repository(None, Some("1a2"), 1),
            "no branch, at commit 1a2, 1 file changed",
        ),
    ] {
        assert_eq!(state.to_string(), text, "the text of {state:?}");
    }
}
