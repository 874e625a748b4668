//! The settings of cargo that change how the course is built.

use std::env;
use std::path::Path;

use super::finding::Finding;
use crate::cargo_config::{self, ConfigFile};
use crate::repo::Repo;

/// A setting of cargo's: its variables, its keys in a configuration file, and what it changes.
struct Setting {
    variables: &'static [&'static str],
    keys: &'static [&'static str],
    effect: &'static str,
}

const SETTINGS: [Setting; 5] = [
    Setting {
        variables: &[
            "RUSTFLAGS",
            "CARGO_ENCODED_RUSTFLAGS",
            "CARGO_BUILD_RUSTFLAGS",
        ],
        keys: &["build", "rustflags"],
        effect: "changes how your code is compiled; with `-D warnings`, code that is not finished does not compile",
    },
    Setting {
        variables: &["CARGO_BUILD_TARGET"],
        keys: &["build", "target"],
        effect: "builds for another system, so that `cargo claw` and `cargo course` may not start",
    },
    Setting {
        variables: &["RUSTC_WRAPPER", "CARGO_BUILD_RUSTC_WRAPPER"],
        keys: &["build", "rustc-wrapper"],
        effect: "starts each compiler; if builds fail without a reason, turn it off",
    },
    Setting {
        variables: &["CARGO_TARGET_DIR", "CARGO_BUILD_TARGET_DIR"],
        keys: &["build", "target-dir"],
        effect: "builds in another folder; other projects that build there make the course wait",
    },
    Setting {
        variables: &[],
        keys: &["alias", "course"],
        effect: "replaces `cargo course`",
    },
];

/// Whether a variable or a configuration file outside the course changes the builds.
pub(super) fn configuration(repo: &Repo) -> Finding {
    let files = cargo_config::files(repo.root());
    for file in &files {
        if let Err(error) = &file.content {
            return Finding::missing(
                format!("{} cannot be read: {error}", file.path.display()),
                "Correct the file or rename it: cargo does not start with it.",
            );
        }
    }
    let is_outside = |file: &&ConfigFile| !file.path.starts_with(repo.root());
    let outside: Vec<&ConfigFile> = files.iter().filter(is_outside).collect();
    match SETTINGS.iter().find_map(|setting| find(setting, &outside)) {
        Some((source, effect)) => Finding::warning(
            format!("{source} {effect}"),
            "If a build fails or is slow, run the course without this setting.",
        ),
        None => Finding::ok("nothing changes the builds"),
    }
}

/// Where a setting is set, and its effect.
fn find(setting: &Setting, files: &[&ConfigFile]) -> Option<(String, &'static str)> {
    let is_set = |name: &&&str| env::var_os(name).is_some_and(|value| !value.is_empty());
    let variable = setting.variables.iter().find(is_set);
    let in_file = || {
        let file = files.iter().find(|file| file.get(setting.keys).is_some())?;
        Some(format!(
            "`{}` in {}",
            setting.keys.join("."),
            Path::display(&file.path)
        ))
    };
    let source = variable
        .map(|name| format!("the variable `{name}`"))
        .or_else(in_file)?;
    Some((source, setting.effect))
}
