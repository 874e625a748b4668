//! Section 3.2: Where a path leads

use claw_code::tools::*;

use super::support::*;

#[test]
fn test_ch3_resolve_inside() {
    let folder = Folder::new(&["src/main.rs", "src/bin/tool.rs"]);
    let root = folder.real();
    for (path, leads_to) in [
        (".", root.clone()),
        ("", root.clone()),
        ("src", root.join("src")),
        ("./src/", root.join("src")),
        ("src/main.rs", root.join("src/main.rs")),
        ("src/bin/../main.rs", root.join("src/main.rs")),
        ("src/..", root.clone()),
    ] {
        assert_eq!(
            resolve(folder.path(), path),
            Ok(leads_to),
            "`{path}` lies inside the root folder; the place has neither `.` nor `..` in it"
        );
    }
}

#[test]
fn test_ch3_resolve_refuses_climbing() {
    let folder = Folder::new(&["root/src/main.rs", "secret.txt"]);
    let root = folder.path().join("root");
    for path in [
        "..",
        "../secret.txt",
        "src/../../secret.txt",
        "./../secret.txt",
    ] {
        let message = refused(resolve(&root, path), path);
        assert!(
            message.contains(path),
            "the message repeats the path as the model wrote it, `{path}`; it says: {message}"
        );
        assert!(
            message.contains("leads out of the root folder"),
            "the message says what is wrong with `{path}`; it says: {message}"
        );
    }
    let there = refused(resolve(&root, "../secret.txt"), "../secret.txt");
    let not_there = refused(resolve(&root, "../nothing.txt"), "../nothing.txt");
    assert_eq!(
        there.replace("secret", "nothing"),
        not_there,
        "the answer to a path outside must not tell whether something is there"
    );
    refused(resolve(&root, "src/../../root/src"), "src/../../root/src");
}

#[test]
fn test_ch3_resolve_refuses_absolute_paths() {
    let folder = Folder::new(&["src/main.rs"]);
    let inside = folder.real().join("src").display().to_string();
    let outside = std::env::temp_dir().display().to_string();
    for path in [outside.as_str(), inside.as_str()] {
        let message = refused(resolve(folder.path(), path), path);
        assert!(
            message.contains(path) && message.contains("absolute"),
            "the message names `{path}` and says that it is absolute; it says: {message}"
        );
    }
}

#[test]
fn test_ch3_resolve_refuses_links_that_lead_out() {
    let folder = Folder::new(&["root/src/main.rs", "outside/secret.txt"]);
    let root = folder.path().join("root");
    let made = link("../outside", &root.join("away")) && link("src", &root.join("near"));
    let missing = refused(resolve(&root, "no/such/thing"), "no/such/thing");
    assert!(
        missing.contains("there is no `no/such/thing`"),
        "a path that names nothing is an error that says so; it says: {missing}"
    );
    if !made {
        return; // This system does not let us make links.
    }
    for path in ["away", "away/secret.txt", "src/../away"] {
        let message = refused(resolve(&root, path), path);
        assert!(
            message.contains("leads out of the root folder"),
            "`{path}` leads out through a link; the message says: {message}"
        );
    }
    assert_eq!(
        resolve(&root, "near/main.rs"),
        Ok(folder.real().join("root/src/main.rs")),
        "a link that stays inside is followed, and the place is free of links"
    );
    assert!(link("root", &folder.path().join("to-root")));
    assert_eq!(
        resolve(&folder.path().join("to-root"), "src"),
        Ok(folder.real().join("root/src")),
        "the root folder itself may be reached through a link"
    );
}

#[test]
fn test_ch3_resolve_bad_paths() {
    let folder = Folder::new(&["Cargo.toml"]);
    for path in ["Cargo.toml/src", "a\0b", &"long/".repeat(5000)] {
        let message = refused(resolve(folder.path(), path), path);
        assert!(
            message.contains(path),
            "the message names the path that cannot be opened; it says: {message}"
        );
    }
    let message = refused(resolve(folder.path(), "a\0b"), "a\0b");
    assert!(
        message.contains("cannot be opened"),
        "what is wrong with this path is not that it is missing; the message says: {message}"
    );
    let gone = folder.path().join("gone");
    let message = refused(resolve(&gone, "."), ".");
    assert!(
        message.contains("the root folder cannot be opened"),
        "when the root folder is missing, the message says that it is this one; it says: {message}"
    );
}
