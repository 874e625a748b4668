//! What takes too long for chapter 6's suite: hundreds of kills, and files of any shape.
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

/// What a writer that is to be killed writes to, and how.
const PLACE: &str = "CLAW_WRITER_PLACE";
const MANNER: &str = "CLAW_WRITER_MANNER";

/// How often each writer is killed, at moments spread over a few of its writes.
const KILLS: u64 = 400;
const SPREAD: Duration = Duration::from_micros(9_700);

/// Killed at any point, `replace_file` leaves the old content or the new, whole; and of
/// what it leaves beside, nothing stays for ever.
#[test]
fn a_replaced_file_survives_kills() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("a.txt");
    let torn = torn_by_kills("replace", &place, KILLS);
    let left = names(folder.path()).len() - 1;
    println!("replace_file: {KILLS} kills, {torn} torn files, {left} temporary files left");
    assert_eq!(torn, 0, "files that were neither old nor new");
    let later = std::time::SystemTime::now() + 2 * ABANDONED;
    clear_abandoned(folder.path(), later);
    assert_eq!(
        names(folder.path()),
        ["a.txt"],
        "what kills have left is cleared away"
    );
}

/// The same by the tool's own way, with its checks around it.
#[test]
fn a_written_file_survives_kills() {
    let folder = tempfile::tempdir().expect("a folder");
    let torn = torn_by_kills("tool", &folder.path().join("a.txt"), KILLS / 2);
    println!("write_file: {} kills, {torn} torn files", KILLS / 2);
    assert_eq!(torn, 0, "files that were neither old nor new");
}

/// A new file is there whole or not at all.
#[test]
fn a_new_file_survives_kills() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut found = 0;
    for kill in 0..KILLS / 4 {
        let home = folder.path().join(kill.to_string());
        fs::create_dir(&home).expect("a folder");
        let mut writer = writer("new", &home);
        std::thread::sleep(SPREAD.mul_f64(kill as f64 / (KILLS / 4) as f64));
        end(&mut writer);
        for name in names(&home) {
            if !name.starts_with(TEMPORARY_START) {
                found += 1;
                let size = fs::read(home.join(&name)).expect("it is there").len();
                assert_eq!(size, content(b'a').len(), "{name} is whole");
            }
        }
    }
    println!("new files: {} kills, {found} files, each whole", KILLS / 4);
    assert!(found > 0, "some files were made before the kill");
}

/// The measure itself: a writer that fills the file in place is found out.
#[test]
fn a_file_filled_in_place_does_not_survive_kills() {
    let folder = tempfile::tempdir().expect("a folder");
    let torn = torn_by_kills("in place", &folder.path().join("a.txt"), KILLS);
    println!("fs::write: {KILLS} kills, {torn} torn files");
    assert!(torn > 0, "a kill test that can't fail proves nothing");
}

/// The process that is killed; run by itself it does nothing.
#[test]
fn writer_to_be_killed() {
    let (Some(place), Ok(manner)) = (std::env::var_os(PLACE), std::env::var(MANNER)) else {
        return;
    };
    let place = PathBuf::from(place);
    let (old, new) = (content(b'a'), content(b'b'));
    let sign = || std::io::stderr().write_all(b".").expect("somebody listens");
    if manner == "new" {
        sign();
        for number in 0.. {
            let name = number.to_string();
            replace_file(&place.join(&name), &name, &old, None).expect("it can be written");
        }
    }
    let workspace = Workspace::new(place.parent().expect("it lies in a folder"));
    let whole = place
        .parent()
        .expect("a folder")
        .canonicalize()
        .expect("it is there");
    workspace.saw(&whole.join("a.txt"), &old);
    loop {
        for (before, after) in [(&old, &new), (&new, &old)] {
            match manner.as_str() {
                "replace" => replace_file(&place, "a.txt", after, Some(Fingerprint::of(before)))
                    .expect("it can be written"),
                "tool" => {
                    let text = std::str::from_utf8(after).expect("letters");
                    write_file(&workspace, "a.txt", text).expect("it can be written");
                }
                _ => fs::write(&place, after).expect("it can be written"),
            }
            sign();
        }
    }
}

/// Kills so many writers in this manner, and counts the files that are no longer whole.
fn torn_by_kills(manner: &str, place: &Path, kills: u64) -> u64 {
    let (old, new) = (content(b'a'), content(b'b'));
    let mut torn = 0;
    for kill in 0..kills {
        fs::write(place, &old).expect("a file");
        let mut writer = writer(manner, place);
        std::thread::sleep(SPREAD.mul_f64(kill as f64 / kills as f64));
        end(&mut writer);
        let found = fs::read(place).expect("the file is there");
        torn += u64::from(found != old && found != new);
    }
    torn
}

/// One that has written once, and goes on.
fn writer(manner: &str, place: &Path) -> Child {
    let mut writer = Command::new(std::env::current_exe().expect("this program"))
        .args(["--exact", "writer_to_be_killed"])
        .env(PLACE, place)
        .env(MANNER, manner)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it can be started");
    let signs = writer.stderr.as_mut().expect("a pipe");
    signs.read_exact(&mut [0]).expect("a sign of life");
    writer
}

