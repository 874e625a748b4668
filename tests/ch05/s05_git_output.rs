//! Section 5.5: Parsing git status

use claw_code::prompt::*;

use super::support::*;

#[test]
fn test_ch5_parse_reads_branch_commit_and_changes() {
    for (status, state) in [
        (
            "# branch.oid 1a2b3c4d\n# branch.head main\n",
            repository(Some("main"), Some("1a2b3c4d"), 0),
        ),
        (
            "# stash 2\n# branch.oid 1a2b3c4d\n# branch.head feature/x.2\n# branch.upstream origin/x\n# branch.ab +1 -0\n1 .M N... 100644 100644 100644 5 5 src/main.rs\n2 R. N... 100644 100644 100644 5 5 R100 new\told\nu UU N... 100644 100644 100644 100644 5 5 5 both.rs\n? notes/\n",
            repository(Some("feature/x.2"), Some("1a2b3c4d"), 4),
        ),
        (
            "# branch.oid (initial)\n# branch.head main\n? Cargo.toml\n",
            repository(Some("main"), None, 1),
        ),
        (
            "# branch.oid 1a2b3c4d\n# branch.head (detached)\n",
            repository(None, Some("1a2b3c4d"), 0),
        ),
        (
            "# branch.oid 1a2b3c4d\n# branch.head main\n? # branch.head\n? a#b\n",
            repository(Some("main"), Some("1a2b3c4d"), 2),
        ),
        (
            "# branch.oid 1a2b3c4d\n# branch.head (x)\n",
            repository(Some("(x)"), Some("1a2b3c4d"), 0),
        ),
        (
            "# branch.oid 1a2b3c4d\n# branch.head fix-detached\n",
            repository(Some("fix-detached"), Some("1a2b3c4d"), 0),
        ),
        (
            "# branch.oids 5\n# branch.oid 1a2b3c4d\n# branch.oids 5\n# branch.head main\n",
            repository(Some("main"), Some("1a2b3c4d"), 0),
        ),
        (
            "# branch.head main\n? notes/\n",
            repository(Some("main"), None, 1),
        ),
    ] {
        assert_eq!(
            GitState::parse(status),
            state,
            "git status printed:\n{status}"
        );
    }
}

#[test]
fn test_ch5_output_without_branch_head_is_unknown() {
    for status in [
        "",
        "usage: git [-v]\n",
        "# branch.heads main\n",
        "? # branch.head main\n",
    ] {
        let state = GitState::parse(status);
        assert!(
            matches!(&state, GitState::Unknown(reason) if !reason.is_empty()),
            "output without the header branch.head gives Unknown with a reason; {status:?} gave {state:?}"
        );
    }
}
