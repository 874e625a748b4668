//! The official Python clients, by a script that reads what it is to try as JSON.

#[path = "../../../offline/tests/main/python.rs"]
mod python;

use std::path::Path;
use std::process::{Command, Stdio};

use python::{python, skip};
use serde_json::Value;

/// Runs the script of this name beside the tests. It fails with the script's words behind
/// `complaint`; where there is no Python with the clients, it says so and is content.
pub async fn run(script: &str, arguments: &[&str], input: Value, complaint: &str) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests")
        .join(script);
    let arguments: Vec<String> = arguments.iter().map(|it| it.to_string()).collect();
    let outcome = tokio::task::spawn_blocking(move || {
        let mut child = Command::new(python()?)
            .arg(script)
            .args(arguments)
            .env("NO_PROXY", "127.0.0.1")
            .stdin(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("Python starts");
        let stdin = child.stdin.take().expect("a pipe");
        serde_json::to_writer(stdin, &input).expect("Python reads");
        Ok::<_, String>(child.wait_with_output().expect("Python ends"))
    });
    match outcome.await.expect("no panic") {
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{complaint}:\n{said}");
        }
        Err(lack) => skip(&lack),
    }
}
