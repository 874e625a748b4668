//! Pictures on their way from `claw` to the server, and thoughts on the way back.

#[path = "support/program.rs"]
mod program;

use std::process::Output;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use claw_offline::{Reply, Script, Server};
use program::{Folder, command, run, stdout};
use serde_json::{Value, json};

/// What a PNG file begins with, and something behind it.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\nand so on";

#[tokio::test(flavor = "multi_thread")]
async fn pictures_go_with_the_prompt() {
    let folder = folder();
    for (api, expected) in [("messages", in_messages()), ("responses", in_responses())] {
        let server = answering(["I see."]).await;
        let pictures = ["--image", "one.png", "--image", "two", "-p", "what is it?"];
        let output = claw(&folder, &server, api, &pictures, "");
        assert_eq!(stdout(&output), "I see.\n", "{output:?}");
        let count = pictures_in(&server, &expected);
        assert_eq!(count, 2, "{api}: {:#?}", server.requests()[0].body);
        let body = server.requests()[0].body.to_string();
        assert!(body.contains("what is it?"), "{body}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_picture_goes_with_the_next_words() {
    let folder = folder();
    let server = answering(["Hello.", "I see.", "Still there."]).await;
    let input = "hello\n/image one.png\nwhat is it?\n";
    let output = claw(&folder, &server, "messages", &[], input);
    let text = stdout(&output);
    assert!(
        text.contains("(one.png is attached to your next prompt)"),
        "{text}"
    );
    let requests = server.requests();
    let count = |request: usize| count(&requests[request].body, &in_messages());
    assert_eq!((count(0), count(1)), (0, 1), "{output:?}");

    let output = claw(
        &folder,
        &server,
        "messages",
        &["--resume", "-p", "and now?"],
        "",
    );
    assert_eq!(stdout(&output), "Still there.\n", "{output:?}");
    assert_eq!(
        pictures_in(&server, &in_messages()),
        1,
        "a picture is kept as well"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_picture_is_named_as_in_a_shell() {
    let folder = folder();
    std::fs::write(folder.path().join("my pic.png"), PNG).expect("can be written");
    for name in [
        r#""my pic.png""#,
        "'my pic.png' ",
        r"my\ pic.png",
        "my pic.png",
        "~/one.png",
        r"~/my\ pic.png",
    ] {
        let server = answering(["I see."]).await;
        let input = format!("/image {name}\nwhat is it?\n");
        let output = claw(&folder, &server, "messages", &[], &input);
        assert!(output.status.success(), "{name}: {output:?}");
        assert_eq!(pictures_in(&server, &in_messages()), 1, "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn words_do_not_go_without_their_picture() {
    let folder = folder();
    let server = answering(["Hello."]).await;
    let input = "/image none.png\nwhat is it?\nhello\n";
    let output = claw(&folder, &server, "messages", &[], input);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        error.contains("not sent, since its image failed to load: what is it?"),
        "{error}"
    );
    assert!(stdout(&output).ends_with("Hello.\n"), "{output:?}");
    assert_eq!(server.requests().len(), 1, "{error}");
    assert_eq!(output.status.code(), Some(1), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_picture_that_a_tool_reads_reaches_the_model() {
    let folder = folder();
    let call = json!({ "path": "one.png" });
    let script = Script::new()
        .reply(Reply::tool_calls([("a", "read", call)]))
        .reply(Reply::text("I see."));
    let server = Server::with(script).await.expect("a server");
    let output = claw(&folder, &server, "messages", &["-p", "look"], "");
    assert!(stdout(&output).ends_with("I see.\n"), "{output:?}");
    assert_eq!(
        pictures_in(&server, &in_messages()),
        1,
        "{:#?}",
        server.requests().last()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_picture_is_not_sent() {
    let folder = folder();
    let server = answering(["Never."]).await;
    let large = folder.path().join("large.png");
    let file = std::fs::File::create(&large).expect("a file");
    std::io::Write::write_all(&mut &file, PNG).expect("can be written");
    file.set_len(6 * 1024 * 1024).expect("can be made longer");
    for (name, words) in [
        ("none.png", "cannot attach none.png: No such file"),
        ("notes.png", "it is not a PNG, JPEG, GIF or WebP image"),
        (".", "it is not a file"),
        ("large.png", "it is larger than 5 MiB"),
    ] {
        let arguments = ["--image", "one.png", "--image", name, "-p", "look"];
        let output = claw(&folder, &server, "messages", &arguments, "");
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains(words), "{words:?}: {error}");
    }
    let input = "/image notes.png\n/image\n";
    let output = claw(&folder, &server, "messages", &[], input);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(error.contains("it is not a PNG"), "{error}");
    let output = claw(
        &folder,
        &server,
        "completions",
        &["--image", "one.png", "-p", "look"],
        "",
    );
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains("sends only text"), "{error}");
    assert_eq!(server.requests().len(), 0, "nothing is sent");
}

#[tokio::test(flavor = "multi_thread")]
async fn thoughts_are_no_answer() {
    let folder = folder();
    for api in ["messages", "responses"] {
        let reply = || Reply::text("Four.").thinking("Two and two, hm.", "seal");
        let script = Script::new().reply(reply()).reply(reply());
        let server = Server::with(script).await.expect("a server");
        let arguments = ["--thinking", "low", "-p", "2 + 2?"];
        let output = claw(&folder, &server, api, &arguments, "");
        assert_eq!(stdout(&output), "Four.\n", "{api}: {output:?}");
        let output = claw(&folder, &server, api, &["--resume", "-p", "sure?"], "");
        assert!(output.status.success(), "{output:?}");
        let body = server.requests()[1].body.to_string();
        assert!(
            body.contains("Two and two, hm.") && body.contains("seal"),
            "{api}: they go back to the model, with their seal: {body}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_without_words_is_told() {
    let folder = folder();
    for api in ["messages", "responses", "completions"] {
        let script = Script::new().reply(Reply::empty());
        let server = Server::with(script).await.expect("a server");
        let output = claw(&folder, &server, api, &["-p", "say nothing"], "");
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(stdout(&output), "", "{api}: {error}");
        assert!(error.contains("without any text"), "{api}: {output:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_api_has_its_address_and_its_key() {
    let folder = folder();
    for (api, path) in [
        ("completions", "/v1/chat/completions"),
        ("responses", "/v1/responses"),
        ("messages", "/v1/messages"),
    ] {
        let server = answering(["Hello."]).await;
        let output = claw(&folder, &server, api, &["-p", "hello"], "");
        assert_eq!(stdout(&output), "Hello.\n", "{output:?}");
        let request = &server.requests()[0];
        assert_eq!(request.path, path);
        let name = match api {
            "messages" => "x-api-key",
            _ => "authorization",
        };
        let key = request.header(name).unwrap_or_default();
        assert!(key.ends_with("the-key"), "{api}: {key:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn chat_completions_carries_no_thoughts() {
    let folder = folder();
    let server = answering(["Never."]).await;
    let arguments = ["--thinking", "low", "-p", "hi"];
    let output = claw(&folder, &server, "completions", &arguments, "");
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains("carries no thinking"), "{error}");
    assert_eq!(server.requests().len(), 0, "nothing is sent");
}

#[test]
fn the_offline_model_takes_pictures_and_thinks() {
    let folder = folder();
    let home = folder.path().join("home");
    let run = |arguments: &[&str]| {
        let mut command = command(folder.path(), &home);
        let output = run(command.arg("--offline").args(arguments), "");
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        stdout(&output)
    };
    run(&["--thinking", "medium", "--image", "one.png", "-p", "list ."]);
    for arguments in [
        &["--resume", "-p", "list ."][..],
        &["--resume", "--thinking", "low", "-p", "list ."],
        &[
            "--resume",
            "--api",
            "responses",
            "--thinking",
            "low",
            "-p",
            "list .",
        ],
        &["--resume", "--api", "completions", "-p", "list ."],
        &["--resume", "--thinking", "low", "-p", "list ."],
    ] {
        let text = run(arguments);
        assert!(text.contains("`.` holds"), "{arguments:?}: {text}");
        assert!(
            !text.contains("I was asked"),
            "a thought is no answer: {text}"
        );
    }
}

fn folder() -> Folder {
    let folder = Folder::with(&[("notes.png", "milk\n")]);
    for name in ["one.png", "two"] {
        std::fs::write(folder.path().join(name), PNG).expect("can be written");
    }
    folder
}

async fn answering<const N: usize>(replies: [&str; N]) -> Server {
    let script = replies.iter().fold(Script::new(), |script, text| {
        script.reply(Reply::text(text))
    });
    Server::with(script).await.expect("a server")
}

fn claw(folder: &Folder, server: &Server, api: &str, arguments: &[&str], input: &str) -> Output {
    let home = folder.path().join("home");
    let mut command = command(folder.path(), &home);
    let url = format!("{}/v1", server.url());
    command.args(["--base-url", &url, "--model", "scripted", "--api", api]);
    command
        .env("CLAW_API_KEY", "the-key")
        .env("HOME", folder.path());
    run(command.args(arguments), input)
}

/// The picture as the Messages API has it.
fn in_messages() -> Value {
    let source =
        json!({ "type": "base64", "media_type": "image/png", "data": STANDARD.encode(PNG) });
    json!({ "type": "image", "source": source })
}

/// The picture as the Responses API has it.
fn in_responses() -> Value {
    let url = format!("data:image/png;base64,{}", STANDARD.encode(PNG));
    json!({ "type": "input_image", "image_url": url })
}

/// How often the last request has this picture.
fn pictures_in(server: &Server, picture: &Value) -> usize {
    let requests = server.requests();
    count(&requests.last().expect("a request").body, picture)
}

/// How often `value` has all the fields of `part` in one place.
fn count(value: &Value, part: &Value) -> usize {
    let inside = match value {
        Value::Array(all) => all.iter().map(|one| count(one, part)).sum(),
        Value::Object(all) => all.values().map(|one| count(one, part)).sum(),
        _ => 0,
    };
    let fields = part.as_object().expect("an object");
    let is_it = fields
        .iter()
        .all(|(name, field)| value.get(name) == Some(field));
    inside + usize::from(is_it)
}
