//! Section 5.7: Running git

use std::process::Command;
use std::sync::mpsc;
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
    folder.write("a.txt", "b");
    folder.write("below/b.txt", "b");
    folder.write(".git/info/attributes", "!a text\n"); // Git prints a warning and succeeds.
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
    assert_eq!(
        missing_git().state(TempFolder::new().path()).await,
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

    if cfg!(unix) {
        let silent = Git {
            program: "false".into(),
            ..patient_git()
        };
        let state = silent.state(folder.path()).await;
        assert!(
            matches!(&state, GitState::Unknown(reason) if !reason.is_empty()),
            "the command fails without a message: the state should be Unknown with a reason; got {state:?}"
        );
    }
}

#[tokio::test]
async fn test_ch5_exit_status_decides_whether_output_is_parsed() {
    if cfg!(not(unix)) {
        return; // The fake git is a shell script.
    }
    let folder = TempFolder::new();
    let headers = "echo '# branch.oid 1a2b3c4d'; echo '# branch.head main'";
    let warning = "echo 'warning: x is not a git repository' >&2";
    let git = fake_git(&folder, &format!("{warning}; {headers}; exit 0"));
    let state = git.state(folder.path()).await;
    assert!(
        matches!(&state, GitState::Repository { .. }),
        "git succeeds: the state comes from its output, and its error output changes nothing; got {state:?}"
    );

    let failure = "echo 'not a git repository'; echo 'fatal: b' >&2";
    for end in ["exit 128", "exit 129", "kill -KILL $$"] {
        let git = fake_git(&folder, &format!("{headers}; {failure}; {end}"));
        assert_eq!(
            git.state(folder.path()).await,
            GitState::Unknown("fatal: b".into()),
            "git fails with `{end}`: its standard output is ignored, even if it contains headers or `not a git repository`, and the reason is the first line of its error output"
        );
    }
}

#[tokio::test]
async fn test_ch5_git_failure_may_begin_with_a_warning() {
    if cfg!(not(unix)) {
        return; // The fake git is a shell script.
    }
    let folder = TempFolder::new();
    for (second_line, state) in [
        (
            "fatal: not a git repository (or any of the parent directories): .git",
            GitState::NoRepository,
        ),
        (
            "error: this folder is not a git repository",
            GitState::NoRepository,
        ),
        ("fatal: b", GitState::Unknown("warning: a".into())),
    ] {
        let lines = format!("echo 'warning: a' >&2; echo '{second_line}' >&2");
        let git = fake_git(&folder, &format!("{lines}; exit 128"));
        assert_eq!(
            git.state(folder.path()).await,
            state,
            "`not a git repository` may be anywhere on any line of the error output; the reason is its first line, whatever it begins with. Git printed `warning: a` and `{second_line}`"
        );
    }
}

#[tokio::test]
async fn test_ch5_git_output_need_not_be_utf8() {
    let folder = repository_folder();
    folder.write(".git/HEAD", b"ref: refs/heads/caf\xe9\n");
    let state = patient_git().state(folder.path()).await;
    assert!(
        matches!(state, GitState::Repository { .. } | GitState::Unknown(_)),
        "a branch whose name is not UTF-8 does not end the program; got {state:?}"
    );
    let folder = TempFolder::new();
    folder.write(".git", b"gitdir: caf\xe9\n");
    assert_eq!(
        patient_git().state(folder.path()).await,
        GitState::NoRepository,
        "git's error output contains a byte that is not UTF-8, and `not a git repository`"
    );
    if cfg!(unix) {
        let headers = r"printf '# branch.oid 1a2b3c4d\n# branch.head caf\351\n'";
        let state = fake_git(&folder, headers).state(folder.path()).await;
        assert!(
            matches!(&state, GitState::Repository { branch: Some(branch), .. } if branch == "caf\u{fffd}"),
            "a branch whose name is not UTF-8 is converted as String::from_utf8_lossy does it; got {state:?}"
        );
    }
}

#[tokio::test]
async fn test_ch5_git_output_may_be_large() {
    if cfg!(not(unix)) {
        return; // The fake git is a shell script.
    }
    let folder = TempFolder::new();
    let headers = "echo '# branch.oid 1a2b3c4d'; echo '# branch.head main'";
    // The limit passes before the runner stops this test, so that the message below is shown.
    let git = Git {
        limit: Duration::from_secs(5),
        ..fake_git(&folder, &format!("{headers}; printf '? %0100000d\\n' 0"))
    };
    let state = git.state(folder.path()).await;
    assert!(
        matches!(&state, GitState::Repository { .. }),
        "git succeeds and prints 100 kB, more than a pipe holds: git ends only if `state` reads the output while git runs, as `output()` does; got {state:?}"
    );
}

#[tokio::test]
async fn test_ch5_git_that_cannot_start_is_unknown() {
    let folder = TempFolder::new();
    let directory = Git {
        program: folder.path().into(),
        ..patient_git()
    };
    let denied = directory.state(folder.path()).await;
    let error = Command::new(folder.path()).spawn().unwrap_err().to_string();
    assert!(
        matches!(&denied, GitState::Unknown(reason) if reason.contains(&error)),
        "a program that cannot start gives Unknown with the system's error, {error:?}; got {denied:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch5_hanging_git_is_killed_at_limit() {
    let folder = repository_folder();
    if !replace_head_with_pipe(&folder) {
        return; // This system has no named pipes.
    }
    let git = Git {
        limit: Duration::from_micros(62_500),
        ..Git::default()
    };
    // The clock is paused: it advances only while `state` waits, and, because of the blocking task,
    // not before git has started.
    let (_until_the_end, end) = mpsc::channel();
    let path = folder.path().to_path_buf();
    tokio::task::spawn_blocking(move || wait_for_process(&path, &end));
    let state = tokio::time::timeout(Duration::from_millis(100), git.state(folder.path())).await;
    let state = state.expect("git hangs and the limit is 62.5 ms, but `state` waits for 100 ms");
    assert_eq!(
        state,
        GitState::Unknown(format!("no answer within {:?}", git.limit)),
        "the reason contains the limit as `Duration`'s `Debug` writes it"
    );
    assert!(
        has_no_process(&folder).await,
        "git still runs after the limit: `state` has to kill it"
    );
}
