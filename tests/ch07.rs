//! Chapter 7, The Shell Tool.
//!
//! The commands are real ones, run by a real shell in folders made for the test. Tests
//! wait for what happens and not for time to pass: a command that is to run "for long"
//! sleeps for half a minute, which no test waits for. Whether a process is still alive
//! is told by a [`Witness`].

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::future::Future;
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Output as Captured, Stdio};
use std::sync::mpsc as channel;
use std::time::{Duration, Instant};

use claw_code::engine::{Events, QueryEvent};
use claw_code::tools::shell::*;
use claw_code::tools::*;
use claw_code::types::*;
use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use serde_json::{Value, json};
use tokio::io::AsyncReadExt;
use tokio::net::unix::pipe::Receiver;
use tokio::signal::unix::{self, SignalKind};
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

// 7.1 A command for a tool

#[test]
fn test_ch7_bash_definition() {
    let tool = BashTool::new("/");
    let definition = tool.definition();
    assert_eq!(definition.name, "bash");
    assert!(
        definition.description.contains("bash"),
        "the description is the constant at the end of the file; this one is {:?}",
        definition.description
    );
    let properties = definition.parameters["properties"]
        .as_object()
        .expect("the parameters are an object schema with properties");
    for (name, of_type) in [
        ("command", "string"),
        ("directory", "string"),
        ("timeout", "number"),
    ] {
        let property = &properties.get(name).unwrap_or(&Value::Null);
        assert_eq!(property["type"], of_type, "`{name}` is a {of_type}");
        assert!(
            property["description"]
                .as_str()
                .is_some_and(|words| !words.is_empty()),
            "`{name}` is described to the model"
        );
    }
    assert_eq!(properties.len(), 3, "there is no fourth parameter");
    assert_eq!(
        definition.parameters["required"],
        json!(["command"]),
        "only `command` is required"
    );
}

#[test]
fn test_ch7_bash_bounds_the_timeout() {
    let tool = BashTool::new("/");
    for (timeout, fits) in [
        (json!(0.05), true),
        (json!(1), true),
        (json!(MAX_TIMEOUT), true),
        (json!(0), false),
        (json!(-1), false),
        (json!(MAX_TIMEOUT + 1.0), false),
        (json!("10"), false),
    ] {
        let args = json!({ "command": "true", "timeout": timeout });
        let verdict = validate(tool.definition(), &args);
        assert_eq!(
            verdict == ValidationResult::Ok,
            fits,
            "a timeout is a number above 0 and up to {MAX_TIMEOUT}, and the schema says so; for {timeout} the verdict is {verdict:?}"
        );
    }
}

#[test]
fn test_ch7_bash_says_what_it_does() {
    let tool: Box<dyn Tool> = Box::new(BashTool::new("/"));
    assert!(
        tool.is_destructive(),
        "a command can do what can't be undone, `rm` for one"
    );
    assert!(
        !tool.is_read_only() && !tool.is_concurrent_safe(),
        "most commands change something, and two may get in each other's way"
    );
    for (command, summary) in [
        ("cargo test", "[bash: cargo test]"),
        ("cd src\nls -la\n", "[bash: cd src …]"),
        ("\n  ls\n", "[bash: ls]"),
    ] {
        assert_eq!(
            tool.summary(&json!({ "command": command })),
            summary,
            "the summary is one line for the terminal, whatever the command is; this one is {command:?}"
        );
    }
}

#[test]
fn test_ch7_bash_refuses_what_cannot_run() {
    let tool = BashTool::new("/");
    for (command, says) in [
        (String::new(), "empty"),
        (" \n\t".into(), "empty"),
        ("printf 'a\0b'".into(), "NUL"),
        ("#".repeat(MAX_COMMAND + 1), "100001 bytes"),
    ] {
        let short: String = command.chars().take(20).collect();
        match tool.validate_input(&json!({ "command": command })) {
            ValidationResult::Error { message, code } => {
                assert!(
                    message.contains("`command`") && message.contains(says),
                    "the message for {short:?} names `command` and contains {says:?}; it says: {message}"
                );
                assert_eq!(code, BAD_COMMAND, "the code for {short:?} is BAD_COMMAND");
            }
            ValidationResult::Ok => panic!("the command {short:?} can't be run and was accepted"),
        }
    }
    for command in ["ls", "\nls\n", &"#".repeat(MAX_COMMAND)] {
        assert_eq!(
            tool.validate_input(&json!({ "command": command })),
            ValidationResult::Ok,
            "this command can be run: {:.20?}",
            command
        );
    }
}

// 7.2 Bytes that come in pieces

#[test]
fn test_ch7_characters_survive_any_cut() {
    let text = "aé漢🦀, and again: 🦀漢éa";
    let bytes = text.as_bytes();
    for first in 0..=bytes.len() {
        for second in first..=bytes.len() {
            let pieces = [&bytes[..first], &bytes[first..second], &bytes[second..]];
            assert_eq!(
                decoded(&pieces),
                text,
                "cut at the bytes {first} and {second}, the text is the same"
            );
        }
    }
    let one_by_one: Vec<&[u8]> = bytes.chunks(1).collect();
    assert_eq!(decoded(&one_by_one), text, "so it is byte by byte");
}

#[test]
fn test_ch7_text_comes_as_soon_as_it_can() {
    let mut decoder = Decoder::default();
    assert_eq!(
        decoder.push("a漢".as_bytes()),
        "a漢",
        "whole characters are returned at once"
    );
    assert_eq!(
        decoder.push(&"é!".as_bytes()[..1]),
        "",
        "half of one is held back"
    );
    assert_eq!(
        decoder.push(&"é!".as_bytes()[1..]),
        "é!",
        "and is whole with the next piece"
    );
    assert_eq!(decoder.finish(), "", "nothing is left");
}

