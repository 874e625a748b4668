//! Images that are sent to the model.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use claw_offline::{Reply, Script};
use serde_json::{Value, json};

use crate::support::{Run, ScriptedServer, Workspace};

/// The first bytes of a PNG file, and something after them.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\nand so on";

/// Two images, one of them without an extension, and a text with that of an image.
fn workspace() -> Workspace {
    let workspace = Workspace::with(&[("text.png", "milk\n")]);
    workspace.write("one.png", PNG);
    workspace.write("two", PNG);
    workspace
}

/// Runs a conversation over the Messages API.
fn converse(workspace: &Workspace, server: &ScriptedServer, lines: &str) -> Run {
    let claw = workspace.claw(&["--api", "messages"]).asks(server);
    claw.env("HOME", workspace.path()).run_with(lines)
}

/// The image as the Messages API has it.
fn messages_image() -> Value {
    let source =
        json!({ "type": "base64", "media_type": "image/png", "data": STANDARD.encode(PNG) });
    json!({ "type": "image", "source": source })
}

/// The image as the Responses API has it.
fn responses_image() -> Value {
    let url = format!("data:image/png;base64,{}", STANDARD.encode(PNG));
    json!({ "type": "input_image", "image_url": url })
}

/// How many objects in `value` have all the fields of `part`.
fn count(value: &Value, part: &Value) -> usize {
    let inside = match value {
        Value::Array(items) => items.iter().map(|item| count(item, part)).sum(),
        Value::Object(fields) => fields.values().map(|field| count(field, part)).sum(),
        _ => 0,
    };
    let mut fields = part.as_object().expect("an object").iter();
    let is_match = fields.all(|(name, field)| value.get(name) == Some(field));
    inside + usize::from(is_match)
}

#[test]
fn the_option_image_attaches_to_the_first_prompt() {
    for (api, image) in [
        ("messages", messages_image()),
        ("responses", responses_image()),
    ] {
        let server = ScriptedServer::replies(["I see."]);
        let arguments = ["--api", api, "--image", "one.png", "--image", "two"];
        let arguments = [&arguments[..], &["-p", "what is it?"]].concat();
        let run = workspace().claw(&arguments).asks(&server).run();
        assert_eq!(run.stdout, "I see.\n", "{run:?}");
        let body = server.last_body();
        assert_eq!(count(&body, &image), 2, "{api}: {body:#}");
        assert!(body.to_string().contains("what is it?"), "{body}");
    }
}

#[test]
fn the_command_image_attaches_to_the_next_prompt() {
    let server = ScriptedServer::replies(["Hello.", "I see."]);
    let lines = "hello\n/image one.png\nwhat is it?\n";
    let run = converse(&workspace(), &server, lines);
    let note = "(one.png is attached to your next prompt)";
    assert!(run.stdout.contains(note), "{run:?}");
    let counts = [0, 1].map(|index| count(&server.body(index), &messages_image()));
    assert_eq!(counts, [0, 1], "{run:?}");
}

#[test]
fn an_image_is_saved_in_the_session() {
    let workspace = workspace();
    let server = ScriptedServer::replies(["I see.", "Still there."]);
    converse(&workspace, &server, "/image one.png\nwhat is it?\n").succeeds();
    let arguments = ["--api", "messages", "--resume", "-p", "and now?"];
    let run = workspace.claw(&arguments).asks(&server).run();
    assert_eq!(run.stdout, "Still there.\n", "{run:?}");
    assert_eq!(count(&server.last_body(), &messages_image()), 1);
}

#[test]
fn an_image_is_named_as_in_a_shell() {
    let workspace = workspace();
    workspace.write("my pic.png", PNG);
    workspace.write("my #1.png", PNG);
    for name in [
        "my #1.png",
        "'my #1.png'",
        r#""my pic.png""#,
        "'my pic.png' ",
        r"my\ pic.png",
        "my pic.png",
        "~/one.png",
        r"~/my\ pic.png",
    ] {
        let server = ScriptedServer::replies(["I see."]);
        let lines = format!("/image {name}\nwhat is it?\n");
        converse(&workspace, &server, &lines).succeeds();
        let body = server.last_body();
        assert_eq!(count(&body, &messages_image()), 1, "{name}");
    }
}

#[test]
fn a_prompt_is_not_sent_without_its_image() {
    let server = ScriptedServer::replies(["Hello."]);
    let lines = "/image none.png\nwhat is it?\nhello\n";
    let run = converse(&workspace(), &server, lines);
    assert!(run.stdout.ends_with("Hello.\n"), "{run:?}");
    assert_eq!(server.requests().len(), 1, "{run:?}");
    let message = "not sent, since its image failed to load: what is it?";
    run.fails(1, message);
}

#[test]
fn an_image_that_a_tool_reads_is_sent() {
    let call = json!({ "path": "one.png" });
    let script = Script::new()
        .reply(Reply::tool_calls([("a", "read", call)]))
        .reply(Reply::text("I see."));
    let server = ScriptedServer::new(script);
    let claw = workspace().claw(&["--api", "messages", "-p", "look"]);
    let run = claw.asks(&server).run();
    assert!(run.stdout.ends_with("I see.\n"), "{run:?}");
    let body = server.last_body();
    assert_eq!(count(&body, &messages_image()), 1, "{body:#}");
}

#[test]
fn a_file_that_is_not_an_image_is_an_error() {
    let workspace = workspace();
    workspace.write("large.png", [PNG, &[0; 6 * 1024 * 1024]].concat());
    let server = ScriptedServer::replies(["Never."]);
    for (name, message) in [
        ("none.png", "cannot attach none.png: No such file"),
        ("text.png", "it is not a PNG, JPEG, GIF or WebP image"),
        (".", "it is not a file"),
        ("large.png", "it is larger than 5 MiB"),
    ] {
        let arguments = ["--api", "messages", "--image", "one.png", "--image", name];
        let arguments = [&arguments[..], &["-p", "look"]].concat();
        let run = workspace.claw(&arguments).asks(&server).run();
        run.fails(2, message);
    }
    assert_eq!(server.requests().len(), 0);
}

#[test]
fn the_command_image_reports_a_file_that_is_not_an_image() {
    let server = ScriptedServer::replies(["Never."]);
    let run = converse(&workspace(), &server, "/image text.png\n/image\n");
    run.fails(1, "it is not a PNG");
    assert_eq!(server.requests().len(), 0);
}

#[test]
fn chat_completions_takes_no_images() {
    let server = ScriptedServer::replies(["Never."]);
    let arguments = ["--image", "one.png", "-p", "look"];
    let claw = workspace().claw(&arguments).asks(&server);
    claw.run().fails(2, "sends only text");
    assert_eq!(server.requests().len(), 0);
}

#[test]
fn the_offline_model_takes_images() {
    let run = workspace().claw(&["--offline", "--image", "one.png", "-p", "list ."]);
    let run = run.run().succeeds();
    assert!(run.stdout.contains("`.` holds"), "{run:?}");
}
