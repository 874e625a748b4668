//! Helpers for the tests of chapter 12, Hooks. Hooks are real programs, in a folder made for the
//! test.
//!
//! Tests wait for events and not for time to pass. `cat never` is a command that does not end by
//! itself, since it reads a FIFO to which nothing is written. A [`LivenessFifo`] shows whether
//! processes are alive.

use std::fs::File;
use std::io::Read;
use std::ops::Deref;
use std::os::unix::process::CommandExt;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use async_trait::async_trait;
use claw_code::hooks::*;
use claw_code::types::*;
use serde_json::{Value, json};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::support::TempFolder;

/// How long a test waits for an event before it fails. Long enough for a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(5);

/// The output of `work`. Fails if it hangs.
pub async fn in_time<F: Future>(work: F) -> F::Output {
    match timeout(PATIENCE, work).await {
        Ok(output) => output,
        Err(_) => panic!("this must come to an end, and hangs"),
    }
}

/// A session in this folder.
pub fn session(folder: &Path) -> HookSession {
    HookSession {
        session_id: "session-1".into(),
        transcript_path: String::new(),
        cwd: folder.to_path_buf(),
        permission_mode: "default",
    }
}

/// A session in a folder that need not exist.
pub fn work_session() -> HookSession {
    session(Path::new("/work/app"))
}

/// A hook that the shell runs, with a time limit that no test reaches.
pub fn command_hook(command: &str) -> CommandHook {
    CommandHook {
        command: command.into(),
        args: None,
        timeout: PATIENCE * 10,
    }
}

/// A process that runs `text` in a shell, in a process group of its own.
pub fn sh(text: &str, folder: &Path) -> Command {
    let mut command = Command::new("sh");
    command.arg("-c").arg(text).current_dir(folder);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    command.stderr(Stdio::piped()).process_group(0);
    command
}

/// The event before a call of `bash` with this command.
pub fn before_bash(command: &str) -> HookEvent {
    before("Bash", json!({ "command": command }))
}

/// The event before a call, by published names.
pub fn before(tool_name: &str, tool_input: Value) -> HookEvent {
    HookEvent::PreToolUse {
        tool_name: tool_name.into(),
        tool_input,
        tool_use_id: "call_1".into(),
    }
}

/// The event after a call of `bash`.
pub fn after_bash() -> HookEvent {
    HookEvent::PostToolUse {
        tool_name: "Bash".into(),
        tool_input: json!({ "command": "ls" }),
        tool_response: json!({ "content": "a.txt" }),
        tool_use_id: "call_1".into(),
    }
}

/// The event of a prompt.
pub fn prompt(text: &str) -> HookEvent {
    HookEvent::UserPromptSubmit {
        prompt: text.into(),
    }
}

/// The event at the end of a turn.
pub fn stop() -> HookEvent {
    HookEvent::Stop {
        stop_hook_active: false,
        last_assistant_message: "Done.".into(),
    }
}

/// A call with these arguments.
pub fn call(tool: &str, arguments: Value) -> ToolCall {
    ToolCall {
        id: "call_1".into(),
        name: tool.into(),
        arguments,
    }
}

/// A call of `bash` with this command.
pub fn bash(command: &str) -> ToolCall {
    call("bash", json!({ "command": command }))
}

/// A process that ended with this exit code, after it wrote this.
pub fn exited(code: i32, stdout: &str, stderr: &str) -> HookRun {
    let captured = |text: &str| Captured {
        bytes: text.as_bytes().to_vec(),
        is_truncated: false,
    };
    HookRun {
        end: HookEnd::Exited(code),
        output: HookOutput {
            stdout: captured(stdout),
            stderr: captured(stderr),
        },
    }
}

/// An answer with this decision and nothing else.
pub fn decides(decision: HookDecision) -> HookAnswer {
    HookAnswer {
        decision: Some(decision),
        ..HookAnswer::default()
    }
}

/// An answer that denies for this reason.
pub fn denies(reason: &str) -> HookAnswer {
    decides(HookDecision::Deny(reason.into()))
}

/// An answer with this context and nothing else.
pub fn adds(context: &str) -> HookAnswer {
    HookAnswer {
        context: vec![context.into()],
        ..HookAnswer::default()
    }
}

/// An answer that rewrites the arguments.
pub fn rewrites(input: Value) -> HookAnswer {
    HookAnswer {
        updated_input: input.as_object().cloned(),
        ..HookAnswer::default()
    }
}

/// A hook in this program that always gives the same answer.
pub struct Fixed(pub HookAnswer);

#[async_trait]
impl Hook for Fixed {
    fn name(&self) -> &str {
        "fixed"
    }

    async fn run(&self, _input: &HookInput) -> Result<HookAnswer, String> {
        Ok(self.0.clone())
    }
}

/// The hooks of [`work_session`] with one hook for every subject of an event.
pub fn hooks_with(event: &str, answer: HookAnswer) -> Hooks {
    let (mut hooks, _) = Hooks::new(work_session());
    hooks.add(event, Matcher::All, Fixed(answer));
    hooks
}

/// A temporary folder with the FIFO `never`, to which nothing is written. A command that reads it
/// ends with the test at the latest.
pub struct HookFolder {
    folder: TempFolder,
    _never: File,
}

impl HookFolder {
    pub fn new() -> Self {
        let folder = TempFolder::new();
        let path = make_fifo(&folder, "never");
        let never = File::options().read(true).write(true).open(path);
        Self {
            folder,
            _never: never.expect("the FIFO exists"),
        }
    }
}

impl Deref for HookFolder {
    type Target = TempFolder;

    fn deref(&self) -> &TempFolder {
        &self.folder
    }
}

fn make_fifo(folder: &TempFolder, name: &str) -> PathBuf {
    let path = folder.path().join(name);
    let status = Command::new("mkfifo").arg(&path).status();
    assert!(
        status.is_ok_and(|it| it.success()),
        "every Unix has `mkfifo`"
    );
    path
}

/// The FIFO `alive`, which processes hold open while they are alive.
pub struct LivenessFifo {
    opened: oneshot::Receiver<()>,
    closed: mpsc::Receiver<()>,
}

impl LivenessFifo {
    pub fn new(folder: &HookFolder) -> Self {
        let path = make_fifo(folder, "alive");
        let (open, opened) = oneshot::channel();
        let (close, closed) = mpsc::channel();
        std::thread::spawn(move || {
            // Opening waits for the first writer, and reading ends with the last one.
            let mut file = File::open(path).expect("the FIFO exists");
            let _ = open.send(());
            let _ = file.read_to_end(&mut Vec::new());
            let _ = close.send(());
        });
        Self { opened, closed }
    }

    /// Waits until a process has opened the FIFO. Fails if `hook`, which starts it, ends first.
    pub async fn wait_for_start<T>(&mut self, hook: &mut JoinHandle<T>) {
        let started = async {
            tokio::select! {
                opened = &mut self.opened => opened.expect("the thread runs"),
                ended = hook => match ended {
                    Err(error) if error.is_panic() => resume_unwind(error.into_panic()),
                    _ => panic!("the hook must not end while its command runs"),
                },
            }
        };
        in_time(started).await
    }

    /// Fails with `rule` unless every process that has the FIFO open ends.
    #[track_caller]
    pub fn assert_ended(self, rule: &str) {
        let closed = self.closed.recv_timeout(PATIENCE);
        assert!(closed.is_ok(), "{rule}; a process is still alive");
    }
}
