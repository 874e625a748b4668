//! Section 7.4: Head and tail

use claw_code::tools::shell::*;
use claw_code::tools::*;

#[test]
fn test_ch7_what_fits_is_kept_whole() {
    for length in [0, 1, HEAD - 1, HEAD, HEAD + 1, HEAD + TAIL - 1, HEAD + TAIL] {
        let text = numbered(length);
        for piece in [1000, usize::MAX] {
            let mut kept = kept(&text, piece);
            assert!(
                kept.text() == text && kept.left_out() == 0,
                "{length} bytes fit into {HEAD} and {TAIL}, and are kept as they are; {} bytes came back",
                kept.text().len()
            );
        }
    }
    let text = "x".repeat(HEAD - 1) + "é, and then abc";
    assert!(
        kept(&text, 1).text() == text,
        "a character that does not fit into the head goes to the tail, and so does all that follows, in its order"
    );
}

#[test]
fn test_ch7_head_and_tail_are_kept() {
    for more in [1, 17, TAIL, 3 * TAIL + 5, 40 * TAIL] {
        let text = numbered(HEAD + TAIL + more);
        let expected = format!(
            "{}\n[{more} bytes left out]\n{}",
            &text[..HEAD],
            &text[text.len() - TAIL..]
        );
        for piece in [7, 1000, TAIL, usize::MAX] {
            let mut kept = kept(&text, piece);
            let got = kept.text();
            assert!(
                got == expected,
                "of {} bytes in pieces of {piece}, the first {HEAD} and the last {TAIL} are kept, with `[{more} bytes left out]` between; what came has {} bytes, and in the middle: {:?}",
                text.len(),
                got.len(),
                got.lines().find(|line| line.contains("left out"))
            );
            assert_eq!(
                kept.left_out(),
                more as u64,
                "and {more} bytes were left out"
            );
        }
    }
}

#[test]
fn test_ch7_cuts_are_between_characters() {
    for letter in ["é", "漢", "🦀"] {
        for shift in 0..4 {
            let text = "x".repeat(shift) + &letter.repeat(60_000 / letter.len());
            let mut kept = kept(&text, 999);
            let got = kept.text();
            let (head, rest) = got.split_once("\n[").expect("it has been cut");
            let (number, tail) = rest.split_once(" bytes left out]\n").expect("and says so");
            assert!(
                text.starts_with(head) && text.ends_with(tail),
                "head and tail are those of the text, which is {shift} times x and then {letter}"
            );
            assert_eq!(
                head.len() + tail.len() + number.parse::<usize>().expect("a number"),
                text.len(),
                "what is left out is what is missing; the text is {shift} times x and then {letter}"
            );
            assert!(
                HEAD - head.len() < 4 && TAIL - tail.len() < 4,
                "no more is cut than has to be"
            );
        }
    }
}

#[test]
fn test_ch7_memory_does_not_grow() {
    let mut kept = Kept::default();
    let line = "a line of output that is neither short nor long\n".repeat(20);
    let mut pushed = 0;
    while pushed < 40 * 1024 * 1024 {
        kept.push(&line);
        pushed += line.len();
    }
    assert!(
        kept.memory() < 8 * (HEAD + TAIL),
        "after 40 MiB of output no more is held than after some; it is {} bytes",
        kept.memory()
    );
    assert!(
        kept.text().len() < HEAD + TAIL + 50,
        "and what comes out is head and tail"
    );
    assert_eq!(kept.left_out() as usize, pushed - HEAD - TAIL);
    assert!(
        kept.memory() >= HEAD + TAIL,
        "head and tail are in memory; it is said to be {} bytes",
        kept.memory()
    );
    let mut kept = Kept::default();
    kept.push(&line.repeat(4000));
    assert!(
        kept.memory() < 8 * (HEAD + TAIL),
        "nor when all of it comes at once; it is {} bytes",
        kept.memory()
    );
}

#[test]
fn test_ch7_the_recent_end_is_short() {
    let mut kept = Kept::default();
    kept.push("all of it");
    assert_eq!(kept.end(RECENT), "all of it", "a short text is its own end");
    let mut output = Output::default();
    output.push(b"a line\n");
    output.push(&b"one more line\n".repeat(100));
    output.push(b"the last");
    let recent = output.recent();
    assert!(
        recent.ends_with("one more line\nthe last") && !recent.contains("a line"),
        "the end of the output is shown, with the line that is being written: {recent:?}"
    );
    assert!(
        (RECENT - 20..=RECENT).contains(&recent.len()),
        "it has {RECENT} bytes or a few less, the current line among them, and no {}",
        recent.len()
    );
}

/// A text of so many bytes in which no place looks like another.
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

/// Pushes `text` in pieces of about so many bytes.
fn kept(text: &str, piece: usize) -> Kept {
    let mut kept = Kept::default();
    let mut rest = text;
    while !rest.is_empty() {
        let (first, others) = rest.split_at(ceil_boundary(rest, piece));
        kept.push(first);
        rest = others;
    }
    kept
}
