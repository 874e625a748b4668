//! Section 6.8: Replace a file in one step

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use claw_code::tools::*;

use super::support::*;

#[test]
fn test_ch6_replace_creates_new_files() {
    let folder = TempFolder::new();
    let path = create(&folder, "a.txt", "new");
    assert_eq!(folder.read("a.txt"), "new");
    assert_no_temporary_file(&folder, "a.txt");
    let again = replace_file(&path, "a.txt", b"newer", None);
    let rule = "a file that must not exist";
    assert_refused(rule, again, &["`a.txt`", "read it first"]);
    assert_eq!(folder.read("a.txt"), "new", "{rule}: the content stays");
    assert_no_temporary_file(&folder, "a.txt");
}

#[test]
fn test_ch6_replace_leaves_the_old_file_to_its_readers() {
    let folder = TempFolder::new();
    let path = create(&folder, "a.txt", "the old content");
    let mut reader = fs::File::open(&path).expect("the file exists");
    let old = Some(Fingerprint::of(b"the old content"));
    replace_file(&path, "a.txt", b"new", old).expect("the content is as expected");
    let mut seen = String::new();
    reader.read_to_string(&mut seen).expect("the file is open");
    assert_eq!(
        seen, "the old content",
        "a reader that opened the old file reads its whole content: the new content is another file, renamed over this one"
    );
    assert_eq!(
        folder.read("a.txt"),
        "new",
        "a new reader sees the new content"
    );
    assert_no_temporary_file(&folder, "a.txt");
}

#[test]
fn test_ch6_replace_works_on_any_file_system() {
    // On most Linux machines this is not the file system of the temporary folder.
    let Ok(folder) = tempfile::tempdir_in("/dev/shm") else {
        return;
    };
    let written = replace_file(&folder.path().join("a.txt"), "a.txt", b"new", None);
    assert!(
        written.is_ok(),
        "a rename does not cross file systems, so the temporary file belongs in the same folder: {written:?}"
    );
}

#[test]
fn test_ch6_replace_fails_without_the_folder() {
    let folder = TempFolder::new();
    let long = "x".repeat(300);
    for (rule, name, is_old) in [
        ("a missing folder", "no/such/folder/a.txt", false),
        ("a name that the system refuses", &long, false),
        ("an old file that was deleted meanwhile", "a.txt", true),
    ] {
        let expected = is_old.then(|| Fingerprint::of(b"old"));
        let written = replace_file(&folder.path().join(name), name, b"new", expected);
        assert!(
            matches!(written, Err(FileError::Failed(_))) && file_names(folder.path()).is_empty(),
            "{rule} is Failed, and nothing is created; got {written:?}"
        );
    }
    let written = replace_file(Path::new(""), "", b"new", None);
    assert!(
        matches!(written, Err(FileError::Failed(_))),
        "a path without a parent folder is Failed, and no panic; got {written:?}"
    );
}

#[test]
fn test_ch6_replace_refuses_a_changed_file() {
    let folder = TempFolder::new();
    let path = create(&folder, "a.txt", "theirs");
    let outdated = Some(Fingerprint::of(b"as it was read"));
    let rule = "a file that has changed";
    let written = replace_file(&path, "a.txt", b"mine", outdated);
    assert_refused(rule, written, &["`a.txt`", "changed", "read it again"]);
    assert_eq!(folder.read("a.txt"), "theirs", "{rule}: the content stays");
    assert_no_temporary_file(&folder, "a.txt");
}

#[cfg(unix)]
#[test]
fn test_ch6_replace_keeps_permissions() {
    let folder = TempFolder::new();
    let path = create(&folder, "run.sh", "old");
    for permissions in [0o755, 0o600, 0o666] {
        folder.write("run.sh", "old");
        set_mode(&path, permissions);
        let old = Some(Fingerprint::of(b"old"));
        replace_file(&path, "run.sh", b"new", old).expect("the content is as expected");
        assert_eq!(
            mode(&path),
            format!("{permissions:o}"),
            "the file keeps its permissions, octal {permissions:o}"
        );
    }
}

