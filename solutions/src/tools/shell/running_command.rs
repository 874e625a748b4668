//! A command while it runs.

use std::io;
use std::process::{Command, ExitStatus};
use std::time::Duration;

use rustix::process::Signal;
use serde_json::json;
use tokio::io::AsyncReadExt;
use tokio::net::unix::pipe::Receiver;
use tokio::time::{Instant, MissedTickBehavior, interval_at, sleep_until};

use super::{Group, Life, Output};
use crate::engine::report;

/// How long a dropped run waits for its processes to end by themselves. Nothing else
/// happens on this thread meanwhile, so it is short.
pub const PARTING: Duration = Duration::from_millis(100);

/// How many bytes are read at a time: as many as Linux keeps in a pipe.
const PIECE: usize = 64 * 1024;

/// How long is waited for what.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pace {
    /// From one progress report to the next.
    pub report: Duration,
    /// For processes that were asked to end, and for what a shell that has ended has
    /// left running.
    pub grace: Duration,
}

impl Default for Pace {
    /// A quarter of a second, and half a second.
    fn default() -> Self {
        Self {
            report: Duration::from_millis(250),
            grace: Duration::from_millis(500),
        }
    }
}

/// Why a run needs no more attention, or gets none.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Pause {
    /// The shell has ended, and nobody is left who could write.
    Done,
    /// The shell has ended, and left something running that holds on to the output.
    Left,
    /// The shell stands still.
    Stopped,
    /// The time is up.
    Late,
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Finished {
    /// What it wrote, or the head and the tail of that.
    pub text: String,
    /// Whether some of it is missing.
    pub is_truncated: bool,
    /// Why the run ended.
    pub pause: Pause,
    /// The shell's status, if it ended by itself.
    pub status: Option<ExitStatus>,
}

/// A command that runs. However this value goes, no process of its group stays behind.
pub struct Run {
    group: Group,
    pipe: Receiver,
    output: Output,
    pace: Pace,
    started: Instant,
    /// Whether the shell has ended.
    ended: bool,
    /// Whether somebody can still write.
    open: bool,
}

impl Run {
    /// Starts `command`.
    pub fn start(command: Command, pace: Pace) -> io::Result<Self> {
        let (group, pipe) = Group::start(command)?;
        Ok(Self::new(group, pipe, pace))
    }

    /// The run of a group that was just started, and whose output comes out of `pipe`.
    pub fn new(group: Group, pipe: Receiver, pace: Pace) -> Self {
        Self {
            group,
            pipe,
            output: Output::default(),
            pace,
            started: Instant::now(),
            ended: false,
            open: true,
        }
    }

    /// What it has written so far.
    pub fn output(&self) -> &Output {
        &self.output
    }

    /// Reads what is written and reports it, until there is a reason to pause: at the
    /// latest at `until`, or when the shell has ended and the output is still open after
    /// the grace.
    pub async fn attend(&mut self, mut until: Instant) -> io::Result<Pause> {
        let mut buffer = vec![0; PIECE];
        let mut ticks = interval_at(Instant::now() + self.pace.report, self.pace.report);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        while self.open || !self.ended {
            tokio::select! {
                // In this order: a command that never stops writing would win every time.
                biased;
                () = sleep_until(until) => {
                    return Ok(if self.ended { Pause::Left } else { Pause::Late });
                }
                life = self.group.change(), if !self.ended => {
                    if life? == Life::Stopped {
                        return Ok(Pause::Stopped);
                    }
                    self.ended = true;
                    until = until.min(Instant::now() + self.pace.grace);
                }
                _ = ticks.tick() => self.report(),
                read = self.pipe.read(&mut buffer), if self.open => match read? {
                    0 => self.open = false,
                    read => self.output.push(&buffer[..read]),
                },
            }
        }
        Ok(Pause::Done)
    }

    /// Says how far it is: the time in seconds, how many bytes were written, and the end
    /// of the output.
    pub fn report(&self) {
        report(json!({
            "seconds": self.started.elapsed().as_secs(),
            "bytes": self.output.bytes(),
            "output": self.output.recent(),
        }));
    }

    /// Looks after the command to its end, but for no longer than `limit`.
    ///
    /// What still runs then, or is left when the shell has ended, is asked to end; what
    /// is still there after the grace is killed.
    pub async fn finish(mut self, limit: Duration) -> io::Result<Finished> {
        let pause = self.attend(self.started + limit).await?;
        if pause != Pause::Done {
            self.ask_to_end();
            self.attend(Instant::now() + self.pace.grace).await?;
        }
        let mut status = None;
        match pause {
            Pause::Done | Pause::Left => status = Some(self.group.reap()?),
            Pause::Stopped | Pause::Late => self.group.kill(),
        }
        let (text, is_truncated) = std::mem::take(&mut self.output).finish();
        Ok(Finished {
            text,
            is_truncated,
            pause,
            status,
        })
    }

    /// Asks every process of the group to end, also one that stands still.
    fn ask_to_end(&self) {
        self.group.signal(Signal::TERM);
        self.group.signal(Signal::CONT);
    }

    /// Ends a command that nobody waits for any more: asks its processes to end, gives
    /// them [`PARTING`] at most for it, and kills what is left.
    pub fn part(&mut self) {
        self.ask_to_end();
        let until = Instant::now() + PARTING;
        while Instant::now() < until {
            let ended = matches!(self.group.look(), Ok(Life::Ended));
            if ended && self.is_closed() {
                break;
            }
            // This thread and no timer: a destructor can't wait for anything else.
            std::thread::sleep(Duration::from_millis(1));
        }
        self.group.kill();
    }

    /// Whether nobody can write any more. What was written is thrown away.
    fn is_closed(&self) -> bool {
        let mut buffer = [0; 4096];
        matches!(rustix::io::read(&self.pipe, &mut buffer), Ok(0))
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        // In a panic nobody is asked: the group has a destructor of its own, which kills.
        if !self.group.is_over() && !std::thread::panicking() {
            self.part();
        }
    }
}
