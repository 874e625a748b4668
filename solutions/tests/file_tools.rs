//! Tests that take too long for chapter 6's suite: hundreds of kills, and generated texts.
//!
//! ```console
//! $ cargo test -p claw-code-solutions --test file_tools -- --nocapture
//! ```

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use claw_code_solutions::engine::QueryEngine;
use claw_code_solutions::provider::{OpenAiConfig, OpenAiProvider};
use claw_code_solutions::tools::*;
use claw_code_solutions::types::{Message, ToolSet};
use proptest::prelude::*;
use tokio_util::sync::CancellationToken;

/// The environment of a writer process: the path that it writes to, and its [`METHODS`].
const PATH: &str = "CLAW_WRITER_PATH";
const METHOD: &str = "CLAW_WRITER_METHOD";

/// The ways to write: [`replace_file`] over a file, [`write_file`] over a file,
/// [`replace_file`] for new files, and [`fs::write`] over a file.
const METHODS: [&str; 4] = ["replace", "tool", "new", "in place"];

/// How often each writer is killed. The kills are spread evenly over the time of a few
/// writes, so they hit every step of a write.
const KILLS: u64 = 400;
const KILL_WINDOW: Duration = Duration::from_micros(9_700);

/// A kill at any moment leaves the complete old or new content, and temporary files that
/// are removed later.
#[test]
fn a_replaced_file_survives_kills() {
    let folder = tempfile::tempdir().expect("a folder");
    let torn = count_torn_files("replace", &folder.path().join("a.txt"), KILLS);
    let left = file_names(folder.path()).len() - 1;
    println!("replace_file: {KILLS} kills, {torn} torn files, {left} temporary files left");
    assert_eq!(torn, 0, "files with neither the old nor the new content");
    let later = std::time::SystemTime::now() + 2 * ABANDONED_AFTER;
    remove_abandoned(folder.path(), later);
    assert_eq!(
        file_names(folder.path()),
        ["a.txt"],
        "the temporary files of killed writers are removed"
    );
}

/// The same for the tool, with its checks before and after.
#[test]
fn a_written_file_survives_kills() {
    let folder = tempfile::tempdir().expect("a folder");
    let torn = count_torn_files("tool", &folder.path().join("a.txt"), KILLS / 2);
    println!("write_file: {} kills, {torn} torn files", KILLS / 2);
    assert_eq!(torn, 0, "files with neither the old nor the new content");
}

/// A new file is complete or does not exist.
#[test]
fn a_new_file_survives_kills() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut found = 0;
    for kill in 0..KILLS / 4 {
        let home = folder.path().join(kill.to_string());
        fs::create_dir(&home).expect("a folder");
        let writer = start_writer("new", &home);
        kill_after(
            writer,
            KILL_WINDOW.mul_f64(kill as f64 / (KILLS / 4) as f64),
        );
        for name in file_names(&home) {
            if !name.starts_with(TEMPORARY_PREFIX) {
                found += 1;
                let size = fs::read(home.join(&name)).expect("the file exists").len();
                assert_eq!(size, content(b'a').len(), "{name} is complete");
            }
        }
    }
    println!("new files: {} kills, {found} files, each whole", KILLS / 4);
    assert!(found > 0, "some files were created before the kill");
}

/// Checks the measurement itself: it finds out a writer that fills the file in place.
#[test]
fn a_file_filled_in_place_does_not_survive_kills() {
    let folder = tempfile::tempdir().expect("a folder");
    let torn = count_torn_files("in place", &folder.path().join("a.txt"), KILLS);
    println!("fs::write: {KILLS} kills, {torn} torn files");
    assert!(torn > 0, "a kill test that can't fail proves nothing");
}

/// The process that is killed. As a test it does nothing.
#[test]
fn writer_to_be_killed() {
    let (Some(path), Ok(method)) = (std::env::var_os(PATH), std::env::var(METHOD)) else {
        return;
    };
    let path = PathBuf::from(path);
    let (old, new) = (content(b'a'), content(b'b'));
    let signal_parent = || {
        let written = std::io::stderr().write_all(b".");
        written.expect("the parent reads standard error");
    };
    if method == "new" {
        signal_parent();
        for number in 0.. {
            let name = number.to_string();
            replace_file(&path.join(&name), &name, &old, None).expect("a new file");
        }
    }
    let folder = path.parent().expect("the file is in a folder");
    let workspace = Workspace::new(folder);
    let resolved = folder.canonicalize().expect("the folder exists");
    workspace.remember(&resolved.join("a.txt"), &old);
    loop {
        for (before, after) in [(&old, &new), (&new, &old)] {
            match method.as_str() {
                "replace" => replace_file(&path, "a.txt", after, Some(Fingerprint::of(before)))
                    .expect("the content is as expected"),
                "tool" => {
                    let text = std::str::from_utf8(after).expect("letters");
                    write_file(&workspace, "a.txt", text).expect("the content is as expected");
                }
                _ => fs::write(&path, after).expect("a file"),
            }
            signal_parent();
        }
    }
}