#[test]
fn test_ch7_bad_bytes_are_replaced() {
    for bytes in [
        &b"\xFF"[..],
        b"a\xFF\xFEb",
        b"\x80\x80",
        b"\xE6\xBCA",
        b"\xF0\x9F\xA6",
        b"a\xE6",
        b"\xE6\xE6\xBC\xA2",
        b"\xED\xA0\x80",
        b"\xC0\xAF",
        b"\xF0\x9F\xF0\x9F\xA6\x80",
    ] {
        let whole = String::from_utf8_lossy(bytes);
        assert_eq!(
            decoded(&[bytes]),
            whole,
            "what is no UTF-8 becomes U+FFFD; the bytes are {bytes:x?}"
        );
        for cut in 0..=bytes.len() {
            assert_eq!(
                decoded(&[&bytes[..cut], &bytes[cut..]]),
                whole,
                "where they are cut makes no difference; the bytes are {bytes:x?}, cut at {cut}"
            );
        }
    }
}

// 7.3 What a terminal would show

#[test]
fn test_ch7_escape_sequences_go() {
    for (text, shown) in [
        ("no escapes,\tbut a tab\n", "no escapes,\tbut a tab\n"),
        (
            "\u{1b}[31mred\u{1b}[0m and \u{1b}[1;38;5;208mbold\u{1b}[m",
            "red and bold",
        ),
        ("\u{1b}[2K\u{1b}[1Gline", "line"),
        ("\u{1b}]0;a title\u{7}text", "text"),
        ("\u{1b}]8;;http://a.b\u{1b}\\link\u{1b}]8;;\u{1b}\\", "link"),
        ("\u{1b}Pdata\u{1b}\\text", "text"),
        ("\u{1b}(Btext\u{1b}=\u{1b}7", "text"),
        (
            "a bell\u{7}, a nul\0, and \u{9b}more",
            "a bell, a nul, and more",
        ),
        ("größe 漢 🦀", "größe 漢 🦀"),
    ] {
        assert_plain(
            text,
            shown,
            "escape sequences and other control characters go",
        );
    }
}

#[test]
fn test_ch7_an_open_sequence_ends_with_its_line() {
    for (text, shown) in [
        ("\u{1b}]0;never closed\nnext", "\nnext"),
        ("a\u{1b}[31\nnext", "a\nnext"),
        ("a\u{1b}\nnext", "a\nnext"),
        ("\u{1b}]0;\u{1b}[31mred", "red"),
    ] {
        assert_plain(
            text,
            shown,
            "a sequence that is not closed swallows nothing behind its line",
        );
    }
}

#[test]
fn test_ch7_a_line_written_over_is_its_last_state() {
    for (text, shown) in [
        (" 10%\r 50%\r100%\ndone\n", "100%\ndone\n"),
        ("one\r\ntwo\r\n", "one\ntwo\n"),
        ("one\r\r\ntwo", "one\ntwo"),
        ("one\r", "one"),
        ("one\r\u{1b}[K", "one"),
        ("one\r\u{1b}[Ktwo", "two"),
        ("N\u{8}NA\u{8}A", "NA"),
        ("\u{8}a", "a"),
        ("one\r\u{8}\n", "one\n"),
        ("kept\none\rtwo", "kept\ntwo"),
        ("one\r\ttwo", "\ttwo"),
    ] {
        assert_plain(
            text,
            shown,
            "a carriage return or a backspace goes back, and what follows takes the place",
        );
    }
}

#[test]
fn test_ch7_only_the_current_line_is_held_back() {
    let mut plain = Plain::default();
    assert_eq!(
        plain.push("one\ntwo"),
        "one\n",
        "finished lines are returned"
    );
    assert_eq!(plain.line(), "two", "the current one may still change");
    assert_eq!(plain.push("\nthree"), "two\n");
    let mut plain = Plain::default();
    let long = "ä漢".repeat(100_000);
    let mut returned = plain.push(&long);
    assert!(
        plain.line().len() <= LINE_LIMIT,
        "of a line without end at most {LINE_LIMIT} bytes are held back, and no {}",
        plain.line().len()
    );
    returned.push_str(plain.line());
    assert!(returned == long, "and nothing of it is lost");
    let mut plain = Plain::default();
    for _ in 0..2 * LINE_LIMIT {
        plain.push("\t");
    }
    assert_eq!(
        plain.line().len(),
        LINE_LIMIT,
        "a line of tabs is a line without end as well; what is not beyond the limit may still change"
    );
}

// 7.4 Head and tail

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

// 7.5 A command that cannot ask

#[test]
fn test_ch7_bash_is_found_on_the_path() {
    let folder = Folder::new();
    for name in ["none", "file", "folder", "program"] {
        std::fs::create_dir(folder.path().join(name)).expect("a new folder");
    }
    std::fs::create_dir(folder.path().join("folder/bash")).expect("a new folder");
    for (name, mode) in [("file", 0o644), ("program", 0o755)] {
        let file = folder.path().join(name).join("bash");
        std::fs::write(&file, "").expect("a new file");
        let mode = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(&file, mode).expect("it is ours");
    }
    for (names, found) in [
        (vec!["none"], "sh"),
        (vec!["none", "program"], "bash"),
        (vec!["file"], "sh"),
        (vec!["folder"], "sh"),
        (vec!["gone", "folder", "file", "program"], "bash"),
        (vec![], "sh"),
    ] {
        let folders = names.iter().map(|name| folder.path().join(name));
        let path = std::env::join_paths(folders).expect("no colon is in these");
        assert_eq!(
            find_shell(&path),
            found,
            "`none` has no bash in it, in `file` it can't be executed, in `folder` it is a folder, and `program` has one; the path is {names:?}"
        );
    }
}

#[test]
fn test_ch7_a_command_runs_in_its_folder() {
    let folder = Folder::new();
    std::fs::write(folder.path().join("here.txt"), "").expect("a new file");
    let output = captured("ls; echo \"$0\"", folder.path());
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "here.txt\nsh\n",
        "`ls` shows the folder that the command was given"
    );
    let output = captured("false || exit 3", folder.path());
    assert_eq!(
        output.status.code(),
        Some(3),
        "the text is a command of the shell, with all that belongs to its language"
    );
}

