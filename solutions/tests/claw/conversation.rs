//! A conversation whose lines come from a pipe.

use claw_offline::{Fault, Reply, Script};

use crate::support::{ScriptedServer, Workspace};

#[test]
fn a_conversation_begins_with_the_model_in_use() {
    let workspace = Workspace::with(&[("notes.txt", "")]);
    let run = workspace.claw(&[]).run_with("list the files here\n");
    let text = run.succeeds().stdout;
    let first = text.lines().next().unwrap_or_default();
    assert!(first.contains("offline model"), "{text}");
    assert!(text.contains("● [list"), "{text}");
    assert!(text.contains("notes.txt"), "{text}");
}

#[test]
fn each_line_is_a_turn_of_one_conversation() {
    let server = ScriptedServer::replies(["One.", "Two."]);
    let claw = Workspace::new().claw(&[]).asks(&server);
    claw.run_with("first\nsecond\n").succeeds();
    let body = server.last_body().to_string();
    for text in ["first", "One.", "second"] {
        assert!(body.contains(text), "{text}: {body}");
    }
}

#[test]
fn exit_ends_the_conversation() {
    let server = ScriptedServer::replies(["One."]);
    let claw = Workspace::new().claw(&[]).asks(&server);
    claw.run_with("hello\n/exit\nnever read\n").succeeds();
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn input_that_is_not_utf8_is_read_as_far_as_possible() {
    let workspace = Workspace::with(&[("notes.txt", "milk\n")]);
    let input = b"list the files here\n\xff\xfe bad\nread notes.txt\n";
    let run = workspace.claw(&["--offline"]).run_with(input).succeeds();
    for row in ["● [list: .]", "● [read: notes.txt]"] {
        assert!(run.stdout.contains(row), "{row}: {run:?}");
    }
}

#[test]
fn an_unknown_command_is_not_sent_to_the_model() {
    let server = ScriptedServer::replies(["Then clean it up."]);
    let claw = Workspace::new().claw(&[]).asks(&server);
    let run = claw.run_with("/foo\n/HELP me\n/quit now\n/usr/bin is full\n");
    for command in ["/foo", "/HELP me", "/quit now"] {
        let message = format!("unknown command `{command}`; the commands are /");
        assert!(run.stderr.contains(&message), "{command}: {run:?}");
    }
    assert!(run.stdout.ends_with("Then clean it up.\n"), "{run:?}");
    assert_eq!(server.requests().len(), 1, "a path is not a command");
    run.fails(1, "/help and /exit");
}

#[test]
fn a_failed_turn_does_not_end_the_conversation_but_sets_the_exit_code() {
    let refused = Fault::Status {
        status: 401,
        retry_after: None,
        body: "{}".into(),
    };
    let script = Script::new().fault(refused).reply(Reply::text("Two."));
    let server = ScriptedServer::new(script);
    let run = Workspace::new().claw(&[]).asks(&server).run_with("1\n2\n");
    assert!(run.stdout.ends_with("Two.\n"), "{run:?}");
    assert_eq!(run.code, Some(1), "{run:?}");
}

// Before chapter 20, `claw` runs on the loop of chapter 4, which does not report retries.
#[cfg(feature = "ch20")]
#[test]
fn a_retry_is_reported() {
    let busy = Fault::Status {
        status: 503,
        retry_after: Some("0".into()),
        body: "{}".into(),
    };
    let server = ScriptedServer::new(Script::new().fault(busy).reply(Reply::text("Two.")));
    let run = Workspace::new().claw(&["-p", "two?"]).asks(&server).run();
    assert_eq!(run.stdout, "Two.\n", "{run:?}");
    let (_, delay) = run.stderr.split_once("retrying in ").expect("a retry");
    assert!(run.stderr.contains("no answer ("), "{run:?}");
    // The first delay is at most half a second.
    let seconds: f64 = delay.replace(" s\n", "").parse().expect("a number");
    assert!((0.0..=0.5).contains(&seconds), "{run:?}");
}

#[cfg(feature = "ch20")]
#[test]
fn a_stream_that_breaks_before_its_first_text_is_retried_on_every_api() {
    for api in ["completions", "responses", "messages"] {
        let cut = Fault::CutAfter { bytes: 100 };
        let script = Script::new().fault(cut).reply(Reply::text("Two."));
        let server = ScriptedServer::new(script);
        let claw = Workspace::new().claw(&["--api", api, "-p", "two?"]);
        let run = claw.asks(&server).run();
        assert_eq!(run.stdout, "Two.\n", "{api}: {run:?}");
        assert!(run.stderr.contains("retrying in"), "{api}: {run:?}");
    }
}

#[cfg(feature = "ch20")]
#[test]
fn an_overflow_that_a_proxy_reports_as_an_event_is_explained() {
    let event = r#"{"error":{"message":"input length and `max_tokens` exceed context limit"}}"#;
    let overflow = Fault::Status {
        status: 400,
        retry_after: None,
        body: format!("event: error\ndata: {event}\n\n"),
    };
    for api in ["completions", "responses", "messages"] {
        let server = ScriptedServer::new(Script::new().fault(overflow.clone()));
        let claw = Workspace::new().claw(&["--api", api, "-p", "two?"]);
        let run = claw.asks(&server).run();
        let message = "the conversation is too long for the model: input length and \
                       `max_tokens` exceed context limit (status 400)";
        run.fails(1, message);
    }
}

#[test]
fn help_fits_into_a_narrow_terminal() {
    let run = Workspace::new().claw(&["--offline"]).run_with("/help\n");
    let text = run.succeeds().stdout;
    assert!(text.contains("/help ") && text.contains("/exit "), "{text}");
    for line in text.lines().skip(1) {
        assert!(line.chars().count() <= 78, "{line:?}");
    }
}
