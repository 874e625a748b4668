//! Stress tests of the shell tool: 256 MiB of output, a thousand commands, a real terminal.
//! They take too long for chapter 7's suite.

#![cfg(unix)]

extern crate claw_code_solutions as claw_code;

use std::fs::File;
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use claw_code::tools::shell::*;
use claw_code::tools::{BashTool, RESULT_LIMIT, ceil_boundary, floor_boundary};
use claw_code::types::Tool;
use futures_util::stream::{self, StreamExt};
use proptest::prelude::*;
use rustix::process::{WaitId, WaitIdOptions, waitid};
use serde_json::json;
use tokio::time::timeout;

/// Runs the tests one after the other: they count this program's children, open files and
/// memory.
fn run_alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
#[allow(
    clippy::await_holding_lock,
    reason = "each test has a runtime of its own"
)]
async fn no_process_is_left_after_a_thousand_commands() {
    let _alone = run_alone();
    let folder = tempfile::tempdir().expect("a folder");
    let _never = make_fifo(&folder.path().join("never"));
    // The absolute path finds a process again by its command line, should one be left.
    let cat = format!("cat {}/never", folder.path().display());
    let tool = BashTool::new(folder.path()).timing(Timing {
        report_interval: Duration::from_millis(1),
        grace_period: Duration::from_millis(5),
    });
    let files_before = count_open_files();
    let tool = Arc::new(tool);
    // Four at a time, since most of them wait.
    stream::iter(0..1000)
        .map(|round| tokio::spawn(run_round(round, tool.clone(), cat.clone())))
        .buffer_unordered(4)
        .for_each(async |round| round.expect("no panic"))
        .await;
    wait_until_no_child_is_left();
    if let Ok(found) = Command::new("pgrep")
        .args(["-f", &format!("^{cat}")])
        .output()
    {
        let found = String::from_utf8_lossy(&found.stdout).into_owned();
        assert_eq!(found, "", "the ids of processes that are alive");
    }
    let files_after = count_open_files();
    assert!(
        files_after <= files_before + 8,
        "files stay open: {files_before} before, {files_after} after"
    );
}

/// Runs a command that ends, fails, is too late, leaves a process, or is dropped, in turn.
async fn run_round(round: u64, tool: Arc<BashTool>, cat: String) {
    let (command, limit) = match round % 5 {
        0 => ("echo done".to_string(), 10.0),
        1 => ("exit 3".into(), 10.0),
        2 => (format!("({cat} & wait) & {cat}"), 0.003),
        3 => (format!("{cat} & echo left"), 10.0),
        _ if round % 20 == 4 => (format!("trap '' TERM; sh -c '{cat} & wait' & wait"), 10.0),
        _ => (format!("sh -c '{cat} & wait' & wait"), 10.0),
    };
    let call = tool.call(json!({ "command": command, "timeout": limit }));
    if round % 5 == 4 {
        // Dropped after 0 to 7 ms: before the shell is started, and after.
        let dropped = timeout(Duration::from_millis(round / 5 % 8), call).await;
        assert!(dropped.is_err(), "the command does not end by itself");
        return;
    }
    let result = call.await.expect("the command can be started");
    let is_late = round % 5 == 2;
    assert_eq!(result.is_error, is_late, "{command}: {}", result.content);
}

/// A FIFO to which nothing is written while the returned file is open.
fn make_fifo(path: &Path) -> File {
    let status = Command::new("mkfifo").arg(path).status();
    assert!(status.is_ok_and(|it| it.success()), "`mkfifo` is installed");
    let file = File::options().read(true).write(true).open(path);
    file.expect("the FIFO exists")
}

/// Fails unless all children of this program are reaped within ten seconds.
fn wait_until_no_child_is_left() {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    let deadline = Instant::now() + Duration::from_secs(10);
    while waitid(WaitId::All, options).is_ok() {
        assert!(Instant::now() < deadline, "this program still has children");
        std::thread::yield_now();
    }
}

/// The number of files that this program has open; 0 on a system without `/proc`.
fn count_open_files() -> usize {
    Path::new("/proc/self/fd")
        .read_dir()
        .map_or(0, Iterator::count)
}

/// By how much the memory of this program may grow while a command prints far more: the text
/// that it keeps, and buffers.
const GROWTH_LIMIT_KIB: usize = 2048;

#[tokio::test]
#[allow(
    clippy::await_holding_lock,
    reason = "each test has a runtime of its own"
)]
async fn output_of_256_mib_needs_little_memory() {
    let _alone = run_alone();
    let tool = BashTool::new("/");
    let before = peak_memory();
    let text = "echo the first line; yes 'a line like any other, 40 bytes or so' | head -c 268435456; echo; echo the last line; exit 5";
    let args = json!({ "command": text, "timeout": 600 });
    let result = tool.call(args).await.expect("the command can be started");
    let grown = peak_memory().saturating_sub(before);
    println!("256 MiB: the program grew by {grown} KiB");
    assert!(result.is_truncated);
    assert!(result.content.len() < RESULT_LIMIT);
    assert!(result.content.starts_with("the first line\na line like"));
    assert!(result.content.ends_with("\nthe last line\n[exit code 5]"));
    assert!(grown < GROWTH_LIMIT_KIB, "it grew by {grown} KiB");
}