/// Kills `kills` writers, and counts how often the file is torn afterwards.
fn count_torn_files(method: &str, path: &Path, kills: u64) -> u64 {
    let (old, new) = (content(b'a'), content(b'b'));
    let mut torn = 0;
    for kill in 0..kills {
        fs::write(path, &old).expect("a file");
        let writer = start_writer(method, path);
        kill_after(writer, KILL_WINDOW.mul_f64(kill as f64 / kills as f64));
        let found = fs::read(path).expect("the file exists");
        torn += u64::from(found != old && found != new);
    }
    torn
}

/// A writer process that has written once, and continues.
fn start_writer(method: &str, path: &Path) -> Child {
    assert!(METHODS.contains(&method));
    let mut writer = Command::new(std::env::current_exe().expect("the program's file"))
        .args(["--exact", "writer_to_be_killed"])
        .env(PATH, path)
        .env(METHOD, method)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program can be started");
    let signals = writer.stderr.as_mut().expect("a pipe");
    signals.read_exact(&mut [0]).expect("the writer runs");
    writer
}

/// Kills `writer` after `delay`. The delay decides which step of a write the kill hits.
fn kill_after(mut writer: Child, delay: Duration) {
    std::thread::sleep(delay);
    writer.kill().expect("it can be killed");
    let status = writer.wait().expect("it ends");
    assert_eq!(
        status.code(),
        None,
        "it was killed and did not end by itself"
    );
}

fn content(letter: u8) -> Vec<u8> {
    vec![letter; 1 << 18]
}

fn file_names(folder: &Path) -> Vec<String> {
    let entries = folder.read_dir().expect("the folder can be listed");
    let names = entries.map(|entry| entry.expect("the folder can be listed").file_name());
    let mut names: Vec<String> = names.map(|name| name.to_string_lossy().into()).collect();
    names.sort();
    names
}

/// The tools in the agent loop, called by the offline model. Each turn has a new workspace,
/// so that an existing file has to be read before it is changed.
#[tokio::test]
async fn the_offline_model_creates_and_changes_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = claw_offline::Server::start().await.expect("a server");
    for (request, expected_calls, content) in [
        ("create a.txt with the text one two", "write", "one two"),
        (
            "replace two with three in a.txt",
            "edit read edit",
            "one three",
        ),
        (
            "create a.txt with the text four",
            "write read write",
            "four",
        ),
    ] {
        let config = OpenAiConfig::new(format!("{}/v1", server.url()), "claw-offline");
        let provider = OpenAiProvider::new(config).expect("a client");
        let workspace = Workspace::new(folder.path());
        let engine = QueryEngine::builder(provider).tools(
            ToolSet::new()
                .with(ReadTool::new(&workspace))
                .with(WriteTool::new(&workspace))
                .with(EditTool::new(&workspace))
                .with(MultiEditTool::new(&workspace)),
        );
        let mut history = vec![Message::user(request)];
        let reply = engine.chat(&mut history, &CancellationToken::new()).await;
        reply.expect("a reply");
        let replies = history.iter().filter_map(|message| match message {
            Message::Assistant(reply) => Some(reply),
            _ => None,
        });
        let calls: Vec<&str> = replies
            .flat_map(|reply| &reply.tool_calls)
            .map(|call| call.name.as_str())
            .collect();
        assert_eq!(calls.join(" "), expected_calls, "{request}: {history:?}");
        let found = fs::read_to_string(folder.path().join("a.txt")).expect("the file exists");
        assert_eq!(found.trim_end(), content, "{request}: {history:?}");
    }
}

/// Texts with line ends of every kind, byte order marks, and characters of every length.
fn texts() -> impl Strategy<Value = String> {
    let pieces = [
        "\n", "\r\n", "\r", "a", "b", "\t", " ", "é", "漢", "🦀", "\u{feff}",
    ];
    prop::collection::vec(prop::sample::select(pieces.to_vec()), 0..40)
        .prop_map(|pieces| pieces.concat())
}

