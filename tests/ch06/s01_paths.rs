//! Section 6.1: Where a file may go

use claw_code::tools::*;

use super::support::*;

#[test]
fn test_ch6_place_of_what_is_there() {
    let folder = folder(&[("src/main.rs", "")]);
    let root = real(&folder);
    for (path, place) in [
        ("src/main.rs", root.join("src/main.rs")),
        ("./src/../src/main.rs", root.join("src/main.rs")),
        ("src", root.join("src")),
        (".", root.clone()),
    ] {
        for (of, found) in [
            ("destination", destination(&root, path)),
            ("existing", existing(&root, path)),
        ] {
            assert_eq!(found, Ok(place.clone()), "{of}: `{path}` is there");
        }
    }
}

#[test]
fn test_ch6_place_of_new_files() {
    let folder = folder(&[("src/main.rs", "")]);
    let root = real(&folder);
    for (path, place) in [
        ("new.txt", "new.txt"),
        ("./new.txt", "new.txt"),
        ("src/new.rs", "src/new.rs"),
        ("a/b/c/new.rs", "a/b/c/new.rs"),
        ("src/../new.txt", "new.txt"),
        ("src/deep/er/new.rs", "src/deep/er/new.rs"),
    ] {
        assert_eq!(
            destination(&root, path),
            Ok(root.join(place)),
            "`{path}` is not there yet, and this is where it goes"
        );
    }
    assert_eq!(names(&root), ["src"], "asking for a place makes nothing");
    if link("src", &root.join("near")) {
        assert_eq!(
            destination(&root, "near/deep/new.rs"),
            Ok(root.join("src/deep/new.rs")),
            "a link to a folder inside is followed, and the place is free of links"
        );
    }
}

#[test]
fn test_ch6_place_refuses_what_leads_out() {
    let folder = folder(&[("root/src/main.rs", ""), ("outside/secret.txt", "")]);
    let root = folder.path().join("root");
    for path in ["../new.txt", "src/../../new.txt", "no/../../new.txt"] {
        says(
            &destination(&root, path),
            path,
            &[path, "leads out of the root folder"],
        );
    }
    says(&destination(&root, "/new.txt"), "/new.txt", &["absolute"]);
    if !link("../outside", &root.join("away")) {
        return; // This system does not let us make links.
    }
    for path in [
        "away/new.txt",
        "away/deep/er/new.txt",
        "src/../away/new.txt",
    ] {
        says(
            &destination(&root, path),
            path,
            &["away", "leads out of the root folder"],
        );
    }
}

#[test]
fn test_ch6_place_refuses_links_to_nothing() {
    let folder = folder(&[("root/src/main.rs", "")]);
    let root = folder.path().join("root");
    if !link("../gone.txt", &root.join("out")) || !link("gone", &root.join("src/in")) {
        return; // This system does not let us make links.
    }
    for (path, named) in [
        ("out", "`out`"),
        ("src/in", "`src/in`"),
        ("src/in/new.txt", "`src/in`"),
    ] {
        for (of, place) in [
            ("destination", destination(&root, path)),
            ("existing", existing(&root, path)),
        ] {
            let what = format!("{of} of {path}, a link to nothing on the way");
            says(&place, &what, &[named, "a link that leads to nothing"]);
        }
    }
    assert!(link("round", &root.join("round")), "a link to itself");
    says(&destination(&root, "round"), "round", &["cannot be opened"]);
}

#[test]
fn test_ch6_place_bad_paths() {
    let folder = folder(&[("Cargo.toml", "")]);
    let root = real(&folder);
    for (path, words) in [
        ("new/", "names a folder"),
        ("new/.", "names a folder"),
        ("new/../other.txt", "has no `..` in it"),
        ("Cargo.toml/new", "cannot be opened"),
        ("a\0b", "cannot be opened"),
    ] {
        says(&destination(&root, path), path, &[path, words]);
    }
    says(
        &existing(&root, "src/no.rs"),
        "src/no.rs",
        &["there is no `src/no.rs`"],
    );
    let gone = root.join("gone");
    says(
        &destination(&gone, "new.txt"),
        "new.txt",
        &["the root folder cannot be opened"],
    );
}
