//! Measures what each border loses: random messages are converted at every border and back, and
//! each field is kept, lost or changed.
//!
//! The book's page `book/src/losses.md` is made from the findings, and the test fails if the
//! page differs. This command writes the page again:
//!
//! ```console
//! $ CLAW_LOSSES=write cargo test -p claw-code-solutions --test losses
//! ```
//!
//! The test also fails if a border loses something that its documentation does not mention, or
//! keeps something that the documentation calls lost. A new border is a new entry in
//! `borders.rs`.

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

/// The number of random conversations of each vocabulary. Most are one message; a result has
/// its call before it.
const CASES: u32 = 1_000;

/// A runner that generates the same messages each time.
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
        "book/src/losses.md differs from the findings; from line {} on it should say\n{}\n\
         To write it again: CLAW_LOSSES=write cargo test -p claw-code-solutions --test losses",
        first + 1,
        page.lines()
            .skip(first)
            .take(3)
            .collect::<Vec<_>>()
            .join("\n"),
    );
}

/// The random messages have every field of each format, and every name that a field can hold.
#[test]
fn random_messages_have_every_field() {
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
        for field in messages::contract_fields(source) {
            assert!(
                seen.contains_key(*field),
                "{source}: no message has `{field}`"
            );
        }
        for (field, words) in messages::contract_names(source) {
            for word in *words {
                let found = seen
                    .get(*field)
                    .is_some_and(|all| all.contains(&format!("\"{word}\"")));
                assert!(found, "{source}: no message has `{word}` as `{field}`");
            }
        }
    }
}

/// Converts a conversation at a border and back, message by message, and records the fate of
/// each field. The fate must agree with the border's documentation.
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
        // Earlier messages only make the last one valid, so they are not recorded.
        if at + 1 == conversation.len() {
            for (path, fate) in &fates {
                found.note(border.name, kind, path, fate);
            }
        }
        if let Err(problem) = problem {
            return Err(TestCaseError::fail(format!(
                "border `{}`: {problem}\n    sent: {sent}\nreturned: {}",
                border.name,
                Value::from(returned)
            )));
        }
    }
    Ok(())
}

/// The returned messages, with all their blocks if `sent` has them: a session keeps raw blocks
/// only if its flat fields can't hold them.
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

/// Checks that a border reports each lost field and no other.
fn explained(
    border: &Border,
    kind: &str,
    lost: &[&str],
    said: &BTreeSet<&str>,
) -> Result<(), String> {
    match border.stated {
        Stated::AtRunTime if lost.is_empty() != said.is_empty() => Err(format!(
            "lost are {lost:?}, but the border reports {said:?}"
        )),
        Stated::AtRunTime => Ok(()),
        Stated::InDocs { entries, .. } => {
            for path in lost {
                let is_said = entries.iter().any(|entry| {
                    let is_told = entry.word.is_none_or(|word| said.contains(word));
                    entry.covers(kind, path) && is_told
                });
                if !is_said {
                    return Err(format!(
                        "`{path}` is lost and not reported; reported are {said:?}"
                    ));
                }
            }
            for word in said {
                let is_so = entries.iter().any(|entry| {
                    entry.word == Some(word) && lost.iter().any(|path| entry.covers(kind, path))
                });
                if !is_so {
                    return Err(format!(
                        "`{word}` is reported as lost, but lost are {lost:?}"
                    ));
                }
            }
            Ok(())
        }
    }
}

/// Checks the entries of a border: the documentation contains each one, each was observed at
/// least once, and every line of the documentation has an entry.
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
            "the documentation of `{}` no longer contains {:?}",
            border.name,
            entry.says
        );
        let is_found = found
            .lost(border.name)
            .any(|(kind, path)| entry.covers(kind, path));
        assert!(
            is_found,
            "border `{}`: nothing was lost for the entry {:?}",
            border.name, entry.says
        );
    }
    for line in docs.iter().flat_map(|doc| borders::listed(doc)) {
        assert!(
            borders::is_checked(&line) || borders::keeps(&line),
            "the documentation of `{}` contains {line:?}, but no entry in borders.rs checks it",
            border.name
        );
    }
}