fn decode(text: &str) -> TextFile {
    TextFile::decode(text.as_bytes().to_vec(), "a.txt").expect("the text is UTF-8")
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1000) })]

    #[test]
    fn an_unchanged_text_is_written_as_it_was_read(text in texts()) {
        let decoded = decode(&text);
        prop_assert_eq!(&*decoded.encode(), text.as_bytes());
    }

    #[test]
    fn any_bytes_are_refused_or_preserved(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        if let Ok(text) = TextFile::decode(bytes.clone(), "a.dat") {
            prop_assert_eq!(&*text.encode(), bytes);
        }
    }

    /// The bytes before and after a replaced range do not change, and a model sees what
    /// `String::replace_range` would give.
    #[test]
    fn a_replacement_changes_only_its_range(
        text in texts(),
        new in texts(),
        from in any::<prop::sample::Index>(),
        length in 1_usize..6,
    ) {
        let mut edited = decode(&text);
        let normalized = edited.normalized().to_string();
        let offsets = normalized.char_indices().map(|(at, _)| at).chain([normalized.len()]);
        let offsets: Vec<usize> = offsets.collect();
        let first = from.index(offsets.len());
        let last = (first + length).min(offsets.len() - 1);
        let (start, end) = (offsets[first], offsets[last]);
        let new_normalized = new.replace("\r\n", "\n");
        edited.replace(std::slice::from_ref(&(start..end)), &new);
        let raw = String::from_utf8(edited.encode().into_owned()).expect("it is UTF-8");
        let head = &text[..raw_offset(&text, start)];
        let tail = &text[raw_offset(&text, end)..];
        prop_assert!(raw.starts_with(head), "{raw:?} begins with {head:?}");
        prop_assert!(raw.ends_with(tail), "{raw:?} ends with {tail:?}");
        // Excluded: a single `\r` that a `\n` follows after the edit, and a new mark.
        let is_simple = |text: &str| !text.contains(['\r', '\u{feff}']);
        if is_simple(&normalized) && is_simple(&new_normalized) {
            let expected = [&normalized[..start], &new_normalized, &normalized[end..]].concat();
            prop_assert_eq!(edited.normalized(), expected);
        }
    }

    /// In a text with simple line ends, an edit gives the same as `str::replace`.
    #[test]
    fn an_edit_is_a_replacement(text in "[ab\n]{0,30}", old in "[ab\n]{1,3}", new in "[abc\n]{0,3}") {
        prop_assume!(old != new);
        for replace_all in [false, true] {
            let mut edited = decode(&text);
            let edit = Edit { old_string: old.clone(), new_string: new.clone(), replace_all };
            match apply_edit(&mut edited, &edit) {
                Ok(_) => prop_assert_eq!(edited.normalized(), text.replace(&old, &new)),
                Err(message) => {
                    prop_assert_eq!(edited.normalized(), &text);
                    let count = occurrences(&text, &old).len();
                    prop_assert!(count == 0 || count > 1 && !replace_all, "{}", message);
                }
            }
        }
    }

    /// Every mismatch is explained, whatever the file and the call contain.
    #[test]
    fn every_mismatch_is_explained(text in texts(), wanted in texts()) {
        if !text.contains(&wanted) {
            let message = explain_mismatch(&text, &wanted);
            prop_assert!(message.starts_with("`old_string` is not in the file"), "{}", message);
        }
    }

    /// All pages together show every line once.
    #[test]
    fn pages_show_every_line(lines in prop::collection::vec("[a-zé]{0,20}", 1..4)) {
        let lines: Vec<String> = lines.iter().map(|line| line.repeat(90)).cycle().take(120).collect();
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        let mut seen = Vec::new();
        while seen.len() < lines.len() {
            let page = line_page(&text, seen.len() + 1, usize::MAX).expect("more lines");
            prop_assert!(page.content.len() <= RESULT_LIMIT);
            let rows = page.content.lines().filter_map(|row| row.split_once('\t'));
            seen.extend(rows.map(|(_, line)| line.to_string()));
        }
        prop_assert_eq!(seen, lines);
    }
}

/// The offset in `text` of the offset `normalized` in its normalized form.
fn raw_offset(text: &str, normalized: usize) -> usize {
    let mut at = if text.starts_with('\u{feff}') { 3 } else { 0 };
    for _ in 0..normalized {
        let is_pair = text.as_bytes()[at..].starts_with(b"\r\n");
        at += if is_pair { 2 } else { 1 };
    }
    at
}
