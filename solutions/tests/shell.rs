//! The shell tool under strain: a gibibyte of output, a thousand runs, a real terminal.
//! These take too long for chapter 7's suite.

extern crate claw_code_solutions as claw_code;

use std::path::Path;
use std::process::Command;
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use claw_code::tools::shell::*;
use claw_code::tools::{BashTool, RESULT_LIMIT, ceil_boundary, floor_boundary};
use claw_code::types::Tool;
use proptest::prelude::*;
use rustix::process::{WaitId, WaitIdOptions, waitid};
use serde_json::json;
use tokio::time::{sleep, timeout};

/// One at a time: the tests count this program's children and its memory.
fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[allow(
    clippy::await_holding_lock,
    reason = "each test has a runtime of its own"
)]
async fn no_process_stays_after_a_thousand_runs() {
    let _alone = alone();
    let pace = Pace {
        report: Duration::from_millis(1),
        grace: Duration::from_millis(5),
    };
    let folder = std::env::temp_dir();
    let tool = BashTool::new(&folder).pace(pace);
    let before = open_files();
    for round in 0..1000u64 {
        // A hundred thousand seconds: found again by their number, should one survive.
        let (command, limit) = match round % 5 {
            0 => ("echo done", 10.0),
            1 => ("exit 3", 10.0),
            2 => ("(sleep 104729 & wait) & sleep 104729", 0.003),
            3 => ("sleep 104729 & echo left", 10.0),
            _ if round % 20 == 4 => ("trap '' TERM; sh -c 'sleep 104729 & wait' & wait", 10.0),
            _ => ("sh -c 'sleep 104729 & wait' & wait", 10.0),
        };
        let call = tool.call(json!({ "command": command, "timeout": limit }));
        if round % 5 == 4 {
            // Cancelled after 0 to 7 ms: before the shell is there, and after.
            let cancelled = timeout(Duration::from_millis(round / 5 % 8), call).await;
            assert!(cancelled.is_err(), "it sleeps for a day");
        } else {
            let result = call.await.expect("no error of the tool's");
            assert_eq!(
                result.content.starts_with("error: "),
                round % 5 == 2,
                "{command}: {}",
                result.content
            );
        }
    }
    let until = Instant::now() + Duration::from_secs(10);
    while waitid(
        WaitId::All,
        WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT,
    )
    .is_ok()
    {
        assert!(
            Instant::now() < until,
            "this program still has children, dead or alive"
        );
        sleep(Duration::from_millis(1)).await;
    }
    let alive = Command::new("pgrep").args(["-f", "^sleep 104729"]).output();
    if let Ok(alive) = alive {
        assert_eq!(
            String::from_utf8_lossy(&alive.stdout),
            "",
            "a grandchild is alive"
        );
    }
    assert!(
        open_files() <= before + 8,
        "files stay open: {before} before, {} after",
        open_files()
    );
}

/// How many files this program has open; 0 where that can't be told.
fn open_files() -> usize {
    Path::new("/proc/self/fd")
        .read_dir()
        .map_or(0, Iterator::count)
}

#[tokio::test]
#[allow(
    clippy::await_holding_lock,
    reason = "each test has a runtime of its own"
)]
async fn a_gibibyte_stays_within_memory() {
    let _alone = alone();
    let tool = BashTool::new("/");
    let text = "echo the first line; yes 'a line like any other, 40 bytes or so' | head -c 1073741824; echo; echo the last line; exit 5";
    let before = peak_memory();
    let started = Instant::now();
    let args = json!({ "command": text, "timeout": 600 });
    let result = tool.call(args).await.expect("no error of the tool's");
    let took = started.elapsed();
    let grown = peak_memory() - before;
    println!("1 GiB in {took:.1?}, the program grew by {grown} KiB");
    assert!(result.is_truncated);
    assert!(result.content.len() < RESULT_LIMIT);
    assert!(result.content.starts_with("the first line\na line like"));
    assert!(result.content.ends_with("\nthe last line\n[exit code 5]"));
    assert!(grown < 8 * 1024, "it grew by {grown} KiB");
}

#[tokio::test]
#[allow(
    clippy::await_holding_lock,
    reason = "each test has a runtime of its own"
)]
async fn a_line_without_end_stays_within_memory() {
    let _alone = alone();
    let tool = BashTool::new("/");
    let before = peak_memory();
    for text in [
        "head -c 200000000 /dev/zero | tr '\\0' 'x'",
        "head -c 50000000 /dev/zero",
        "head -c 20000000 /dev/zero | tr '\\0' '\\377'",
        "head -c 20000000 /dev/zero | tr '\\0' '\\r'",
        "printf '\\033]0;'; head -c 20000000 /dev/zero | tr '\\0' 'x'",
    ] {
        let args = json!({ "command": text });
        let result = tool.call(args).await.expect("no error of the tool's");
        assert!(result.content.len() < RESULT_LIMIT, "{text}");
    }
    let grown = peak_memory() - before;
    assert!(grown < 8 * 1024, "it grew by {grown} KiB");
}

