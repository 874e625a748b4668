//! Runs small programs with a time limit.

use std::fmt::{self, Display, Formatter};
use std::io::{self, Read};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The time limit for one program.
const LIMIT: Duration = Duration::from_secs(7);

/// Why a program gave no output.
#[derive(Debug)]
pub(super) enum ProgramError {
    /// It is not installed.
    NotFound,
    /// It reached the time limit.
    TooSlow,
    /// It failed: the last line of its standard error, or why it did not start.
    Failed(String),
}

impl Display for ProgramError {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        match self {
            Self::NotFound => f.write_str("not found"),
            Self::TooSlow => f.write_str("it did not answer in time"),
            Self::Failed(reason) => f.write_str(reason),
        }
    }
}

/// Runs `command` and returns its standard output, without white space around it.
///
/// The outputs must be short, since they are read after the end of the program.
pub(super) fn output(command: &mut Command) -> Result<String, ProgramError> {
    let mut run = || -> io::Result<Result<String, ProgramError>> {
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
                return Ok(Err(ProgramError::TooSlow));
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
        let reason = last.map_or_else(|| status.to_string(), |it| it.trim().to_string());
        Ok(Err(ProgramError::Failed(reason)))
    };
    run()?
}

impl From<io::Error> for ProgramError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => Self::NotFound,
            _ => Self::Failed(error.to_string()),
        }
    }
}
