//! Section 12.3: Three pipes at the same time

use claw_code::hooks::*;

use super::support::*;
use crate::support::TempFolder;

/// More than any pipe holds.
const LARGE: usize = 1_000_000;

/// What a shell command writes if it is given this input.
async fn exchange_with(command: &str, input: &[u8]) -> HookOutput {
    let folder = TempFolder::new();
    let (_group, pipes) = start_hook(sh(command, folder.path())).expect("every Unix has a shell");
    let mut output = HookOutput::default();
    in_time(exchange(pipes, input, &mut output)).await;
    output
}

#[tokio::test]
async fn test_ch12_hook_reads_its_input_to_the_end() {
    let output = exchange_with("cat; echo end", b"{}").await;
    assert_eq!(
        output.stdout.text(),
        "{}end",
        "the input ends, so `cat` ends"
    );
}

#[tokio::test]
async fn test_ch12_both_outputs_are_kept_apart() {
    let output = exchange_with("echo out; echo err >&2", b"").await;
    assert_eq!(output.stdout.text(), "out", "standard output");
    assert_eq!(output.stderr.text(), "err", "standard error");
}

#[tokio::test]
async fn test_ch12_hook_need_not_read_its_input() {
    let output = exchange_with("echo done", &vec![b'x'; LARGE]).await;
    assert_eq!(output.stdout.text(), "done", "the input has no reader");
}

#[tokio::test]
async fn test_ch12_hook_may_write_before_it_reads() {
    let command = format!("head -c {LARGE} /dev/zero; wc -c >&2");
    let output = exchange_with(&command, &vec![b'x'; LARGE]).await;
    assert_eq!(
        output.stdout.bytes.len(),
        LARGE,
        "both pipes are full at the same time, and neither side waits forever"
    );
    assert_eq!(
        output.stderr.text(),
        LARGE.to_string(),
        "the hook reads all of its input"
    );
}

#[tokio::test]
async fn test_ch12_hook_may_write_both_outputs() {
    let too_much = 2 * MAX_OUTPUT_BYTES;
    let command = format!("head -c {too_much} /dev/zero >&2; head -c {LARGE} /dev/zero");
    let output = exchange_with(&command, b"").await;
    let lengths = [output.stdout.bytes.len(), output.stderr.bytes.len()];
    assert_eq!(
        lengths,
        [LARGE, MAX_OUTPUT_BYTES],
        "no output waits for the end of the other, and standard error is bounded too"
    );
}
