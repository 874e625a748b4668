//! The conversation: one prompt and out, or line after line.

use std::io::{self, BufRead, IsTerminal, Write};
use std::process::ExitCode;
use std::time::SystemTime;

use anyhow::{Context, Result};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::{Options, Screen, equip, model};
use crate::engine::{QueryEngine, QueryError};
use crate::prompt::{Environment, Git, agent_prompt};
use crate::types::Message;

/// Runs `claw` to its end.
pub async fn run(options: Options) -> Result<ExitCode> {
    let folder = std::env::current_dir().context("the current folder is gone")?;
    let endpoint = model::choose(&options, |name| std::env::var(name).ok())?;
    let model = model::open(endpoint).await?;
    let engine = equip(QueryEngine::builder(model.provider), &folder, &options)?;
    let environment = Environment::read(&folder, SystemTime::now(), &Git::default()).await;
    let mut history = agent_prompt(&environment).build().messages();
    if let Some(prompt) = options.prompt {
        let ok = turn(&engine, &mut history, &prompt).await;
        return Ok(ExitCode::from(u8::from(!ok)));
    }
    println!("claw {} · {}", env!("CARGO_PKG_VERSION"), model.about);
    println!("{HELP}");
    let mut lines = input();
    let mut all_well = true;
    loop {
        show_prompt();
        tokio::select! {
            line = lines.recv() => match line.as_deref().map(str::trim) {
                None | Some("/exit" | "/quit" | "exit" | "quit") => break,
                Some("") => {}
                Some("/help") => println!("{HELP}"),
                Some(prompt) => all_well = turn(&engine, &mut history, prompt).await,
            },
            _ = tokio::signal::ctrl_c() => println!("\n(Ctrl-D ends claw)"),
        }
    }
    Ok(ExitCode::from(u8::from(
        !all_well && !io::stdin().is_terminal(),
    )))
}

/// One turn, shown as it happens. Ctrl-C ends the turn and nothing else. Returns
/// whether it came to its end.
async fn turn(engine: &QueryEngine, history: &mut Vec<Message>, prompt: &str) -> bool {
    history.push(Message::user(prompt));
    let cancel = CancellationToken::new();
    let (sender, mut events) = mpsc::channel(64);
    let mut screen = Screen::for_stdout();
    let show = async {
        while let Some(event) = events.recv().await {
            screen.show(&event);
        }
        screen.finish();
    };
    let stop = async {
        while tokio::signal::ctrl_c().await.is_ok() {
            cancel.cancel();
        }
        std::future::pending().await
    };
    let work = engine.chat_with_events(history, sender, &cancel);
    let (outcome, ()) = tokio::select! {
        done = async { tokio::join!(work, show) } => done,
        done = stop => done,
    };
    match outcome {
        Ok(_) => true,
        Err(QueryError::Cancelled) => {
            println!("(stopped)");
            false
        }
        Err(error) => {
            eprintln!("claw: {error}");
            false
        }
    }
}

/// Lines of standard input, read on a thread of their own: a read can't be broken off.
fn input() -> mpsc::Receiver<String> {
    let (sender, lines) = mpsc::channel(1);
    std::thread::spawn(move || {
        for line in io::stdin().lock().lines() {
            let Ok(line) = line else { break };
            if sender.blocking_send(line).is_err() {
                break;
            }
        }
    });
    lines
}

fn show_prompt() {
    if io::stdin().is_terminal() {
        print!("\n> ");
        let _ = io::stdout().flush();
    }
}

const HELP: &str =
    "Ask for something, such as: list the files here. Ctrl-C stops a reply, Ctrl-D ends claw.";
