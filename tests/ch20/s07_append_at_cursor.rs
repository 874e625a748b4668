//! Section 20.7: Appending at a cursor

use std::cell::RefCell;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use claw_code::session::*;
use rusqlite::Connection;

use super::support::*;

#[test]
fn test_ch20_messages_are_appended() {
    assert_nobody_is_appended_to();
    let mut history = in_memory();
    let mut expected = session("a", 1);
    let mut cursor = create(&mut history, &expected);
    create(&mut history, &session("b", 2));
    for more in [1, 0, 3] {
        let messages = talk(more);
        let added = history.append(&mut cursor, &messages);
        assert!(
            added.is_ok(),
            "{more} messages can be appended; it gave {added:?}"
        );
        expected.messages.extend(messages);
        assert_eq!(
            cursor.position(),
            expected.messages.len(),
            "the cursor moves along"
        );
        assert_eq!(
            load(&history, "a"),
            expected,
            "they are behind the others, in order"
        );
    }
    assert_eq!(
        load(&history, "b"),
        session("b", 2),
        "other sessions stay as they are"
    );
    let mut cursor = create(&mut history, &session("empty", 0));
    let added = history.append(&mut cursor, &talk(1));
    assert!(
        added.is_ok(),
        "an empty session can be continued: of no messages, `max` is `NULL`; it gave {added:?}"
    );
}

#[test]
fn test_ch20_an_append_is_whole_or_not_at_all() {
    assert_nobody_is_appended_to();
    let mut history = in_memory();
    let mut cursor = create(&mut history, &session("a", 1));
    let error = history
        .append(&mut cursor, &[user("fine"), unwritable()])
        .expect_err("an endless duration");
    assert!(
        matches!(error, HistoryError::Unwritable(_)),
        "what JSON cannot hold is `Unwritable`; it gave {error:?}"
    );
    assert_eq!(
        load(&history, "a"),
        session("a", 1),
        "not even the good message is stored"
    );
    assert_eq!(
        cursor.position(),
        1,
        "after an error the cursor stands where it stood"
    );
    let added = history.append(&mut cursor, &[user("next")]);
    assert!(added.is_ok(), "and it can go on; it gave {added:?}");
}

#[test]
fn test_ch20_what_could_not_be_read_is_not_appended() {
    assert_nobody_is_appended_to();
    let mut history = in_memory();
    let mut cursor = create(&mut history, &session("a", 1));
    for message in unreadable() {
        let appended = history.append(&mut cursor, &[user("fine"), message]);
        assert!(
            matches!(appended, Err(HistoryError::Unwritable(_))),
            "JSON holds this message, but nobody can read it again: it is `Unwritable`; it gave \
             {appended:?}"
        );
        assert_eq!(
            (load(&history, "a"), cursor.position()),
            (session("a", 1), 1),
            "not even the good message is stored, and the cursor stands where it stood"
        );
    }
    let added = history.append(&mut cursor, &[deep(50)]);
    assert!(added.is_ok(), "and it can go on; it gave {added:?}");
}

#[test]
fn test_ch20_two_processes_never_interleave() {
    assert_nobody_is_appended_to();
    let folder = folder();
    let path = folder.path().join("history.db");
    let (mut one, mut two) = (open(&path), open(&path));
    let mut cursor = create(&mut one, &session("a", 2));
    let mut other = cursor.clone();
    one.append(&mut cursor, &[user("one")])
        .expect("nobody else has written");
    let error = two
        .append(&mut other, &[user("two")])
        .expect_err("there is a message that the second process has not seen");
    assert!(
        matches!(error, HistoryError::Conflict { known: 2, found: 3 }),
        "the second process knows 2 messages and there are 3: a `Conflict`; it gave {error:?}"
    );
    assert_eq!(
        other.position(),
        2,
        "after an error the cursor stands where it stood"
    );
    let mut expected = session("a", 2);
    expected.messages.push(user("one"));
    assert_eq!(
        load(&two, "a"),
        expected,
        "nothing of the second process is stored"
    );
    let beyond = two.append(&mut Cursor::new("a", 7), &[user("eight")]);
    assert!(
        matches!(beyond, Err(HistoryError::Conflict { known: 7, found: 3 })),
        "whoever knows more messages than there are knows another session, one that was deleted \
         since: a `Conflict`; it gave {beyond:?}"
    );
    let mut gone = cursor.clone();
    two.delete("a").expect("can be deleted");
    let error = one
        .append(&mut gone, &[user("three")])
        .expect_err("deleted");
    assert!(
        matches!(&error, HistoryError::NotFound(id) if id == "a"),
        "a session that was deleted meanwhile is `NotFound`; it gave {error:?}"
    );
}

