//! Searches in the sources that cargo has downloaded, beside `rg`.

use std::path::{Path, PathBuf};
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
            let [ours, unsorted, sorted] = [(); 3].map(|()| root.clone());
            let measure = Measure::new(format!("grep, {mode}, {name}"), move || {
                search(&ours, &args)
            });
            let note = "in no order; prints every match";
            let measure = measure.at_most(1.0).peer("rg", note, move || {
                run_rg(&["--no-config", option, pattern], &unsorted)
            });
            // The order costs all modes the same.
            if name != "rare text" {
                return measure;
            }
            let note = "in the order of paths, which takes one thread; prints every match";
            measure.peer("rg --sort path", note, move || {
                run_rg(&["--no-config", "--sort", "path", option, pattern], &sorted)
            })
        };
    pairs.map(measure).collect()
}

fn run_rg(args: &[&str], root: &Path) -> f64 {
    let mut rg = Command::new("rg");
    rg.args(args).arg(root).stdout(Stdio::null());
    seconds(|| rg.status().expect("rg runs"))
}

fn search(root: &Path, args: &Value) -> f64 {
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
