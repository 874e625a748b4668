//! Commands that write 200 MB.

use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};

use claw_code_solutions::tools::run_bash;
use claw_code_solutions::tools::shell::Timing;
use serde_json::json;

use crate::harness::{Measure, seconds};

/// The measures of this file. `scale` shrinks the output.
pub fn measures(scale: usize) -> Vec<Measure<'static>> {
    let bytes = 200_000_000 / scale;
    let measure = |(name, line, at_most): (&str, String, f64)| {
        let command = format!("yes {line} | head -c {bytes}");
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime");
        let args = json!({ "command": command });
        Measure::new(format!("bash: 200 MB of {name} lines"), move || {
            let run = run_bash(Path::new("/"), &args, Timing::default());
            seconds(|| {
                let result = runtime.block_on(run).expect("the command runs");
                assert!(result.is_truncated && !result.is_error);
            })
        })
        .at_most(at_most)
        .peer(
            "sh",
            "its output is read and dropped: the lower bound",
            move || seconds(|| assert_eq!(read_and_drop(&command), bytes)),
        )
    };
    let lines = [
        ("two-byte", "y".to_string(), 2.0),
        ("80-byte", "x".repeat(79), 1.5),
    ];
    lines.map(measure).into()
}

/// The number of bytes that `command` writes.
fn read_and_drop(command: &str) -> usize {
    let mut shell = Command::new("sh");
    let mut child = shell
        .args(["-c", command])
        .stdout(Stdio::piped())
        .spawn()
        .expect("sh starts");
    let mut output = child.stdout.take().expect("a pipe");
    let mut buffer = vec![0; 64 * 1024];
    let mut total = 0;
    loop {
        match output.read(&mut buffer).expect("the pipe can be read") {
            0 => break,
            count => total += count,
        }
    }
    child.wait().expect("sh ends");
    total
}