#[cfg(unix)]
#[test]
fn test_ch6_replace_gives_new_files_default_permissions() {
    let folder = TempFolder::with_files(&[("other", "")]);
    let path = create(&folder, "a.txt", "new");
    assert_eq!(
        mode(&path),
        mode(&folder.path().join("other")),
        "a new file has the permissions of any new file, not those of a temporary file"
    );
}

#[cfg(unix)]
#[test]
fn test_ch6_replace_refuses_write_protected_files() {
    let folder = TempFolder::new();
    let path = create(&folder, "run.sh", "old");
    set_mode(&path, 0o444);
    let old = Some(Fingerprint::of(b"old"));
    let written = replace_file(&path, "run.sh", b"new", old);
    let rule = "a write-protected file";
    assert_refused(rule, written, &["`run.sh`", "write-protected"]);
    assert_eq!(folder.read("run.sh"), "old", "{rule}: the content stays");
    assert_no_temporary_file(&folder, "run.sh");
}

#[cfg(unix)]
#[test]
fn test_ch6_replace_opens_no_pipe_that_waits() {
    let folder = TempFolder::new();
    let path = create(&folder, "a.txt", "old");
    std::fs::remove_file(&path).expect("it can be removed");
    let made = std::process::Command::new("mkfifo").arg(&path).status();
    assert!(made.is_ok_and(|status| status.success()), "a pipe is made");
    let (sender, written) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let old = Some(Fingerprint::of(b"old"));
        let _ = sender.send(replace_file(&path, "a.txt", b"mine", old));
    });
    let written = written.recv_timeout(std::time::Duration::from_secs(5));
    assert!(
        matches!(written, Ok(Err(_))),
        "a pipe that has replaced the file must not be waited for, nor replaced: {written:?}"
    );
}

#[cfg(unix)]
#[test]
fn test_ch6_replace_compares_the_content_last() {
    let folder = TempFolder::new();
    let path = create(&folder, "run.sh", "theirs");
    set_mode(&path, 0o444);
    let outdated = Some(Fingerprint::of(b"as it was read"));
    let written = replace_file(&path, "run.sh", b"mine", outdated);
    let rule = "a write-protected file that has changed: compare after `copy_permissions`, directly before the rename";
    assert_refused(rule, written, &["`run.sh`", "write-protected"]);
}

#[test]
fn test_ch6_a_write_removes_abandoned_files() {
    let folder = TempFolder::with_files(&[(".claw-left.tmp", "")]);
    let long_ago = SystemTime::now() - 2 * ABANDONED_AFTER;
    set_modified(&folder.path().join(".claw-left.tmp"), long_ago);
    create(&folder, "new", "");
    assert_no_temporary_file(&folder, "new");
    remove_abandoned(&folder.path().join("gone"), SystemTime::now());
}

/// Creates a file by means of [`replace_file`].
fn create(folder: &TempFolder, name: &str, content: &str) -> PathBuf {
    let path = folder.path().join(name);
    replace_file(&path, name, content.as_bytes(), None).expect("a new file");
    path
}

/// Fails unless `name` is the only file in the folder.
#[track_caller]
fn assert_no_temporary_file(folder: &TempFolder, name: &str) {
    assert_eq!(
        file_names(folder.path()),
        [name],
        "no temporary file is left in the folder"
    );
}

/// A file's permissions as an octal number.
#[cfg(unix)]
fn mode(path: &Path) -> String {
    use std::os::unix::fs::PermissionsExt;
    let metadata = path.metadata().expect("the file exists");
    format!("{:o}", metadata.permissions().mode() & 0o7777)
}

#[cfg(unix)]
fn set_mode(path: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, PermissionsExt::from_mode(mode)).expect("the file is ours");
}
