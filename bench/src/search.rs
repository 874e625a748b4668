//! Searches in the sources that cargo has downloaded, beside `rg`.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use claw_code_solutions::tools::grep;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::harness::{Measure, seconds};

/// The measures of this file; none if there is no `rg` or if cargo has no sources here.
pub fn measures(scale: usize) -> Vec<Measure<'static>> {
    let found = Command::new("rg")
        .arg("--version")
        .stdout(Stdio::null())
        .status();
    let (Some(root), Ok(_)) = (sources(scale), found) else {
        eprintln!("grep is not measured: it needs `rg` and cargo's downloaded sources");
        return Vec::new();
    };
    let patterns = [
        ("rare text", "unsafe impl Send"),
        ("common text", "self"),
        ("expression", "fn [a-z]+_mut"),
        ("alternatives", "panic!|todo!|unreachable!"),
    ];
    let modes = [("content", "-n"), ("files", "-l"), ("count", "-c")];
    let pairs = patterns
        .iter()
        .flat_map(|pattern| modes.map(|mode| (*pattern, mode)));
    let measure =
        |((name, pattern), (mode, option)): ((&str, &'static str), (&str, &'static str))| {
            let args = json!({ "pattern": pattern, "output_mode": mode });
            let (ours, root) = (root.clone(), root.clone());
            Measure::new(format!("grep, {mode}, {name}"), move || {
                search(&ours, &args)
            })
            .at_most(1.0)
            .peer("rg", "in no order; prints every match", move || {
                let mut rg = Command::new("rg");
                rg.args(["--no-config", option, pattern]).arg(&root);
                seconds(|| rg.stdout(Stdio::null()).status().expect("rg runs"))
            })
        };
    pairs.map(measure).collect()
}

fn search(root: &PathBuf, args: &Value) -> f64 {
    seconds(|| assert!(!grep(root, args, &CancellationToken::new()).is_error))
}

/// The folder into which cargo unpacks downloaded sources; scaled down, one crate of them.
fn sources(scale: usize) -> Option<PathBuf> {
    if scale > 1 {
        return Some(PathBuf::from(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../solutions"
        )));
    }
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(std::env::home_dir()?.join(".cargo")))?;
    Some(home.join("registry/src")).filter(|sources| sources.is_dir())
}
