//! What each border loses, found out and not written down: messages made up at random go
//! over every border and back, and each field is kept, lost or changed.
//!
//! The table in the book is made from that, `book/src/losses.md`. This fails when the book
//! has another one; to make it anew:
//!
//! ```console
//! $ CLAW_LOSSES=write cargo test -p claw-code-solutions --test losses
//! ```
//!
//! It also fails when a border loses what its documentation does not say, or keeps what it
//! says is lost. A new border is one more entry in `borders.rs`.

mod borders;
mod compare;
mod messages;
mod responses;
mod table;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use claw_code_solutions::chat::ChatMessage;

use borders::{BORDERS, Border, Stated};
use compare::{Fate, compare, leaves};
use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use serde_json::Value;
use table::{Found, Source};

/// How many conversations of each vocabulary are made up. Most are one message; a result
/// has its call before it.
const CASES: u32 = 1_000;

/// The same messages each time.
fn runner() -> TestRunner {
    let config = Config {
        cases: CASES,
        failure_persistence: None,
        ..Config::default()
    };
    TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
}

#[test]
fn the_book_has_the_table() {
    let mut pages = Vec::new();
    for source in Source::ALL {
        let found = RefCell::new(Found::default());
        let borders: Vec<&Border> = BORDERS.iter().filter(|one| one.from == source).collect();
        let outcome = runner().run(&messages::conversation(source), |conversation| {
            for border in &borders {
                observe(border, &conversation, &mut found.borrow_mut())?;
            }
            Ok(())
        });
        if let Err(error) = outcome {
            panic!("{source}: {error}");
        }
        let found = found.into_inner();
        for border in &borders {
            stated_is_found(border, &found);
        }
        pages.push(table::section(source, &borders, &found));
    }
    let page = table::page(CASES, &pages);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../book/src/losses.md");
    if std::env::var_os("CLAW_LOSSES").is_some_and(|value| value == "write") {
        std::fs::write(&path, page).expect("the page can be written");
        return;
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    let lines = committed.lines().zip(page.lines());
    let first = lines.clone().position(|(one, other)| one != other);
    let first = first.unwrap_or(lines.count());
    assert!(
        committed == page,
        "book/src/losses.md is not what the borders lose; from line {} on it should say\n{}\n\
         To make it anew: CLAW_LOSSES=write cargo test -p claw-code-solutions --test losses",
        first + 1,
        page.lines()
            .skip(first)
            .take(3)
            .collect::<Vec<_>>()
            .join("\n"),
    );
}

/// Every field that a seed names is in the messages that are made up, and every word that
/// it gives for one.
#[test]
fn every_field_of_the_seeds_is_there() {
    for source in Source::ALL {
        let mut seen: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let (mut runner, conversations) = (runner(), messages::conversation(source));
        for _ in 0..CASES {
            let tree = conversations.new_tree(&mut runner).expect("a case");
            for message in proptest::strategy::ValueTree::current(&tree) {
                for (path, value) in leaves(&message) {
                    seen.entry(path).or_default().insert(value.to_string());
                }
            }
        }
        for field in messages::seed_fields(source) {
            assert!(
                seen.contains_key(*field),
                "{source}: no message has `{field}`"
            );
        }
        for (field, words) in messages::seed_words(source) {
            for word in *words {
                let found = seen
                    .get(*field)
                    .is_some_and(|all| all.contains(&format!("\"{word}\"")));
                assert!(found, "{source}: no message has `{word}` as `{field}`");
            }
        }
    }
}

/// Sends a conversation over a border and back, message by message, and notes what became
/// of each field. What became of it has to be what the border says.
fn observe(
    border: &Border,
    conversation: &[Value],
    found: &mut Found,
) -> Result<(), TestCaseError> {
    let mut before = 0;
    for (at, sent) in conversation.iter().enumerate() {
        let crossed = (border.there_and_back)(&conversation[..=at]);
        let returned: Vec<Value> = comparable(sent, &crossed.messages[before..]);
        before = crossed.messages.len();
        let said = crossed.losses.iter().filter(|loss| loss.message == at);
        let said: BTreeSet<&str> = said.map(|loss| loss.what.as_str()).collect();
        let kind = compare::role(sent);
        let fates = compare(sent, &returned);
        let lost: Vec<&str> = fates
            .iter()
            .filter(|(_, fate)| !matches!(fate, Fate::Kept))
            .map(|(path, _)| path.as_str())
            .collect();
        let problem = explained(border, kind, &lost, &said);
        // A message before the last is there for its sake, and has no fields to speak of.
        if at + 1 == conversation.len() {
            for (path, fate) in &fates {
                found.note(border.name, kind, path, fate);
            }
        }
        if let Err(problem) = problem {
            return Err(TestCaseError::fail(format!(
                "over `{}`: {problem}\nsent {sent}\nback {}",
                border.name,
                Value::from(returned)
            )));
        }
    }
    Ok(())
}

/// What came back, with all of its blocks where all of them were sent: a session keeps raw
/// blocks only where its flat fields do not say the same.
fn comparable(sent: &Value, returned: &[Value]) -> Vec<Value> {
    let mut returned = returned.to_vec();
    if sent.get("raw_content_blocks").is_some() {
        for message in &mut returned {
            let chat: ChatMessage = serde_json::from_value(message.clone()).expect("a message");
            let blocks = chat.to_blocks().expect("each result names its call");
            message["raw_content_blocks"] = serde_json::to_value(blocks).expect("JSON");
        }
    }
    returned
}

/// Whether a border says of each field that is lost that it is, and of no other.
fn explained(
    border: &Border,
    kind: &str,
    lost: &[&str],
    said: &BTreeSet<&str>,
) -> Result<(), String> {
    match border.stated {
        Stated::AtRunTime if lost.is_empty() != said.is_empty() => {
            Err(format!("lost are {lost:?}, and the border says {said:?}"))
        }
        Stated::AtRunTime => Ok(()),
        Stated::InDocs { entries, .. } => {
            for path in lost {
                let is_said = entries.iter().any(|entry| {
                    let is_told = entry.word.is_none_or(|word| said.contains(word));
                    entry.covers(kind, path) && is_told
                });
                if !is_said {
                    return Err(format!("`{path}` is lost without a word; it says {said:?}"));
                }
            }
            for word in said {
                let is_so = entries.iter().any(|entry| {
                    entry.word == Some(word) && lost.iter().any(|path| entry.covers(kind, path))
                });
                if !is_so {
                    return Err(format!("it says that `{word}` is lost; lost are {lost:?}"));
                }
            }
            Ok(())
        }
    }
}

/// Each entry of a border's documentation stands there, has come true at least once, and
/// there is none that nobody checks.
fn stated_is_found(border: &Border, found: &Found) {
    let Stated::InDocs { docs, entries } = border.stated else {
        return;
    };
    let docs: Vec<String> = docs
        .iter()
        .map(|(file, item)| borders::doc(file, item))
        .collect();
    for entry in entries {
        assert!(
            docs.iter().any(|doc| doc.contains(entry.says)),
            "the documentation of `{}` does not say {:?} any more",
            border.name,
            entry.says
        );
        let is_found = found
            .lost(border.name)
            .any(|(kind, path)| entry.covers(kind, path));
        assert!(
            is_found,
            "over `{}` nothing was lost of which it says {:?}",
            border.name, entry.says
        );
    }
    for line in docs.iter().flat_map(|doc| borders::listed(doc)) {
        assert!(
            borders::is_checked(&line) || borders::keeps(&line),
            "the documentation of `{}` says {line:?}, and no entry in borders.rs checks that",
            border.name
        );
    }
}
