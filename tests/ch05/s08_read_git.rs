//! Section 5.8: Asking git

use std::time::Duration;

use claw_code::prompt::*;

use super::support::*;

#[tokio::test]
async fn test_ch5_git_real_repository() {
    let git = patient();
    let folder = Folder::new();
    assert_eq!(
        git.state(folder.path()).await,
        GitState::NoRepository,
        "a folder that is in no repository is an answer, not a failure"
    );

    folder.git(&["init", "--quiet", "--initial-branch=trunk"]);
    folder.write("a.txt", "a");
    assert_eq!(
        git.state(folder.path()).await,
        repository(Some("trunk"), None, 1),
        "a repository before its first commit, with one new file"
    );

    folder.git(&["add", "."]);
    folder.git(&["commit", "--quiet", "--message=first"]);
    let commit = folder.git(&["rev-parse", "HEAD"]);
    assert_eq!(
        git.state(folder.path()).await,
        repository(Some("trunk"), Some(&commit), 0),
        "a repository without changes"
    );

    folder.write("a.txt", "b");
    folder.write("below/b.txt", "b");
    assert_eq!(
        git.state(&folder.path().join("below")).await,
        repository(Some("trunk"), Some(&commit), 2),
        "asked about a folder inside the repository, git tells of all of it: one changed file, one folder that it does not know"
    );

    folder.git(&["checkout", "--quiet", "--detach"]);
    assert_eq!(
        git.state(folder.path()).await,
        repository(None, Some(&commit), 2),
        "a commit that is checked out without a branch"
    );
}

#[tokio::test]
async fn test_ch5_git_failures_are_answers() {
    let folder = Folder::new();
    let none = Git {
        program: "claw-test-no-such-program".into(),
        ..patient()
    };
    assert_eq!(
        none.state(folder.path()).await,
        GitState::NotInstalled,
        "no git on this machine is an answer, not a failure"
    );

    let gone = patient().state(&folder.path().join("gone")).await;
    assert!(
        matches!(&gone, GitState::Unknown(reason) if reason.contains("gone")),
        "git is installed, and the folder is not there: unknown, in git's words; it is {gone:?}"
    );

    folder.git(&["init", "--quiet"]);
    folder.write(".git/config", "[this is no configuration\n");
    let broken = patient().state(folder.path()).await;
    assert!(
        matches!(&broken, GitState::Unknown(reason) if reason.contains("config") && !reason.contains('\n')),
        "a repository that git cannot read is unknown, for the first line of what git says; it is {broken:?}"
    );

    let unknown = "[core]\nrepositoryformatversion = 1\n[extensions]\nclaw = true\n";
    folder.write(".git/config", unknown);
    let newer = patient().state(folder.path()).await;
    assert!(
        matches!(&newer, GitState::Unknown(reason) if reason.contains("extension") && !reason.contains('\n')),
        "git's words for this take two lines, and the first is the reason; it is {newer:?}"
    );

    let directory = Git {
        program: folder.path().into(),
        ..patient()
    };
    let denied = directory.state(folder.path()).await;
    assert!(
        matches!(&denied, GitState::Unknown(reason) if !reason.is_empty()),
        "a program that cannot be started is unknown, and a reason is given; it is {denied:?}"
    );
}

#[tokio::test]
async fn test_ch5_git_has_a_limit() {
    let folder = Folder::new();
    let git = Git {
        limit: Duration::from_millis(60),
        ..patient()
    };
    assert_eq!(
        patient().state(folder.path()).await,
        GitState::NoRepository,
        "an answer within the limit counts"
    );
    folder.git(&["init", "--quiet"]);
    if !folder.hang() {
        return; // This system has no named pipes.
    }
    let answer = tokio::time::timeout(Duration::from_secs(20), git.state(folder.path())).await;
    let Ok(state) = answer else {
        panic!("git hangs, the limit is 60 ms, and after 20 s there is still no answer");
    };
    assert_eq!(
        state,
        GitState::Unknown("no answer within 60ms".into()),
        "git hangs, and the answer says how long it was waited for, as `Duration`'s `Debug` writes it"
    );
    assert!(
        folder.nobody_is_left().await,
        "git goes on running after the limit: it has to be killed"
    );
}
