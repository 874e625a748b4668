//! `claw-offline`: the deterministic model as a program.

use std::process::ExitCode;

use claw_offline::{Script, Server};

#[tokio::main]
async fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let port = match wanted(&arguments) {
        Ok(Wanted::Port(port)) => port,
        Ok(Wanted::Text(text)) => {
            println!("{text}");
            return ExitCode::SUCCESS;
        }
        Err(error) => {
            eprintln!("claw-offline: {error}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match Server::at(port, Script::new()).await {
        Ok(server) => {
            println!("{}", server.url());
            eprintln!("{NOTICE}");
            std::future::pending().await
        }
        Err(error) => {
            eprintln!(
                "claw-offline: cannot listen on port {port} of 127.0.0.1: {error}. Port 0 takes a free one."
            );
            ExitCode::FAILURE
        }
    }
}

/// What the command line asks for.
enum Wanted {
    Port(u16),
    Text(&'static str),
}

fn wanted(arguments: &[String]) -> Result<Wanted, String> {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let port = match arguments.as_slice() {
        [] => return Ok(Wanted::Port(DEFAULT_PORT)),
        ["-h" | "--help"] => return Ok(Wanted::Text(USAGE)),
        ["-V" | "--version"] => return Ok(Wanted::Text(VERSION)),
        ["--port", port] => port,
        ["--port"] => return Err("--port needs a number".into()),
        [argument] => match argument.strip_prefix("--port=") {
            Some(port) => port,
            None => return Err(format!("unknown argument {argument:?}")),
        },
        [_, argument, ..] => return Err(format!("unexpected argument {argument:?}")),
    };
    let number = port.parse();
    number
        .map(Wanted::Port)
        .map_err(|_| format!("--port: {port:?} is not a number from 0 to 65535"))
}

const DEFAULT_PORT: u16 = 8600;
const VERSION: &str = concat!("claw-offline ", env!("CARGO_PKG_VERSION"));

const USAGE: &str = "\
A deterministic stand-in for a language model: a table of rules, not a neural network.

Usage: claw-offline [--port PORT]

  --port PORT    listen on this port of 127.0.0.1; 0 takes a free one [default: 8600]
  -h, --help     print this
  -V, --version  print the version

It prints its URL, and serves until it is ended:
  POST /v1/chat/completions   Chat Completions
  POST /v1/responses          Responses
  POST /v1/messages           Messages
  GET  /v1/models             the one model that there is";

const NOTICE: &str = "\
A table of rules, not a neural network. Base URL for Chat Completions and Responses: the \
above with /v1; for Messages: the above. Any key will do. Ctrl-C ends it.";
