//! Session histories under rough treatment: killed a hundred times, shared by processes, on
//! disks that are full or may not be written, with bytes changed at random.
//!
//! Each process that is needed is this program again, with its task in the environment.

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

const TASK: &str = "CLAW_TEST_HISTORY_TASK";
const KILLS: usize = 120;

/// What is acknowledged is there after a kill, in the database and in the file of lines, and
/// both go on in the next process.
#[test]
fn killed_again_and_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut history = open(folder.path());
    history.create(&session("s")).unwrap();
    drop(history);
    let (mut stored, mut written, mut torn, mut made) = (0, 0, 0, 0);
    for round in 0..KILLS {
        let mut child = start("append", folder.path());
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let (tell, told) = mpsc::channel();
        let reader = std::thread::spawn(move || {
            let mut last = HashMap::new();
            for line in lines.map_while(Result::ok) {
                if let Some((kind, number)) = acknowledged(&line) {
                    last.insert(kind, number);
                    let _ = tell.send(());
                }
            }
            last
        });
        // Once so many are stored, and a moment later, so that a kill comes anywhere.
        for _ in 0..round % 9 {
            told.recv_timeout(Duration::from_secs(60)).unwrap();
        }
        let spin = 1 + round * 7919 % 20_000;
        for step in 0..spin {
            std::hint::black_box(step);
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let last = reader.join().unwrap();

        let messages = open(folder.path()).load("s").unwrap().messages;
        let acknowledged = last.get("stored").copied().unwrap_or(stored);
        assert!(
            messages.len() == acknowledged || messages.len() == acknowledged + 1,
            "round {round}: {acknowledged} acknowledged, {} there",
            messages.len()
        );
        assert!(messages.len() >= stored, "round {round}: nothing goes back");
        assert_eq!(messages, talk(messages.len()), "round {round}");
        stored = messages.len();

        let path = folder.path().join("talk.jsonl");
        if path.exists() {
            let contents = read_jsonl(&path).unwrap();
            let acknowledged = last.get("written").copied().unwrap_or(written);
            assert!(contents.messages.len() >= acknowledged, "round {round}");
            assert_eq!(contents.messages, talk(contents.messages.len()));
            // Small writes are seldom torn by a kill, so half of the tears are made here: a
            // piece of the next line, cut anywhere. The next process has to get over it.
            torn += usize::from(contents.torn.is_some());
            if contents.torn.is_none() && round % 2 == 0 {
                let next = serde_json::to_vec(&said(contents.messages.len())).unwrap();
                let mut file = fs::OpenOptions::new().append(true).open(&path).unwrap();
                file.write_all(&next[..1 + round * 31 % (next.len() - 1)])
                    .unwrap();
                made += 1;
            }
            written = contents.messages.len();
        }
    }
    println!(
        "{KILLS} kills, {stored} messages stored, {written} written, {torn} lines found torn, {made} torn here"
    );
    assert!(stored > 0);
}

/// Four threads open a history that is not there yet: one makes it, the others find it made.
#[test]
fn many_open_a_new_history_at_once() {
    for round in 0..40 {
        let folder = tempfile::tempdir().unwrap();
        let together = Barrier::new(4);
        thread::scope(|scope| {
            let open = || {
                together.wait();
                SessionHistory::open(folder.path().join("history.db")).map(drop)
            };
            let openers: Vec<_> = (0..4).map(|_| scope.spawn(open)).collect();
            for opener in openers {
                let opened = opener.join().unwrap();
                assert!(opened.is_ok(), "in round {round}: {opened:?}");
            }
        });
    }
}

/// Four processes begin one history at once and talk in one session: each message is there
/// once, and those of each process in its order.
#[test]
fn four_processes_share_a_session() {
    let folder = tempfile::tempdir().unwrap();
    let children: Vec<_> = (0..4).map(|_| start("share", folder.path())).collect();
    let mut names = Vec::new();
    for child in children {
        let output = child.wait_with_output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{text}");
        let name = text.lines().find_map(|line| line.strip_prefix("done "));
        names.push(name.expect("says its name").to_owned());
    }
    let messages = open(folder.path()).load("shared").unwrap().messages;
    assert_eq!(messages.len(), 4 * 25);
    for name in names {
        let said = messages.iter().filter_map(|message| {
            let (who, number) = message.content.as_deref()?.split_once(' ')?;
            (who == name).then(|| number.parse::<usize>().unwrap())
        });
        assert_eq!(said.collect::<Vec<_>>(), (0..25).collect::<Vec<_>>());
    }
}

/// A file, or a folder, that may not be written: `ReadOnly` or SQLite's words, and nothing
/// is changed. As root everything may be written, so this is another user's process.
#[cfg(unix)]
#[test]
fn what_may_not_be_written() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;

    let folder = tempfile::tempdir().unwrap();
    let mut history = open(folder.path());
    history.create(&session("s")).unwrap();
    drop(history);
    let path = folder.path().join("history.db");
    let set = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    let before = fs::read(&path).unwrap();
    for (file, place, says) in [
        (0o444, 0o777, "ReadOnly"),
        (0o444, 0o555, "ReadOnly"),
        (0o666, 0o555, ""),
    ] {
        set(&path, file);
        set(folder.path(), place);
        let mut command = again("look", folder.path());
        if fs::OpenOptions::new().write(true).open(&path).is_ok() && file == 0o444 || place == 0o555
        {
            command.uid(65534);
        }
        let Ok(output) = command.output() else {
            return eprintln!("skipped: that user may not run this program");
        };
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let said = text.lines().find_map(|line| line.strip_prefix("looked: "));
        println!("file {file:o}, folder {place:o}: {said:?}");
        assert!(
            said.is_some_and(|said| said.starts_with("Err") && said.contains(says)),
            "{text}"
        );
        assert!(
            before == fs::read(&path).unwrap(),
            "the file stays as it is"
        );
    }
    set(folder.path(), 0o755);
}

