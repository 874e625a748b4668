//! Section 5.8: Running git

use std::time::Duration;

use claw_code::prompt::*;

use super::support::*;

#[tokio::test]
async fn test_ch5_folder_outside_repository() {
    let folder = TempFolder::new();
    assert_eq!(
        patient_git().state(folder.path()).await,
        GitState::NoRepository,
        "a folder outside every repository is a state, not an error"
    );
}

#[tokio::test]
async fn test_ch5_repository_before_first_commit() {
    let folder = repository_folder();
    folder.write("a.txt", "a");
    assert_eq!(
        patient_git().state(folder.path()).await,
        repository(Some("trunk"), None, 1),
        "a repository before its first commit, with one untracked file"
    );
}

#[tokio::test]
async fn test_ch5_repository_without_changes() {
    let folder = repository_folder();
    let commit = commit_file(&folder);
    assert_eq!(
        patient_git().state(folder.path()).await,
        repository(Some("trunk"), Some(&commit), 0),
        "a repository whose files are all committed"
    );
}

#[tokio::test]
async fn test_ch5_subfolder_reports_whole_repository() {
    let folder = repository_folder();
    let commit = commit_file(&folder);
    folder.write("a.txt", "changed");
    folder.write("below/b.txt", "b");
    assert_eq!(
        patient_git().state(&folder.path().join("below")).await,
        repository(Some("trunk"), Some(&commit), 2),
        "in a subfolder, the state covers the whole repository: one changed file and one untracked folder"
    );
}

#[tokio::test]
async fn test_ch5_detached_head_has_no_branch() {
    let folder = repository_folder();
    let commit = commit_file(&folder);
    git(&folder, &["checkout", "--quiet", "--detach"]);
    assert_eq!(
        patient_git().state(folder.path()).await,
        repository(None, Some(&commit), 0),
        "a commit that is checked out without a branch"
    );
}

#[tokio::test]
async fn test_ch5_missing_git_is_not_installed() {
    let missing = Git {
        program: "claw-test-no-such-program".into(),
        ..patient_git()
    };
    assert_eq!(
        missing.state(TempFolder::new().path()).await,
        GitState::NotInstalled,
        "a missing git is a state, not an error"
    );
}

#[tokio::test]
async fn test_ch5_git_failure_gives_first_error_line() {
    let folder = repository_folder();
    let missing = patient_git().state(&folder.path().join("missing")).await;
    assert_unknown("the folder does not exist", &missing, "missing");

    folder.write(".git/config", "[this is not configuration\n");
    let broken = patient_git().state(folder.path()).await;
    assert_unknown("git cannot read its configuration", &broken, "config");

    let extension = "[core]\nrepositoryformatversion = 1\n[extensions]\nclaw = true\n";
    folder.write(".git/config", extension);
    let newer = patient_git().state(folder.path()).await;
    assert_unknown("git prints two lines for this error", &newer, "extension");
}

#[tokio::test]
async fn test_ch5_git_that_cannot_start_is_unknown() {
    let folder = TempFolder::new();
    let directory = Git {
        program: folder.path().into(),
        ..patient_git()
    };
    let denied = directory.state(folder.path()).await;
    assert!(
        matches!(&denied, GitState::Unknown(reason) if !reason.is_empty()),
        "a program that cannot start gives Unknown with a reason; got {denied:?}"
    );
}

#[tokio::test]
async fn test_ch5_hanging_git_is_killed_at_limit() {
    let folder = repository_folder();
    if !replace_head_with_pipe(&folder) {
        return; // This system has no named pipes.
    }
    let git = Git {
        limit: Duration::from_millis(60),
        ..patient_git()
    };
    let state = tokio::time::timeout(Duration::from_secs(20), git.state(folder.path())).await;
    let state =
        state.expect("git hangs and the limit is 60 ms, but `state` did not return in 20 s");
    assert_eq!(
        state,
        GitState::Unknown("no answer within 60ms".into()),
        "the reason holds the limit as `Duration`'s `Debug` writes it"
    );
    assert!(
        has_no_process(&folder).await,
        "git still runs after the limit: `state` has to kill it"
    );
}
