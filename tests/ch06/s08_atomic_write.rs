//! Section 6.8: In one step

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use claw_code::tools::*;

use super::support::*;

#[test]
fn test_ch6_replace_makes_new_files() {
    let folder = folder(&[]);
    let place = folder.path().join("a.txt");
    replace_file(&place, "a.txt", b"new", None).expect("it can be written");
    assert_eq!(read(&place), "new");
    #[cfg(unix)]
    {
        let other = folder.path().join("other");
        fs::write(&other, "").expect("a file");
        assert_eq!(
            mode(&place),
            mode(&other),
            "a new file has the permissions of any new file, not those of a temporary one"
        );
        fs::remove_file(other).expect("it was there");
    }
    assert_eq!(names(folder.path()), ["a.txt"], "nothing else is left");
    let again = replace_file(&place, "a.txt", b"newer", None);
    contains(
        &refused(again, "a file that must not be there"),
        &["`a.txt`", "read it first"],
    );
    assert_eq!(read(&place), "new", "what came to be meanwhile stays");
    assert_eq!(names(folder.path()), ["a.txt"], "and nothing else is left");
}

#[test]
fn test_ch6_replace_is_one_step() {
    let folder = folder(&[]);
    let place = folder.path().join("a.txt");
    replace_file(&place, "a.txt", b"the old content", None).expect("it can be written");
    let mut reader = fs::File::open(&place).expect("it is there");
    let old = Some(Fingerprint::of(b"the old content"));
    replace_file(&place, "a.txt", b"new", old).expect("it can be written");
    let mut seen = String::new();
    std::io::Read::read_to_string(&mut reader, &mut seen).expect("it is open");
    assert_eq!(
        seen, "the old content",
        "who had the old file open goes on reading it, whole: the new content is another file, renamed to this one's name"
    );
    assert_eq!(
        read(&place),
        "new",
        "who opens it now reads the new content"
    );
    assert_eq!(names(folder.path()), ["a.txt"], "nothing else is left");
    // On most Linux machines this is another file system than that of temporary files.
    if let Ok(elsewhere) = tempfile::tempdir_in("/dev/shm") {
        let place = elsewhere.path().join("a.txt");
        let written = replace_file(&place, "a.txt", b"new", None);
        assert!(
            written.is_ok(),
            "a file can be renamed within its folder and not from one file system to another, so the temporary one is made beside it; it came to {written:?}"
        );
    }
}

#[test]
fn test_ch6_replace_looks_again() {
    let folder = folder(&[("a.txt", "theirs")]);
    let place = folder.path().join("a.txt");
    let gone = folder.path().join("no/such/folder/a.txt");
    assert!(
        matches!(
            replace_file(&gone, "a.txt", b"", None),
            Err(FileError::Failed(_))
        ),
        "a folder that is not there is a failure"
    );
    let stale = Some(Fingerprint::of(b"as was read"));
    let message = refused(
        replace_file(&place, "a.txt", b"mine", stale),
        "a stale write",
    );
    contains(&message, &["`a.txt`", "changed", "read it again"]);
    assert_eq!(read(&place), "theirs", "somebody else's work stays");
    assert_eq!(
        names(folder.path()),
        ["a.txt"],
        "after a refusal no temporary file is left"
    );
}

#[cfg(unix)]
#[test]
fn test_ch6_replace_keeps_permissions() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder(&[]);
    let place = folder.path().join("run.sh");
    replace_file(&place, "run.sh", b"old", None).expect("it can be written");
    let old = || Some(Fingerprint::of(b"old"));
    for wanted in [0o755, 0o600, 0o666] {
        fs::write(&place, "old").expect("a file");
        fs::set_permissions(&place, PermissionsExt::from_mode(wanted)).expect("it is ours");
        replace_file(&place, "run.sh", b"new", old()).expect("it can be written");
        assert_eq!(
            mode(&place),
            wanted,
            "the permissions stay, octal {wanted:o}; they are {:o}",
            mode(&place)
        );
    }
    fs::write(&place, "old").expect("a file");
    fs::set_permissions(&place, PermissionsExt::from_mode(0o444)).expect("it is ours");
    let message = refused(
        replace_file(&place, "run.sh", b"new", old()),
        "a protected file",
    );
    contains(&message, &["`run.sh`", "write-protected"]);
    assert_eq!(read(&place), "old", "a rename would not ask; the tool does");
    assert_eq!(names(folder.path()), ["run.sh"], "nothing else is left");
}

#[test]
fn test_ch6_abandoned_files_are_cleared_away() {
    let folder = folder(&[
        (".claw-old.tmp", ""),
        (".claw-young.tmp", ""),
        (".claw-hour.tmp", ""),
        (".claw-old.txt", ""),
        ("old.tmp", ""),
        (".claw-dir.tmp/file", ""),
    ]);
    let now = SystemTime::now();
    let long_ago = now - ABANDONED - Duration::from_secs(60);
    for name in [".claw-old.tmp", ".claw-old.txt", "old.tmp"] {
        let file = fs::File::options()
            .append(true)
            .open(folder.path().join(name));
        let file = file.expect("it is there");
        file.set_modified(long_ago).expect("times can be set");
    }
    let hour = fs::File::options()
        .append(true)
        .open(folder.path().join(".claw-hour.tmp"));
    let nearly = now - ABANDONED + Duration::from_secs(60);
    hour.expect("it is there")
        .set_modified(nearly)
        .expect("times can be set");
    clear_abandoned(folder.path(), now);
    assert_eq!(
        names(folder.path()),
        [
            ".claw-dir.tmp",
            ".claw-hour.tmp",
            ".claw-old.txt",
            ".claw-young.tmp",
            "old.tmp"
        ],
        "what a killed program left goes; a file of less than an hour, which somebody may be writing, other files and folders stay"
    );
    let young = now + ABANDONED + Duration::from_secs(60);
    clear_abandoned(folder.path(), young);
    assert_eq!(
        names(folder.path()),
        [".claw-dir.tmp", ".claw-old.txt", "old.tmp"],
        "in time, the young ones are old"
    );
    fs::write(folder.path().join(".claw-left.tmp"), "").expect("a file");
    let file = fs::File::options()
        .append(true)
        .open(folder.path().join(".claw-left.tmp"));
    file.expect("it is there")
        .set_modified(long_ago)
        .expect("times can be set");
    replace_file(&folder.path().join("new"), "new", b"", None).expect("it can be written");
    assert_eq!(
        names(folder.path()),
        [".claw-dir.tmp", ".claw-old.txt", "new", "old.tmp"],
        "a write clears its folder"
    );
    clear_abandoned(&folder.path().join("gone"), now);
}

#[cfg(unix)]
fn mode(place: &Path) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    let about = place.metadata().expect("it is there");
    about.permissions().mode() & 0o7777
}
