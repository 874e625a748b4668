//! Section 11.1: Where a path leads

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use claw_code::safety::*;

use super::support::link;
use crate::support::TempFolder;

/// Checks where a path in the folder leads: to another path in it.
#[track_caller]
fn assert_leads(folder: &TempFolder, path: &str, expected: &str) {
    let real = real_path(&folder.path().join(path)).expect("a path without a loop");
    let expected = folder.canonical().join(expected);
    assert_eq!(real, expected, "where `{path}` leads");
}

#[test]
fn test_ch11_plain_path_leads_to_itself() {
    let folder = TempFolder::with_files(&[("src/main.rs", "")]);
    assert_leads(&folder, "src/main.rs", "src/main.rs");
    assert_leads(&folder, "src/./main.rs", "src/main.rs");
    assert_leads(&folder, "src/../src/main.rs", "src/main.rs");
}

#[test]
fn test_ch11_missing_file_leads_to_its_place() {
    let folder = TempFolder::with_files(&[("file", "")]);
    assert_leads(&folder, "new/folder/file.rs", "new/folder/file.rs");
    assert_leads(&folder, "file/new", "file/new");
    assert_leads(&folder, "new/../file.rs", "file.rs");
}

#[test]
fn test_ch11_link_leads_to_its_target() {
    let folder = TempFolder::with_files(&[("real/file", "")]);
    link(&folder, "relative", "real/file");
    link(&folder, "absolute", folder.canonical().join("real"));
    assert_leads(&folder, "relative", "real/file");
    assert_leads(&folder, "absolute/file", "real/file");
}

#[test]
fn test_ch11_link_to_a_missing_file_leads_to_the_file() {
    let folder = TempFolder::new();
    link(&folder, "dangling", "missing/file");
    assert_leads(&folder, "dangling", "missing/file");
}

#[test]
fn test_ch11_parent_of_a_link_is_the_parent_of_its_target() {
    let folder = TempFolder::with_files(&[("a/b/file", "")]);
    link(&folder, "link", "a/b");
    assert_leads(&folder, "link/../other", "a/other");
}

#[test]
fn test_ch11_links_may_lead_to_links() {
    let folder = TempFolder::with_files(&[("file", "")]);
    link(&folder, "one", "two");
    link(&folder, "two", "./three");
    link(&folder, "three", "file");
    assert_leads(&folder, "one", "file");
}

#[test]
fn test_ch11_loop_of_links_is_an_error() {
    let folder = TempFolder::new();
    link(&folder, "one", "two");
    link(&folder, "two", "one");
    let error = real_path(&folder.path().join("one"));
    assert!(error.is_err(), "the loop has no end: {error:?}");
}

#[test]
fn test_ch11_path_may_go_through_as_many_links_as_on_linux() {
    let folder = TempFolder::with_files(&[("0", "")]);
    for number in 1..=MAX_LINKS + 1 {
        link(&folder, &number.to_string(), (number - 1).to_string());
    }
    let real = |links: usize| real_path(&folder.canonical().join(links.to_string()));
    assert_eq!(
        real(MAX_LINKS).ok(),
        Some(folder.canonical().join("0")),
        "{MAX_LINKS} links are allowed"
    );
    let error = real(MAX_LINKS + 1);
    assert!(error.is_err(), "one link too many: {error:?}");
    link(&folder, "here", ".");
    let error = real_path(&folder.canonical().join("here/".repeat(MAX_LINKS + 1)));
    assert!(
        error.is_err(),
        "links of one path count together, also those that lead to no other link: {error:?}"
    );
}

#[test]
fn test_ch11_folder_that_may_not_be_searched_is_an_error() {
    let folder = TempFolder::with_files(&[("closed/file", "")]);
    let closed = folder.path().join("closed");
    fs::set_permissions(&closed, Permissions::from_mode(0o000)).expect("your own folder");
    // An administrator may search it all the same.
    let may_search = fs::metadata(closed.join("file")).is_ok();
    let real = real_path(&closed.join("file"));
    fs::set_permissions(&closed, Permissions::from_mode(0o700)).expect("your own folder");
    assert_eq!(
        real.is_ok(),
        may_search,
        "`file` may be a link to anywhere: {real:?}"
    );
}

#[test]
fn test_ch11_root_has_no_parent() {
    let real = real_path(Path::new("/../..")).expect("the root");
    assert_eq!(real, Path::new("/"), "`..` stays at the root");
}
