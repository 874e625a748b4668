//! `claw-offline`, the program.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Output, Stdio};

use crate::support::{client, read, rule_server};

const PROGRAM: &str = env!("CARGO_BIN_EXE_claw-offline");

/// A running program. It ends with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn run(arguments: &[&str]) -> Output {
    Command::new(PROGRAM)
        .args(arguments)
        .output()
        .expect("the program starts")
}

#[tokio::test]
async fn the_program_prints_its_url_and_serves() {
    let child = Command::new(PROGRAM)
        .args(["--port", "0"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let mut running = Running(child);
    let mut url = String::new();
    let output = running.0.stdout.take().expect("its output is a pipe");
    BufReader::new(output)
        .read_line(&mut url)
        .expect("it prints a line");
    let request = client().get(format!("{}/v1/models", url.trim()));
    let response = request.send().await.unwrap();
    let models = read(response).await.unwrap().json();
    assert_eq!(models["data"][0]["id"], "claw-offline");
}

#[test]
fn help_says_what_the_program_is() {
    let help = run(&["--help"]);
    assert!(help.status.success());
    let text = String::from_utf8(help.stdout).unwrap();
    assert!(text.contains("not a neural network"), "{text}");
    assert!(text.contains("--port"), "{text}");
}

#[test]
fn version_prints_the_name_and_the_version() {
    let version = String::from_utf8(run(&["--version"]).stdout).unwrap();
    let expected = concat!("claw-offline ", env!("CARGO_PKG_VERSION"));
    assert_eq!(version.trim(), expected);
}

#[test]
fn invalid_arguments_print_the_usage() {
    for (arguments, expected) in [
        (&["--port"][..], "--port needs a number"),
        (&["--port", "99999"], "is not a number from 0 to 65535"),
        (&["--port=x"], "is not a number from 0 to 65535"),
        (&["--prot"], "unknown argument"),
        (&["--port", "0", "more"], "unexpected argument"),
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2));
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(text.contains(expected) && text.contains("Usage"), "{text}");
    }
}

#[tokio::test]
async fn a_port_that_is_in_use_is_an_error() {
    let server = rule_server().await;
    let port = server.url().rsplit(':').next().unwrap().to_string();
    let output = tokio::task::spawn_blocking(move || run(&["--port", &port]));
    let output = output.await.unwrap();
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("cannot listen on port"), "{text}");
}
