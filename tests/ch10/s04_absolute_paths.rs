//! Section 10.4: Absolute paths

use std::path::Path;

use super::support::places;

/// Checks the absolute form of a path in the workspace `/work/app`.
fn assert_absolute(path: &str, expected: &str) {
    assert_eq!(
        places().absolute(path),
        Path::new(expected),
        "`{path}` from the workspace /work/app"
    );
}

#[test]
fn test_ch10_relative_path_starts_in_the_workspace() {
    assert_absolute("src/main.rs", "/work/app/src/main.rs");
    assert_absolute(".", "/work/app");
    assert_absolute("./src/./x", "/work/app/src/x");
    // `~` means the home folder only in a pattern.
    assert_absolute("~/a", "/work/app/~/a");
}

#[test]
fn test_ch10_absolute_path_stays() {
    assert_absolute("/etc/passwd", "/etc/passwd");
    // On Linux, this is a symbolic link. The function must not follow it.
    assert_absolute("/proc/self", "/proc/self");
}

#[test]
fn test_ch10_parent_folders_are_resolved() {
    assert_absolute("src/../Cargo.toml", "/work/app/Cargo.toml");
    assert_absolute("../../etc/passwd", "/etc/passwd");
    assert_absolute("/work/app/../secret", "/work/secret");
}

#[test]
fn test_ch10_root_has_no_parent() {
    assert_absolute("../../../etc", "/etc");
    assert_absolute("../../../../etc", "/etc");
}