/// Runs itself once more, with a standard input that has nothing in it and does not end:
/// a command that inherits that waits for ever.
#[test]
fn test_ch7_a_command_has_nothing_to_read() {
    const INSIDE: &str = "CLAW_TEST_CH7_INSIDE";
    let folder = Folder::new();
    let mut cat = command("sh", "exec cat", folder.path());
    if std::env::var_os(INSIDE).is_some() {
        let mut child = cat.spawn().expect("there is a shell on every Unix");
        let until = Instant::now() + PATIENCE / 4;
        let mut status = None;
        while status.is_none() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(1));
            status = child.try_wait().expect("it is a child of ours");
        }
        let _ = child.kill();
        let _ = child.wait();
        let status = status.expect("the command waits for somebody to type");
        assert!(status.success(), "`cat` finds the end of its input");
        return;
    }
    let name = concat!(module_path!(), "::test_ch7_a_command_has_nothing_to_read");
    let (_, name) = name.split_once("::").expect("the crate comes first");
    let mut inside = Command::new(std::env::current_exe().expect("this program has a file"))
        .args(["--exact", name])
        .env(INSIDE, "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("this program can be started");
    let open = inside.stdin.take();
    let output = inside.wait_with_output().expect("it ends");
    drop(open);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        said.contains("1 passed"),
        "`cat` must find the end of its input at once, and not wait for what somebody types to the agent"
    );
}

#[test]
fn test_ch7_a_command_is_a_group_of_its_own() {
    let folder = Folder::new();
    let output = captured("kill -0 -$$ && echo leader", folder.path());
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "leader\n",
        "a group with the shell's own number exists, so the shell leads it; otherwise a kill of the group would reach the agent"
    );
}

#[test]
fn test_ch7_a_command_knows_that_nobody_watches() {
    let folder = Folder::new();
    let command = command("sh", "true", folder.path());
    let set: BTreeMap<OsString, Option<OsString>> = command
        .get_envs()
        .map(|(name, value)| (name.into(), value.map(Into::into)))
        .collect();
    for (name, value) in ENVIRONMENT {
        assert_eq!(
            set.get(&OsString::from(name)),
            Some(&Some(value.into())),
            "`{name}` is set for the command, as ENVIRONMENT says"
        );
    }
    for name in SECRETS {
        assert_eq!(
            set.get(&OsString::from(name)),
            Some(&None),
            "`{name}` is taken away from the command"
        );
    }
    let output = captured("echo \"$TERM ${HOME:+home} ${PATH:+path}\"", folder.path());
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "dumb home path\n",
        "everything else is as the agent has it"
    );
}

#[test]
fn test_ch7_a_command_is_no_option() {
    let folder = Folder::new();
    let output = captured("-x", folder.path());
    assert_eq!(
        output.status.code(),
        Some(127),
        "a text that begins with `-` is a command like any other, and this one is not found: {output:?}"
    );
}

// 7.6 One pipe, one group

#[tokio::test]
async fn test_ch7_both_outputs_come_in_order() {
    let text = "for i in 1 2 3 4 5 6 7 8 9; do echo out $i; echo err $i >&2; done";
    let (_group, mut pipe) = started(text, Path::new("/"));
    let expected: String = (1..10).map(|i| format!("out {i}\nerr {i}\n")).collect();
    assert_eq!(
        read(&mut pipe).await,
        expected,
        "what is written first comes first, whichever of the two outputs it is written to"
    );
}

#[tokio::test]
async fn test_ch7_the_pipe_ends_with_its_last_writer() {
    let (_group, mut pipe) = started("echo one; (echo two)", Path::new("/"));
    assert_eq!(
        read(&mut pipe).await,
        "one\ntwo\n",
        "when all writers are gone, the pipe is at its end"
    );
    let missing = sh("true", Path::new("/no/such/folder"));
    assert!(
        Group::start(missing).is_err(),
        "a command that can't be started is an error"
    );
}

#[tokio::test]
async fn test_ch7_a_signal_reaches_the_whole_group() {
    let folder = Folder::new();
    let mut witness = Witness::new(&folder);
    let (group, _pipe) = started(FAMILY, folder.path());
    witness.begins().await;
    group.signal(Signal::TERM);
    witness.ends("a signal goes to the shell and to all that it has started");
}

#[tokio::test]
async fn test_ch7_a_dropped_group_is_killed_and_reaped() {
    let folder = Folder::new();
    let mut witness = Witness::new(&folder);
    let (group, mut pipe) = started(FAMILY, folder.path());
    let shell = pid(&line(&mut pipe).await);
    witness.begins().await;
    drop(group);
    witness.ends("a group that is dropped is killed, with grandchildren");
    assert_gone(shell, "and its shell is reaped");
}

// 7.7 The shell has ended

#[tokio::test]
async fn test_ch7_looking_does_not_reap() {
    let (mut group, shell) = group("exit 7", Path::new("/"));
    ends(&mut group).await;
    for _ in 0..3 {
        assert_eq!(
            group.look().ok(),
            Some(Life::Ended),
            "a shell that has ended stays as it is, however often it is looked at"
        );
    }
    assert!(
        test_kill_process(shell).is_ok(),
        "it has not been reaped by looking: its number still belongs to it"
    );
    let status = group.reap().expect("it can be reaped");
    assert_eq!(status.code(), Some(7), "reaping gives the exit code");
    assert!(
        test_kill_process(shell).is_err(),
        "after that, the number belongs to nobody"
    );
    assert!(group.is_over(), "and the group is over");
    assert!(
        group.reap().is_err(),
        "there is nothing to reap a second time"
    );
}

