//! Section 7.9: Attending to a run

use std::io::Write;
use std::time::{Duration, Instant};

use claw_code::engine::{Events, QueryEvent};
use claw_code::tools::shell::*;
use tokio::sync::mpsc;

use super::support::*;

#[tokio::test]
async fn test_ch7_a_run_is_read_to_its_end() {
    let folder = Folder::new();
    let text = "i=0; while [ $i -lt 5000 ]; do echo \"this is line $i of many\"; i=$((i+1)); done";
    let mut run = run_in(&folder, text);
    assert_eq!(attend(&mut run, PATIENCE).await, Pause::Done);
    let expected: usize = (0..5000)
        .map(|i| format!("this is line {i} of many\n").len())
        .sum();
    assert_eq!(
        run.output().bytes(),
        expected as u64,
        "more than fits into a pipe is read while the command runs, all of it"
    );
    assert!(
        run.output()
            .recent()
            .ends_with("this is line 4999 of many\n")
    );
}

#[tokio::test]
async fn test_ch7_a_run_may_go_on_in_silence() {
    let folder = Folder::new();
    let gate = Gate::new(&folder);
    let mut run = run_in(&folder, "exec >&- 2>&-; read go <gate; echo went >on");
    assert_eq!(
        attend(&mut run, Duration::from_millis(20)).await,
        Pause::Late,
        "a command that closes its output is not over yet"
    );
    gate.open();
    assert_eq!(
        attend(&mut run, PATIENCE).await,
        Pause::Done,
        "it ends when the shell does"
    );
    assert_eq!(folder.read("on"), "went\n", "and not before");
}

#[tokio::test]
async fn test_ch7_a_run_that_takes_too_long() {
    let folder = Folder::new();
    let mut witness = Witness::new(&folder);
    let mut run = run_in(&folder, "echo before; exec 9>alive; sleep 30; echo after");
    witness.begins().await;
    let reading = async {
        while run.output().bytes() == 0 {
            assert_eq!(
                attend(&mut run, Duration::from_millis(10)).await,
                Pause::Late,
                "the time is up before the command is, and it can be attended to again"
            );
        }
    };
    in_time(reading).await;
    assert_eq!(
        run.output().recent(),
        "before\n",
        "what it has written is there"
    );
}

#[tokio::test]
async fn test_ch7_a_run_that_never_stops_writing() {
    let folder = Folder::new();
    let mut run = run_in(&folder, "while :; do echo y; done");
    assert_eq!(
        attend(&mut run, Duration::from_millis(20)).await,
        Pause::Late,
        "the time limit holds while there is always something to read"
    );
}

#[tokio::test]
async fn test_ch7_a_run_that_leaves_something_behind() {
    let folder = Folder::new();
    let mut witness = Witness::new(&folder);
    let mut run = run_at(&folder, "echo started; sleep 30 9>alive &", HASTE);
    witness.begins().await;
    let before = Instant::now();
    assert_eq!(
        attend(&mut run, PATIENCE / 3).await,
        Pause::Left,
        "the shell has ended, and `sleep` holds on to the output"
    );
    assert!(
        before.elapsed() < PATIENCE / 3,
        "after the grace, nobody waits for what a shell has left"
    );
    let mut witness = Witness::new(&folder);
    let long = Pace {
        grace: PATIENCE / 5,
        ..PACE
    };
    let mut run = run_at(&folder, "exec 9>alive; sleep 30 9>&- & true", long);
    witness.begins().await;
    witness.ends("the shell has ended");
    let before = Instant::now();
    let pause = attend(&mut run, Duration::from_millis(10)).await;
    assert!(
        pause != Pause::Done && before.elapsed() < long.grace,
        "the grace makes the time shorter and never longer: it was up after 10 ms, and the run was {pause:?} after {:?}",
        before.elapsed()
    );
}

#[tokio::test]
async fn test_ch7_the_grace_is_for_last_words() {
    let folder = Folder::new();
    let gate = Gate::new(&folder);
    let mut witness = Witness::new(&folder);
    let text = "exec 9>alive; (read go <gate; echo last words) 9>&- & echo first words";
    let mut run = run_in(&folder, text);
    let attending = async { attend(&mut run, 2 * PATIENCE).await };
    let waiting = async {
        witness.begins().await;
        witness.ends("the shell has ended, and what it has started goes on");
        gate.open();
    };
    let (pause, ()) = tokio::join!(attending, waiting);
    assert_eq!(
        pause,
        Pause::Done,
        "what ends within the grace is nothing left behind"
    );
    assert_eq!(
        run.output().recent(),
        "first words\nlast words\n",
        "and what it writes counts"
    );
}

#[tokio::test]
async fn test_ch7_a_run_that_stands_still() {
    let folder = Folder::new();
    let mut run = run_in(&folder, "kill -STOP $$");
    assert_eq!(
        attend(&mut run, PATIENCE).await,
        Pause::Stopped,
        "a command that stands still will do so for ever, and nobody should wait for that"
    );
}

#[tokio::test]
async fn test_ch7_a_run_reports_while_it_goes_on() {
    let folder = Folder::new();
    let gate = Gate::new(&folder);
    let (sender, mut events) = mpsc::channel(10_000);
    let begun = Instant::now();
    let mut run = run_in(&folder, "echo one; printf tw; read go <gate; echo o");
    let attending = Events::to(sender)
        .reporter("call_1")
        .during(async { attend(&mut run, PATIENCE).await });
    let watching = async {
        let progress = loop {
            match in_time(events.recv()).await {
                Some(QueryEvent::Progress(it)) if it.data["output"] == "one\ntw" => break it,
                Some(_) => {}
                None => panic!("nothing was reported with the output so far, `one\\ntw`"),
            }
        };
        gate.open();
        progress
    };
    let (pause, progress) = tokio::join!(attending, watching);
    assert_eq!(pause, Pause::Done);
    assert_eq!(progress.tool_use_id, "call_1", "it is news of this call");
    assert_eq!(
        progress.data["bytes"], 6,
        "so many bytes were written by then"
    );
    let seconds = progress.data["seconds"].as_u64();
    assert!(
        seconds.is_some_and(|seconds| seconds <= begun.elapsed().as_secs()),
        "and so many whole seconds had passed: {seconds:?}"
    );
}

async fn attend(run: &mut Run, time: Duration) -> Pause {
    let until = tokio::time::Instant::now() + time;
    let pause = in_time(run.attend(until)).await;
    pause.expect("the pipe can be read")
}

/// Lets a command that reads a line from the file `gate` go on.
struct Gate(std::fs::File);

impl Gate {
    fn new(folder: &Folder) -> Self {
        let path = folder.fifo("gate");
        // Open both ways, so that neither side waits for the other to open it.
        let file = std::fs::File::options().read(true).write(true).open(path);
        Self(file.expect("it is there"))
    }

    fn open(mut self) {
        self.0.write_all(b"go\n").expect("there is room for a line");
        // Stays open to the end of the program: the line must not be lost.
        std::mem::forget(self.0);
    }
}