/// A file that may not grow any more stands for a full disk: what was acknowledged is there,
/// and what was not left nothing behind.
#[cfg(unix)]
#[test]
fn a_full_disk() {
    let folder = tempfile::tempdir().unwrap();
    let mut history = open(folder.path());
    history.create(&session("s")).unwrap();
    drop(history);
    let exe = std::env::current_exe().unwrap();
    let limited = r#"trap "" XFSZ; ulimit -f 1500; exec "$0" --exact child --nocapture"#;
    let mut shell = Command::new("sh");
    shell.args(["-c", limited]).arg(exe);
    let output = task(&mut shell, "append", folder.path()).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    println!(
        "{}",
        text.lines()
            .filter(|line| line.starts_with("error "))
            .collect::<Vec<_>>()
            .join("\n")
    );
    assert!(
        text.contains("error history") && text.contains("error lines"),
        "{text}"
    );
    let last = |kind: &str| {
        text.lines()
            .filter_map(acknowledged)
            .rfind(|(found, _)| found == kind)
    };
    let messages = open(folder.path()).load("s").unwrap().messages;
    assert_eq!(messages.len(), last("stored").unwrap().1);
    let contents = read_jsonl(folder.path().join("talk.jsonl")).unwrap();
    assert_eq!(
        (contents.messages.len(), contents.torn),
        (last("written").map_or(0, |(_, number)| number), None)
    );
}

/// Bytes changed at random: an error or a session, never a panic, and never a change to a
/// file that was refused.
#[test]
fn changed_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let mut history = open(folder.path());
    let mut talker = session("s");
    talker.messages = talk(100);
    history.create(&talker).unwrap();
    drop(history);
    let path = folder.path().join("history.db");
    let whole = fs::read(&path).unwrap();
    let mut refused = 0;
    for round in 0..300_usize {
        let mut bytes = whole.clone();
        for step in 0..40 {
            let place = (round * 40 + step).wrapping_mul(2_654_435_761) % bytes.len();
            bytes[place] ^= 1 << (place % 8);
        }
        fs::write(&path, &bytes).unwrap();
        match SessionHistory::open(&path) {
            Ok(history) => drop((history.load("s"), history.search("message", 10))),
            Err(_) => {
                refused += 1;
                assert!(bytes == fs::read(&path).unwrap(), "round {round}");
            }
        }
    }
    println!("300 damaged files, {refused} refused on opening");
}

/// What the other processes do.
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
        "look" => {
            let opened = SessionHistory::open(folder.join("history.db"));
            println!("\nlooked: {:?}", opened.map(drop));
        }
        _ => unreachable!("no task {name}"),
    }
}

/// Appends until it is killed, or nothing can be appended any more.
fn append(folder: &Path) {
    let mut history = open(folder);
    let (session, mut cursor) = history.resume("s").unwrap();
    let mut file = JsonlFile::open(folder.join("talk.jsonl")).unwrap();
    let contents = read_jsonl(folder.join("talk.jsonl")).unwrap();
    let (mut stored, mut written) = (session.messages.len(), contents.messages.len());
    let (mut can_store, mut can_write) = (true, true);
    let mut out = std::io::stdout();
    while (can_store || can_write) && stored < 100_000 {
        if can_store {
            match history.append(&mut cursor, &[said(stored)]) {
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
            match file.append(&[said(written)]) {
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

/// Says 25 things in a session that others talk in as well.
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

fn acknowledged(line: &str) -> Option<(String, usize)> {
    let (kind, number) = line.split_once(' ')?;
    let known = kind == "stored" || kind == "written";
    known.then(|| Some((kind.to_owned(), number.parse().ok()?)))?
}

fn start(name: &str, folder: &Path) -> Child {
    again(name, folder).stdout(Stdio::piped()).spawn().unwrap()
}

fn again(name: &str, folder: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "child", "--nocapture"]);
    task(&mut command, name, folder);
    command
}

fn task<'a>(command: &'a mut Command, name: &str, folder: &Path) -> &'a mut Command {
    command.env(TASK, format!("{name} {}", folder.display()))
}

fn open(folder: &Path) -> SessionHistory {
    SessionHistory::open(folder.join("history.db")).unwrap()
}

fn session(id: &str) -> Session {
    Session {
        session_id: id.into(),
        ..Session::new("coder", "claude")
    }
}

fn talk(count: usize) -> Vec<ChatMessage> {
    (0..count).map(said).collect()
}

fn said(number: usize) -> ChatMessage {
    ChatMessage::user(format!("message {number} {}", "x".repeat(number % 300)))
}
