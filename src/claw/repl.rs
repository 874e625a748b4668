//! One prompt and out, or line after line.

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use anyhow::{Result, bail};

use super::line::Line;
use super::out::say;
use super::{Conversation, Input, Options};

/// Runs `claw` to its end.
pub async fn run(options: Options) -> Result<ExitCode> {
    if options.prompt.iter().any(|it| it.trim().is_empty()) {
        bail!("there are no words behind -p; say what to do, such as: -p \"list the files here\"");
    }
    let mut conversation = Conversation::open(&options).await?;
    if let Some(prompt) = &options.prompt {
        let ok = conversation.turn(prompt, &mut Input::without_lines()).await;
        let (_, is_kept) = ended(conversation).await;
        return Ok(ExitCode::from(u8::from(!(ok && is_kept))));
    }
    println!(
        "claw {} · {}",
        env!("CARGO_PKG_VERSION"),
        conversation.about()
    );
    println!("{HELP}");
    let mut input = Input::of_user();
    let mut all_well = true;
    loop {
        show_prompt();
        tokio::select! {
            line = input.lines.next() => match line.as_deref().map(Line::read) {
                None => {
                    if io::stdin().is_terminal() {
                        println!();
                    }
                    break;
                }
                Some(Line::End) => break,
                Some(Line::Nothing) => {}
                Some(Line::Help) => println!("{HELP}"),
                #[cfg(feature = "ch20")]
                Some(Line::Image(path)) => match conversation.attach(path) {
                    Ok(()) => println!("({} goes with your next words)", path.display()),
                    Err(error) => eprintln!("claw: {error:#}"),
                },
                #[cfg(feature = "ch20")]
                Some(Line::Then(words)) => all_well = conversation.turn(words, &mut input).await,
                Some(Line::Say(words)) => all_well = conversation.turn(words, &mut input).await,
            },
            () = input.interrupts.next() => println!("\n(Ctrl-D ends claw)"),
        }
    }
    let (how_to_go_on, is_kept) = ended(conversation).await;
    if let Some(how_to_go_on) = how_to_go_on
        && io::stdin().is_terminal()
    {
        println!("{how_to_go_on}");
    }
    Ok(ExitCode::from(u8::from(
        !(all_well && is_kept || io::stdin().is_terminal()),
    )))
}

/// Ends a conversation: how to go on with it, and whether all of it is kept that was to be.
async fn ended(conversation: Conversation) -> (Option<String>, bool) {
    match conversation.end().await {
        Ok(how_to_go_on) => (how_to_go_on, true),
        Err(error) => {
            say(&format!("{error:#}"));
            (None, false)
        }
    }
}

fn show_prompt() {
    if io::stdin().is_terminal() {
        print!("\n> ");
        let _ = io::stdout().flush();
    }
}

/// How to talk to it.
pub const HELP: &str = if cfg!(feature = "ch20") {
    "\
Ask for something, such as: list the files here. Ctrl-C stops a reply, Ctrl-D ends claw.
While it works, what you type redirects it; `/then …` comes after it, `/image FILE` goes with
your next words."
} else {
    "Ask for something, such as: list the files here. Ctrl-C stops a reply, Ctrl-D ends claw."
};