/// The most memory that this program has used at a time, in KiB; 0 where that can't be
/// told.
fn peak_memory() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.split_whitespace().next());
    number.and_then(|number| number.parse().ok()).unwrap_or(0)
}

/// In a terminal, whoever asks it for a password is stopped by the system, and the agent
/// must not wait for that. The program `script` (of util-linux) makes the terminal.
#[test]
fn a_command_that_asks_the_terminal_is_stopped() {
    const INSIDE: &str = "CLAW_TEST_IN_A_TERMINAL";
    let _alone = alone();
    if std::env::var_os(INSIDE).is_some() {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime");
        let tool = BashTool::new("/");
        let call = tool
            .call(json!({ "command": "echo before; cd /; read -r word </dev/tty; echo $word" }));
        let result = runtime.block_on(async { timeout(Duration::from_secs(20), call).await });
        println!("RESULT {result:?}");
        return;
    }
    let this = std::env::current_exe().expect("this program has a file");
    let name = "a_command_that_asks_the_terminal_is_stopped";
    let command = format!("{} --exact {name} --nocapture", this.display());
    let output = Command::new("script")
        .args(["-q", "-e", "-c", &command, "/dev/null"])
        .env(INSIDE, "1")
        .output();
    let Ok(output) = output else {
        println!("there is no `script` here");
        return;
    };
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        said.contains("RESULT Ok(Ok(") && said.contains("error: the command stood still"),
        "the command should be stopped at once; in the terminal: {said}"
    );
    assert!(said.contains("before"), "with its output so far: {said}");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn bytes_are_decoded_the_same_however_they_are_cut(
        bytes in proptest::collection::vec(prop_oneof![
            any::<u8>(),
            Just(0xE6), Just(0xBC), Just(0xF0), Just(0x9F), Just(b'a'),
        ], 0..60),
        cuts in proptest::collection::vec(0..60usize, 0..5),
    ) {
        let mut decoder = Decoder::default();
        let mut text = String::new();
        for piece in pieces(&bytes, cuts) {
            text.push_str(&decoder.push(piece));
        }
        text.push_str(&decoder.finish());
        prop_assert_eq!(text, String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn text_is_plain_the_same_however_it_is_cut(
        letters in proptest::collection::vec(proptest::sample::select(
            "aé漢\t\n\r\u{8}\u{1b}[]0;mK\u{7}\\P(B".chars().collect::<Vec<_>>(),
        ), 0..60),
        cuts in proptest::collection::vec(0..60usize, 0..5),
    ) {
        let text: String = letters.iter().collect();
        let mut whole = Plain::default();
        let expected = whole.push(&text) + whole.line();
        prop_assert!(!expected.contains(|it: char| it.is_control() && it != '\n' && it != '\t'));
        let mut plain = Plain::default();
        let mut got = String::new();
        for piece in pieces(&letters, cuts) {
            got.push_str(&plain.push(&piece.iter().collect::<String>()));
        }
        got.push_str(plain.line());
        prop_assert_eq!(got, expected);
    }

    #[test]
    fn head_and_tail_are_the_same_however_they_are_cut(
        length in 0..2 * (HEAD + TAIL),
        letters in "[aé漢🦀\n]{1,20}",
        cuts in proptest::collection::vec(0..2 * (HEAD + TAIL), 0..9),
    ) {
        let text: String = letters.chars().cycle().take(length).collect();
        let mut kept = Kept::default();
        let mut rest = text.as_str();
        for cut in cuts {
            let (piece, others) = rest.split_at(ceil_boundary(rest, cut));
            kept.push(piece);
            rest = others;
        }
        kept.push(rest);
        let head = &text[..floor_boundary(&text, HEAD)];
        let tail = &text[ceil_boundary(&text, text.len().saturating_sub(TAIL).max(head.len()))..];
        let expected = match text.len() - head.len() - tail.len() {
            0 => text.clone(),
            bytes => format!("{head}\n[{bytes} bytes left out]\n{tail}"),
        };
        prop_assert!(kept.text() == expected);
    }
}

fn pieces<T>(all: &[T], mut cuts: Vec<usize>) -> Vec<&[T]> {
    cuts.sort_unstable();
    let mut pieces = Vec::new();
    let mut from = 0;
    for cut in cuts {
        let cut = cut.min(all.len());
        pieces.push(&all[from..cut]);
        from = cut;
    }
    pieces.push(&all[from..]);
    pieces
}
