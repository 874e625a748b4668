//! Conversations that `claw` keeps: they go on in another process, and after a kill.

#[path = "support/program.rs"]
mod program;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use claw_code_solutions::session::SessionHistory;
use claw_offline::{Fault, Reply, Script, Server};
use program::{Folder, command, run, stdout};
use serde_json::{Value, json};

#[tokio::test(flavor = "multi_thread")]
async fn another_process_goes_on() {
    let place = Place::new();
    let script = Script::new()
        .reply(Reply::text("Nice to meet you, Ada."))
        .reply(Reply::text("You are Ada."));
    let server = Server::with(script).await.expect("a server");
    let first = place.claw(&server, &["-p", "I am Ada."]);
    assert!(first.status.success(), "{first:?}");
    let second = place.claw(&server, &["--resume", "-p", "Who am I?"]);
    assert_eq!(stdout(&second), "You are Ada.\n", "{second:?}");
    assert_eq!(
        said(&server),
        [
            ("user", "I am Ada."),
            ("assistant", "Nice to meet you, Ada."),
            ("user", "Who am I?")
        ]
        .map(|(role, text)| (role.to_string(), text.to_string())),
        "the model is sent the whole of it"
    );
    let third = place.claw(&server, &["-p", "hello"]);
    assert!(third.status.success(), "{third:?}");
    assert_eq!(said(&server).len(), 1, "without --resume it is a new one");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_model_is_sent_what_it_was_sent_before() {
    for (api, messages) in [
        ("completions", "messages"),
        ("responses", "input"),
        ("messages", "messages"),
    ] {
        let place = Place::new();
        let calls = [
            ("a", "list", json!({})),
            ("b", "read", json!({ "path": "none.txt" })),
        ];
        let thoughtful = Reply::text("I look.").thinking("Hm.", "seal");
        let script = Script::new()
            .reply(thoughtful.redacted_thinking("DATA").and_tool_calls(calls))
            .reply(Reply::text("One is missing."))
            .reply(Reply::text("Still."));
        let server = Server::with(script).await.expect("a server");
        let first = place.claw(&server, &["--api", api, "-p", "read none.txt"]);
        assert!(first.status.success(), "{first:?}");
        let second = place.claw(&server, &["--api", api, "--resume", "-p", "sure?"]);
        assert_eq!(stdout(&second), "Still.\n", "{second:?}");
        let sent = |request: usize| {
            let mut sent = server.requests()[request].body[messages].clone();
            without_marks(&mut sent);
            sent.as_array().expect("messages").clone()
        };
        let (before, after) = (sent(1), sent(2));
        // The instructions of Chat Completions may have another date in them.
        let is_same = before[1..].iter().eq(&after[1..before.len()]);
        assert!(is_same, "{api}: {before:#?}, and then {after:#?}");
        let thoughts = before.iter().any(|it| it.to_string().contains("seal"));
        assert_eq!(thoughts, api != "completions", "{api}: {before:#?}");
    }
}

/// The server that had a thought can check it and use it; another has no business with it.
#[tokio::test(flavor = "multi_thread")]
async fn thoughts_go_back_to_their_own_server() {
    for (api, messages) in [("responses", "input"), ("messages", "messages")] {
        let place = Place::new();
        let script = |words: &str, seal: &str| {
            let reply = |text: String| Reply::text(text).thinking("Hm.", seal);
            Script::new()
                .reply(reply(format!("{words} once")))
                .reply(reply(format!("{words} twice")))
        };
        let one = Server::with(script("One", "seal-1")).await.expect("one");
        let two = Server::with(script("Two", "seal-2")).await.expect("two");
        place.claw(&one, &["--api", api, "-p", "a"]);
        for server in [&two, &one, &two] {
            let output = place.claw(server, &["--api", api, "--resume", "-p", "b"]);
            assert!(output.status.success(), "{output:?}");
        }
        let sent = |server: &Server| server.requests()[1].body[messages].to_string();
        for (sent, own, others) in [
            (sent(&one), "seal-1", "seal-2"),
            (sent(&two), "seal-2", "seal-1"),
        ] {
            assert!(
                sent.contains("One once") && sent.contains("Two once"),
                "{sent}"
            );
            assert!(sent.contains(own), "{api}: its own come back: {sent}");
            assert!(!sent.contains(others), "{api}: and no others: {sent}");
        }
        let first = two.requests()[0].body[messages].to_string();
        assert!(!first.contains("seal"), "{api}: {first}");
    }
}

/// Once a session did not say which server had the thoughts in it.
#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_names_no_server_goes_on_without_its_thoughts() {
    let place = Place::new();
    let script = Script::new()
        .reply(Reply::text("I look.").thinking("Hm.", "seal"))
        .reply(Reply::text("Still."));
    let server = Server::with(script).await.expect("a server");
    place.claw(&server, &["--api", "messages", "-p", "look"]);
    let [database] = place.databases().try_into().expect("one database");
    let mut history = SessionHistory::open(&database).expect("a history");
    let latest = history.latest().expect("a history").expect("a session");
    let mut session = history.load(&latest).expect("the session");
    let name = &mut session.messages[1].name;
    let named = name.take().expect("a reply has a name");
    assert_eq!(
        named,
        format!(
            "anthropic@{}/scripted",
            server.url().trim_start_matches("http://")
        )
    );
    *name = Some("anthropic/scripted".to_string());
    session.session_id = "older".to_string();
    history.create(&session).expect("a new session");
    let arguments = ["--api", "messages", "--resume", "older", "-p", "sure?"];
    let output = place.claw(&server, &arguments);
    assert_eq!(stdout(&output), "Still.\n", "{output:?}");
    let sent = server.requests()[1].body["messages"].to_string();
    assert!(sent.contains("I look."), "what was said is there: {sent}");
    assert!(!sent.contains("seal"), "{sent}");
}

