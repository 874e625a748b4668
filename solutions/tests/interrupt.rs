//! `claw` in a real terminal, which tmux lends: what Ctrl-C and Ctrl-D do.

#![cfg(unix)]

#[path = "support/terminal.rs"]
mod terminal;

use claw_offline::{Fault, Reply, Script, Server};
use terminal::Terminal;

// The server answers on the other thread while this one waits for the screen.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn control_c_ends_the_turn_and_control_d_the_program() {
    let long = "All work and no play makes a dull model. ".repeat(40);
    let script = Script::new()
        .fault_in(Fault::Stall { after_bytes: 1500 }, Reply::text(long))
        .reply(Reply::text("The second answer is whole."));
    let server = Server::with(script).await.expect("a server");
    let folder = tempfile::tempdir().expect("a new folder");
    let Some(terminal) = Terminal::open(folder.path(), folder.path()) else {
        return;
    };
    let claw = env!("CARGO_BIN_EXE_claw");
    let url = format!("{}/v1", server.url());
    terminal.line(&format!(
        "{claw} --base-url {url} --model scripted; echo code-$?"
    ));
    terminal.shows("Ctrl-D ends claw.");

    terminal.line("say something long");
    terminal.shows("no play makes");
    terminal.key("C-c");
    terminal.shows("(stopped)");

    terminal.line("and now something short");
    // With the next prompt the turn is over, and Ctrl-C means no turn any more.
    terminal.shows("The second answer is whole.\n\n>");
    let asked = server.requests();
    let last = asked.last().expect("a second request").body.to_string();
    assert!(
        last.contains("say something long") && last.contains("and now something short"),
        "the conversation goes on behind a turn that was stopped: {last}"
    );

    terminal.key("C-c");
    terminal.shows("(Ctrl-D ends claw)");
    terminal.key("C-d");
    terminal.shows("code-0");
}
