//! What a session of 10,000 messages costs: appended one by one and all at once, opened
//! again, searched; and the same messages as lines in a file.
//!
//! ```console
//! $ cargo bench -p claw-code-solutions --bench session
//! ```

use claw_code_solutions::chat::ChatMessage;
use claw_code_solutions::session::*;
use divan::Bencher;
use divan::counter::ItemsCount;
use tempfile::TempDir;

const MESSAGES: usize = 10_000;

fn main() {
    divan::main();
}

/// A commit, and so a wait for the disk, for each message.
#[divan::bench(sample_count = 2, sample_size = 1)]
fn append_one_by_one(bencher: Bencher) {
    let messages = messages();
    let made = bencher
        .counter(ItemsCount::new(MESSAGES))
        .with_inputs(history);
    made.bench_local_values(|(folder, mut history, mut cursor)| {
        for message in &messages {
            let message = std::slice::from_ref(message);
            history
                .append(&mut cursor, message)
                .expect("can be appended");
        }
        folder
    });
}

/// All in one commit.
#[divan::bench(sample_count = 10, sample_size = 1)]
fn append_all_at_once(bencher: Bencher) {
    let messages = messages();
    let made = bencher
        .counter(ItemsCount::new(MESSAGES))
        .with_inputs(history);
    made.bench_local_values(|(folder, mut history, mut cursor)| {
        history
            .append(&mut cursor, &messages)
            .expect("can be appended");
        folder
    });
}

/// Opening the history and resuming the session.
#[divan::bench(sample_count = 20, sample_size = 1)]
fn reopen(bencher: Bencher) {
    let (folder, mut history, mut cursor) = history();
    history
        .append(&mut cursor, &messages())
        .expect("can be appended");
    let id = cursor.session_id().to_owned();
    drop(history);
    let path = folder.path().join("history.db");
    bencher.counter(ItemsCount::new(MESSAGES)).bench_local(|| {
        let history = SessionHistory::open(&path).expect("can be opened");
        history.resume(&id).expect("is there")
    });
}

/// Two words, ten hits.
#[divan::bench(sample_count = 20)]
fn search(bencher: Bencher) {
    let (_folder, mut history, mut cursor) = history();
    history
        .append(&mut cursor, &messages())
        .expect("can be appended");
    bencher.bench_local(|| {
        history
            .search("number walnut", 10)
            .expect("can be searched")
    });
}

/// One write for each message, and one wait for the disk at the end.
#[divan::bench(sample_count = 10, sample_size = 1)]
fn lines_one_by_one(bencher: Bencher) {
    let messages = messages();
    let made = bencher.counter(ItemsCount::new(MESSAGES));
    made.with_inputs(|| tempfile::tempdir().expect("a folder"))
        .bench_local_values(|folder| {
            let mut file = JsonlFile::open(folder.path().join("talk.jsonl")).expect("opens");
            for message in &messages {
                let message = std::slice::from_ref(message);
                file.append(message).expect("can be appended");
            }
            file.sync().expect("can be synced");
            folder
        });
}

/// The lines, read again.
#[divan::bench(sample_count = 20, sample_size = 1)]
fn read_lines(bencher: Bencher) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("talk.jsonl");
    let mut file = JsonlFile::open(&path).expect("opens");
    file.append(&messages()).expect("can be appended");
    let counter = ItemsCount::new(MESSAGES);
    bencher
        .counter(counter)
        .bench_local(|| read_jsonl(&path).expect("can be read"));
}

fn history() -> (TempDir, SessionHistory, Cursor) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("history.db");
    let mut history = SessionHistory::open(path).expect("can be made");
    let cursor = history
        .create(&Session::new("coder", "claude"))
        .expect("can be stored");
    (folder, history, cursor)
}

fn messages() -> Vec<ChatMessage> {
    let text = "and what else there is to say, in a sentence or two of a common length";
    let say = |number: usize| match number % 100 {
        0 => ChatMessage::user(format!("message number {number}: a walnut, {text}")),
        _ => ChatMessage::assistant(format!("message number {number}: {text}, {text}")),
    };
    (0..MESSAGES).map(say).collect()
}