#[tokio::test]
async fn test_ch7_a_shell_that_runs_or_stands_still() {
    let (mut stopped, shell) = group("kill -STOP $$; exit 5", Path::new("/"));
    let before = stopped.look().expect("it can be asked");
    assert_ne!(before, Life::Ended, "it stands still, or runs up to there");
    assert_eq!(
        in_time(stopped.change()).await.ok(),
        Some(Life::Stopped),
        "a shell that was stopped runs no longer, and has not ended either"
    );
    kill_process(shell, Signal::CONT).expect("it is a child of ours");
    ends(&mut stopped).await;
    let status = stopped.reap().expect("it can be reaped");
    assert_eq!(status.code(), Some(5), "it went on and ended");
    let (running, _) = group("sleep 30", Path::new("/"));
    assert_eq!(running.look().ok(), Some(Life::Running), "it sleeps");
}

#[tokio::test]
async fn test_ch7_reaping_ends_what_is_left() {
    let folder = Folder::new();
    let mut witness = Witness::new(&folder);
    let (mut group, _) = group("sleep 30 9>alive & exit 0", folder.path());
    witness.begins().await;
    ends(&mut group).await;
    group.reap().expect("it can be reaped");
    witness.ends("what the shell has left running is killed before the shell is reaped");
}

// 7.8 A run that is dropped

#[tokio::test]
async fn test_ch7_a_dropped_run_leaves_nothing() {
    let folder = Folder::new();
    let mut witness = Witness::new(&folder);
    let run = run_in(&folder, &format!("echo $$ >pid; {FAMILY}"));
    witness.begins().await;
    let shell = pid(&folder.read("pid"));
    drop(run);
    witness.ends("a run that is dropped ends its whole group");
    assert_gone(shell, "and its shell is reaped");
}

#[tokio::test]
async fn test_ch7_a_dropped_run_asks_first() {
    let folder = Folder::new();
    let mut witness = Witness::new(&folder);
    let run = run_in(&folder, CAREFUL);
    witness.begins().await;
    drop(run);
    witness.ends("the command ends");
    assert!(
        folder.path().join("cleaned").exists(),
        "a process is asked to end (SIGTERM) and has time to clean up, before it is killed; git would leave its lock behind"
    );
}

#[tokio::test]
async fn test_ch7_a_dropped_run_wakes_who_stands_still() {
    let folder = Folder::new();
    let mut witness = Witness::new(&folder);
    let run = run_in(&folder, CAREFUL);
    witness.begins().await;
    let shell = pid(&folder.read("pid"));
    kill_process(shell, Signal::STOP).expect("it is a child of ours");
    drop(run);
    witness.ends("the command ends");
    assert!(
        folder.path().join("cleaned").exists(),
        "a process that stands still can only clean up if it is let go on (SIGCONT)"
    );
}

#[tokio::test]
async fn test_ch7_a_dropped_run_is_soon_over() {
    let folder = Folder::new();
    // One try may meet a busy moment of the machine; five do not.
    let is_soon = (0..5).any(|_| {
        let run = run_in(&folder, "exec sleep 30");
        let before = Instant::now();
        drop(run);
        before.elapsed() < PARTING
    });
    assert!(
        is_soon,
        "who ends when it is asked is waited for until it has ended, and no longer; in each of five tries it took {PARTING:?} or more"
    );
}

#[tokio::test]
async fn test_ch7_a_dropped_run_insists() {
    for (who, text) in [
        ("a shell", STUBBORN.to_string()),
        // This shell ends at once, and leaves its child alone with the pipe.
        (
            "a child of the shell",
            format!("sh -c \"{STUBBORN}\" & wait"),
        ),
    ] {
        let folder = Folder::new();
        let mut witness = Witness::new(&folder);
        let run = run_in(&folder, &text);
        witness.begins().await;
        let before = Instant::now();
        drop(run);
        assert!(
            before.elapsed() >= PARTING,
            "{who} that does not end when it is asked gets {PARTING:?} for it: it may be cleaning up"
        );
        witness.ends("and is killed then");
    }
}

// 7.9 Attending to a run

#[tokio::test]
async fn test_ch7_a_run_is_read_to_its_end() {
    let folder = Folder::new();
    let text = "i=0; while [ $i -lt 5000 ]; do echo \"this is line $i of many\"; i=$((i+1)); done";
    let mut run = run_in(&folder, text);
    assert_eq!(attend(&mut run, PATIENCE).await, Pause::Done);
    let expected: usize = (0..5000)
        .map(|i| format!("this is line {i} of many\n").len())
        .sum();
    assert_eq!(
        run.output().bytes(),
        expected as u64,
        "more than fits into a pipe is read while the command runs, all of it"
    );
    assert!(
        run.output()
            .recent()
            .ends_with("this is line 4999 of many\n")
    );
}

#[tokio::test]
async fn test_ch7_a_run_may_go_on_in_silence() {
    let folder = Folder::new();
    let gate = Gate::new(&folder);
    let mut run = run_in(&folder, "exec >&- 2>&-; read go <gate; echo went >on");
    assert_eq!(
        attend(&mut run, Duration::from_millis(20)).await,
        Pause::Late,
        "a command that closes its output is not over yet"
    );
    gate.open();
    assert_eq!(
        attend(&mut run, PATIENCE).await,
        Pause::Done,
        "it ends when the shell does"
    );
    assert_eq!(folder.read("on"), "went\n", "and not before");
}

#[tokio::test]
async fn test_ch7_a_run_that_takes_too_long() {
    let folder = Folder::new();
    let mut witness = Witness::new(&folder);
    let mut run = run_in(&folder, "echo before; exec 9>alive; sleep 30; echo after");
    witness.begins().await;
    let reading = async {
        while run.output().bytes() == 0 {
            assert_eq!(
                attend(&mut run, Duration::from_millis(10)).await,
                Pause::Late,
                "the time is up before the command is, and it can be attended to again"
            );
        }
    };
    in_time(reading).await;
    assert_eq!(
        run.output().recent(),
        "before\n",
        "what it has written is there"
    );
}

