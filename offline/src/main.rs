//! `claw-offline`: the rule model as a program.

use std::process::ExitCode;

use claw_offline::{Script, Server};

#[tokio::main]
async fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let port = match parse(&arguments) {
        Ok(Command::Serve { port }) => port,
        Ok(Command::Print(text)) => {
            println!("{text}");
            return ExitCode::SUCCESS;
        }
        Err(error) => {
            eprintln!("claw-offline: {error}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match Server::at(port, Script::new().without_log()).await {
        Ok(server) => {
            println!("{}", server.url());
            eprintln!("{NOTICE}");
            std::future::pending().await
        }
        Err(error) => {
            eprintln!(
                "claw-offline: cannot listen on port {port} of 127.0.0.1: {error}. Use port 0 for any free port."
            );
            ExitCode::FAILURE
        }
    }
}

/// What the command line asks for.
enum Command {
    Serve { port: u16 },
    Print(&'static str),
}

fn parse(arguments: &[String]) -> Result<Command, String> {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let port = match arguments.as_slice() {
        [] => return Ok(Command::Serve { port: DEFAULT_PORT }),
        ["-h" | "--help"] => return Ok(Command::Print(USAGE)),
        ["-V" | "--version"] => return Ok(Command::Print(VERSION)),
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
        .map(|port| Command::Serve { port })
        .map_err(|_| format!("--port: {port:?} is not a number from 0 to 65535"))
}

const DEFAULT_PORT: u16 = 8600;
const VERSION: &str = concat!("claw-offline ", env!("CARGO_PKG_VERSION"));

const USAGE: &str = "\
A deterministic stand-in for a language model: a table of rules, not a neural network.

Usage: claw-offline [--port PORT]

  --port PORT    listen on this port of 127.0.0.1; 0 picks a free port [default: 8600]
  -h, --help     print this help
  -V, --version  print the version

It prints its URL and serves until you stop it:
  POST /v1/chat/completions        Chat Completions
  POST /v1/responses               Responses
  GET  /v1/responses/{id}          a stored response
  POST /v1/messages                Messages
  POST /v1/messages/count_tokens   the number of input tokens
  GET  /v1/models                  the list of models, which has one entry
  GET  /v1/models/{id}             a model: every name is known";

const NOTICE: &str = "\
This is a table of rules, not a neural network. The base URL for Messages is the URL above; \
for Chat Completions and Responses, add /v1. Any key works. Press Ctrl-C to stop.";
