//! Section 3.2: Path resolution

use super::support::*;

#[test]
fn test_ch3_resolve_finds_paths_inside_the_root() {
    let folder = folder_with(&["src/main.rs", "src/bin/tool.rs", "..notes"]);
    let root = folder.canonical();
    for (path, expected) in [
        (".", root.clone()),
        ("", root.clone()),
        ("src", root.join("src")),
        ("./src/", root.join("src")),
        ("src/main.rs", root.join("src/main.rs")),
        ("src/bin/../main.rs", root.join("src/main.rs")),
        ("src/..", root.clone()),
        ("src/bin/../..", root.clone()),
        ("..notes", root.join("..notes")),
    ] {
        assert_resolves(folder.path(), path, expected);
    }
}

#[test]
fn test_ch3_resolve_refuses_paths_above_the_root() {
    let folder = folder_with(&["root/src/main.rs", "secret.txt"]);
    let root = folder.path().join("root");
    for path in [
        "..",
        "../secret.txt",
        "src/../../secret.txt",
        "./../secret.txt",
    ] {
        let message = resolve_error(&root, path);
        assert!(
            message.contains(path) && message.contains("leads out of the root folder"),
            "the message should name `{path}` and say that it leads out; it reads: {message}"
        );
    }
    resolve_error(&root, "src/../../root/src");
}

#[test]
fn test_ch3_resolve_does_not_reveal_what_is_outside() {
    let folder = folder_with(&["root/src/main.rs", "secret.txt"]);
    let root = folder.path().join("root");
    for above in ["..", "./..", "src/../.."] {
        let existing = resolve_error(&root, &format!("{above}/secret.txt"));
        let missing = resolve_error(&root, &format!("{above}/nothing.txt"));
        assert_eq!(
            existing.replace("secret", "nothing"),
            missing,
            "the message must not tell whether a path outside exists; on the left, `{above}/secret.txt` exists"
        );
    }
}

#[test]
fn test_ch3_resolve_refuses_absolute_paths() {
    let folder = folder_with(&["src/main.rs"]);
    let inside = folder.canonical().join("src").display().to_string();
    let outside = std::env::temp_dir().display().to_string();
    let missing = format!("{outside}/no-such-file");
    for path in [&outside, &inside, &missing] {
        let message = resolve_error(folder.path(), path);
        assert!(
            message.contains(&format!(
                "`{path}` is absolute; write it relative to the root folder, which is `.`"
            )),
            "whether `{path}` exists or not, the message should name it, say that it is absolute and how to write it; it reads: {message}"
        );
    }
}

#[test]
fn test_ch3_resolve_refuses_links_that_lead_out() {
    // The path of the folder `root-2` begins with that of the root as a text, and it is outside.
    let folder = folder_with(&["root/src/main.rs", "root-2/secret.txt"]);
    let root = folder.path().join("root");
    assert_resolves(&root, "src", folder.canonical().join("root/src"));
    if !symlink("../root-2", &root.join("away")) {
        return; // This system does not allow links.
    }
    for path in ["away", "away/secret.txt", "src/../away"] {
        let message = resolve_error(&root, path);
        assert!(
            message.contains(&format!("`{path}` leads out of the root folder")),
            "the message should name `{path}` as it was written and say that it leads out; it reads: {message}"
        );
    }
}

#[test]
fn test_ch3_resolve_follows_links_that_stay_inside() {
    let folder = folder_with(&["root/src/main.rs"]);
    let root = folder.path().join("root");
    let canonical = folder.canonical().join("root/src/main.rs");
    assert_resolves(&root, "src/main.rs", canonical.clone());
    if !symlink("src", &root.join("near")) {
        return; // This system does not allow links.
    }
    assert_resolves(&root, "near/main.rs", canonical.clone());
    // `..` after a link leads to the folder above the link's target.
    std::fs::create_dir_all(root.join("a/b")).expect("folders can be created");
    assert!(symlink("a/b", &root.join("deep")));
    std::fs::write(root.join("a/x"), "").expect("files can be written");
    assert_resolves(&root, "deep/../x", folder.canonical().join("root/a/x"));
    assert!(symlink("root", &folder.path().join("link-to-root")));
    assert_resolves(
        &folder.path().join("link-to-root"),
        "src/main.rs",
        canonical,
    );
}

#[test]
fn test_ch3_resolve_reports_a_missing_path() {
    let folder = folder_with(&["src/main.rs"]);
    // A system that does not allow links has no `dangling` at all.
    symlink("nothing", &folder.path().join("dangling"));
    for path in ["no/such/thing", "dangling"] {
        let message = resolve_error(folder.path(), path);
        assert!(
            message.contains(&format!("there is no `{path}` in the root folder")),
            "the message should say that the path, or the target of the link, does not exist; it reads: {message}"
        );
    }
}

#[test]
fn test_ch3_resolve_reports_a_path_that_cannot_be_opened() {
    let folder = folder_with(&["Cargo.toml"]);
    for path in ["Cargo.toml/src", "a\0b", &"long/".repeat(5000)] {
        let message = resolve_error(folder.path(), path);
        assert!(
            message.contains(&format!("`{path}`")),
            "the message should name the path as it was written, in backticks; it reads: {message}"
        );
    }
    // On Windows, such a path does not exist.
    let below_a_file = cfg!(unix).then_some("Cargo.toml/src");
    for path in ["a\0b"].into_iter().chain(below_a_file) {
        let message = resolve_error(folder.path(), path);
        let error = folder.path().join(path).canonicalize();
        let error = error.expect_err("the path cannot be opened");
        assert!(
            message.contains(&format!("cannot be opened: {error}")),
            "{path:?} is invalid rather than missing, and the system's error follows `cannot be opened: `; the message reads: {message}"
        );
    }
}

#[test]
fn test_ch3_resolve_reports_a_missing_root() {
    let folder = folder_with(&[]);
    let gone = folder.path().join("gone");
    let message = resolve_error(&gone, ".");
    let error = gone.canonicalize().expect_err("the root folder is missing");
    assert!(
        message.contains(&format!("the root folder cannot be opened: {error}")),
        "the message should name the root folder and give the system's error; it reads: {message}"
    );
    let message = resolve_error(&gone, "/");
    assert!(
        message.contains("is absolute"),
        "the text of the path is checked before the disk is read, so `/` is absolute even if the root folder is missing; the message reads: {message}"
    );
}