#[tokio::test]
async fn test_ch7_a_run_that_never_stops_writing() {
    let folder = Folder::new();
    let mut run = run_in(&folder, "while :; do echo y; done");
    assert_eq!(
        attend(&mut run, Duration::from_millis(20)).await,
        Pause::Late,
        "the time limit holds while there is always something to read"
    );
}

#[tokio::test]
async fn test_ch7_a_run_that_leaves_something_behind() {
    let folder = Folder::new();
    let mut witness = Witness::new(&folder);
    let mut run = run_at(&folder, "echo started; sleep 30 9>alive &", HASTE);
    witness.begins().await;
    let before = Instant::now();
    assert_eq!(
        attend(&mut run, PATIENCE / 3).await,
        Pause::Left,
        "the shell has ended, and `sleep` holds on to the output"
    );
    assert!(
        before.elapsed() < PATIENCE / 3,
        "after the grace, nobody waits for what a shell has left"
    );
    let mut witness = Witness::new(&folder);
    let long = Pace {
        grace: PATIENCE / 5,
        ..PACE
    };
    let mut run = run_at(&folder, "exec 9>alive; sleep 30 9>&- & true", long);
    witness.begins().await;
    witness.ends("the shell has ended");
    let before = Instant::now();
    let pause = attend(&mut run, Duration::from_millis(10)).await;
    assert!(
        pause != Pause::Done && before.elapsed() < long.grace,
        "the grace makes the time shorter and never longer: it was up after 10 ms, and the run was {pause:?} after {:?}",
        before.elapsed()
    );
}

#[tokio::test]
async fn test_ch7_the_grace_is_for_last_words() {
    let folder = Folder::new();
    let gate = Gate::new(&folder);
    let mut witness = Witness::new(&folder);
    let text = "exec 9>alive; (read go <gate; echo last words) 9>&- & echo first words";
    let mut run = run_in(&folder, text);
    let attending = async { attend(&mut run, 2 * PATIENCE).await };
    let waiting = async {
        witness.begins().await;
        witness.ends("the shell has ended, and what it has started goes on");
        gate.open();
    };
    let (pause, ()) = tokio::join!(attending, waiting);
    assert_eq!(
        pause,
        Pause::Done,
        "what ends within the grace is nothing left behind"
    );
    assert_eq!(
        run.output().recent(),
        "first words\nlast words\n",
        "and what it writes counts"
    );
}

#[tokio::test]
async fn test_ch7_a_run_that_stands_still() {
    let folder = Folder::new();
    let mut run = run_in(&folder, "kill -STOP $$");
    assert_eq!(
        attend(&mut run, PATIENCE).await,
        Pause::Stopped,
        "a command that stands still will do so for ever, and nobody should wait for that"
    );
}

#[tokio::test]
async fn test_ch7_a_run_reports_while_it_goes_on() {
    let folder = Folder::new();
    let gate = Gate::new(&folder);
    let (sender, mut events) = mpsc::channel(10_000);
    let begun = Instant::now();
    let mut run = run_in(&folder, "echo one; printf tw; read go <gate; echo o");
    let attending = Events::to(sender)
        .reporter("call_1")
        .during(async { attend(&mut run, PATIENCE).await });
    let watching = async {
        let progress = loop {
            match in_time(events.recv()).await {
                Some(QueryEvent::Progress(it)) if it.data["output"] == "one\ntw" => break it,
                Some(_) => {}
                None => panic!("nothing was reported with the output so far, `one\\ntw`"),
            }
        };
        gate.open();
        progress
    };
    let (pause, progress) = tokio::join!(attending, watching);
    assert_eq!(pause, Pause::Done);
    assert_eq!(progress.tool_use_id, "call_1", "it is news of this call");
    assert_eq!(
        progress.data["bytes"], 6,
        "so many bytes were written by then"
    );
    let seconds = progress.data["seconds"].as_u64();
    assert!(
        seconds.is_some_and(|seconds| seconds <= begun.elapsed().as_secs()),
        "and so many whole seconds had passed: {seconds:?}"
    );
}

// 7.10 The time is up

#[tokio::test]
async fn test_ch7_a_run_that_finishes() {
    let folder = Folder::new();
    for (text, writes, code) in [
        ("echo hello", "hello\n", 0),
        ("echo no >&2; exit 3", "no\n", 3),
    ] {
        let finished = finish(&folder, text).await;
        assert_eq!(finished.pause, Pause::Done);
        assert_eq!(finished.text, writes, "`{text}` writes this");
        assert!(!finished.is_truncated);
        assert_eq!(
            finished.status.and_then(|status| status.code()),
            Some(code),
            "and its exit code is known"
        );
    }
    let finished = finish(&folder, "kill -KILL $$").await;
    assert_eq!(
        finished.status.and_then(|status| status.signal()),
        Some(9),
        "so is the signal that ended a shell"
    );
}

#[tokio::test]
async fn test_ch7_a_run_that_is_late_is_stopped() {
    let folder = Folder::new();
    let mut witness = Witness::new(&folder);
    let run = run_in(&folder, &format!("echo $$ >pid; echo before; {FAMILY}"));
    witness.begins().await;
    let finished = in_time(run.finish(Duration::from_millis(30))).await;
    let finished = finished.expect("no error");
    assert_eq!(finished.pause, Pause::Late);
    assert!(
        finished.text.starts_with("before\n"),
        "what was written before is kept; it is {:?}",
        finished.text
    );
    assert_eq!(finished.status, None, "it did not end by itself");
    witness.ends("the whole group is ended, with grandchildren");
    assert_gone(pid(&folder.read("pid")), "and the shell is reaped");
}

#[tokio::test]
async fn test_ch7_a_late_run_has_last_words() {
    let folder = Folder::new();
    let mut witness = Witness::new(&folder);
    let run = run_in(&folder, CAREFUL);
    witness.begins().await;
    let finished = in_time(run.finish(Duration::ZERO)).await.expect("no error");
    assert_eq!(finished.pause, Pause::Late);
    assert_eq!(
        finished.text, "cleaning up\n",
        "a process is asked to end, and what it says then is read"
    );
    assert!(folder.path().join("cleaned").exists(), "it could clean up");
    witness.ends("it has ended");
}

