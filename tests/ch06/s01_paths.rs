//! Section 6.1: The path of a new file

use claw_code::tools::*;

use super::support::*;

#[test]
fn test_ch6_destination_of_existing_files() {
    let folder = TempFolder::with_files(&[("src/main.rs", "")]);
    let root = folder.canonical();
    for (path, expected) in [
        ("src/main.rs", root.join("src/main.rs")),
        ("./src/../src/main.rs", root.join("src/main.rs")),
        ("src", root.join("src")),
        (".", root.clone()),
    ] {
        for (function, found) in [
            ("destination", destination(&root, path)),
            ("existing_path", existing_path(&root, path)),
        ] {
            assert_eq!(found, Ok(expected.clone()), "{function}: `{path}` exists");
        }
    }
}

#[test]
fn test_ch6_destination_of_new_files() {
    let folder = TempFolder::with_files(&[("src/main.rs", "")]);
    let root = folder.canonical();
    for (path, expected) in [
        ("new.txt", "new.txt"),
        ("./new.txt", "new.txt"),
        ("src/new.rs", "src/new.rs"),
        ("a/b/c/new.rs", "a/b/c/new.rs"),
        ("src/../new.txt", "new.txt"),
        ("src/deep/er/new.rs", "src/deep/er/new.rs"),
        ("app/[...slug]/page.tsx", "app/[...slug]/page.tsx"),
    ] {
        assert_eq!(
            destination(&root, path),
            Ok(root.join(expected)),
            "`{path}` does not exist yet, and a write would create it here"
        );
    }
    assert_eq!(
        file_names(&root),
        ["src"],
        "finding a path creates no file and no folder"
    );
}

#[test]
fn test_ch6_destination_follows_links_inside_the_root() {
    let folder = TempFolder::with_files(&[("src/main.rs", ""), ("src/bin/tool.rs", "")]);
    let root = folder.canonical();
    if !symlink("src", &root.join("near")) || !symlink("src/bin", &root.join("far")) {
        return; // This system does not allow links.
    }
    for (path, expected) in [
        ("near/deep/new.rs", "src/deep/new.rs"),
        ("far/../new.rs", "src/new.rs"),
    ] {
        assert_eq!(
            destination(&root, path),
            Ok(root.join(expected)),
            "`{path}`: a link to a folder inside the root is followed, also before `..`, and the path contains no links"
        );
    }
}

#[test]
fn test_ch6_destination_refuses_paths_out_of_the_root() {
    let folder = TempFolder::with_files(&[("root/src/main.rs", "")]);
    let root = folder.path().join("root");
    for path in ["../new.txt", "src/../../new.txt", "no/../../new.txt"] {
        let parts = [path, "leads out of the root folder"];
        assert_error(path, &destination(&root, path), &parts);
    }
    let absolute = destination(&root, "/new.txt");
    assert_error("/new.txt", &absolute, &["absolute"]);
}

#[cfg(unix)]
#[test]
fn test_ch6_error_about_a_name_shows_the_whole_path() {
    let folder = TempFolder::with_files(&[("a.txt", "")]);
    let path = "a.txt/deep/new.rs";
    let parts = ["`a.txt/deep/new.rs` cannot be opened: "];
    assert_error(
        "a file in place of a folder",
        &destination(folder.path(), path),
        &parts,
    );
}

#[test]
fn test_ch6_destination_refuses_links_out_of_the_root() {
    let folder = TempFolder::with_files(&[("root/src/main.rs", ""), ("outside/secret.txt", "")]);
    let root = folder.path().join("root");
    if !symlink("../outside", &root.join("away")) {
        return; // This system does not allow links.
    }
    for path in [
        "away/new.txt",
        "away/deep/er/new.txt",
        "src/../away/new.txt",
    ] {
        let parts = ["away", "leads out of the root folder"];
        assert_error(path, &destination(&root, path), &parts);
    }
}

#[test]
fn test_ch6_destination_refuses_dangling_links() {
    let folder = TempFolder::with_files(&[("root/src/main.rs", "")]);
    let root = folder.path().join("root");
    if !symlink("../gone.txt", &root.join("out")) || !symlink("gone", &root.join("src/in")) {
        return; // This system does not allow links.
    }
    for (path, link) in [
        ("out", "`out`"),
        ("src/in", "`src/in`"),
        ("src/in/new.txt", "`src/in`"),
        ("src/in/", "`src/in`"),
    ] {
        for (function, found) in [
            ("destination", destination(&root, path)),
            ("existing_path", existing_path(&root, path)),
        ] {
            let rule = format!("{function}: `{path}` contains a dangling link");
            let parts = [link, "a symbolic link whose target does not exist"];
            assert_error(&rule, &found, &parts);
        }
    }
}

#[test]
fn test_ch6_destination_refuses_link_loops() {
    let folder = TempFolder::new();
    let root = folder.path();
    if !symlink("loop", &root.join("loop")) {
        return; // This system does not allow links.
    }
    let found = destination(root, "loop");
    assert_error("a link to itself", &found, &["cannot be opened"]);
}

#[test]
fn test_ch6_destination_refuses_impossible_paths() {
    let folder = TempFolder::with_files(&[("Cargo.toml", "")]);
    let root = folder.canonical();
    for (path, part) in [
        ("new/", "names a folder"),
        ("new/.", "names a folder"),
        ("new/../other.txt", "cannot contain `..`"),
        ("Cargo.toml/new", "cannot be opened"),
        ("a\0b", "cannot be opened"),
        ("Cargo.toml/new/", "cannot be opened"),
    ] {
        assert_error(path, &destination(&root, path), &[path, part]);
    }
    let found = existing_path(&root, "src/no.rs");
    assert_error("a missing file", &found, &["there is no `src/no.rs`"]);
    let found = destination(&root.join("gone"), "new.txt");
    let parts = ["the root folder cannot be opened"];
    assert_error("a missing root folder", &found, &parts);
}
