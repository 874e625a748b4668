//! Search in the sources that cargo has downloaded, next to `rg` if it is installed.
//!
//! The tool is a function; `rg` is a program that has to be started, which takes a few of
//! the hundred and more milliseconds of a search.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use claw_code_solutions::tools::{glob, grep};
use divan::Bencher;
use serde_json::json;
use tokio_util::sync::CancellationToken;

/// Each search: its name, the call's arguments, and ripgrep's arguments.
const SEARCHES: &[(&str, &str, &[&str])] = &[
    (
        "rare",
        r#"{"pattern": "unsafe impl Send"}"#,
        &["-n", "unsafe impl Send"],
    ),
    ("common", r#"{"pattern": "self"}"#, &["-n", "self"]),
    (
        "files",
        r#"{"pattern": "fn main", "output_mode": "files"}"#,
        &["-l", "fn main"],
    ),
    (
        "count",
        r#"{"pattern": "fn [a-z]+_mut", "output_mode": "count"}"#,
        &["-c", "fn [a-z]+_mut"],
    ),
];

const NAMES: [&str; 4] = ["rare", "common", "files", "count"];

fn main() {
    match sources() {
        Some(_) => divan::main(),
        None => println!("not measured: cargo has no sources here"),
    }
}

#[divan::bench(args = NAMES, sample_count = 15)]
fn tool(bencher: Bencher, name: &str) {
    let root = sources().expect("main has checked that the folder exists");
    let args = serde_json::from_str(search(name).1).expect("arguments");
    bencher.bench_local(|| grep(&root, &args, &CancellationToken::new()));
}

#[divan::bench(args = NAMES, sample_count = 15)]
fn ripgrep(bencher: Bencher, name: &str) {
    let root = sources().expect("main has checked that the folder exists");
    bencher.bench_local(|| {
        let mut rg = Command::new("rg");
        rg.arg("--no-config").args(search(name).2).arg(&root);
        rg.stdout(Stdio::null()).status().is_ok()
    });
}

#[divan::bench(sample_count = 15)]
fn tool_glob(bencher: Bencher) {
    let root = sources().expect("main has checked that the folder exists");
    let args = json!({ "pattern": "*.toml" });
    bencher.bench_local(|| glob(&root, &args, &CancellationToken::new()));
}

fn search(name: &str) -> &'static (&'static str, &'static str, &'static [&'static str]) {
    let mut all = SEARCHES.iter();
    all.find(|one| one.0 == name).expect("a name of the table")
}

/// The folder into which cargo unpacks downloaded sources.
fn sources() -> Option<PathBuf> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(std::env::home_dir()?.join(".cargo")))?;
    Some(home.join("registry/src")).filter(|sources| sources.is_dir())
}