#[tokio::test]
#[allow(
    clippy::await_holding_lock,
    reason = "each test has a runtime of its own"
)]
async fn an_endless_line_needs_little_memory() {
    let _alone = run_alone();
    let tool = BashTool::new("/");
    for text in [
        "head -c 50000000 /dev/zero | tr '\\0' 'x'",
        "head -c 12500000 /dev/zero",
        "head -c 5000000 /dev/zero | tr '\\0' '\\377'",
        "head -c 5000000 /dev/zero | tr '\\0' '\\r'",
        "printf '\\033]0;'; head -c 5000000 /dev/zero | tr '\\0' 'x'",
    ] {
        let before = peak_memory();
        let args = json!({ "command": text });
        let result = tool.call(args).await.expect("the command can be started");
        assert!(result.content.len() < RESULT_LIMIT, "{text}");
        let grown = peak_memory().saturating_sub(before);
        println!("{text}: the program grew by {grown} KiB");
        assert!(grown < GROWTH_LIMIT_KIB, "{text}: it grew by {grown} KiB");
    }
}

/// The peak memory of this program, in KiB, which Linux counts only roughly: a later number can
/// be lower. 0 on a system without `/proc`.
fn peak_memory() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.split_whitespace().next());
    number.and_then(|number| number.parse().ok()).unwrap_or(0)
}

/// The system suspends a command that reads from the terminal, and the tool must not wait
/// for it. The program `script` (of util-linux) provides a terminal.
#[test]
fn a_command_that_reads_from_the_terminal_is_stopped() {
    const INSIDE: &str = "CLAW_TEST_IN_A_TERMINAL";
    let _alone = run_alone();
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
    let this = std::env::current_exe().expect("the program's file");
    let name = "a_command_that_reads_from_the_terminal_is_stopped";
    let command = format!("{} --exact {name} --nocapture", this.display());
    let output = Command::new("script")
        .args(["-q", "-e", "-c", &command, "/dev/null"])
        .env(INSIDE, "1")
        .output();
    let Ok(output) = output else {
        println!("`script` is not installed: the test is skipped");
        return;
    };
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(
        printed.contains("RESULT Ok(Ok(")
            && printed.contains("error: the command tried to use the terminal"),
        "the command should be stopped at once: {printed}"
    );
    assert!(
        printed.contains("before"),
        "the result has the output until then: {printed}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn chunks_do_not_change_decoded_text(
        bytes in proptest::collection::vec(prop_oneof![
            any::<u8>(),
            Just(0xE6), Just(0xBC), Just(0xF0), Just(0x9F), Just(b'a'),
        ], 0..60),
        cuts in proptest::collection::vec(0..60usize, 0..5),
    ) {
        let _alone = run_alone();
        let mut decoder = Utf8Decoder::default();
        let mut text = String::new();
        for chunk in chunks(&bytes, cuts) {
            text.push_str(&decoder.push(chunk));
        }
        text.push_str(&decoder.finish());
        prop_assert_eq!(text, String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn chunks_do_not_change_terminal_text(
        letters in proptest::collection::vec(proptest::sample::select(
            "aé漢\t\n\r\u{8}\u{1b}[]0;mK\u{7}\\P(B".chars().collect::<Vec<_>>(),
        ), 0..60),
        cuts in proptest::collection::vec(0..60usize, 0..5),
    ) {
        let _alone = run_alone();
        let text: String = letters.iter().collect();
        let mut whole = TerminalText::default();
        let expected = whole.push(&text) + whole.current_line();
        prop_assert!(!expected.contains(|it: char| it.is_control() && it != '\n' && it != '\t'));
        let mut terminal = TerminalText::default();
        let mut shown = String::new();
        for chunk in chunks(&letters, cuts) {
            shown.push_str(&terminal.push(&chunk.iter().collect::<String>()));
        }
        shown.push_str(terminal.current_line());
        prop_assert_eq!(shown, expected);
    }

    #[test]
    fn chunks_do_not_change_head_and_tail(
        length in 0..2 * (HEAD_BYTES + TAIL_BYTES),
        letters in "[aé漢🦀\n]{1,20}",
        cuts in proptest::collection::vec(0..2 * (HEAD_BYTES + TAIL_BYTES), 0..9),
    ) {
        let _alone = run_alone();
        let text: String = letters.chars().cycle().take(length).collect();
        let mut kept = HeadTail::default();
        let mut rest = text.as_str();
        for cut in cuts {
            let (chunk, others) = rest.split_at(ceil_boundary(rest, cut));
            kept.push(chunk);
            rest = others;
        }
        kept.push(rest);
        let head = &text[..floor_boundary(&text, HEAD_BYTES)];
        let tail = &text[ceil_boundary(&text, text.len().saturating_sub(TAIL_BYTES).max(head.len()))..];
        let expected = match text.len() - head.len() - tail.len() {
            0 => text.clone(),
            bytes => format!("{head}\n[{bytes} bytes left out]\n{tail}"),
        };
        prop_assert!(kept.text() == expected);
    }
}

/// `all`, cut at these indices.
fn chunks<T>(all: &[T], mut cuts: Vec<usize>) -> Vec<&[T]> {
    cuts.sort_unstable();
    let mut chunks = Vec::new();
    let mut from = 0;
    for cut in cuts {
        let cut = cut.min(all.len());
        chunks.push(&all[from..cut]);
        from = cut;
    }
    chunks.push(&all[from..]);
    chunks
}
