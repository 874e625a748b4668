//! The model's thinking: shown only in a terminal, saved, and sent back to its own provider.

use claw_code_solutions::session::SessionHistory;
use claw_offline::{Reply, Script};

use crate::support::{ScriptedServer, Workspace};

/// A reply with a text and with thinking under this signature.
fn thoughtful(text: impl AsRef<str>, signature: &str) -> Reply {
    Reply::text(text).thinking("Two and two, hm.", signature)
}

#[test]
fn thinking_is_not_part_of_the_reply() {
    for api in ["messages", "responses"] {
        let server = ScriptedServer::new(Script::new().reply(thoughtful("Four.", "mark")));
        let arguments = ["--api", api, "--thinking", "low", "-p", "2 + 2?"];
        let run = Workspace::new().claw(&arguments).asks(&server).run();
        assert_eq!(run.stdout, "Four.\n", "{api}: {run:?}");
    }
}

#[test]
fn thinking_goes_back_to_the_model_with_its_signature() {
    for api in ["messages", "responses"] {
        let workspace = Workspace::new();
        let script = Script::new().reply(thoughtful("Four.", "mark"));
        let server = ScriptedServer::new(script.reply(Reply::text("Yes.")));
        for arguments in [&["--thinking", "low"][..], &["--resume"]] {
            let arguments = [&["--api", api, "-p", "2 + 2?"], arguments].concat();
            workspace.claw(&arguments).asks(&server).run().succeeds();
        }
        let body = server.last_body().to_string();
        for part in ["Two and two, hm.", "mark"] {
            assert!(body.contains(part), "{api}: {part}: {body}");
        }
    }
}

#[test]
fn chat_completions_has_no_thinking() {
    let server = ScriptedServer::replies(["Never."]);
    let claw = Workspace::new().claw(&["--thinking", "low", "-p", "hi"]);
    claw.asks(&server).run().fails(2, "carries no thinking");
    assert_eq!(server.requests().len(), 0);
}

#[test]
fn a_reply_without_text_is_reported() {
    for api in ["messages", "responses", "completions"] {
        let server = ScriptedServer::new(Script::new().reply(Reply::empty()));
        let claw = Workspace::new().claw(&["--api", api, "-p", "say nothing"]);
        let run = claw.asks(&server).run();
        assert_eq!(run.stdout, "", "{api}: {run:?}");
        assert!(run.stderr.contains("without any text"), "{api}: {run:?}");
    }
}

/// Only the server that produced thinking can verify it and use it.
#[test]
fn thinking_goes_back_to_its_own_server_only() {
    for (api, field) in [("responses", "input"), ("messages", "messages")] {
        let workspace = Workspace::new();
        let [one, two] = ["one", "two"].map(|name| {
            let reply = |text: &str| thoughtful(format!("{name} {text}"), &format!("mark-{name}"));
            ScriptedServer::new(Script::new().reply(reply("first")).reply(reply("second")))
        });
        let ask = |server: &ScriptedServer, arguments: &[&str]| {
            let arguments = [&["--api", api, "-p", "go on"], arguments].concat();
            workspace.claw(&arguments).asks(server).run().succeeds();
        };
        ask(&one, &[]);
        for server in [&two, &one, &two] {
            ask(server, &["--resume"]);
        }
        let sent = |server: &ScriptedServer, index| server.body(index)[field].to_string();
        assert!(!sent(&two, 0).contains("mark"), "{api}");
        for (sent, own, other) in [(sent(&one, 1), "one", "two"), (sent(&two, 1), "two", "one")] {
            assert!(sent.contains("one first") && sent.contains("two first"));
            assert!(sent.contains(&format!("mark-{own}")), "{api}: {sent}");
            assert!(!sent.contains(&format!("mark-{other}")), "{api}: {sent}");
        }
    }
}

#[test]
fn a_saved_reply_names_its_server() {
    let workspace = Workspace::new();
    let server = ScriptedServer::replies(["I look."]);
    let claw = workspace.claw(&["--api", "messages", "-p", "look"]);
    claw.asks(&server).run().succeeds();
    let history = SessionHistory::open(workspace.database()).expect("a history");
    let id = history.latest().expect("a history").expect("a session");
    let session = history.load(&id).expect("the session");
    let host = server.base_url().replace("http://", "").replace("/v1", "");
    let name = format!("anthropic@{host}/scripted");
    assert_eq!(session.messages[1].name, Some(name));
}

/// Older versions of `claw` saved the provider's name without its server.
#[test]
fn a_session_that_names_no_server_is_resumed_without_its_thinking() {
    let workspace = Workspace::new();
    let script = Script::new().reply(thoughtful("I look.", "mark"));
    let server = ScriptedServer::new(script.reply(Reply::text("Still.")));
    let claw = workspace.claw(&["--api", "messages", "-p", "look"]);
    claw.asks(&server).run().succeeds();
    save_copy_without_server(&workspace, "older");
    let arguments = ["--api", "messages", "--resume", "older", "-p", "sure?"];
    let run = workspace.claw(&arguments).asks(&server).run();
    assert_eq!(run.stdout, "Still.\n", "{run:?}");
    let sent = server.last_body()["messages"].to_string();
    assert!(sent.contains("I look."), "{sent}");
    assert!(!sent.contains("mark"), "{sent}");
}

/// Saves the latest session once more, under another id.
fn save_copy_without_server(workspace: &Workspace, id: &str) {
    let mut history = SessionHistory::open(workspace.database()).expect("a history");
    let latest = history.latest().expect("a history").expect("a session");
    let mut session = history.load(&latest).expect("the session");
    session.messages[1].name = Some("anthropic/scripted".to_string());
    session.session_id = id.to_string();
    history.create(&session).expect("a new session");
}

#[test]
fn the_offline_model_has_one_name_at_every_port() {
    let workspace = Workspace::new();
    for arguments in [&["-p", "hello"][..], &["--resume", "-p", "hello"]] {
        let arguments = [&["--offline"], arguments].concat();
        workspace.claw(&arguments).run().succeeds();
    }
    let history = SessionHistory::open(workspace.database()).expect("a history");
    let id = history.latest().expect("a history").expect("a session");
    let session = history.load(&id).expect("the session");
    let names: Vec<_> = session.messages.iter().flat_map(|it| &it.name).collect();
    assert_eq!(names, ["offline-anthropic/claw-offline"; 2]);
}

#[test]
fn a_session_with_thinking_and_an_image_is_resumed_over_every_api() {
    let workspace = Workspace::new();
    workspace.write("one.png", b"\x89PNG\r\n\x1a\nand so on");
    for arguments in [
        &["--thinking", "medium", "--image", "one.png"][..],
        &["--resume"],
        &["--resume", "--thinking", "low"],
        &["--resume", "--thinking", "low", "--api", "responses"],
        &["--resume", "--api", "completions"],
        &["--resume", "--thinking", "low"],
    ] {
        let arguments = [&["--offline", "-p", "list ."], arguments].concat();
        let run = workspace.claw(&arguments).run().succeeds();
        assert!(run.stdout.contains("`.` holds"), "{arguments:?}: {run:?}");
        assert!(!run.stdout.contains("I was asked"), "{run:?}");
    }
}
