//! A hook that is a program: the event on its standard input, the answer on its output.

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

use async_trait::async_trait;
use tokio::io::AsyncWriteExt;
use tokio::net::unix::pipe::{Receiver, Sender};
use tokio::signal::unix::{self, SignalKind};
use tokio::time::timeout;

use super::{
    Hook, HookAnswer, HookDecision, HookEvent, HookInput, HookOutput, HookSession,
    MAX_OUTPUT_BYTES, bounded, parse_answer, read_bounded,
};
use crate::tools::shell::{ProcessGroup, SECRETS, ShellState, find_shell};

/// How long the output of a hook that has ended may stay open: a process that it started and
/// that has left its process group can hold it.
pub const OUTPUT_GRACE: Duration = Duration::from_millis(100);

/// A program that runs for an event.
#[derive(Debug, Clone, PartialEq)]
pub struct CommandHook {
    /// A command for the shell, or with `args` the program to run.
    pub command: String,
    /// The program's arguments; `None` for a command that the shell runs.
    pub args: Option<Vec<String>>,
    /// How long the program may run.
    pub timeout: Duration,
}

/// How the process of a hook ended.
#[derive(Debug, Clone, PartialEq)]
pub enum HookEnd {
    /// It ended by itself, with this exit code.
    Exited(i32),
    /// It did not start, or was killed, for this reason.
    Failed(String),
}

/// A hook's process after its end.
#[derive(Debug, Clone, PartialEq)]
pub struct HookRun {
    /// How it ended.
    pub end: HookEnd,
    /// What it wrote until then.
    pub output: HookOutput,
}

/// This program's ends of a hook's three pipes.
pub struct HookPipes {
    /// The hook reads what is written here.
    pub stdin: Sender,
    /// What the hook writes to its standard output.
    pub stdout: Receiver,
    /// What the hook writes to its standard error.
    pub stderr: Receiver,
}

/// The process of a hook.
///
/// - Without `args`, the [shell](find_shell) runs the command. With `args`, no shell is involved,
///   and `${CLAUDE_PROJECT_DIR}` is replaced in the program and in each argument.
/// - It runs in the session's `cwd`, which is also the variable `CLAUDE_PROJECT_DIR`.
/// - It has the agent's environment without the [`SECRETS`] of chapter 7.
/// - It leads a new process group, and all of its standard streams are pipes.
pub fn hook_process(hook: &CommandHook, session: &HookSession) -> Command {
    let mut process = match &hook.args {
        None => {
            let path = std::env::var_os("PATH").unwrap_or_default();
            let mut shell = Command::new(find_shell(&path));
            shell.args(["-c", "--", &hook.command]);
            shell
        }
        Some(args) => {
            let folder = session.cwd.display().to_string();
            let fill = |text: &String| text.replace("${CLAUDE_PROJECT_DIR}", &folder);
            let mut program = Command::new(fill(&hook.command));
            program.args(args.iter().map(fill));
            program
        }
    };
    process
        .current_dir(&session.cwd)
        .env("CLAUDE_PROJECT_DIR", &session.cwd)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0);
    for name in SECRETS {
        process.env_remove(name);
    }
    process
}

/// Starts the process. Dropping its group kills every process of it.
pub fn start_hook(mut process: Command) -> io::Result<(ProcessGroup, HookPipes)> {
    let child_signals = unix::signal(SignalKind::child())?;
    let mut child = process.spawn()?;
    let missing = || io::Error::other("a standard stream is not a pipe");
    let stdin = OwnedFd::from(child.stdin.take().ok_or_else(missing)?);
    let stdout = OwnedFd::from(child.stdout.take().ok_or_else(missing)?);
    let stderr = OwnedFd::from(child.stderr.take().ok_or_else(missing)?);
    let group = ProcessGroup::new(child, child_signals);
    let pipes = HookPipes {
        stdin: Sender::from_owned_fd(stdin)?,
        stdout: Receiver::from_owned_fd(stdout)?,
        stderr: Receiver::from_owned_fd(stderr)?,
    };
    Ok((group, pipes))
}

/// Writes `input` and closes the pipe, and at the same time reads both outputs to their ends
/// into `output`.
///
/// A hook that ends or closes the pipe without having read all of the input is not an error. If the
/// future is dropped, `output` has what was read until then.
pub async fn exchange(pipes: HookPipes, input: &[u8], output: &mut HookOutput) {
    todo!("hook-exchange: write exchange")
}

/// Runs a process: exchanges input and output with it until the first process of its group has
/// ended, and returns that one's exit status.
///
/// Then every process that it left running is killed. If an output is still open after that, it
/// is read for [`OUTPUT_GRACE`] at most. A process that is suspended is an error. When the future
/// is dropped, every process of the group is killed.
pub async fn run_hook(
    process: Command,
    input: &[u8],
    output: &mut HookOutput,
) -> io::Result<ExitStatus> {
    todo!("hook-run: write run_hook")
}

impl CommandHook {
    /// Runs the hook's process with this input, for its time limit at most.
    pub async fn execute(&self, session: &HookSession, input: &[u8]) -> HookRun {
        todo!("hook-run: write CommandHook::execute")
    }
}

impl HookRun {
    /// The hook's answer, from its exit code and its output. The error says why it is not an answer.
    ///
    /// A standard output that begins with `{` is JSON, which [`parse_answer`] reads. Other text is
    /// context if the exit code is 0 and the event [takes it](HookEvent::takes_plain_text).
    ///
    /// - 0: the answer is what the output says.
    /// - 2: the hook denies. The reason is that of the JSON if it denies too, otherwise standard
    ///   error. The rest of a valid JSON counts.
    /// - 126 to 159: an error, `exit code 127: ` and standard error. A shell ends with 126 or 127
    ///   if it can't run the command, and with 128 plus the signal's number if one killed it.
    /// - Any other code: the answer is that of the JSON. Without JSON the hook decides nothing, and
    ///   its message for the user is `exit code 1: ` and the first line of standard error.
    ///
    /// It is also an error if the process [failed](HookEnd::Failed), or, unless the exit code is 2,
    /// if the JSON is invalid or longer than [`MAX_OUTPUT_BYTES`]. Standard error is bounded as
    /// [contexts](HookAnswer::with_context) are.
    pub fn answer(&self, event: &HookEvent) -> Result<HookAnswer, String> {
        todo!("hook-exit-codes: write HookRun::answer")
    }

    /// The answer in the standard output, which is JSON.
    fn parse_stdout(&self) -> Result<HookAnswer, String> {
        match self.output.stdout.is_truncated {
            true => Err(format!(
                "its answer is longer than {MAX_OUTPUT_BYTES} bytes"
            )),
            false => parse_answer(&self.output.stdout.text()),
        }
    }
}

#[async_trait]
impl Hook for CommandHook {
    fn name(&self) -> &str {
        &self.command
    }

    /// Runs the program. Its messages begin with its name: ``the hook `COMMAND`: ``.
    async fn run(&self, input: &HookInput) -> Result<HookAnswer, String> {
        let json = serde_json::to_vec(input)
            .map_err(|error| format!("its input can't be written: {error}"))?;
        let run = self.execute(&input.session, &json).await;
        let mut answer = run.answer(&input.event)?;
        for message in &mut answer.messages {
            *message = format!("the hook `{}`: {message}", self.command);
        }
        Ok(answer)
    }
}