#[tokio::test]
async fn test_ch7_a_late_run_that_does_not_listen_is_killed() {
    let folder = Folder::new();
    let mut witness = Witness::new(&folder);
    let run = run_at(&folder, STUBBORN, HASTE);
    witness.begins().await;
    let finished = in_time(run.finish(Duration::ZERO)).await.expect("no error");
    assert_eq!(finished.pause, Pause::Late);
    witness.ends("what ignores SIGTERM is killed after the grace");
}

#[tokio::test]
async fn test_ch7_what_a_run_leaves_is_stopped() {
    let folder = Folder::new();
    let mut witness = Witness::new(&folder);
    let run = run_at(&folder, "echo started; sleep 30 9>alive & exit 4", HASTE);
    witness.begins().await;
    let finished = in_time(run.finish(PATIENCE)).await.expect("no error");
    assert_eq!(finished.pause, Pause::Left);
    assert_eq!(finished.text, "started\n");
    assert_eq!(
        finished.status.and_then(|status| status.code()),
        Some(4),
        "the shell ended by itself, and its code is known"
    );
    witness.ends("what it left is ended");
    let mut witness = Witness::new(&folder);
    let run = run_in(&folder, "sleep 30 9>alive >/dev/null 2>&1 &");
    witness.begins().await;
    let finished = in_time(run.finish(PATIENCE)).await.expect("no error");
    assert_eq!(
        finished.pause,
        Pause::Done,
        "nobody holds on to the output here"
    );
    witness.ends("and still nothing stays behind");
    let mut witness = Witness::new(&folder);
    let run = run_in(&folder, &format!("( {CAREFUL} ) & true"));
    witness.begins().await;
    let finished = in_time(run.finish(Duration::from_millis(30))).await;
    let finished = finished.expect("no error");
    assert_eq!(
        finished.text, "cleaning up\n",
        "what is left is asked to end too, and has the grace for it"
    );
    witness.ends("it has ended");
}

#[tokio::test]
async fn test_ch7_no_zombies_after_many_runs() {
    let folder = Folder::new();
    for round in 0..12 {
        let finished = finish(&folder, "echo $$; (true) & exit 0").await;
        let shell = pid(finished.text.lines().next().unwrap_or_default());
        assert!(
            test_kill_process(shell).is_err(),
            "the shell of round {round} is reaped when `finish` returns"
        );
    }
}

// 7.11 In words

#[test]
fn test_ch7_an_end_in_words() {
    // As the system gives it: the exit code in the second byte, a signal in the first.
    for (status, words) in [
        (0, None),
        (1 << 8, Some("[exit code 1]")),
        (127 << 8, Some("[exit code 127]")),
        (255 << 8, Some("[exit code 255]")),
        (9, Some("[exit code 137: killed by SIGKILL]")),
        (11, Some("[exit code 139: killed by SIGSEGV]")),
        (11 | 0x80, Some("[exit code 139: killed by SIGSEGV]")),
        (15, Some("[exit code 143: killed by SIGTERM]")),
        (40, Some("[exit code 168: killed by signal 40]")),
    ] {
        assert_eq!(
            ending(ExitStatus::from_raw(status)).as_deref(),
            words,
            "an end that was not well is said in one line; the raw status is {status:#x}"
        );
    }
}

#[test]
fn test_ch7_a_result_in_words() {
    for (text, code, pause, content) in [
        ("hello\n", 0, Pause::Done, "hello"),
        ("no line end", 0, Pause::Done, "no line end"),
        ("a\n\n", 0, Pause::Done, "a\n"),
        ("", 0, Pause::Done, "(no output)"),
        ("", 1, Pause::Done, "(no output)\n[exit code 1]"),
        ("oops\n", 2, Pause::Done, "oops\n[exit code 2]"),
        (
            "up\n",
            0,
            Pause::Left,
            "up\n[what it had left running was stopped]",
        ),
        (
            "up\n",
            1,
            Pause::Left,
            "up\n[what it had left running was stopped]\n[exit code 1]",
        ),
    ] {
        for is_truncated in [false, true] {
            let finished = Finished {
                text: text.into(),
                is_truncated,
                pause,
                status: Some(ExitStatus::from_raw(code << 8)),
            };
            assert_eq!(
                finished.result(Duration::from_secs(1)),
                ToolResult {
                    content: content.into(),
                    is_truncated
                },
                "the text is {text:?}, the exit code {code}, and the run was {pause:?}"
            );
        }
    }
}

#[test]
fn test_ch7_a_stopped_command_is_an_error() {
    for (pause, says) in [
        (Pause::Late, vec!["within 2.5 s", "`timeout`", "600"]),
        (Pause::Stopped, vec!["terminal"]),
    ] {
        for (text, ends) in [
            ("one\ntwo\n", "until then:\none\ntwo"),
            ("", "It had written nothing."),
        ] {
            let finished = Finished {
                text: text.into(),
                is_truncated: true,
                pause,
                status: None,
            };
            let result = finished.result(Duration::from_millis(2500));
            assert!(
                result.content.starts_with("error: ") && result.content.ends_with(ends),
                "after it was {pause:?}, with {text:?} written, it is an error, and ends with {ends:?}; it says: {}",
                result.content
            );
            for words in says.iter().chain(&["was stopped"]) {
                assert!(
                    result.content.contains(words),
                    "the reason has the words {words:?} in it; it says: {}",
                    result.content
                );
            }
            assert!(result.is_truncated, "what was cut is marked as such");
        }
    }
}