fn end(writer: &mut Child) {
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

fn names(folder: &Path) -> Vec<String> {
    let entries = folder.read_dir().expect("it can be listed");
    let names = entries.map(|entry| entry.expect("it can be listed").file_name());
    let mut names: Vec<String> = names.map(|name| name.to_string_lossy().into()).collect();
    names.sort();
    names
}

/// The tools in the loop, driven by the offline model. Each turn has a workspace of its
/// own, so that what is there has to be read before it is changed.
#[tokio::test]
async fn the_offline_model_makes_and_changes_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = claw_offline::Server::start().await.expect("a server");
    for (request, tools_called, content) in [
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
        assert_eq!(calls.join(" "), tools_called, "{request}: {history:?}");
        let found = fs::read_to_string(folder.path().join("a.txt")).expect("it is there");
        assert_eq!(found.trim_end(), content, "{request}: {history:?}");
    }
}

/// Texts with line ends of every kind, marks and letters of every length.
fn texts() -> impl Strategy<Value = String> {
    let pieces = [
        "\n", "\r\n", "\r", "a", "b", "\t", " ", "é", "漢", "🦀", "\u{feff}",
    ];
    prop::collection::vec(prop::sample::select(pieces.to_vec()), 0..40)
        .prop_map(|pieces| pieces.concat())
}

fn decoded(text: &str) -> Text {
    Text::decode(text.as_bytes(), "a.txt").expect("it is UTF-8")
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1000) })]

    #[test]
    fn what_is_not_changed_is_written_as_it_was_read(text in texts()) {
        prop_assert_eq!(decoded(&text).encode(), text.as_bytes());
    }

    #[test]
    fn bytes_that_are_no_text_are_refused_or_kept(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        if let Ok(text) = Text::decode(&bytes, "a.dat") {
            prop_assert_eq!(text.encode(), bytes);
        }
    }

    /// Whatever is replaced by whatever: the bytes before and behind are those of before,
    /// and what a model sees is what a plain replacement would have given.
    #[test]
    fn an_edit_touches_its_place_alone(
        text in texts(),
        new in texts(),
        from in any::<prop::sample::Index>(),
        length in 1_usize..6,
    ) {
        let mut edited = decoded(&text);
        let plain = edited.plain().to_string();
        let places: Vec<usize> = plain.char_indices().map(|(at, _)| at).chain([plain.len()]).collect();
        let first = from.index(places.len());
        let last = (first + length).min(places.len() - 1);
        let (start, end) = (places[first], places[last]);
        let new_plain = new.replace("\r\n", "\n");
        edited.replace(std::slice::from_ref(&(start..end)), &new);
        let raw = String::from_utf8(edited.encode()).expect("it is UTF-8");
        let head = raw_of(&text, start);
        let tail = &text[raw_of(&text, end).len()..];
        prop_assert!(raw.starts_with(head), "{raw:?} begins with {head:?}");
        prop_assert!(raw.ends_with(tail), "{raw:?} ends with {tail:?}");
        // A lone `\r` that comes to stand before a `\n` makes another line end of it.
        if !plain.contains('\r') && !new_plain.contains('\r') && !new_plain.contains('\u{feff}') && !plain.contains('\u{feff}') {
            prop_assert_eq!(edited.plain(), [&plain[..start], &new_plain, &plain[end..]].concat());
        }
    }

    /// On text without surprises, one change is `str::replacen`, and all are `replace`.
    #[test]
    fn a_change_is_a_replacement(text in "[ab\n]{0,30}", old in "[ab\n]{1,3}", new in "[abc\n]{0,3}") {
        prop_assume!(old != new);
        for replace_all in [false, true] {
            let mut edited = decoded(&text);
            let change = Change { old_string: old.clone(), new_string: new.clone(), replace_all };
            match apply_change(&mut edited, &change) {
                Ok(_) => prop_assert_eq!(edited.plain(), text.replace(&old, &new)),
                Err(message) => {
                    prop_assert_eq!(edited.plain(), &text);
                    let count = occurrences(&text, &old).len();
                    prop_assert!(count == 0 || count > 1 && !replace_all, "{}", message);
                }
            }
        }
    }

    /// A miss is explained whatever stands in file and call, and never panics.
    #[test]
    fn every_miss_is_explained(text in texts(), wanted in texts()) {
        if !text.contains(&wanted) {
            let words = explain_miss(&text, &wanted);
            prop_assert!(words.starts_with("`old_string` is not in the file"), "{}", words);
        }
    }

    /// Page after page, every line is shown once.
    #[test]
    fn pages_show_every_line(lines in prop::collection::vec("[a-zé]{0,20}", 1..4)) {
        let lines: Vec<String> = lines.iter().map(|line| line.repeat(90)).cycle().take(120).collect();
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        let mut seen = Vec::new();
        while seen.len() < lines.len() {
            let shown = page(&text, seen.len() + 1, usize::MAX).expect("there are lines");
            prop_assert!(shown.content.len() <= RESULT_LIMIT);
            let rows = shown.content.lines().filter_map(|row| row.split_once('\t'));
            seen.extend(rows.map(|(_, line)| line.to_string()));
        }
        prop_assert_eq!(seen, lines);
    }
}

/// So much of `text` as stands before this place in its plain form, its mark included.
fn raw_of(text: &str, plain: usize) -> &str {
    let mark = if text.starts_with('\u{feff}') { 3 } else { 0 };
    let mut at = mark;
    for _ in 0..plain {
        let is_pair = text.as_bytes()[at..].starts_with(b"\r\n");
        at += if is_pair { 2 } else { 1 };
    }
    &text[..at]
}