#[test]
fn the_offline_model_keeps_its_name() {
    let place = Place::new();
    place.run(&["--offline", "-p", "hello"]);
    place.run(&["--offline", "--resume", "-p", "hello"]);
    let [database] = place.databases().try_into().expect("one database");
    let history = SessionHistory::open(&database).expect("a history");
    let latest = history.latest().expect("a history").expect("a session");
    let session = history.load(&latest).expect("the session");
    let names: Vec<_> = session.messages.iter().flat_map(|it| &it.name).collect();
    assert_eq!(names, ["offline-anthropic/claw-offline"; 2], "at each port");
}

/// Takes off where a prompt is cached, which moves from request to request.
fn without_marks(value: &mut Value) {
    match value {
        Value::Array(all) => all.iter_mut().for_each(without_marks),
        Value::Object(all) => {
            all.remove("cache_control");
            all.values_mut().for_each(without_marks);
        }
        _ => {}
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_is_named_by_the_beginning_of_its_id() {
    let place = Place::new();
    let server = Server::start().await.expect("a server");
    for prompt in ["the first", "the second"] {
        place.claw(&server, &["-p", prompt]);
    }
    let list = stdout(&place.run(&["sessions"]));
    let rows: Vec<&str> = list.lines().skip(1).collect();
    assert_eq!(rows.len(), 2, "{list}");
    assert!(
        rows[0].ends_with("2 messages  the second") && rows[1].ends_with("2 messages  the first"),
        "the last one first: {list}"
    );
    assert!(
        list.starts_with(&format!("Sessions of {}", place.real().display())),
        "with the folder: {list}"
    );
    let id = &rows[1][..8];
    let output = place.claw(&server, &["--resume", id, "-p", "and the third"]);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(said(&server)[0].1, "the first");
    let unknown = place.claw(&server, &["--resume", "zzz", "-p", "hello"]);
    assert_fails(&unknown, "begins with `zzz`; `claw sessions` lists them");
    let found = stdout(&place.run(&["sessions", "THIRD"]));
    assert!(
        found.contains(id) && found.contains("message    3  and the [third]"),
        "{found}"
    );
    let nothing = stdout(&place.run(&["sessions", "walnut"]));
    assert!(nothing.contains("No message of"), "{nothing}");
}

#[test]
fn each_folder_has_sessions_of_its_own() {
    let place = Place::new();
    let other = Folder::with(&[]);
    let list = stdout(&place.run(&["sessions"]));
    assert!(list.contains("No sessions of"), "{list}");
    place.run(&["--offline", "-p", "hello"]);
    let elsewhere = run(command(other.path(), place.home.path()).arg("sessions"), "");
    assert!(
        stdout(&elsewhere).contains("No sessions of"),
        "{elsewhere:?}"
    );
    let resume = run(
        command(other.path(), place.home.path()).args(["--offline", "--resume", "-p", "hi"]),
        "",
    );
    assert_fails(&resume, "this folder has no sessions yet");
}

#[test]
fn nothing_is_kept_by_wish_and_for_nothing() {
    let place = Place::new();
    let output = place.run(&["--offline", "--no-session", "-p", "hello"]);
    assert!(output.status.success(), "{output:?}");
    for arguments in [&["--version"][..], &["sessions"]] {
        place.run(arguments);
    }
    let idle = run(place.command().arg("--offline"), "/help\n");
    assert!(idle.status.success(), "{idle:?}");
    assert_eq!(
        place.databases(),
        [] as [PathBuf; 0],
        "no words, no database"
    );
}

#[test]
fn sessions_are_kept_in_the_data_folder_of_the_user() {
    let place = Place::new();
    let data = place.folder.path().join("data");
    let user = place.folder.path().join("user");
    for (folder, expected) in [
        (data.as_path(), data.join("claw")),
        (Path::new("not/absolute"), user.join(".local/share/claw")),
    ] {
        let mut command = place.command();
        command.env_remove("CLAW_HOME").env("HOME", &user);
        command.env("XDG_DATA_HOME", folder);
        let output = run(command.args(["--offline", "-p", "hello"]), "");
        assert!(output.status.success(), "{output:?}");
        let kept = fs::read_dir(expected.join("sessions")).expect("a folder");
        assert_eq!(kept.count(), 1, "{}", expected.display());
    }
}

#[test]
fn a_conversation_is_kept_as_one_session() {
    let place = Place::new();
    let input = "hello\nlist the files here\n";
    let output = run(place.command().arg("--offline"), input);
    assert!(output.status.success(), "{output:?}");
    let [database] = place.databases().try_into().expect("one database");
    let history = SessionHistory::open(&database).expect("a history");
    let [session] = history.list().expect("a list").try_into().expect("one");
    assert_eq!(session.messages, 6, "{session:?}");
    let (session, _) = history.resume(&session.session_id).expect("a session");
    assert!(session.ended_at.is_some() && session.usage.is_some());
    let resumed = run(place.command().args(["--offline", "--resume"]), "");
    let text = stdout(&resumed);
    assert!(
        text.contains("6 messages since") && text.contains("\n> list the files here\n"),
        "what it was about: {text}"
    );
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let folder = database.parent().expect("a folder");
        let mode = fs::metadata(folder).expect("there").permissions().mode();
        assert_eq!(mode & 0o077, 0, "nobody else looks into it: {mode:o}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kill_loses_no_whole_message() {
    let place = Place::new();
    let script = Script::new()
        .reply(Reply::text("I look.").and_tool_calls([("a", "list", json!({}))]))
        .reply(Reply::text("And now I wait.").and_tool_calls([
            ("b", "bash", json!({ "command": "touch here; sleep 60" })),
            ("c", "list", json!({})),
        ]))
        .reply(Reply::text("It broke off, I see."));
    let server = Server::with(script).await.expect("a server");
    let mut child = place
        .asking(&server, &["-p", "look and wait"])
        .stdout(Stdio::null())
        .spawn()
        .expect("claw starts");
    wait_for(&place.folder.path().join("here"));
    child.kill().expect("can be killed");
    child.wait().expect("has ended");

    let output = place.claw(&server, &["--resume", "-p", "go on"]);
    assert_eq!(stdout(&output), "It broke off, I see.\n", "{output:?}");
    let said = said(&server);
    let roles: Vec<&str> = said.iter().map(|(role, _)| role.as_str()).collect();
    assert_eq!(
        roles,
        [
            "user",
            "assistant",
            "tool",
            "assistant",
            "tool",
            "tool",
            "user"
        ],
        "each call has its result, and none of what was whole is lost: {said:#?}"
    );
    assert!(
        said[2].1.contains("notes.txt"),
        "what the tool has said: {said:#?}"
    );
    for lost in &said[4..6] {
        assert!(
            lost.1.contains("was lost when the session broke off"),
            "{lost:?}"
        );
    }
    let again = run(&mut place.asking(&server, &["--resume"]), "");
    let text = stdout(&again);
    assert!(
        text.contains("8 messages since") && !text.contains("interrupted"),
        "what was repaired is kept: {text}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kill_in_the_middle_of_a_reply() {
    let place = Place::new();
    let long = Reply::text("word ".repeat(400));
    let script = Script::new()
        .fault_in(Fault::Stall { after_bytes: 4000 }, long)
        .reply(Reply::text("Here I am."));
    let server = Server::with(script).await.expect("a server");
    let shown = place.folder.path().join("shown");
    let mut child = place
        .asking(&server, &["-p", "speak"])
        .stdout(fs::File::create(&shown).expect("a file"))
        .spawn()
        .expect("claw starts");
    wait_until(|| fs::read_to_string(&shown).is_ok_and(|text| text.contains("word word")));
    child.kill().expect("can be killed");
    child.wait().expect("has ended");
    let output = place.claw(&server, &["--resume", "-p", "go on"]);
    assert_eq!(stdout(&output), "Here I am.\n", "{output:?}");
    let words: Vec<String> = said(&server).into_iter().map(|(_, text)| text).collect();
    assert_eq!(words, ["speak", "go on"], "what was asked is there");
}

#[test]
fn a_history_that_is_none_is_left_alone() {
    let place = Place::new();
    place.run(&["--offline", "-p", "hello"]);
    let [database] = place.databases().try_into().expect("one database");
    let good = fs::read(&database).expect("a file");
    let mut newer = good.clone();
    // The version is at byte 60 of SQLite's header.
    newer[60..64].copy_from_slice(&99_u32.to_be_bytes());
    let cases = [
        (
            b"these are no sessions".to_vec(),
            "this file is not a session history",
        ),
        (newer, "this history has version 99"),
        (good[..good.len() / 2].to_vec(), "not saved"),
    ];
    for (bytes, words) in cases {
        fs::write(&database, &bytes).expect("can be written");
        let output = place.run(&["--offline", "-p", "hello"]);
        let error = stderr(&output);
        assert!(
            output.status.success() && stdout(&output).contains("ello"),
            "it goes on: {output:?}"
        );
        assert!(
            error.contains(words) && error.contains("not saved"),
            "{error}"
        );
        assert_eq!(error.lines().count(), 1, "once: {error}");
        assert!(
            fs::read(&database).expect("a file") == bytes,
            "{words}: the file stays as it is"
        );
        let name = database.display().to_string();
        assert_eq!(error.matches(&name).count(), 1, "which file: {error}");
        for arguments in [
            &["--offline", "--resume", "-p", "hello"][..],
            &["sessions"],
            &["sessions", "hello"],
            &["sessions", "--show"],
        ] {
            let output = place.run(arguments);
            let error = stderr(&output);
            assert_eq!(output.status.code(), Some(2), "{error}");
            assert_eq!(error.matches(&name).count(), 1, "{arguments:?}: {error}");
        }
    }
}

#[test]
fn a_damaged_session_takes_no_other_along() {
    let place = Place::new();
    for prompt in ["the first", "the second"] {
        place.run(&["--offline", "-p", prompt]);
    }
    let [database] = place.databases().try_into().expect("one database");
    let ids: Vec<String> = stdout(&place.run(&["sessions"]))
        .lines()
        .skip(1)
        .map(|row| row[..8].to_string())
        .collect();
    let [second, first] = ids.try_into().expect("two sessions");
    let connection = rusqlite::Connection::open(&database).expect("a database");
    let damage = "UPDATE messages SET message = '{\"role\":' WHERE message LIKE '%the first%'";
    assert_eq!(connection.execute(damage, []), Ok(1));
    drop(connection);
    let list = stdout(&place.run(&["sessions"]));
    assert!(
        list.contains(&format!("{first}  ")) && list.contains("2 messages  the second"),
        "both are listed: {list}"
    );
    let found = stdout(&place.run(&["sessions", "second"]));
    assert!(found.contains("the [second]"), "{found}");
    let resumed = place.run(&["--offline", "--resume", &second, "-p", "hello"]);
    assert!(resumed.status.success(), "{resumed:?}");
    let damaged = place.run(&["--offline", "--resume", &first, "-p", "hello"]);
    assert_fails(&damaged, "this history is damaged (message 0 of session");
}

#[test]
fn a_history_that_cannot_be_opened_is_told_once() {
    let place = Place::new();
    place.run(&["--offline", "-p", "hello"]);
    let [database] = place.databases().try_into().expect("one database");
    fs::remove_file(&database).expect("can be removed");
    fs::create_dir(&database).expect("can be made");
    for arguments in [
        &["sessions"][..],
        &["--offline", "--resume", "-p", "hello"],
        &["--offline", "-p", "hello"],
    ] {
        let error = stderr(&place.run(arguments));
        for words in [
            "this history cannot be opened",
            &database.display().to_string(),
        ] {
            assert_eq!(error.matches(words).count(), 1, "once: {error}");
        }
    }
}

/// As root everything may be written, so then this is another user's process.
#[cfg(unix)]
#[test]
fn a_history_that_may_not_be_written_is_left_alone() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;

    let place = Place::new();
    place.run(&["--offline", "-p", "hello"]);
    let [database] = place.databases().try_into().expect("one database");
    let before = fs::read(&database).expect("a file");
    let set = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("can be set");
    };
    let sessions = database.parent().expect("a folder");
    for path in [place.folder.path(), place.home.path(), sessions] {
        set(path, 0o555);
    }
    set(&database, 0o444);
    let is_root = fs::OpenOptions::new().write(true).open(&database).is_ok();
    let run = |arguments: &[&str]| {
        let mut command = place.command();
        if is_root {
            command.uid(65534);
        }
        command.args(arguments).output()
    };
    let Ok(output) = run(&["--offline", "-p", "hello"]) else {
        return eprintln!("skipped: that user may not run this program");
    };
    let error = stderr(&output);
    assert!(output.status.success(), "it goes on: {output:?}");
    assert!(
        error.contains("not saved") && error.contains("cannot be written"),
        "{error}"
    );
    let list = run(&["sessions"]).expect("claw starts");
    let why = format!(
        "{} cannot be written: the file, its folder or the disk is read-only, and SQLite has to",
        database.display()
    );
    assert_fails(&list, &why);
    assert!(fs::read(&database).expect("a file") == before);
    set(sessions, 0o000);
    assert_fails(&run(&["sessions"]).expect("claw starts"), "cannot access");
    for path in [place.folder.path(), place.home.path(), sessions] {
        set(path, 0o755);
    }
}

#[test]
fn where_nothing_can_be_kept_it_goes_on() {
    let folder = Folder::with(&[("home", "a file, and no folder")]);
    let home = folder.path().join("home");
    let output = run(
        command(folder.path(), &home).args(["--offline", "-p", "hello"]),
        "",
    );
    let error = stderr(&output);
    assert!(output.status.success(), "{output:?}");
    assert!(
        error.contains("this conversation is not saved")
            && error.contains("cannot create the folder"),
        "{error}"
    );
    assert_eq!(folder.read("home"), "a file, and no folder");
    for arguments in [&["sessions"][..], &["--offline", "--resume", "-p", "hi"]] {
        let output = run(command(folder.path(), &home).args(arguments), "");
        assert_fails(&output, "cannot access");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_at_once_go_ways_of_their_own() {
    let place = Place::new();
    let server = Server::start().await.expect("a server");
    place.claw(&server, &["-p", "the beginning"]);
    let wait = json!({ "command": "touch here; until [ -e go ]; do sleep 0.02; done" });
    let script = Script::new()
        .reply(Reply::tool_calls([("a", "bash", wait)]))
        .reply(Reply::text("That took long."));
    let slow = Server::with(script).await.expect("a server");
    let first = place
        .asking(&slow, &["--resume", "-p", "the slow way"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("claw starts");
    wait_for(&place.folder.path().join("here"));
    let second = place.claw(&server, &["--resume", "-p", "the quick way"]);
    assert!(second.status.success(), "{second:?}");
    fs::write(place.folder.path().join("go"), "").expect("can be written");
    let first = first.wait_with_output().expect("claw ends");
    assert!(first.status.success(), "{first:?}");
    assert!(
        stderr(&first).contains("another process continues this session"),
        "{first:?}"
    );
    let list = stdout(&place.run(&["sessions"]));
    assert_eq!(list.matches("the beginning").count(), 2, "two ways: {list}");
}

/// A folder to work in, and one to keep sessions in.
struct Place {
    folder: Folder,
    home: Folder,
}

impl Place {
    fn new() -> Self {
        Self {
            folder: Folder::with(&[("notes.txt", "milk\n")]),
            home: Folder::with(&[]),
        }
    }

    /// The folder, by its own name.
    fn real(&self) -> PathBuf {
        self.folder.path().canonicalize().expect("a folder")
    }

    fn command(&self) -> Command {
        command(self.folder.path(), self.home.path())
    }

    fn run(&self, arguments: &[&str]) -> Output {
        run(self.command().args(arguments), "")
    }

    /// The command that asks this server.
    fn asking(&self, server: &Server, arguments: &[&str]) -> Command {
        let mut command = self.command();
        let url = format!("{}/v1", server.url());
        command.args(["--base-url", &url, "--model", "scripted"]);
        command.args(arguments);
        command
    }

    fn claw(&self, server: &Server, arguments: &[&str]) -> Output {
        run(&mut self.asking(server, arguments), "")
    }

    /// The databases that there are.
    fn databases(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.home.path().join("sessions"));
        let paths = entries
            .into_iter()
            .flatten()
            .map(|it| it.expect("an entry").path());
        paths
            .filter(|path| path.extension().is_some_and(|it| it == "db"))
            .collect()
    }
}

/// What the last request says, but for the instructions: the roles and the texts.
fn said(server: &Server) -> Vec<(String, String)> {
    let requests = server.requests();
    let messages = &requests.last().expect("a request").body["messages"];
    let messages = messages.as_array().expect("messages").iter();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
    messages
        .map(|message| (text(&message["role"]), text(&message["content"])))
        .filter(|(role, _)| role != "system")
        .collect()
}

fn assert_fails(output: &Output, words: &str) {
    let error = stderr(output);
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains(words), "{words:?}: {error}");
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn wait_for(file: &Path) {
    wait_until(|| file.exists());
}

fn wait_until(is_so: impl Fn() -> bool) {
    let begin = Instant::now();
    while !is_so() {
        assert!(
            begin.elapsed() < Duration::from_secs(30),
            "it does not come"
        );
        std::thread::sleep(Duration::from_millis(5));
    }
}
