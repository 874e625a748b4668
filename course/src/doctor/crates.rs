//! The crates, and the network from which they come.

use std::fs;
use std::io;

use tempfile::TempDir;

use super::finding::{Finding, for_system};
use super::program::output;
use super::toolchain::rustc;
use crate::cargo;
use crate::crate_cache::{CrateCache, WORKSPACES};
use crate::repo::Repo;

/// Whether all crates are on this machine or can be downloaded.
pub(super) fn crates(repo: &Repo) -> Finding {
    let (missing, all) = match CrateCache::load(repo) {
        Ok(crates) => (crates.missing(), crates.count()),
        Err(error) => {
            return Finding::missing(
                format!("{error:#}"),
                "Run `git restore Cargo.lock course/Cargo.lock`.",
            );
        }
    };
    if missing == 0 {
        return Finding::ok("all are on this machine; no network is needed");
    }
    if has_all_of_this_system(repo) {
        return Finding::ok("all that this system needs are on this machine; no network is needed");
    }
    let found = format!("{missing} of {all} are not on this machine");
    match ask_registry() {
        Ok(()) => Finding::warning(
            format!("{found}; they can be downloaded"),
            "Run `cargo course fetch` while you are online. Otherwise, chapters download what they need when you open them.",
        ),
        Err(error) if error.contains("offline mode") => Finding::missing(
            format!("{found}, and cargo is in offline mode"),
            "Unset `CARGO_NET_OFFLINE`, remove `offline` from the part `[net]` of cargo's configuration, and run `cargo course fetch`. For a room without network, a teacher prepares `cargo course bundle`.",
        ),
        Err(error) => Finding::missing(
            format!("{found}, and none can be downloaded: {error}"),
            for_system(
                "Go online and run `cargo course fetch`. Behind a proxy, set `https_proxy`. If your network has a mirror of crates.io, name it in ~/.cargo/config.toml. For a room without network, a teacher prepares `cargo course bundle`.",
                "Go online and run `cargo course fetch`. Behind a proxy, set `https_proxy`. If your network has a mirror of crates.io, name it in ~/.cargo/config.toml. For a room without network, a teacher prepares `cargo course bundle`.",
                "Go online and run `cargo course fetch`. Behind a proxy, set the variable `https_proxy`. If your network has a mirror of crates.io, name it in .cargo\\config.toml in your user folder. For a room without network, a teacher prepares `cargo course bundle`.",
            ),
        ),
    }
}

/// Whether only crates for other systems are missing.
fn has_all_of_this_system(repo: &Repo) -> bool {
    let Ok(version) = output(rustc().arg("-vV")) else {
        return false;
    };
    let Some(host) = version.lines().find_map(|line| line.strip_prefix("host: ")) else {
        return false;
    };
    WORKSPACES.iter().all(|workspace| {
        let mut command = cargo::cargo();
        command
            .args(["fetch", "--offline", "--locked", "--target", host])
            .arg("--manifest-path")
            .arg(repo.root().join(workspace));
        output(&mut command).is_ok()
    })
}

/// Lets cargo look up one crate, so that its proxies and mirrors count.
fn ask_registry() -> Result<(), String> {
    let package = || -> io::Result<TempDir> {
        let folder = TempDir::with_prefix("doctor-")?;
        fs::create_dir(folder.path().join("src"))?;
        fs::write(folder.path().join("src/lib.rs"), "")?;
        fs::write(folder.path().join("Cargo.toml"), PACKAGE)?;
        Ok(folder)
    };
    let package = package().map_err(|error| error.to_string())?;
    let mut command = cargo::cargo();
    command
        .args(["generate-lockfile", "--quiet"])
        .current_dir(package.path())
        .env("CARGO_HTTP_TIMEOUT", "5")
        .env("CARGO_NET_RETRY", "0");
    let asked = output(&mut command).map_err(|error| error.to_string());
    asked.map(drop)
}

const PACKAGE: &str = "\
[package]
name = \"doctor\"
edition = \"2021\"

[dependencies]
anyhow = \"1\"

[workspace]
";
