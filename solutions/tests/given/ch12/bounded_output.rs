//! Bounded output

use claw_code::hooks::*;
use tokio::io::AsyncReadExt;

#[tokio::test]
async fn short_output_is_kept() {
    let mut captured = Captured::default();
    read_bounded(&b"hello\n"[..], &mut captured).await;
    let expected = Captured {
        bytes: b"hello\n".to_vec(),
        is_truncated: false,
    };
    assert_eq!(captured, expected, "all of it");
}

#[tokio::test]
async fn output_of_just_the_limit_is_kept() {
    let mut captured = Captured::default();
    let pipe = tokio::io::repeat(b'x').take(MAX_OUTPUT_BYTES as u64);
    read_bounded(pipe, &mut captured).await;
    assert_eq!(captured.bytes.len(), MAX_OUTPUT_BYTES, "the limit fits");
    assert!(!captured.is_truncated, "nothing is missing");
}

#[tokio::test]
async fn long_output_is_cut_and_marked() {
    let mut captured = Captured::default();
    let pipe = tokio::io::repeat(b'x').take(MAX_OUTPUT_BYTES as u64 + 1);
    read_bounded(pipe, &mut captured).await;
    assert_eq!(captured.bytes.len(), MAX_OUTPUT_BYTES, "no more than that");
    assert!(captured.is_truncated, "one byte is missing");
}

#[tokio::test]
async fn the_rest_is_read_too() {
    let mut captured = Captured::default();
    let mut pipe = tokio::io::repeat(b'x').take(10 * MAX_OUTPUT_BYTES as u64);
    read_bounded(&mut pipe, &mut captured).await;
    assert_eq!(
        pipe.limit(),
        0,
        "a process must not wait for a pipe that is not read"
    );
    assert!(
        captured.bytes.capacity() <= 2 * MAX_OUTPUT_BYTES,
        "what is beyond the limit is not kept in memory"
    );
}
