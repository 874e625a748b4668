//! Remove abandoned temporary files

use std::time::{Duration, SystemTime};

use claw_code::tools::*;

use super::support::*;

#[test]
fn abandoned_temporary_files_are_removed() {
    let folder = TempFolder::with_files(&[(".claw-dir.tmp/file", "")]);
    let (now, minute) = (SystemTime::now(), Duration::from_secs(60));
    for (name, age) in [
        (".claw-old.tmp", ABANDONED_AFTER + minute),
        (".claw-hour.tmp", ABANDONED_AFTER - minute),
        (".claw-young.tmp", Duration::ZERO),
        (".claw-old.txt", ABANDONED_AFTER + minute),
        ("a.claw-old.tmp", ABANDONED_AFTER + minute),
    ] {
        folder.write(name, "");
        set_modified(&folder.path().join(name), now - age);
    }
    folder.write(".claw-future.tmp", "");
    set_modified(&folder.path().join(".claw-future.tmp"), now + minute / 2);
    remove_abandoned(folder.path(), now);
    let others = [".claw-dir.tmp", ".claw-old.txt", "a.claw-old.tmp"];
    let younger = [".claw-future.tmp", ".claw-hour.tmp", ".claw-young.tmp"];
    let mut expected = [others, younger].concat();
    expected.sort();
    assert_eq!(
        file_names(folder.path()),
        expected,
        "temporary files older than an hour are removed; younger ones may be in use, and other files and folders are not temporary"
    );
    remove_abandoned(folder.path(), now + ABANDONED_AFTER + minute);
    assert_eq!(
        file_names(folder.path()),
        others,
        "an hour later, the younger ones are removed too"
    );
}

#[test]
fn a_link_is_no_temporary_file() {
    let folder = TempFolder::with_files(&[("kept.txt", ""), (".claw-old.tmp", "")]);
    let now = SystemTime::now();
    for name in ["kept.txt", ".claw-old.tmp"] {
        set_modified(&folder.path().join(name), now - 2 * ABANDONED_AFTER);
    }
    let has_link = symlink("kept.txt", &folder.path().join(".claw-link.tmp"));
    remove_abandoned(folder.path(), now);
    let expected = [".claw-link.tmp", "kept.txt"];
    assert_eq!(
        file_names(folder.path()),
        expected[usize::from(!has_link)..],
        "a temporary file is a regular file: a link stays, whatever it leads to. `DirEntry::metadata` does not follow links"
    );
}
