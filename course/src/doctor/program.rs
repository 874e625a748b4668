//! Runs small programs with a time limit.

use std::io::{self, Read};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The time limit for one program.
const LIMIT: Duration = Duration::from_secs(7);

/// Runs `command` and returns its standard output, without white space around it. The error is
/// one line: the last of its standard error, or why it did not run.
///
/// The outputs must be short, since they are read after the end of the program.
pub(super) fn output(command: &mut Command) -> Result<String, String> {
    let mut run = || -> io::Result<Result<String, String>> {
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let end = Instant::now() + LIMIT;
        let status = loop {
            if let Some(status) = child.try_wait()? {
                break status;
            }
            if Instant::now() > end {
                child.kill()?;
                child.wait()?;
                return Ok(Err(NO_ANSWER.to_string()));
            }
            thread::sleep(Duration::from_millis(5));
        };
        let text = |pipe: Option<&mut dyn Read>| -> io::Result<String> {
            let mut bytes = Vec::new();
            if let Some(pipe) = pipe {
                pipe.read_to_end(&mut bytes)?;
            }
            Ok(String::from_utf8_lossy(&bytes).trim().to_string())
        };
        let stdout = text(child.stdout.as_mut().map(|pipe| pipe as &mut dyn Read))?;
        if status.success() {
            return Ok(Ok(stdout));
        }
        let stderr = text(child.stderr.as_mut().map(|pipe| pipe as &mut dyn Read))?;
        let last = stderr.lines().rev().find(|line| !line.trim().is_empty());
        Ok(Err(last.map_or_else(
            || status.to_string(),
            |it| it.trim().to_string(),
        )))
    };
    let not_started = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => NOT_FOUND.to_string(),
        _ => error.to_string(),
    };
    run().map_err(not_started).flatten()
}

/// The error for a program that is not installed.
pub(super) const NOT_FOUND: &str = "not found";

/// The error for a program that reached the time limit.
pub(super) const NO_ANSWER: &str = "it did not answer in time";