#[test]
fn test_ch20_a_writer_waits_its_turn() {
    assert_nobody_is_appended_to();
    let folder = folder();
    let path = folder.path().join("history.db");
    let mut history = open(&path);
    let mut cursor = create(&mut history, &session("a", 1));
    history
        .set_busy_timeout(Duration::from_millis(1))
        .expect("can be set");
    let other = Connection::open(&path).expect("can be opened");
    sql(&other, "BEGIN IMMEDIATE");
    let error = history
        .append(&mut cursor, &[user("next")])
        .expect_err("locked");
    assert!(
        matches!(error, HistoryError::Busy),
        "while another process writes, it is `Busy` once the patience is at its end; it gave {error:?}"
    );
    assert_eq!(
        load(&history, "a"),
        session("a", 1),
        "reading goes on meanwhile"
    );
    sql(&other, "COMMIT");
    let added = history.append(&mut cursor, &[user("next")]);
    assert!(
        added.is_ok(),
        "then it is this one's turn; it gave {added:?}"
    );
    sql(&other, "BEGIN IMMEDIATE");
    let (tell, told) = std::sync::mpsc::channel();
    let writer = std::thread::spawn(move || {
        // Until the others have given up, or long after they should have.
        let _ = told.recv_timeout(Duration::from_secs(2));
        sql(&other, "COMMIT");
        other
    });
    let given_up = history.append(&mut cursor, &[user("and next")]);
    let _ = tell.send(());
    let other = writer.join().expect("the other process is done");
    assert!(
        matches!(given_up, Err(HistoryError::Busy)),
        "a patience of a millisecond is over within two seconds; it gave {given_up:?}"
    );
    history
        .set_busy_timeout(Duration::from_secs(10))
        .expect("can be set");
    sql(&other, "BEGIN IMMEDIATE");
    let writer = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        sql(&other, "COMMIT");
    });
    let waited = history.append(&mut cursor, &[user("and next")]);
    writer.join().expect("the other process is done");
    assert!(
        waited.is_ok(),
        "it waits for the other process: a transaction that began as a reader gives up at \
         once when it wants to write; it gave {waited:?}"
    );
}

#[test]
fn test_ch20_what_comes_while_it_waits_is_seen() {
    thread_local! {
        static OTHER: RefCell<Option<Connection>> = const { RefCell::new(None) };
    }
    assert_nobody_is_appended_to();
    let folder = folder();
    let path = folder.path().join("history.db");
    let mut cursor = create(&mut open(&path), &session("a", 1));
    let other = Connection::open(&path).expect("can be opened");
    sql(&other, "BEGIN IMMEDIATE");
    OTHER.set(Some(other));
    let mut connection = Connection::open(&path).expect("can be opened");
    // Called when it has to wait: just now the other process adds a message.
    let waiting = |_| match OTHER.take() {
        Some(other) => {
            let message = json_line(&user("sooner"));
            let add =
                "INSERT INTO messages (session, position, message, words) VALUES (1, 1, ?1, '')";
            other.execute(add, [message]).expect("there is room");
            sql(&other, "COMMIT");
            true
        }
        None => false,
    };
    connection.busy_handler(Some(waiting)).expect("can be set");
    let mut history = SessionHistory::over(connection);
    let added = history.append(&mut cursor, &[user("late")]);
    assert!(
        matches!(added, Err(HistoryError::Conflict { known: 1, found: 2 })),
        "while this one waited for its turn, another process added a message to the same \
         session: compare inside the transaction that writes, and it is a `Conflict`; it gave \
         {added:?}"
    );
}

#[test]
fn test_ch20_an_ended_session_goes_on() {
    assert_nobody_is_appended_to();
    let mut history = in_memory();
    let mut ended = session("a", 1);
    ended.ended_at = Some(ended.started_at);
    let mut cursor = create(&mut history, &ended);
    history
        .append(&mut cursor, &[user("One more thing.")])
        .expect("can be appended");
    assert_eq!(
        load(&history, "a").ended_at,
        None,
        "a session to which something is added has not ended"
    );
}

#[test]
fn test_ch20_killed_while_appending() {
    const VARIABLE: &str = "CLAW_TEST_CH20_APPEND";
    if let Some(path) = std::env::var_os(VARIABLE) {
        return append_forever(Path::new(&path));
    }
    assert_nobody_is_appended_to();
    let folder = folder();
    let path = folder.path().join("history.db");
    for (round, kill_after) in [1, 7].into_iter().enumerate() {
        let mut child = Command::new(std::env::current_exe().expect("this test has a file"))
            .args([
                "--exact",
                "ch20::s07_append_at_cursor::test_ch20_killed_while_appending",
                "--nocapture",
            ])
            .env(VARIABLE, &path)
            .stdout(Stdio::piped())
            .spawn()
            .expect("this test can run itself");
        let mut said = BufReader::new(child.stdout.take().expect("piped")).lines();
        let mut stored = said.by_ref().map_while(Result::ok).filter_map(acknowledged);
        let (id, mut last) = stored
            .nth(kill_after)
            .expect("the child appends until it is killed");
        child.kill().expect("can be killed");
        child.wait().expect("was killed");
        for (_, number) in stored {
            last = number;
        }
        let found = load(&open(&path), &id).messages;
        assert!(
            found.len() == last || found.len() == last + 1,
            "in round {round} the process said of {last} messages that they are stored, and was \
             killed; now there are {}: those, and at most one more, should be there",
            found.len()
        );
        assert_eq!(
            found,
            talk(found.len()),
            "they are the right ones, in order"
        );
    }
}

/// The child of the test above: says of each message that it is stored, once it is.
fn append_forever(path: &Path) {
    let mut history = open(path);
    let session = Session::new("coder", "claude");
    let mut cursor = create(&mut history, &session);
    // Not for ever: if nobody kills it, it has to end.
    for message in talk(5000) {
        history
            .append(&mut cursor, &[message])
            .expect("can be appended");
        let mut out = std::io::stdout().lock();
        let said = writeln!(out, "stored {} {}", session.session_id, cursor.position());
        if said.and_then(|()| out.flush()).is_err() {
            return;
        }
    }
}

fn acknowledged(line: String) -> Option<(String, usize)> {
    let (id, number) = line.strip_prefix("stored ")?.split_once(' ')?;
    Some((id.to_owned(), number.parse().ok()?))
}

#[track_caller]
fn assert_nobody_is_appended_to() {
    assert_not_found(in_memory().append(&mut Cursor::new("nobody", 0), &talk(1)));
}
