//! Stress tests of session histories: killed processes, shared databases, read-only files, full
//! disks and random damage.
//!
//! The other processes of a test run this program too. An environment variable holds their task.

use std::collections::HashMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Barrier, mpsc};
use std::thread;
use std::time::Duration;

use claw_code_solutions::chat::ChatMessage;
use claw_code_solutions::session::*;

/// The environment variable of a child process: the name of its task, a space, and its folder.
const TASK: &str = "CLAW_TEST_HISTORY_TASK";

const KILLS: usize = 120;

/// Kills a process that appends to a database and to a JSON Lines file, and starts the next one
/// on the same files. Every message that a process acknowledged must still be there.
#[test]
fn acknowledged_messages_survive_kills() {
    let folder = tempfile::tempdir().unwrap();
    let mut history = open(folder.path());
    history.create(&session("s")).unwrap();
    drop(history);
    let mut totals = Totals::default();
    for round in 0..KILLS {
        let acknowledged = append_until_killed(folder.path(), round);
        check_database(folder.path(), &acknowledged, &mut totals, round);
        if folder.path().join("messages.jsonl").exists() {
            check_lines(folder.path(), &acknowledged, &mut totals, round);
        }
    }
    let Totals {
        stored,
        written,
        torn,
        torn_here,
    } = totals;
    println!(
        "{KILLS} kills, {stored} messages stored, {written} written, {torn} lines found torn, {torn_here} torn here"
    );
    assert!(stored > 0, "no process stored a message before its kill");
}

/// The results of all rounds so far.
#[derive(Default)]
struct Totals {
    /// The messages in the database.
    stored: usize,
    /// The complete lines in the JSON Lines file.
    written: usize,
    /// The lines that a kill tore.
    torn: usize,
    /// The lines that the test tore.
    torn_here: usize,
}

/// Starts a process that appends messages, and kills it after its `round % 9`th acknowledgment
/// and a short time that differs in each round. Returns the last acknowledged number of
/// messages of each kind, `stored` and `written`.
fn append_until_killed(folder: &Path, round: usize) -> HashMap<String, usize> {
    let mut child = start_child("append", folder);
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let (sender, acknowledgments) = mpsc::channel();
    let reader = thread::spawn(move || {
        let mut last = HashMap::new();
        for line in lines.map_while(Result::ok) {
            if let Some((kind, number)) = acknowledgment(&line) {
                last.insert(kind, number);
                let _ = sender.send(());
            }
        }
        last
    });
    for _ in 0..round % 9 {
        let next = acknowledgments.recv_timeout(Duration::from_secs(60));
        next.unwrap();
    }
    for step in 0..1 + round * 7919 % 20_000 {
        std::hint::black_box(step);
    }
    child.kill().unwrap();
    child.wait().unwrap();
    reader.join().unwrap()
}

/// Asserts that the database has every acknowledged message, and at most one more: the commit
/// that the kill separated from its acknowledgment.
fn check_database(
    folder: &Path,
    acknowledged: &HashMap<String, usize>,
    totals: &mut Totals,
    round: usize,
) {
    let stored = open(folder).load("s").unwrap().messages;
    let last = acknowledged.get("stored").copied();
    let last = last.unwrap_or(totals.stored);
    assert!(
        stored.len() == last || stored.len() == last + 1,
        "round {round}: {last} messages were acknowledged, and {} are stored",
        stored.len()
    );
    assert!(
        stored.len() >= totals.stored,
        "round {round}: the database has fewer messages than after the last round"
    );
    assert_eq!(stored, messages(stored.len()), "round {round}");
    totals.stored = stored.len();
}

/// Asserts that the JSON Lines file has every acknowledged message. A kill seldom tears a line,
/// because the writes are small. So in every second round the test appends a part of a line
/// itself, which the next process has to repair.
fn check_lines(
    folder: &Path,
    acknowledged: &HashMap<String, usize>,
    totals: &mut Totals,
    round: usize,
) {
    let path = folder.join("messages.jsonl");
    let file = read_jsonl(&path).unwrap();
    let count = file.messages.len();
    let last = acknowledged.get("written").copied();
    assert!(
        count >= last.unwrap_or(totals.written),
        "round {round}: {last:?} messages were acknowledged, and {count} are in the file"
    );
    assert_eq!(file.messages, messages(count), "round {round}");
    totals.written = count;
    totals.torn += usize::from(file.torn.is_some());
    if file.torn.is_none() && round.is_multiple_of(2) {
        let next = serde_json::to_vec(&message(count)).unwrap();
        let part = &next[..1 + round * 31 % (next.len() - 1)];
        let mut file = fs::OpenOptions::new().append(true).open(&path).unwrap();
        file.write_all(part).unwrap();
        totals.torn_here += 1;
    }
}