#[tokio::test]
async fn test_ch7_the_tool_runs_a_command() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path().join("src")).expect("a new folder");
    std::fs::write(folder.path().join("src/main.rs"), "").expect("a new file");
    for (args, content) in [
        (json!({ "command": "echo *" }), "src"),
        (
            json!({ "command": "echo *", "directory": "src" }),
            "main.rs",
        ),
        (
            json!({ "command": "echo out; echo err >&2; exit 1" }),
            "out\nerr\n[exit code 1]",
        ),
        (
            json!({ "command": "printf '\\033[32mok\\033[0m\\r\\n'" }),
            "ok",
        ),
        (json!({ "command": "x=1\necho $x", "timeout": 5 }), "1"),
    ] {
        assert_eq!(
            call(&folder, args.clone()).await,
            ToolResult::text(content),
            "the call is {args}"
        );
        let tool = BashTool::new(folder.path()).pace(PACE);
        assert_eq!(
            in_time(tool.call(args)).await.expect("no Err"),
            ToolResult::text(content),
            "and the tool answers the same"
        );
    }
}

#[tokio::test]
async fn test_ch7_the_tool_takes_folders_only() {
    let folder = Folder::new();
    std::fs::write(folder.path().join("file"), "").expect("a new file");
    for (directory, says) in [
        ("file", "`file` is a file"),
        ("gone", "there is no `gone`"),
        ("..", "leads out of the root folder"),
        ("/", "absolute"),
    ] {
        let args = json!({ "command": "touch ran", "directory": directory });
        let result = call(&folder, args).await;
        assert!(
            result.content.starts_with("error: ") && result.content.contains(says),
            "the folder `{directory}` is an error that says {says:?}; it says: {}",
            result.content
        );
        assert!(!folder.path().join("ran").exists(), "and nothing is run");
    }
}

#[tokio::test]
async fn test_ch7_the_tool_keeps_to_the_time() {
    let folder = Folder::new();
    let args = json!({ "command": "echo before; exec sleep 30", "timeout": 0.05 });
    let result = call(&folder, args).await;
    assert!(
        result.content.starts_with("error: ") && result.content.contains("within 0.05 s"),
        "the call's own limit counts; it says: {}",
        result.content
    );
}

#[tokio::test]
async fn test_ch7_a_long_output_is_cut_once() {
    let folder = Folder::new();
    let text =
        "i=0; while [ $i -lt 3000 ]; do echo \"line $i of the output\"; i=$((i+1)); done; exit 9";
    let result = call(&folder, json!({ "command": text })).await;
    assert!(result.is_truncated);
    assert!(
        result.content.len() <= RESULT_LIMIT,
        "head, tail and all words fit into what a model reads, so that nothing is cut again; there are {} bytes",
        result.content.len()
    );
    assert!(result.content.starts_with("line 0 of"));
    assert!(result.content.contains(" bytes left out]\n"));
    assert!(
        result
            .content
            .ends_with("line 2999 of the output\n[exit code 9]")
    );
}

#[tokio::test]
async fn test_ch7_a_cancelled_call_leaves_nothing() {
    let folder = Folder::new();
    let mut witness = Witness::new(&folder);
    let args = json!({ "command": format!("echo $$ >pid; {FAMILY}") });
    tokio::select! {
        result = bash(folder.path(), &args, PACE) => panic!("the command sleeps, and the call returned {result:?}"),
        () = witness.begins() => {}
    }
    witness.ends("a call that is dropped ends the command with all that it had started");
    assert_gone(pid(&folder.read("pid")), "and its shell is reaped");
}

// Commands

/// A shell that writes its number, with a child and a grandchild, which the witness sees.
const FAMILY: &str = "echo $$; sh -c 'sleep 30 & wait' 9>alive & wait";

/// A command that cleans up when it is asked to end. It has no child: one that has not
/// become another program yet may lose a signal.
const CAREFUL: &str = "\
trap 'echo cleaning up; : >cleaned; exit' TERM
echo $$ >pid; exec 9>alive
while :; do :; done";

/// A command that ends only when it is killed.
const STUBBORN: &str = "trap '' TERM; exec 9>alive; while :; do sleep 30; done";

/// Longer than anything here takes on a busy machine, and shorter than `sleep 30`.
const PATIENCE: Duration = Duration::from_secs(10);

/// The grace is used up only by what does not end.
const PACE: Pace = Pace {
    report: Duration::from_millis(2),
    grace: PATIENCE,
};

/// For what does not end.
const HASTE: Pace = Pace {
    report: Duration::from_millis(2),
    grace: Duration::from_millis(40),
};

/// What `work` returns, unless it hangs.
async fn in_time<F: Future>(work: F) -> F::Output {
    match timeout(2 * PATIENCE, work).await {
        Ok(output) => output,
        Err(_) => panic!("this must come to an end, and hangs"),
    }
}

fn captured(text: &str, folder: &Path) -> Captured {
    let output = command("sh", text, folder).output();
    output.expect("there is a shell on every Unix")
}

/// A command as section 7.5 makes it, so that later sections do without that.
fn sh(text: &str, folder: &Path) -> Command {
    let mut command = Command::new("sh");
    command.arg("-c").arg(text).current_dir(folder);
    command.stdin(Stdio::null()).process_group(0);
    command
}

fn started(text: &str, folder: &Path) -> (Group, Receiver) {
    let started = Group::start(sh(text, folder));
    started.expect("there is a shell on every Unix")
}

fn changes() -> unix::Signal {
    unix::signal(SignalKind::child()).expect("SIGCHLD can be waited for")
}

/// A group without output, made without `Group::start`; and its shell.
fn group(text: &str, folder: &Path) -> (Group, Pid) {
    let changes = changes();
    let child = sh(text, folder).stdout(Stdio::null()).spawn();
    let child = child.expect("there is a shell on every Unix");
    let shell = Pid::from_child(&child);
    (Group::new(child, changes), shell)
}

/// Waits for the end of a group's shell.
async fn ends(group: &mut Group) {
    let ended = async {
        // One that was let go on may seem to stand still for a moment.
        while group.change().await.expect("it can be asked") != Life::Ended {
            tokio::task::yield_now().await;
        }
    };
    in_time(ended).await;
}

