//! Two agents of other projects list a folder, edit a file and run a command, with their own
//! tools. They run on Linux only: the model answers with commands for its shell.

#![cfg(target_os = "linux")]

use std::fs;
use std::path::PathBuf;

use claw_offline::{LoggedRequest, Server};

use super::agent::{Agent, CLAUDE_CODE, CODEX};
use super::skip::report_skip;
use super::transcript;

const PROMPT: &str =
    "list ., then replace \"milk\" with \"bread\" in notes.txt, then run cat notes.txt";

/// What an agent did.
struct Run {
    /// What it printed to standard output.
    output: String,
    /// The file that it should have edited.
    notes: String,
    requests: Vec<LoggedRequest>,
    folder: Folder,
}

/// A temporary folder. It is not below the repository, whose instructions for assistants the
/// agents would read.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let name = format!("claw-offline-{name}-{}", std::process::id());
        let folder = Self(std::env::temp_dir().join(name));
        for part in ["home", "project"] {
            fs::create_dir_all(folder.0.join(part)).expect("a folder");
        }
        folder
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Runs an agent in a folder of its own. `None` if it cannot be installed.
async fn run(agent: &'static Agent, model: Option<&'static str>, name: &str) -> Option<Run> {
    let folder = Folder::new(name);
    let notes = folder.0.join("project/notes.txt");
    fs::write(&notes, "milk\neggs\n").expect("a file");
    let server = Server::start().await.expect("a free port");
    let (url, place) = (server.url(), folder.0.clone());
    let run = tokio::task::spawn_blocking(move || agent.run(&place, &url, model, PROMPT));
    let output = match run.await.expect("no panic") {
        Ok(output) => output,
        Err(reason) => {
            report_skip("Node.js and packages of npm", &reason);
            return None;
        }
    };
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(
        output.status.success(),
        "{name}: {}\n{}",
        text(&output.stdout),
        text(&output.stderr)
    );
    Some(Run {
        output: text(&output.stdout),
        notes: fs::read_to_string(notes).expect("the file is still there"),
        requests: server.requests(),
        folder,
    })
}

/// Checks that an agent does what the prompt asks for with calls of these tools, and sends
/// requests only to the path of its API.
async fn assert_works(
    agent: &'static Agent,
    model: Option<&'static str>,
    name: &str,
    tools: &[&str],
) {
    let Some(run) = run(agent, model, name).await else {
        return;
    };
    assert_eq!(run.notes, "bread\neggs\n", "{name} edits the file");
    let expected = "`cat notes.txt` ran and printed 2 lines. The last: eggs.";
    assert!(run.output.contains(expected), "{name}: {}", run.output);
    let paths = run.requests.iter().map(|it| it.path.split('?').next());
    for path in paths {
        assert_eq!(path, Some(agent.api), "{name}");
    }
    let entries = transcript::record(&run.requests, &run.folder.0).await;
    let calls = entries.iter().flat_map(|entry| entry.calls());
    assert_eq!(calls.collect::<Vec<_>>(), tools, "{name}");
    if std::env::var_os("CLAW_TRANSCRIPTS").is_some_and(|it| it == "write") {
        transcript::write(name, &entries);
    }
}

#[tokio::test]
async fn codex_works_with_its_shell() {
    let tools = ["exec_command"; 3];
    assert_works(&CODEX, Some("claw-offline"), "codex", &tools).await;
}

/// Codex offers `apply_patch` to the models that it knows.
#[tokio::test]
async fn codex_works_with_patches() {
    let tools = [
        "exec_command",
        "exec_command",
        "apply_patch",
        "exec_command",
    ];
    assert_works(&CODEX, Some("gpt-5.5"), "codex-patches", &tools).await;
}

#[tokio::test]
async fn claude_code_works_with_its_default_model() {
    let tools = ["Bash", "Edit", "Bash"];
    assert_works(&CLAUDE_CODE, None, "claude-code", &tools).await;
}