/// One of the threads creates the database, and the others wait for it.
#[test]
fn four_threads_can_open_a_new_history_at_once() {
    for round in 0..40 {
        let folder = tempfile::tempdir().unwrap();
        let barrier = Barrier::new(4);
        thread::scope(|scope| {
            let open = || {
                barrier.wait();
                SessionHistory::open(folder.path().join("history.db")).map(drop)
            };
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(open)).collect();
            for thread in threads {
                let opened = thread.join().unwrap();
                assert!(opened.is_ok(), "round {round}: {opened:?}");
            }
        });
    }
}

/// Four processes open one history at once and append to one session. The session must have
/// each message once, and those of each process in order.
#[test]
fn four_processes_share_a_session() {
    let folder = tempfile::tempdir().unwrap();
    let children: Vec<_> = (0..4)
        .map(|_| start_child("share", folder.path()))
        .collect();
    let mut names = Vec::new();
    for child in children {
        let output = child.wait_with_output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{text}");
        let name = text.lines().find_map(|line| line.strip_prefix("done "));
        names.push(name.expect("the process prints its name").to_owned());
    }
    let messages = open(folder.path()).load("shared").unwrap().messages;
    assert_eq!(messages.len(), 4 * 25);
    for name in names {
        let numbers = messages.iter().filter_map(|message| {
            let (sender, number) = message.content.as_deref()?.split_once(' ')?;
            (sender == name).then(|| number.parse::<usize>().unwrap())
        });
        let expected: Vec<_> = (0..25).collect();
        assert_eq!(numbers.collect::<Vec<_>>(), expected, "process {name}");
    }
}

/// A history in a read-only file or folder cannot be opened, and stays as it is. Root may write
/// every file, so the test opens the history as another user.
#[cfg(unix)]
#[test]
fn a_read_only_history_is_an_error_and_stays_unchanged() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;

    let folder = tempfile::tempdir().unwrap();
    let mut history = open(folder.path());
    history.create(&session("s")).unwrap();
    drop(history);
    let path = folder.path().join("history.db");
    let set_mode = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    let before = fs::read(&path).unwrap();
    for (file_mode, folder_mode, expected) in [
        (0o444, 0o777, "ReadOnly"),
        (0o444, 0o555, "ReadOnly"),
        (0o666, 0o555, ""),
    ] {
        set_mode(&path, file_mode);
        set_mode(folder.path(), folder_mode);
        let mut command = child_command("open", folder.path());
        let is_writable = fs::OpenOptions::new().write(true).open(&path).is_ok();
        if is_writable && file_mode == 0o444 || folder_mode == 0o555 {
            command.uid(65534);
        }
        let Ok(output) = command.output() else {
            return eprintln!("skipped: the other user may not run this program");
        };
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let opened = text.lines().find_map(|line| line.strip_prefix("opened: "));
        println!("file {file_mode:o}, folder {folder_mode:o}: {opened:?}");
        assert!(
            opened.is_some_and(|result| result.starts_with("Err") && result.contains(expected)),
            "file {file_mode:o}, folder {folder_mode:o}: {text}"
        );
        assert!(
            before == fs::read(&path).unwrap(),
            "the file should be unchanged"
        );
    }
    set_mode(folder.path(), 0o755);
}

/// A limit on the size of files acts like a full disk. Every acknowledged message must be
/// there, and nothing of the one that did not fit.
#[cfg(unix)]
#[test]
fn a_full_disk_loses_no_acknowledged_message() {
    let folder = tempfile::tempdir().unwrap();
    let mut history = open(folder.path());
    history.create(&session("s")).unwrap();
    drop(history);
    let exe = std::env::current_exe().unwrap();
    let limited = r#"trap "" XFSZ; ulimit -f 1500; exec "$0" --exact child --nocapture"#;
    let mut shell = Command::new("sh");
    shell.args(["-c", limited]).arg(exe);
    set_task(&mut shell, "append", folder.path());
    let text = String::from_utf8(shell.output().unwrap().stdout).unwrap();
    let errors = text.lines().filter(|line| line.starts_with("error "));
    println!("{}", errors.collect::<Vec<_>>().join("\n"));
    for error in ["error history", "error lines"] {
        assert!(text.contains(error), "no {error:?} in {text}");
    }
    let last = |kind: &str| {
        let mut acknowledgments = text.lines().filter_map(acknowledgment);
        let last = acknowledgments.rfind(|(found, _)| found == kind);
        last.map(|(_, number)| number)
    };
    let messages = open(folder.path()).load("s").unwrap().messages;
    assert_eq!(Some(messages.len()), last("stored"));
    let file = read_jsonl(folder.path().join("messages.jsonl")).unwrap();
    assert_eq!(file.messages.len(), last("written").unwrap_or(0));
    assert_eq!(file.torn, None);
}

