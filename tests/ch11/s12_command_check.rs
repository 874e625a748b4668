//! Section 11.12: The command check

use claw_code::permission::*;
use claw_code::safety::*;
use claw_code::types::*;
use serde_json::json;

use super::support::*;
use crate::support::TempFolder;

/// What the check says about a command in this workspace.
fn assess(workspace: &TempFolder, command: &str) -> Assessment {
    let check = CommandCheck::new(path_check(workspace));
    check.assess(&call("bash", json!({ "command": command })), &tool("bash"))
}

#[test]
fn test_ch11_read_only_command_is_harmless() {
    let workspace = TempFolder::new();
    for command in ["ls", "git status", "cat a | wc -l", "ls 2>/dev/null"] {
        assert_eq!(
            assess(&workspace, command),
            Assessment::Harmless,
            "{command}"
        );
    }
}

#[test]
fn test_ch11_command_that_writes_is_left_to_the_mode() {
    assert_eq!(assess(&TempFolder::new(), "touch a"), Assessment::Unknown);
    assert_eq!(
        assess(&TempFolder::new(), "cargo test"),
        Assessment::Unknown
    );
}

#[test]
fn test_ch11_worst_harmless_class_can_be_set() {
    let workspace = TempFolder::new();
    let check = CommandCheck::new(path_check(&workspace)).harmless(CommandClass::Writes);
    let assess = |command| {
        let call = call("bash", json!({ "command": command }));
        check.assess(&call, &tool("bash"))
    };
    assert_eq!(assess("touch a"), Assessment::Harmless, "it writes");
    assert_eq!(assess("ls"), Assessment::Harmless, "a milder class");
    assert_eq!(assess("cargo test"), Assessment::Unknown, "nobody knows");
    let git = assess("touch .git/x");
    assert!(
        matches!(git, Assessment::Forbidden(_)),
        "a protected file: {git:?}"
    );
    let check = check.harmless(CommandClass::Network);
    let curl = call("bash", json!({ "command": "curl x" }));
    assert_eq!(
        check.assess(&curl, &tool("bash")),
        Assessment::Harmless,
        "a class up to the one that is harmless is harmless, also `Network`"
    );
}

#[test]
fn test_ch11_dangerous_class_is_risky() {
    let network = Assessment::Risky("it may use the network".into());
    assert_eq!(assess(&TempFolder::new(), "curl x"), network);
    let destructive = Assessment::Risky("it may delete data or stop programs".into());
    assert_eq!(assess(&TempFolder::new(), "rm x"), destructive);
}

#[test]
fn test_ch11_path_decides_before_the_class() {
    let workspace = TempFolder::new();
    let risky = |reason: &str| Assessment::Risky(reason.into());
    let outside = risky("`./../missing.txt` leads out of the workspace");
    assert_eq!(assess(&workspace, "cat ../missing.txt"), outside);
    let secret = risky("`./.env` is a file with secrets");
    assert_eq!(assess(&workspace, "cat < .env"), secret);
    let git = Assessment::Forbidden("`./.git/config` is git's own data".into());
    assert_eq!(
        assess(&workspace, "cat ../missing.txt; echo > .git/config"),
        git
    );
}

#[test]
fn test_ch11_link_is_followed() {
    let workspace = TempFolder::new();
    link(&workspace, "docs", "/usr/share");
    let judged = assess(&workspace, "ls docs/man");
    assert!(
        matches!(judged, Assessment::Risky(_)),
        "it leads out: {judged:?}"
    );
}

#[test]
fn test_ch11_path_starts_in_the_folder_of_the_call() {
    let workspace = TempFolder::with_files(&[("src/a", "")]);
    let check = CommandCheck::new(path_check(&workspace));
    let assess = |command: &str, directory: &str| {
        let arguments = json!({ "command": command, "directory": directory });
        check.assess(&call("bash", arguments), &tool("bash"))
    };
    assert_eq!(
        assess("cat ../b", "src"),
        Assessment::Harmless,
        "the workspace"
    );
    let outside = assess("ls", "..");
    assert!(
        matches!(outside, Assessment::Risky(_)),
        "another folder: {outside:?}"
    );
    assert_eq!(
        assess("rm x", ".."),
        Assessment::Risky("`..` leads out of the workspace".into()),
        "the folder of the call decides before the class"
    );
    let arguments = json!({ "command": "cat .env", "directory": null });
    assert_eq!(
        check.assess(&call("bash", arguments), &tool("bash")),
        Assessment::Risky("`./.env` is a file with secrets".into()),
        "the folder of the call is `.` if its `directory` is no text"
    );
}

#[test]
fn test_ch11_path_is_judged_from_every_folder() {
    let workspace = TempFolder::with_files(&[("src/a", "")]);
    link(&workspace, "src/out", "/usr");
    assert_eq!(assess(&workspace, "cd src && cat a"), Assessment::Harmless);
    for command in [
        "cd src && ls out",
        "cd .git && touch config",
        "cd /usr; ls",
        "ls out; cd src",
    ] {
        let judged = assess(&workspace, command);
        assert_ne!(judged, Assessment::Harmless, "{command}");
        assert_ne!(judged, Assessment::Unknown, "{command}");
    }
}

#[test]
fn test_ch11_too_many_folders_are_risky() {
    let workspace = TempFolder::new();
    let changes = |count| format!("{}ls", "cd a; ".repeat(count));
    assert_eq!(
        assess(&workspace, &changes(5)),
        Assessment::Risky("it changes the folder too often".into()),
        "five changes"
    );
    assert_eq!(
        assess(&workspace, &changes(4)),
        Assessment::Harmless,
        "four changes lead to 16 folders at most, and each of them is judged"
    );
}

#[test]
fn test_ch11_call_without_a_command_is_unknown() {
    let check = CommandCheck::new(path_check(&TempFolder::new()));
    for arguments in [
        json!({}),
        json!(null),
        json!({ "command": 5 }),
        json!({ "path": ".." }),
    ] {
        let judged = check.assess(&call("read", arguments), &tool("read"));
        assert_eq!(judged, Assessment::Unknown, "there is no command");
    }
}

#[test]
fn test_ch11_engine_asks_about_destructive_commands_in_auto_mode() {
    let workspace = TempFolder::new();
    let engine = PermissionEngine::builder(Rules::new(places(&workspace)))
        .mode(PermissionMode::Auto)
        .check(CommandCheck::new(path_check(&workspace)))
        .build();
    let decide = |command| {
        let call = call("bash", json!({ "command": command }));
        engine.evaluate(&call, &tool("bash"))
    };
    let allowed = decide("ls");
    assert_eq!(allowed.permission, Permission::Allow, "it changes nothing");
    assert_eq!(
        allowed.source,
        PermissionSource::Safety("commands".into()),
        "`--explain` names this check"
    );
    let asked = decide("rm x").permission;
    assert!(
        matches!(asked, Permission::Ask(_)),
        "it may delete data: {asked:?}"
    );
}

#[test]
fn test_ch11_every_command_of_the_corpus_has_its_class() {
    let mut wrong = Vec::new();
    let workspace = TempFolder::new();
    assess(&workspace, "ls");
    for (name, command) in corpus() {
        let found = classify(&command).class;
        if found != class(name) {
            wrong.push(format!(
                "{command:?} is {found:?}, and {name} in commands.txt"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
