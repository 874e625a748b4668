//! `claw` itself, as a process: one prompt, a conversation, and what goes wrong.

#[path = "support/program.rs"]
mod program;

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use claw_code_solutions::claw::{Endpoint, Options, ServerApi, choose};
use claw_code_solutions::provider::API_KEY_VARIABLES;
#[cfg(feature = "ch20")]
use claw_code_solutions::{claw::ModelConnection, provider::OpenAiConfig};
use claw_offline::{Fault, Reply, Script, Server};
use program::{Folder, command, run, stderr, stdout, wait_until};

#[test]
fn without_a_key_it_says_so_and_answers() {
    let output = claw(&[], "list the files here\n");
    let text = stdout(&output);
    let first = text.lines().next().unwrap_or_default();
    assert!(first.contains("offline model"), "the first line: {first:?}");
    assert!(text.contains("● [list"), "a row for the tool: {text}");
    assert!(text.contains("Cargo.toml"), "the folder's files: {text}");
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn one_prompt_and_out() {
    let output = claw(&["--offline", "-p", "list the files here"], "");
    let text = stdout(&output);
    assert!(text.contains("Cargo.toml"), "{text}");
    assert!(!text.contains("offline model:"), "no greeting: {text}");
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn a_server_that_is_down_is_an_error_with_a_next_step() {
    // The port is taken, so that nobody else can come by it, and nobody listens there.
    let silent = tokio::net::TcpSocket::new_v4().expect("a socket");
    let any = "127.0.0.1:0".parse().expect("an address");
    silent.bind(any).expect("a free port");
    let url = format!("http://{}/v1", silent.local_addr().expect("an address"));
    let output = claw(&["--base-url", &url, "--model", "m", "-p", "hi"], "");
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{words}");
    assert!(words.contains("check the base URL"), "{words}");
}

#[test]
fn a_server_needs_a_model() {
    let output = claw(&["--base-url", "http://127.0.0.1:9/v1", "-p", "hi"], "");
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{words}");
    assert!(words.contains("--model"), "{words}");
}

#[cfg(feature = "ch20")]
#[test]
fn a_provider_is_named_with_its_server() {
    for (api, url, name) in [
        (
            ServerApi::Messages,
            "https://api.anthropic.com/v1",
            "anthropic",
        ),
        (
            ServerApi::Messages,
            "https://API.anthropic.com:443",
            "anthropic",
        ),
        (ServerApi::Responses, "https://api.openai.com/v1/", "openai"),
        (
            ServerApi::Messages,
            "https://api.openai.com/v1",
            "anthropic@api.openai.com",
        ),
        (
            ServerApi::Messages,
            "https://api.anthropic.com.example/v1",
            "anthropic@api.anthropic.com.example",
        ),
        (
            ServerApi::Responses,
            "http://somebody:SECRET@localhost:8080/v1",
            "openai@localhost:8080",
        ),
        (
            ServerApi::Messages,
            "http://[::1]:8080",
            "anthropic@[::1]:8080",
        ),
        (ServerApi::Messages, "nonsense", "anthropic"),
        (
            ServerApi::Completions,
            "http://localhost:8080/v1",
            "completions",
        ),
    ] {
        let model = ModelConnection {
            config: OpenAiConfig::new(url, "m"),
            api,
            description: String::new(),
            offline_server: None,
        };
        assert_eq!(model.provider_name(), name, "{url}");
        assert!(!name.contains('/'), "a session has it before a slash");
    }
}

#[test]
fn a_model_needs_a_server() {
    let output = claw(&["--model", "gpt-5", "-p", "hi"], "");
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{words}");
    assert_eq!(stdout(&output), "", "the offline model is another one");
    for way in ["OPENAI_API_KEY", "--base-url", "leave out --model"] {
        assert!(words.contains(way), "{way}: {words}");
    }
    let output = claw(&["--offline", "--model", "gpt-5", "-p", "hi"], "");
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{words}");
}

#[test]
fn who_did_not_ask_for_the_offline_model_is_told() {
    let told = |arguments: &[&str]| {
        let output = claw(arguments, "");
        assert!(stdout(&output).contains("Hello."), "{output:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let words = told(&["-p", "hello"]);
    assert!(
        words.contains("the offline model answers") && words.lines().count() == 1,
        "{words}"
    );
    assert_eq!(told(&["--offline", "-p", "hello"]), "");
}

#[test]
fn a_base_url_that_is_none_is_not_the_providers_fault() {
    for url in ["nonsense", "ftp://host/v1", "http://"] {
        let output = claw(&["--base-url", url, "--model", "m", "-p", "hi"], "");
        let words = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{words}");
        let said = format!("`{url}` is not a base URL");
        assert!(
            words.contains(&said) && !words.contains("provider"),
            "{words}"
        );
    }
}

#[test]
fn words_without_an_option_are_shown_the_way() {
    for arguments in [&["list the files"][..], &["list", "the", "files"]] {
        let output = claw(arguments, "");
        let words = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{words}");
        assert!(words.contains("claw -p \"list the files here\""), "{words}");
    }
    let output = claw(&["--unknown"], "");
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!words.contains("claw -p"), "an option is no words: {words}");
}

#[test]
fn a_prompt_may_begin_with_a_dash() {
    let output = claw(&["--offline", "-p", "-x hello"], "");
    let text = stdout(&output);
    assert!(text.contains("None of my rules"), "{output:?}");
}

#[test]
fn help_says_that_nobody_asks() {
    let text = stdout(&claw(&["--help"], ""));
    for words in ["run at once, without asking you", "--tools '!bash'"] {
        assert!(text.contains(words), "{words}: {text}");
    }
}

#[test]
fn a_model_is_spoken_to_in_what_carries_most() {
    let with = |name: &str, options: &Options| {
        let env = |wanted: &str| match wanted {
            "CLAW_MODEL" => Some("m".to_string()),
            wanted => (wanted == name).then(|| format!("http://{name}")),
        };
        choose(options, env).map(|endpoint| match endpoint {
            Endpoint::Offline(api) => ("offline".to_string(), api),
            Endpoint::Server { api, base_url, .. } => (base_url, api),
        })
    };
    let rich = |api: ServerApi| match api.is_available() {
        true => api,
        false => ServerApi::Completions,
    };
    let offline = Options {
        offline: true,
        ..Options::default()
    };
    for (name, options, server, api) in [
        (
            "",
            &Options::default(),
            "offline",
            rich(ServerApi::Messages),
        ),
        (
            "OPENAI_API_KEY",
            &offline,
            "offline",
            rich(ServerApi::Messages),
        ),
        (
            "OPENAI_API_KEY",
            &Options::default(),
            "https://api.openai.com/v1",
            rich(ServerApi::Responses),
        ),
        (
            "OPENROUTER_API_KEY",
            &Options::default(),
            "https://openrouter.ai/api/v1",
            ServerApi::Completions,
        ),
        (
            "CLAW_BASE_URL",
            &Options::default(),
            "http://CLAW_BASE_URL",
            ServerApi::Completions,
        ),
        #[cfg(feature = "ch20")]
        (
            "ANTHROPIC_API_KEY",
            &Options::default(),
            "https://api.anthropic.com/v1",
            ServerApi::Messages,
        ),
    ] {
        let (url, spoken) = with(name, options).expect("a model");
        assert_eq!((url.as_str(), spoken), (server, api), "{name:?}");
    }
}

#[cfg(feature = "ch20")]
#[test]
fn an_api_that_the_server_does_not_speak_is_an_error() {
    let folder = Folder::with(&[]);
    let mut claw = command(folder.path(), folder.path());
    let claw = claw.env("OPENROUTER_API_KEY", "secret");
    let output = run(claw.args(["--api", "messages", "-p", "hello"]), "");
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{words}");
    assert!(
        words.contains("OPENROUTER_API_KEY is for https://openrouter.ai")
            && !words.contains("secret"),
        "{words}"
    );
}

#[test]
fn a_prompt_has_words() {
    for prompt in ["", "  "] {
        let output = claw(&["--offline", "-p", prompt], "");
        let words = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{words}");
        assert!(words.contains("the prompt after -p is empty"), "{words}");
    }
}

#[test]
fn a_conversation_remembers() {
    let output = claw(
        &["--offline"],
        "hello\nlist the files here\n/exit\nnever read\n",
    );
    let text = stdout(&output);
    assert!(text.contains("Cargo.toml"), "{text}");
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn it_lists() {
    let folder = Folder::with(&[("src/lib.rs", ""), ("notes.txt", "")]);
    let text = answer_in(&folder, "list the files here");
    assert_rows(&text, &["● [list: .]"]);
    assert!(text.contains("2 entries: notes.txt, src/"), "{text}");
}

#[test]
fn it_creates_a_file() {
    let folder = Folder::with(&[]);
    let text = answer_in(
        &folder,
        "create the file docs/plan.md with the text \"one\\ntwo\\n\"",
    );
    assert_rows(&text, &["● [write: docs/plan.md]"]);
    assert_eq!(folder.read("docs/plan.md"), "one\ntwo\n");
}

#[test]
fn it_reads() {
    let folder = Folder::with(&[("notes.txt", "milk\nbread\n")]);
    let text = answer_in(&folder, "read notes.txt");
    assert_rows(&text, &["● [read: notes.txt]"]);
    assert!(
        text.contains("has 2 lines") && text.contains("milk"),
        "{text}"
    );
}

#[test]
fn it_searches() {
    let folder = Folder::with(&[("a.txt", "one\n"), ("src/b.txt", "needle\n")]);
    let text = answer_in(&folder, "search for needle");
    assert_rows(&text, &["● [grep"]);
    assert!(text.contains("src/b.txt"), "{text}");
}

#[test]
fn it_replaces_what_it_has_to_read_first() {
    let folder = Folder::with(&[("notes.txt", "milk\nbread\n")]);
    let text = answer_in(&folder, "replace milk with honey in notes.txt");
    assert_eq!(folder.read("notes.txt"), "honey\nbread\n", "{text}");
    let rows: Vec<&str> = text.lines().filter(|line| line.starts_with('●')).collect();
    assert_eq!(
        rows,
        [
            "● [edit: notes.txt]",
            "● [read: notes.txt]",
            "● [edit: notes.txt]"
        ],
        "the first edit is refused, since nobody has looked at the file: {text}"
    );
}

#[test]
fn it_runs_a_command() {
    let folder = Folder::with(&[]);
    let text = answer_in(&folder, "run echo made here > made.txt");
    assert_rows(&text, &["● [bash: echo made here > made.txt]"]);
    assert_eq!(folder.read("made.txt"), "made here\n");
}

#[test]
fn a_row_stays_one_line() {
    let folder = Folder::with(&[]);
    let word = "long ".repeat(100);
    let text = answer_in(
        &folder,
        &format!("run echo one\necho {word}\t\u{1b}[31mred"),
    );
    let rows: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with(['●', ' ']))
        .collect();
    assert_eq!(
        rows.len(),
        2,
        "a row for the call and one for its result: {text}"
    );
    for row in rows {
        assert!(
            row.chars().count() < 200 && !row.contains('\u{1b}'),
            "a row is short and moves no cursor: {row:?}"
        );
    }
}

#[test]
fn it_makes_the_tests_pass() {
    let folder = Folder::with(&[]);
    copy(Path::new(DEMO), folder.path());
    let before = folder.read("src/lib.rs");
    let text = answer_in(&folder, "make the tests pass");
    assert_rows(
        &text,
        &[
            "● [bash: cargo test]",
            "● [read: tests/sums.rs]",
            "● [grep",
            "● [read: src/lib.rs]",
            "● [edit: src/lib.rs]",
            "● [bash: cargo test]",
        ],
    );
    assert!(
        text.ends_with("The tests pass now. I fixed `total`.\n"),
        "it stops when they are green, and says so: {text}"
    );
    assert_eq!(
        folder.read("src/lib.rs"),
        before.replace("price + count", "price * count"),
        "one operator was mended, and all else is as it was"
    );
    assert_eq!(
        folder.read("tests/sums.rs"),
        fs::read_to_string(Path::new(DEMO).join("tests/sums.rs")).expect("the demo is there"),
        "the tests themselves were left alone"
    );
    let tests = Command::new("cargo")
        .args(["test", "--quiet", "--offline"])
        .current_dir(folder.path())
        .env_remove("CARGO_TARGET_DIR")
        .output()
        .expect("cargo starts");
    assert!(tests.status.success(), "they do pass: {tests:?}");
}

#[test]
fn tools_are_chosen_by_patterns() {
    let folder = Folder::with(&[("notes.txt", "milk\n")]);
    let run = |tools: &str, prompt: &str| {
        let arguments = ["--offline", "--tools", tools, "-p", prompt];
        claw_in(folder.path(), &arguments, "")
    };
    let text = stdout(&run("!bash", "run touch made.txt"));
    assert!(text.contains("I lack the tool for that: `bash`"), "{text}");
    assert!(!folder.path().join("made.txt").exists(), "{text}");
    let text = stdout(&run("read,gr*", "read notes.txt"));
    assert_rows(&text, &["● [read: notes.txt]"]);
    let wrong = run("raed", "read notes.txt");
    let words = String::from_utf8_lossy(&wrong.stderr).into_owned();
    assert_eq!(wrong.status.code(), Some(2), "{words}");
    assert!(words.contains("did you mean `read`?"), "{words}");
}

#[test]
fn what_is_no_utf8_is_taken_as_far_as_it_goes() {
    let folder = Folder::with(&[("notes.txt", "milk\n")]);
    let input = b"list the files here\n\xff\xfe bad\nread notes.txt\n";
    let output = claw_in(folder.path(), &["--offline"], input);
    let text = stdout(&output);
    assert_rows(&text, &["● [list: .]", "● [read: notes.txt]"]);
    assert!(output.status.success(), "{output:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_model_says_gives_the_terminal_no_orders() {
    let pieces = [
        "a\u{1b}",
        "[2J\tb\r",
        "\u{1b}]0;ti",
        "tle\u{7}\u{9b}",
        "31mc\u{7f}\u{85}d\n",
        "e",
    ];
    let script = Script::new().reply(Reply::pieces(pieces));
    let server = Server::with(script).await.expect("a server");
    let output = asking(&server, &["-p", "hi"], "");
    assert_eq!(stdout(&output), "a[2J\tb]0;title31mcd\ne\n", "{output:?}");
}

#[test]
fn a_command_that_fails_shows_its_last_lines() {
    let folder = Folder::with(&[]);
    let long = "x".repeat(300);
    let command = format!("run printf 'one\\ntwo\\nthree\\n{long}\\nfour\\n'; exit 3");
    let text = answer_in(&folder, &command);
    let at = text
        .find("  └ [exit code 3]")
        .unwrap_or_else(|| panic!("{text}"));
    let rows: Vec<&str> = text[at..].lines().take(5).collect();
    assert_eq!(rows[0], "  └ [exit code 3] … 5 lines before it");
    assert_eq!(rows[1], "    three");
    assert!(
        rows[2].starts_with("    xxx") && rows[2].ends_with('…') && rows[2].chars().count() <= 120,
        "cut: {rows:?}"
    );
    assert_eq!(rows[3], "    four");
    assert!(!rows[4].starts_with(' '), "no more than these: {rows:?}");
    let text = answer_in(&folder, "run printf 'one\\ntwo\\n'");
    assert!(
        !text.contains("    two"),
        "of what went well, one row: {text}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_looks_like_a_command_is_not_said() {
    let script = Script::new().reply(Reply::text("Then clean it up."));
    let server = Server::with(script).await.expect("a server");
    let output = asking(
        &server,
        &[],
        "/foo\n/HELP me\n/quit now\n/usr/bin is full\n",
    );
    let words = stderr(&output);
    for command in ["/foo", "/HELP me", "/quit now"] {
        let answer = format!("unknown command `{command}`; the commands are /");
        assert!(words.contains(&answer), "{command}: {words}");
    }
    assert!(words.contains("/help and /exit"), "{words}");
    assert!(
        stdout(&output).ends_with("Then clean it up.\n"),
        "{output:?}"
    );
    assert_eq!(output.status.code(), Some(1), "in a pipe that is a failure");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_turn_that_failed_is_a_failure() {
    let refused = Fault::Status {
        status: 401,
        retry_after: None,
        body: "{}".into(),
    };
    let script = Script::new().fault(refused).reply(Reply::text("Two."));
    let server = Server::with(script).await.expect("a server");
    let output = asking(&server, &[], "one\ntwo\n");
    assert!(
        stdout(&output).ends_with("Two.\n"),
        "it goes on: {output:?}"
    );
    assert_eq!(output.status.code(), Some(1), "{output:?}");
}

// Before chapter 20 it runs on the first loop, whose waits nobody hears of.
#[cfg(feature = "ch20")]
#[tokio::test(flavor = "multi_thread")]
async fn a_wait_is_told() {
    let busy = Fault::Status {
        status: 503,
        retry_after: Some("0".into()),
        body: "{}".into(),
    };
    let script = Script::new().fault(busy).reply(Reply::text("Two."));
    let server = Server::with(script).await.expect("a server");
    let output = asking(&server, &["-p", "two?"], "");
    assert_eq!(stdout(&output), "Two.\n", "{output:?}");
    let words = stderr(&output);
    assert!(
        words.contains("no answer (") && words.contains("retrying in"),
        "{words}"
    );
}

#[test]
fn help_fits_into_a_narrow_terminal() {
    let text = stdout(&claw(&["--offline"], "/help\n"));
    assert!(text.contains("/help ") && text.contains("/exit "), "{text}");
    for line in text.lines().skip(1) {
        assert!(line.chars().count() <= 78, "{line:?}");
    }
}

/// Whoever starts it may hand it a pipe that stays open and empty.
#[test]
fn a_pipe_that_says_nothing_holds_nobody_up() {
    let folder = tempfile::tempdir().expect("a new folder");
    let mut child = command(folder.path(), folder.path())
        .args(["--offline", "-p", "hello"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("claw starts");
    let open = child.stdin.take();
    let output = child.wait_with_output().expect("claw ends");
    drop(open);
    assert!(stdout(&output).contains("Hello."), "{output:?}");
    assert!(
        stderr(&output).contains("no piped input arrived"),
        "{output:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_piped_in_goes_behind_the_prompt() {
    let script = Script::new()
        .reply(Reply::text("A change."))
        .reply(Reply::text("Nothing."));
    let server = Server::with(script).await.expect("a server");
    let output = asking(&server, &["-p", "what is it?"], "- milk\n+ \u{1f36f}\n");
    assert_eq!(stdout(&output), "A change.\n", "{output:?}");
    let output = asking(&server, &["-p", "what is it?"], "\n");
    assert_eq!(stdout(&output), "Nothing.\n", "{output:?}");
    let large = asking(&server, &["-p", "what is it?"], "x".repeat(1024 * 1024 + 1));
    assert_eq!(large.status.code(), Some(2), "{large:?}");
    assert!(stderr(&large).contains("larger than 1 MiB"), "{large:?}");
    let asked: Vec<String> = server
        .requests()
        .iter()
        .map(|request| {
            request.body["messages"]
                .as_array()
                .expect("messages")
                .clone()
        })
        .filter_map(|messages| Some(messages.last()?["content"].as_str()?.to_string()))
        .collect();
    assert_eq!(
        asked,
        ["what is it?\n\n- milk\n+ \u{1f36f}\n", "what is it?"]
    );
}

#[test]
fn a_pipe_that_does_not_end_is_told() {
    let home = tempfile::tempdir().expect("a new folder");
    let told = home.path().join("told");
    let mut child = command(home.path(), home.path())
        .args(["--offline", "-p", "hello"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(fs::File::create(&told).expect("a file"))
        .spawn()
        .expect("claw starts");
    wait_until(|| fs::read_to_string(&told).is_ok_and(|it| it.contains("< /dev/null")));
    drop(child.stdin.take());
    assert!(child.wait().expect("has ended").success());
}

#[test]
fn a_reader_that_has_gone_ends_it_quietly() {
    for arguments in [&["--offline"][..], &["--offline", "-p", "hello"]] {
        let home = tempfile::tempdir().expect("a new folder");
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let mut command = command(home.path(), home.path());
        let output = command
            .args(arguments)
            .stdout(writer)
            .stderr(Stdio::piped());
        let output = output.spawn().and_then(|child| child.wait_with_output());
        let output = output.expect("claw ends");
        assert_eq!(stderr(&output), "", "{arguments:?}");
        assert!(output.status.success(), "{arguments:?}: {output:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_a_failure() {
    for arguments in [&["--offline"][..], &["--offline", "-p", "hello"]] {
        let home = tempfile::tempdir().expect("a new folder");
        let full = fs::File::options().write(true).open("/dev/full");
        let mut command = command(home.path(), home.path());
        let output = command.args(arguments).stdout(full.expect("a device"));
        let output = output.stderr(Stdio::piped()).spawn();
        let output = output.and_then(|child| child.wait_with_output());
        let output = output.expect("claw ends");
        assert!(stderr(&output).contains("No space left"), "{output:?}");
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {output:?}");
    }
}

#[test]
fn the_offline_model_needs_no_certificates() {
    let folder = Folder::with(&[]);
    let output = command(folder.path(), folder.path())
        .env("SSL_CERT_FILE", "/nonexistent")
        .env("SSL_CERT_DIR", "/nonexistent")
        .args(["-p", "hello"])
        .output()
        .expect("claw starts");
    assert!(stdout(&output).contains("Hello."), "{output:?}");
}

// Before chapter 7 there are no commands, and before chapter 20 no session shows their output.
#[cfg(feature = "ch20")]
#[test]
fn commands_do_not_see_the_api_keys() {
    let folder = Folder::with(&[]);
    let program = || command(folder.path(), folder.path());
    let mut run_env = program();
    run_env.args(["--offline", "-p", "run env"]);
    for name in API_KEY_VARIABLES {
        run_env.env(name, "the-secret-key");
    }
    assert!(run_env.status().expect("claw starts").success());
    let shown = program().args(["sessions", "--show"]).output();
    let text = stdout(&shown.expect("claw starts"));
    assert!(text.contains("  PATH="), "`env` has run: {text}");
    assert!(!text.contains("the-secret-key"), "{text}");
}

#[test]
fn every_key_that_claw_reads_is_in_the_list() {
    for base_url in [None, Some("http://localhost/v1")] {
        let options = Options {
            base_url: base_url.map(String::from),
            ..Options::default()
        };
        let _ = choose(&options, |name| {
            let is_listed = API_KEY_VARIABLES.contains(&name);
            assert!(is_listed || !name.contains("KEY"), "{name}");
            None
        });
    }
}

/// What `claw` says when it asks this server.
fn asking(server: &Server, arguments: &[&str], input: impl AsRef<[u8]>) -> Output {
    let url = format!("{}/v1", server.url());
    let mut all = vec!["--base-url", &url, "--model", "scripted"];
    all.extend(arguments);
    claw(&all, input)
}

/// The project that is bundled with the course, with a mistake in it.
const DEMO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../course/demo");

/// Whether the rows of tools begin with these, in this order, and whether none failed.
fn assert_rows(text: &str, expected: &[&str]) {
    let rows: Vec<&str> = text.lines().filter(|line| line.starts_with('●')).collect();
    let fits = rows.len() == expected.len()
        && rows
            .iter()
            .zip(expected)
            .all(|(row, start)| row.starts_with(start));
    assert!(fits, "{rows:#?}, not {expected:#?}, in: {text}");
    assert!(!text.contains("└ error:"), "none of them failed: {text}");
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a new folder");
    for entry in from.read_dir().expect("the folder can be read") {
        let entry = entry.expect("an entry");
        let place = to.join(entry.file_name());
        match entry.path().is_dir() {
            true if entry.file_name() == "target" => {}
            true => copy(&entry.path(), &place),
            false => {
                fs::copy(entry.path(), place).expect("a copy");
            }
        }
    }
}

/// What `claw` says to one prompt in this folder.
fn answer_in(folder: &Folder, prompt: &str) -> String {
    let output = claw_in(folder.path(), &["--offline", "-p", prompt], "");
    assert!(output.status.success(), "{prompt:?}: {output:?}");
    stdout(&output)
}

/// Runs `claw` in this package's folder with no keys set.
fn claw(arguments: &[&str], input: impl AsRef<[u8]>) -> Output {
    claw_in(Path::new(env!("CARGO_MANIFEST_DIR")), arguments, input)
}

/// Runs `claw` in this folder, with no keys set and a home of its own.
fn claw_in(folder: &Path, arguments: &[&str], input: impl AsRef<[u8]>) -> Output {
    let home = tempfile::tempdir().expect("a new folder");
    run(command(folder, home.path()).args(arguments), input)
}
