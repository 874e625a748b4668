//! Section 11.2: Protected files

use std::path::Path;

use claw_code::safety::*;
use claw_code::types::PermissionBehavior::{self, Allow, Ask, Deny};

/// Checks what happens to calls that read or write the path; `None` if it is not protected.
#[track_caller]
fn assert_row(path: &str, expected: Option<(PermissionBehavior, PermissionBehavior)>) {
    let row = protection(Path::new(path)).map(|row| (row.read.clone(), row.write.clone()));
    assert_eq!(row, expected, "reading and writing `{path}`");
}

#[test]
fn test_ch11_protected_file_is_found_in_any_folder() {
    assert_row("/work/app/.env", Some((Ask, Ask)));
    assert_row("/work/app/deploy/prod/.env", Some((Ask, Ask)));
    assert_row("/home/ada/.bashrc", Some((Allow, Ask)));
    assert_row("/home/ada/.gitconfig", Some((Allow, Ask)));
    assert_row("/work/app/.npmrc", Some((Ask, Ask)));
}

#[test]
fn test_ch11_files_in_a_protected_folder_are_protected() {
    assert_row("/work/app/.git", Some((Allow, Deny)));
    assert_row("/work/app/.git/hooks/pre-commit", Some((Allow, Deny)));
    assert_row("/work/app/.claw/settings.json", Some((Allow, Deny)));
    assert_row("/work/app/.vscode/tasks.json", Some((Allow, Ask)));
    assert_row("/home/ada/.ssh/config", Some((Ask, Deny)));
    assert_row("/home/ada/.config/gh/hosts.yml", Some((Ask, Deny)));
}

#[test]
fn test_ch11_star_is_any_text_at_one_end() {
    assert_row("/work/app/.env.production", Some((Ask, Ask)));
    assert_row("/work/app/server.pem", Some((Ask, Ask)));
    assert_row("/home/ada/id_ed25519.pub", Some((Ask, Deny)));
}

#[test]
fn test_ch11_first_row_decides() {
    assert_row("/work/app/.env.example", Some((Allow, Allow)));
    assert_row("/work/app/.vscode/.env", Some((Ask, Ask)));
    assert_row("/work/app/.git/.env", Some((Allow, Deny)));
}

#[test]
fn test_ch11_names_of_a_row_follow_each_other() {
    assert_row("/home/ada/.docker/config.json", Some((Ask, Deny)));
    assert_row("/home/ada/config.json", None);
    assert_row("/home/ada/.docker/x/config.json", None);
}

#[test]
fn test_ch11_names_that_are_alike_are_not_protected() {
    for path in [
        "/work/app/.gitignore",
        "/work/app/git/x",
        "/work/app/src/env.rs",
        "/work/app/key.rs",
        "/",
    ] {
        assert_row(path, None);
    }
}

#[test]
fn test_ch11_folded_names_are_protected() {
    assert_row("/work/app/.GIT/config", Some((Allow, Deny)));
    assert_row("/work/app/.Env", Some((Ask, Ask)));
}
