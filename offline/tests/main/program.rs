//! `claw-offline`, the program.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Output, Stdio};

use crate::common::whole;

const PROGRAM: &str = env!("CARGO_BIN_EXE_claw-offline");

/// A running program that ends with the test.
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
async fn it_prints_its_url_and_serves() {
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
    let response = reqwest::get(format!("{}/v1/models", url.trim()))
        .await
        .unwrap();
    let models = whole(response).await.unwrap().json();
    assert_eq!(models["data"][0]["id"], "claw-offline");
}

#[test]
fn it_says_what_it_is_and_takes() {
    let help = run(&["--help"]);
    assert!(help.status.success());
    let help = String::from_utf8(help.stdout).unwrap();
    assert!(
        help.contains("not a neural network") && help.contains("--port"),
        "{help}"
    );
    let version = String::from_utf8(run(&["--version"]).stdout).unwrap();
    assert_eq!(
        version.trim(),
        concat!("claw-offline ", env!("CARGO_PKG_VERSION"))
    );
}

#[test]
fn it_refuses_what_it_does_not_understand() {
    for (arguments, expected) in [
        (vec!["--port"], "--port needs a number"),
        (vec!["--port", "99999"], "is not a number from 0 to 65535"),
        (vec!["--port=x"], "is not a number from 0 to 65535"),
        (vec!["--prot"], "unknown argument"),
        (vec!["--port", "0", "more"], "unexpected argument"),
    ] {
        let output = run(&arguments);
        assert_eq!(output.status.code(), Some(2));
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains(expected) && said.contains("Usage"), "{said}");
    }
}

#[tokio::test]
async fn a_taken_port_is_said_to_be_taken() {
    let server = claw_offline::Server::start().await.unwrap();
    let port = server.url().rsplit(':').next().unwrap().to_string();
    let output = tokio::task::spawn_blocking(move || run(&["--port", &port]))
        .await
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("cannot listen on port"), "{said}");
}
