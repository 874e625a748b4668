//! Section 11.3: The path check

use std::path::Path;

use claw_code::permission::*;
use claw_code::safety::*;
use serde_json::json;

use super::support::*;
use crate::support::TempFolder;

#[test]
fn test_ch11_path_in_the_workspace_is_inside() {
    let workspace = TempFolder::with_files(&[("src/main.rs", "")]);
    let check = path_check(&workspace);
    for path in ["src/main.rs", "src/new.rs", ".", "src/../Cargo.toml"] {
        let inside = check.inside(Path::new(path));
        assert!(inside.is_ok(), "`{path}` is in the workspace: {inside:?}");
    }
    let absolute = workspace.canonical().join("src/main.rs");
    assert_eq!(
        check.inside(&absolute),
        Ok(absolute.clone()),
        "an absolute path in the workspace"
    );
}

#[test]
fn test_ch11_path_out_of_the_workspace_is_not_inside() {
    let workspace = TempFolder::new();
    let check = path_check(&workspace);
    for path in ["..", "../other/file", "/etc/passwd", "src/../../x"] {
        assert_eq!(
            check.inside(Path::new(path)),
            Err(format!("`{path}` leads out of the workspace")),
            "`{path}` is outside"
        );
    }
}

#[test]
fn test_ch11_folder_with_a_longer_name_is_not_inside() {
    let parent = TempFolder::with_files(&[("app/a", ""), ("app-data/a", "")]);
    let check = PathCheck::new(Places {
        workspace: parent.canonical().join("app"),
        home: None,
    });
    let inside = check.inside(Path::new("../app-data/a"));
    assert!(inside.is_err(), "`app-data` is not in `app`: {inside:?}");
}

#[test]
fn test_ch11_link_out_of_the_workspace_is_not_inside() {
    let workspace = TempFolder::new();
    link(&workspace, "docs", "/usr/share");
    link(&workspace, "new", "/usr/missing/file");
    for path in ["docs/x", "docs", "new", "docs/../x"] {
        let inside = path_check(&workspace).inside(Path::new(path));
        assert!(inside.is_err(), "`{path}` leads out by a link: {inside:?}");
    }
}

#[test]
fn test_ch11_workspace_may_be_reached_by_a_link() {
    let folder = TempFolder::with_files(&[("real/a", "")]);
    link(&folder, "link", "real");
    let check = PathCheck::new(Places {
        workspace: folder.canonical().join("link"),
        home: None,
    });
    let inside = check.inside(Path::new("a"));
    let real = folder.canonical().join("real/a");
    assert_eq!(inside, Ok(real), "both lead to the same folder");
}

#[test]
fn test_ch11_loop_of_links_may_lead_anywhere() {
    let workspace = TempFolder::new();
    link(&workspace, "loop", "loop");
    let error = "`loop` may lead anywhere: too many symbolic links";
    assert_eq!(
        path_check(&workspace).inside(Path::new("loop")),
        Err(error.to_string()),
        "a link to itself"
    );
    link(&workspace, ".git", ".git");
    let git = "`.git` is git's own data";
    for (path, expected) in [
        ("loop", Assessment::Risky(error.into())),
        (".git", Assessment::Forbidden(git.into())),
    ] {
        let judged = path_check(&workspace).judge(Path::new(path), Access::Write);
        assert_eq!(
            judged, expected,
            "the row of the written path decides first, and without one, `{path}` is not inside"
        );
    }
}

#[test]
fn test_ch11_plain_file_is_left_to_the_mode() {
    let workspace = TempFolder::new();
    let check = path_check(&workspace);
    for path in ["src/main.rs", ".git/../a"] {
        for access in [Access::Read, Access::Write] {
            let judged = check.judge(Path::new(path), access);
            assert_eq!(
                judged,
                Assessment::Unknown,
                "nothing is wrong with `{path}`"
            );
        }
    }
}