/// Opening and reading a damaged database gives an error or a session, never a panic. A file
/// that cannot be opened stays as it is.
#[test]
fn random_damage_never_causes_a_panic() {
    let folder = tempfile::tempdir().unwrap();
    let mut history = open(folder.path());
    let mut stored = session("s");
    stored.messages = messages(100);
    history.create(&stored).unwrap();
    drop(history);
    let path = folder.path().join("history.db");
    let intact = fs::read(&path).unwrap();
    let mut rejected = 0;
    for round in 0..300_usize {
        let mut bytes = intact.clone();
        for step in 0..40 {
            let position = (round * 40 + step).wrapping_mul(2_654_435_761) % bytes.len();
            bytes[position] ^= 1 << (position % 8);
        }
        fs::write(&path, &bytes).unwrap();
        match SessionHistory::open(&path) {
            Ok(history) => drop((history.load("s"), history.search("message", 10))),
            Err(_) => {
                rejected += 1;
                assert!(
                    bytes == fs::read(&path).unwrap(),
                    "round {round}: the rejected file was changed"
                );
            }
        }
    }
    println!("300 damaged files, {rejected} rejected when they were opened");
}

/// Runs the task of a child process. Does nothing in a normal test run.
#[test]
fn child() {
    let Ok(task) = std::env::var(TASK) else {
        return;
    };
    let (name, folder) = task.split_once(' ').unwrap();
    let folder = Path::new(folder);
    match name {
        "append" => append(folder),
        "share" => share(folder),
        "open" => {
            let opened = SessionHistory::open(folder.join("history.db"));
            println!("\nopened: {:?}", opened.map(drop));
        }
        _ => unreachable!("no task {name}"),
    }
}

/// Appends messages to the session `s` and to the JSON Lines file, and acknowledges each on
/// standard output, until the process is killed or neither can be written.
fn append(folder: &Path) {
    let mut history = open(folder);
    let (session, mut cursor) = history.resume("s").unwrap();
    let path = folder.join("messages.jsonl");
    let mut file = JsonlFile::open(&path).unwrap();
    let mut stored = session.messages.len();
    let mut written = read_jsonl(&path).unwrap().messages.len();
    let (mut can_store, mut can_write) = (true, true);
    let mut out = std::io::stdout();
    while (can_store || can_write) && stored < 100_000 {
        if can_store {
            match history.append(&mut cursor, &[message(stored)]) {
                Ok(()) => {
                    stored += 1;
                    writeln!(out, "\nstored {stored}").unwrap();
                }
                Err(error) => {
                    can_store = false;
                    writeln!(out, "\nerror history {error:?}").unwrap();
                }
            }
        }
        if can_write {
            match file.append(&[message(written)]) {
                Ok(()) => {
                    written += 1;
                    writeln!(out, "\nwritten {written}").unwrap();
                }
                Err(error) => {
                    can_write = false;
                    writeln!(out, "\nerror lines {error:#}").unwrap();
                }
            }
        }
        out.flush().unwrap();
    }
}

/// Appends 25 messages to a session that other processes append to as well.
fn share(folder: &Path) {
    let mut history = open(folder);
    let mut shared = session("shared");
    shared.messages.clear();
    match history.create(&shared) {
        Ok(_) | Err(HistoryError::Exists(_)) => {}
        Err(error) => panic!("{error}"),
    }
    let name = std::process::id();
    let (_, mut cursor) = history.resume("shared").unwrap();
    for number in 0..25 {
        let message = [ChatMessage::user(format!("{name} {number}"))];
        loop {
            match history.append(&mut cursor, &message) {
                Ok(()) => break,
                Err(HistoryError::Conflict { .. }) => {
                    (_, cursor) = history.resume("shared").unwrap()
                }
                Err(error) => panic!("{error}"),
            }
        }
    }
    println!("\ndone {name}");
}

/// The kind and the number of an acknowledgment, such as `stored 3`.
fn acknowledgment(line: &str) -> Option<(String, usize)> {
    let (kind, number) = line.split_once(' ')?;
    let is_known = kind == "stored" || kind == "written";
    is_known.then(|| Some((kind.to_owned(), number.parse().ok()?)))?
}

fn start_child(task: &str, folder: &Path) -> Child {
    let mut command = child_command(task, folder);
    command.stdout(Stdio::piped()).spawn().unwrap()
}

/// A command that runs this program with a task.
fn child_command(task: &str, folder: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "child", "--nocapture"]);
    set_task(&mut command, task, folder);
    command
}

fn set_task(command: &mut Command, task: &str, folder: &Path) {
    command.env(TASK, format!("{task} {}", folder.display()));
}

fn open(folder: &Path) -> SessionHistory {
    SessionHistory::open(folder.join("history.db")).unwrap()
}

/// An empty session with this id.
fn session(id: &str) -> Session {
    Session {
        session_id: id.into(),
        ..Session::new("coder", "claude")
    }
}

/// The first `count` messages of every test.
fn messages(count: usize) -> Vec<ChatMessage> {
    (0..count).map(message).collect()
}

/// A message of up to 300 bytes that differs from all others.
fn message(number: usize) -> ChatMessage {
    ChatMessage::user(format!("message {number} {}", "x".repeat(number % 300)))
}
