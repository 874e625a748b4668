//! Runs the official Python clients, with a script that reads its test cases as JSON.

#[path = "../../../offline/tests/main/clients/python.rs"]
mod python;
#[path = "../../../offline/tests/main/clients/skip.rs"]
mod skip;

use std::path::Path;
use std::process::{Command, Stdio};

use python::python;
use serde_json::Value;
use skip::report_skip;

/// Runs the script with this name in the folder of the tests. If the script fails, this
/// panics with `complaint` and the script's error output. Without a Python that has the
/// clients, it reports that it skips the test.
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
            let text = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{complaint}:\n{text}");
        }
        Err(reason) => report_skip("packages of Python", &reason),
    }
}