fn run_in(folder: &Folder, text: &str) -> Run {
    run_at(folder, text, PACE)
}

/// A run, made without `Group::start`.
fn run_at(folder: &Folder, text: &str, pace: Pace) -> Run {
    let changes = changes();
    let (reader, writer) = std::io::pipe().expect("a pipe can be made");
    let pipe = Receiver::from_owned_fd(reader.into()).expect("it is a pipe");
    let mut command = sh(text, folder.path());
    let both = writer.try_clone().expect("it can be copied");
    let child = command.stdout(both).stderr(writer).spawn();
    let child = child.expect("there is a shell on every Unix");
    Run::new(Group::new(child, changes), pipe, pace)
}

async fn attend(run: &mut Run, time: Duration) -> Pause {
    let until = tokio::time::Instant::now() + time;
    let pause = in_time(run.attend(until)).await;
    pause.expect("the pipe can be read")
}

async fn finish(folder: &Folder, text: &str) -> Finished {
    let finished = in_time(run_in(folder, text).finish(PATIENCE)).await;
    finished.expect("the pipe can be read")
}

async fn call(folder: &Folder, args: Value) -> ToolResult {
    let result = in_time(bash(folder.path(), &args, PACE)).await;
    result.unwrap_or_else(|error| panic!("no Err for {args}: {error:#}"))
}

// Processes

/// A thread that sees whether any process still has the file `alive` open.
struct Witness {
    begins: oneshot::Receiver<()>,
    ends: channel::Receiver<()>,
}

impl Witness {
    /// One for commands in `folder`.
    fn new(folder: &Folder) -> Self {
        let path = folder.fifo("alive");
        let (begun, begins) = oneshot::channel();
        let (ended, ends) = channel::channel();
        std::thread::spawn(move || {
            // Opening waits for the first writer, and reading ends with the last.
            let mut file = std::fs::File::open(path).expect("it is there");
            let _ = begun.send(());
            let _ = file.read_to_end(&mut Vec::new());
            let _ = ended.send(());
        });
        Self { begins, ends }
    }

    /// Waits until a process has opened the file.
    async fn begins(&mut self) {
        in_time(&mut self.begins).await.expect("the thread waits");
    }

    /// Waits until no process has it open any more.
    #[track_caller]
    fn ends(self, or_else: &str) {
        let ended = self.ends.recv_timeout(PATIENCE);
        assert!(ended.is_ok(), "{or_else}; a process is still alive");
    }
}

/// Lets a command that reads a line from the file `gate` go on.
struct Gate(std::fs::File);

impl Gate {
    fn new(folder: &Folder) -> Self {
        let path = folder.fifo("gate");
        // Open both ways, so that neither side waits for the other to open it.
        let file = std::fs::File::options().read(true).write(true).open(path);
        Self(file.expect("it is there"))
    }

    fn open(mut self) {
        self.0.write_all(b"go\n").expect("there is room for a line");
        // Stays open to the end of the program: the line must not be lost.
        std::mem::forget(self.0);
    }
}

#[track_caller]
fn pid(line: &str) -> Pid {
    let number = line.trim().parse().ok();
    let number = number.and_then(Pid::from_raw);
    number.unwrap_or_else(|| panic!("a shell writes its number first, and not {line:?}"))
}

/// Waits until no process has this number; a zombie still has it.
#[track_caller]
fn assert_gone(pid: Pid, or_else: &str) {
    let until = Instant::now() + PATIENCE;
    while test_kill_process(pid).is_ok() {
        assert!(Instant::now() < until, "{or_else}; it is still there");
        std::thread::sleep(Duration::from_millis(1));
    }
}

async fn read(pipe: &mut Receiver) -> String {
    let mut text = String::new();
    let read = timeout(PATIENCE, pipe.read_to_string(&mut text)).await;
    let read = read.unwrap_or_else(|_| {
        panic!("the pipe does not end: who can still write to it? So far: {text:?}")
    });
    read.expect("it can be read");
    text
}

/// The first line that comes.
async fn line(pipe: &mut Receiver) -> String {
    let mut bytes = Vec::new();
    while bytes.last() != Some(&b'\n') {
        bytes.push(in_time(pipe.read_u8()).await.expect("a line comes first"));
    }
    String::from_utf8(bytes).expect("it is text")
}

// Folders

struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        let path = std::env::temp_dir().join(format!("claw-ch7-{}", uuid::Uuid::new_v4()));
        std::fs::create_dir_all(&path).expect("a new folder among the temporary files");
        Self(path)
    }

    fn path(&self) -> &Path {
        &self.0
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).expect("it has been written")
    }

    /// A new pipe with a name: what is written to it can be read from it elsewhere.
    fn fifo(&self, name: &str) -> PathBuf {
        let path = self.0.join(name);
        if path.exists() {
            std::fs::remove_file(&path).expect("it is ours");
        }
        let made = Command::new("mkfifo").arg(&path).status();
        assert!(made.is_ok_and(|it| it.success()), "mkfifo is on every Unix");
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

// Output

fn decoded(pieces: &[&[u8]]) -> String {
    let mut decoder = Decoder::default();
    let mut text: String = pieces.iter().map(|piece| decoder.push(piece)).collect();
    text.push_str(&decoder.finish());
    text
}

/// Compares what becomes of `text`, whole and letter by letter.
#[track_caller]
fn assert_plain(text: &str, shown: &str, because: &str) {
    let mut plain = Plain::default();
    let got = plain.push(text) + plain.line();
    assert_eq!(got, shown, "{because}; the text is {text:?}");
    let mut plain = Plain::default();
    let mut got = String::new();
    for letter in text.chars() {
        got.push_str(&plain.push(&letter.to_string()));
    }
    got.push_str(plain.line());
    assert_eq!(
        got, shown,
        "letter by letter it is the same; the text is {text:?}"
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
