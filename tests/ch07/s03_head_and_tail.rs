//! Section 7.3: Head and tail

use claw_code::tools::shell::*;
use claw_code::tools::*;

const BOTH: usize = HEAD_BYTES + TAIL_BYTES;

#[test]
fn test_ch7_a_text_that_fits_is_kept_whole() {
    for length in [
        0,
        1,
        HEAD_BYTES - 1,
        HEAD_BYTES,
        HEAD_BYTES + 1,
        BOTH - 1,
        BOTH,
    ] {
        let text = numbered(length);
        for chunk in [1000, usize::MAX] {
            let mut kept = push_all(&text, chunk);
            assert!(
                kept.text() == text && kept.left_out() == 0,
                "{length} bytes fit into head and tail and stay unchanged; {} bytes came back",
                kept.text().len()
            );
        }
    }
}

#[test]
fn test_ch7_text_stays_in_order() {
    let text = "x".repeat(HEAD_BYTES - 1) + "é, and then abc";
    assert!(
        push_all(&text, 1).text() == text,
        "a character that does not fit into the head goes to the tail, and all text after it too"
    );
}

#[test]
fn test_ch7_head_and_tail_are_kept() {
    for more in [1, 17, TAIL_BYTES, 3 * TAIL_BYTES + 5, 40 * TAIL_BYTES] {
        let text = numbered(BOTH + more);
        let (head, tail) = (&text[..HEAD_BYTES], &text[text.len() - TAIL_BYTES..]);
        let note = format!("\n[{more} bytes left out]\n");
        let expected = [head, &note, tail].concat();
        for chunk in [7, 1000, TAIL_BYTES + 1, usize::MAX] {
            let mut kept = push_all(&text, chunk);
            let found = kept.text();
            assert!(
                found == expected,
                "of {} bytes in chunks of {chunk}, the first {HEAD_BYTES} and the last {TAIL_BYTES} are kept, with {note:?} between; the text has {} bytes, {} were expected, and around the note it is {:?}",
                text.len(),
                found.len(),
                expected.len(),
                found.get(HEAD_BYTES - 9..HEAD_BYTES + 33)
            );
            assert_eq!(kept.left_out(), more as u64, "{more} bytes are left out");
        }
    }
}

#[test]
fn test_ch7_cuts_are_between_characters() {
    for letter in ["é", "漢", "🦀"] {
        for shift in 0..4 {
            let text = "x".repeat(shift) + &letter.repeat(60_000 / letter.len());
            let found = push_all(&text, 999).text();
            let (head, rest) = found.split_once("\n[").expect("the text is cut");
            let (number, tail) = rest.split_once(" bytes left out]\n").expect("the note");
            let case = format!("{shift} times x, then {letter}");
            assert!(
                text.starts_with(head) && text.ends_with(tail),
                "{case}: head and tail are those of the text"
            );
            assert!(
                tail.len() <= TAIL_BYTES,
                "{case}: the tail has {} bytes, more than TAIL_BYTES: a cut moves forward to the next character",
                tail.len()
            );
            assert_eq!(
                head.len() + tail.len() + number.parse::<usize>().expect("a number"),
                text.len(),
                "{case}: the note has the number of missing bytes"
            );
            assert!(
                HEAD_BYTES - head.len() < 4 && TAIL_BYTES - tail.len() < 4,
                "{case}: no more is cut than necessary"
            );
        }
    }
}

#[test]
fn test_ch7_large_pieces_are_cut_between_characters() {
    let piece = "漢".repeat(20_000);
    let mut kept = HeadTail::default();
    for pieces in 1..=2 {
        kept.push(&piece);
        let text = kept.text();
        assert!(
            text.starts_with("漢") && text.ends_with("漢"),
            "a piece of 60,000 bytes, pushed {pieces} times at once"
        );
    }
}

#[test]
fn test_ch7_the_tail_is_cut_rarely() {
    let mut kept = push_all(&"x".repeat(BOTH), 1024);
    for _ in 0..TAIL_BYTES / 1024 {
        kept.push(&"x".repeat(1024));
    }
    assert_eq!(
        kept.left_out(),
        0,
        "the tail has {} bytes, and a cut moves all that is kept of it: `push` cuts only when the tail is longer than 2 * TAIL_BYTES",
        2 * TAIL_BYTES
    );
}

#[test]
fn test_ch7_memory_is_bounded() {
    let mut kept = HeadTail::default();
    let lines = "a line of output that is neither short nor long\n".repeat(20);
    let mut pushed = 0;
    while pushed < 40 * 1024 * 1024 {
        kept.push(&lines);
        pushed += lines.len();
    }
    assert!(
        kept.memory() < 8 * BOTH,
        "the memory does not grow with the output; after 40 MiB it is {} bytes",
        kept.memory()
    );
    assert!(
        kept.text().len() < BOTH + 50,
        "the text is head, note and tail"
    );
    assert_eq!(kept.left_out() as usize, pushed - BOTH);
    assert!(
        kept.memory() >= BOTH,
        "`memory` counts head and tail; it returns {} bytes",
        kept.memory()
    );
}

#[test]
fn test_ch7_memory_is_bounded_for_one_large_chunk() {
    let mut kept = HeadTail::default();
    let line = "a line of output that is neither short nor long\n";
    kept.push(&line.repeat(20 * 4000));
    assert!(
        kept.memory() < 8 * BOTH,
        "the memory does not grow with the chunk; it is {} bytes",
        kept.memory()
    );
}

#[test]
fn test_ch7_the_recent_output_is_short() {
    let mut kept = HeadTail::default();
    kept.push("all of it");
    assert_eq!(
        kept.last(RECENT_BYTES),
        "all of it",
        "a short text is returned whole"
    );
    let mut output = CommandOutput::default();
    output.push(b"a line\n");
    output.push(&b"one more line\n".repeat(100));
    output.push(b"the last");
    let recent = output.recent();
    assert!(
        recent.ends_with("one more line\nthe last") && !recent.contains("a line"),
        "the recent output is the end of the output, with the current line: {recent:?}"
    );
    assert!(
        (RECENT_BYTES - 20..=RECENT_BYTES).contains(&recent.len()),
        "it has {RECENT_BYTES} bytes or a few less, including the current line, not {}",
        recent.len()
    );
}

/// A text of `length` bytes in which no two parts are equal.
fn numbered(length: usize) -> String {
    let mut text = String::with_capacity(length + 10);
    let mut number = 0;
    while text.len() < length {
        text.push_str(&format!("{number}\n"));
        number += 1;
    }
    text.truncate(length);
    text
}

/// Pushes `text` in chunks of about `chunk` bytes.
fn push_all(text: &str, chunk: usize) -> HeadTail {
    let mut kept = HeadTail::default();
    let mut rest = text;
    while !rest.is_empty() {
        let (first, others) = rest.split_at(ceil_boundary(rest, chunk));
        kept.push(first);
        rest = others;
    }
    kept
}