#[test]
fn test_ch11_row_of_a_protected_file_decides_by_access() {
    let workspace = TempFolder::new();
    let check = path_check(&workspace);
    let secret = Assessment::Risky("`.env` is a file with secrets".into());
    assert_eq!(check.judge(Path::new(".env"), Access::Read), secret);
    let git = Path::new(".git/config");
    assert_eq!(check.judge(git, Access::Read), Assessment::Unknown);
    let denied = Assessment::Forbidden("`.git/config` is git's own data".into());
    assert_eq!(
        check.judge(git, Access::Write),
        denied,
        "the row denies writing"
    );
}

#[test]
fn test_ch11_link_to_a_protected_file_is_protected() {
    let home = TempFolder::with_files(&[(".ssh/id_ed25519", "")]);
    let files = [(".env", ""), (".git/config", ""), (".git/hooks/x", "")];
    let workspace = TempFolder::with_files(&files);
    link(&workspace, "notes.txt", ".env");
    let judged = path_check(&workspace).judge(Path::new("notes.txt"), Access::Read);
    assert_eq!(
        judged,
        Assessment::Risky("`notes.txt` is a file with secrets".into()),
        "the link leads to `.env`"
    );
    link(&workspace, "key", home.canonical().join(".ssh/id_ed25519"));
    link(&workspace, ".env.local", ".git/config");
    link(&workspace, "hooks", ".git/hooks");
    for path in ["key", ".env.local", "hooks/../config"] {
        let judged = path_check(&workspace).judge(Path::new(path), Access::Write);
        assert!(
            matches!(judged, Assessment::Forbidden(_)),
            "`{path}` leads to a file that nothing may change: {judged:?}"
        );
    }
    link(&workspace, ".git/hook", workspace.canonical().join(".env"));
    let judged = path_check(&workspace).judge(Path::new(".git/hook"), Access::Write);
    assert_eq!(
        judged,
        Assessment::Forbidden("`.git/hook` is git's own data".into()),
        "the stricter row counts: the row `.git` denies, and that of `.env` only asks"
    );
}

#[test]
fn test_ch11_protected_name_of_a_link_counts_too() {
    let files = [("settings", ""), (".env.local", ""), ("server.pem", "")];
    let workspace = TempFolder::with_files(&files);
    link(&workspace, ".env", "settings");
    link(&workspace, ".env.example", ".env.local");
    link(&workspace, ".npmrc", "server.pem");
    for (path, what) in [
        (".env", "a file with secrets"),
        (".env.example", "a file with secrets"),
        (".npmrc", "a key"),
    ] {
        let judged = path_check(&workspace).judge(Path::new(path), Access::Read);
        let expected = Assessment::Risky(format!("`{path}` is {what}"));
        assert_eq!(
            judged, expected,
            "`{path}` is a link: of two rows that ask, that of the path to which it leads counts"
        );
    }
}

#[test]
fn test_ch11_path_out_of_the_workspace_is_risky() {
    for (path, reason) in [
        ("/etc/passwd", "leads out of the workspace"),
        ("/missing/.gitconfig", "leads out of the workspace"),
        ("/missing/.env", "is a file with secrets"),
    ] {
        let judged = path_check(&TempFolder::new()).judge(Path::new(path), Access::Read);
        let expected = Assessment::Risky(format!("`{path}` {reason}"));
        assert_eq!(judged, expected, "reading `{path}`");
    }
}

#[test]
fn test_ch11_call_is_judged_by_its_path_and_its_tool() {
    let workspace = TempFolder::new();
    let check = path_check(&workspace);
    let assess = |arguments| check.assess(&call("edit", arguments), &tool("edit"));
    let git = assess(json!({ "path": ".git/config" }));
    assert!(
        matches!(git, Assessment::Forbidden(_)),
        "it writes: {git:?}"
    );
    let read = call("read", json!({ "path": ".git/config" }));
    let read = check.assess(&read, &tool("read").read_only());
    assert_eq!(read, Assessment::Unknown, "it only reads");
    let outside = assess(json!({ "path": "../x" }));
    assert!(
        matches!(outside, Assessment::Forbidden(_)),
        "the tool refuses it: {outside:?}"
    );
    assert_eq!(check.name(), "paths", "explanations name the check");
}
