//! `claw` itself, as a process: one prompt, a conversation, and what goes wrong.

#[path = "support/program.rs"]
mod program;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use claw_code_solutions::claw::{Api, Endpoint, Model, Options, choose};
use claw_code_solutions::provider::OpenAiConfig;
use program::{Folder, command, run, stdout};

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

#[test]
fn a_provider_is_named_with_its_server() {
    for (api, url, name) in [
        (Api::Messages, "https://api.anthropic.com/v1", "anthropic"),
        (Api::Messages, "https://API.anthropic.com:443", "anthropic"),
        (Api::Responses, "https://api.openai.com/v1/", "openai"),
        (
            Api::Messages,
            "https://api.openai.com/v1",
            "anthropic@api.openai.com",
        ),
        (
            Api::Messages,
            "https://api.anthropic.com.example/v1",
            "anthropic@api.anthropic.com.example",
        ),
        (
            Api::Responses,
            "http://somebody:SECRET@localhost:8080/v1",
            "openai@localhost:8080",
        ),
        (Api::Messages, "http://[::1]:8080", "anthropic@[::1]:8080"),
        (Api::Messages, "nonsense", "anthropic"),
        (Api::Completions, "http://localhost:8080/v1", "completions"),
    ] {
        let model = Model {
            connection: OpenAiConfig::new(url, "m"),
            api,
            about: String::new(),
            server: None,
        };
        assert_eq!(model.provider(), name, "{url}");
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
        let said = format!("`{url}` is no base URL");
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
    let rich = |api: Api| match api.is_spoken() {
        true => api,
        false => Api::Completions,
    };
    let offline = Options {
        offline: true,
        ..Options::default()
    };
    for (name, options, server, api) in [
        ("", &Options::default(), "offline", rich(Api::Messages)),
        ("OPENAI_API_KEY", &offline, "offline", rich(Api::Messages)),
        (
            "OPENAI_API_KEY",
            &Options::default(),
            "https://api.openai.com/v1",
            rich(Api::Responses),
        ),
        (
            "OPENROUTER_API_KEY",
            &Options::default(),
            "https://openrouter.ai/api/v1",
            Api::Completions,
        ),
        (
            "CLAW_BASE_URL",
            &Options::default(),
            "http://CLAW_BASE_URL",
            Api::Completions,
        ),
        #[cfg(feature = "ch20")]
        (
            "ANTHROPIC_API_KEY",
            &Options::default(),
            "https://api.anthropic.com/v1",
            Api::Messages,
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
        assert!(words.contains("no words behind -p"), "{words}");
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
        text.ends_with("The tests pass now. I mended `total`.\n"),
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
fn claw(arguments: &[&str], input: &str) -> Output {
    claw_in(Path::new(env!("CARGO_MANIFEST_DIR")), arguments, input)
}

/// Runs `claw` in this folder, with no keys set and a home of its own.
fn claw_in(folder: &Path, arguments: &[&str], input: &str) -> Output {
    let home = tempfile::tempdir().expect("a new folder");
    run(command(folder, home.path()).args(arguments), input)
}
