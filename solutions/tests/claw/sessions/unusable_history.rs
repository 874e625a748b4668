//! Databases that cannot be read or written.

use std::fs;
use std::path::PathBuf;

use crate::support::{Run, Workspace};

/// A workspace with one session, and its database.
fn workspace() -> (Workspace, PathBuf) {
    let workspace = Workspace::new();
    workspace.ask("hello");
    let database = workspace.database();
    (workspace, database)
}

const PROMPT: [&str; 3] = ["--offline", "-p", "hello"];

/// The calls of `claw` that need the history.
const READERS: [&[&str]; 4] = [
    &["--offline", "--resume", "-p", "hello"],
    &["sessions"],
    &["sessions", "hello"],
    &["sessions", "--show"],
];

/// Asserts that the conversation took place, and one message says that it is not saved.
#[track_caller]
fn assert_not_saved(run: Run, reason: &str) {
    let run = run.succeeds();
    assert!(run.stdout.contains("ello"), "{run:?}");
    assert_eq!(run.stderr.lines().count(), 1, "{run:?}");
    for part in ["not saved", reason] {
        assert!(run.stderr.contains(part), "{part:?}: {run:?}");
    }
}

/// Asserts that a database with these bytes is reported and stays as it is.
#[track_caller]
fn assert_rejected(change: impl Fn(&mut Vec<u8>), reason: &str) {
    let (workspace, database) = workspace();
    let mut bytes = fs::read(&database).expect("a file");
    change(&mut bytes);
    fs::write(&database, &bytes).expect("can be written");
    let name = database.display().to_string();
    let run = workspace.claw(&PROMPT).run();
    assert_eq!(run.stderr.matches(&name).count(), 1, "{run:?}");
    assert_not_saved(run, reason);
    let json = [&PROMPT[..], &["--output-format", "json"]].concat();
    let run = workspace.claw(&json).run().succeeds();
    assert!(run.stdout.contains(r#""session_id":null"#), "{run:?}");
    for arguments in READERS {
        let run = workspace.claw(arguments).run().fails(2, &name);
        assert_eq!(run.stderr.matches(&name).count(), 1, "{run:?}");
    }
    assert!(fs::read(&database).expect("a file") == bytes, "{reason}");
}

#[test]
fn a_file_that_is_not_a_database_is_left_alone() {
    let change = |bytes: &mut Vec<u8>| *bytes = b"these are not sessions".to_vec();
    assert_rejected(change, "this file is not a session history");
}

#[test]
fn a_history_of_a_newer_version_is_left_alone() {
    // SQLite's header has the version at byte 60.
    let change = |bytes: &mut Vec<u8>| bytes[60..64].copy_from_slice(&99_u32.to_be_bytes());
    assert_rejected(change, "this history has version 99");
}

#[test]
fn a_truncated_database_is_left_alone() {
    assert_rejected(|bytes| bytes.truncate(bytes.len() / 2), "not saved");
}

#[test]
fn a_history_that_cannot_be_opened_is_named_once() {
    let (workspace, database) = workspace();
    fs::remove_file(&database).expect("a file");
    fs::create_dir(&database).expect("a folder");
    let name = database.display().to_string();
    for arguments in [READERS[0], READERS[1], &PROMPT] {
        let run = workspace.claw(arguments).run();
        for part in ["this history cannot be opened", &name] {
            assert_eq!(run.stderr.matches(part).count(), 1, "{part}: {run:?}");
        }
    }
}

/// A workspace with two sessions, their ids, and damage to the first.
fn with_a_damaged_session() -> (Workspace, String, String) {
    let (workspace, database) = workspace();
    workspace.ask("another one");
    let list = workspace.claw(&["sessions"]).run().stdout;
    let mut ids = list.lines().skip(1).map(|row| row[..8].to_string());
    let intact = ids.next().expect("a session");
    let damaged = ids.next().expect("a session");
    let connection = rusqlite::Connection::open(database).expect("a database");
    let damage = "UPDATE messages SET message = '{\"role\":' WHERE message LIKE '%\"hello\"%'";
    assert_eq!(connection.execute(damage, []), Ok(1));
    (workspace, damaged, intact)
}

#[test]
fn a_damaged_session_cannot_be_resumed() {
    let (workspace, damaged, _) = with_a_damaged_session();
    let arguments = ["--offline", "--resume", &damaged, "-p", "hi"];
    let run = workspace.claw(&arguments).run();
    run.fails(2, "this history is damaged (message 0 of session");
}

#[test]
fn a_damaged_session_does_not_affect_the_others() {
    let (workspace, damaged, intact) = with_a_damaged_session();
    let list = workspace.claw(&["sessions"]).run().succeeds().stdout;
    for part in [format!("{damaged}  "), "2 messages  another one".into()] {
        assert!(list.contains(&part), "{part}: {list}");
    }
    let found = workspace.claw(&["sessions", "another"]).run().stdout;
    assert!(found.contains("[another] one"), "{found}");
    let arguments = ["--offline", "--resume", &intact, "-p", "hi"];
    workspace.claw(&arguments).run().succeeds();
}

#[test]
fn without_a_place_for_the_database_the_conversation_goes_on_unsaved() {
    let workspace = Workspace::with(&[("home", "a file, not a folder")]);
    let home = workspace.path().join("home");
    let run = workspace.claw(&PROMPT).env("CLAW_HOME", &home).run();
    assert_not_saved(run, "cannot create the folder");
    assert_eq!(workspace.read("home"), "a file, not a folder");
    for arguments in [READERS[0], READERS[1]] {
        let claw = workspace.claw(arguments).env("CLAW_HOME", &home);
        claw.run().fails(2, "cannot access");
    }
}

/// Folders and files that this user, or for root another user, may only read.
#[cfg(unix)]
mod permissions {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    use std::path::Path;

    use super::*;

    struct ReadOnly {
        workspace: Workspace,
        database: PathBuf,
        is_root: bool,
    }

    fn set_mode(path: &Path, mode: u32) {
        let permissions = fs::Permissions::from_mode(mode);
        fs::set_permissions(path, permissions).expect("the owner may");
    }

    impl ReadOnly {
        fn new() -> Self {
            let (workspace, database) = workspace();
            for folder in [workspace.path(), workspace.home()] {
                set_mode(folder, 0o555);
            }
            set_mode(&workspace.home().join("sessions"), 0o555);
            set_mode(&database, 0o444);
            let is_root = fs::File::options().write(true).open(&database).is_ok();
            Self {
                workspace,
                database,
                is_root,
            }
        }

        /// Runs `claw`, for root as user 65534. `None`, which skips the test, if that user
        /// may not run the program.
        fn claw(&self, arguments: &[&str]) -> Option<Run> {
            let mut claw = self.workspace.claw(arguments);
            if self.is_root {
                claw.command.uid(65534);
            }
            let output = claw.command.output();
            if output.is_err() {
                eprintln!("skipped: the other user may not run this program");
            }
            output.ok().map(Run::from)
        }
    }

    impl Drop for ReadOnly {
        fn drop(&mut self) {
            for folder in [self.workspace.path(), self.workspace.home()] {
                set_mode(folder, 0o755);
            }
            set_mode(&self.workspace.home().join("sessions"), 0o755);
        }
    }

    #[test]
    fn a_conversation_leaves_a_read_only_history_alone() {
        let read_only = ReadOnly::new();
        let before = fs::read(&read_only.database).expect("a file");
        let Some(run) = read_only.claw(&PROMPT) else {
            return;
        };
        assert_not_saved(run, "cannot be written");
        assert!(fs::read(&read_only.database).expect("a file") == before);
    }

    #[test]
    fn the_error_of_a_read_only_history_names_the_file_and_the_reason() {
        let read_only = ReadOnly::new();
        let Some(run) = read_only.claw(&["sessions"]) else {
            return;
        };
        let name = read_only.database.display();
        run.fails(2, &format!(
            "{name} cannot be written: the file, its folder or the disk is read-only, and SQLite has to"
        ));
    }

    #[test]
    fn a_folder_without_access_is_an_error() {
        let read_only = ReadOnly::new();
        set_mode(&read_only.workspace.home().join("sessions"), 0o000);
        if let Some(run) = read_only.claw(&["sessions"]) {
            run.fails(2, "cannot access");
        }
    }
}
