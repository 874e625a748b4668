//! Measures what each conversion loses: random messages are converted and converted back, and
//! each field is kept, lost or changed.
//!
//! The book's page `book/src/losses.md` is made from the findings, and the test fails if the
//! page differs. This command writes the page again:
//!
//! ```console
//! $ CLAW_LOSSES=write cargo test -p claw-code-solutions --test losses
//! ```
//!
//! The test also fails if a conversion loses something that its documentation does not mention,
//! or keeps something that the documentation calls lost.

mod compare;
mod conversions;
mod documented;
mod findings;
mod messages;
mod responses;
mod table;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use claw_code_solutions::chat::ChatMessage;
use claw_code_solutions::session::Vocabulary;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use serde_json::Value;

use compare::{Fate, compare, leaves};
use conversions::{Conversion, conversions};
use documented::{Documentation, Documented};
use findings::Findings;

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
    let mut page = table::introduction(4 * CASES);
    for from in Vocabulary::ALL {
        let findings = RefCell::new(Findings::default());
        let conversions = conversions(from);
        let outcome = runner().run(&messages::conversation(from), |conversation| {
            for conversion in &conversions {
                observe(conversion, &conversation, &mut findings.borrow_mut())?;
            }
            Ok(())
        });
        if let Err(error) = outcome {
            panic!("from {from}: {error}");
        }
        let findings = findings.into_inner();
        for conversion in &conversions {
            check_documented_losses_occur(conversion, &findings);
        }
        page += &table::section(from, &conversions, &findings);
    }
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

#[test]
fn the_documentation_lists_what_documented_txt_lists() {
    let conversions = Vocabulary::ALL.into_iter().flat_map(conversions);
    let documented: Vec<(String, Documentation)> = conversions
        .filter_map(|one| Some((one.name, one.documentation?)))
        .collect();
    let losses = documented.iter().flat_map(|(_, it)| &it.losses);
    let losses: Vec<&Documented> = losses.collect();
    for (name, documentation) in &documented {
        if let Err(problem) = documentation.check(&losses) {
            panic!("the documentation of the conversion {name}: {problem}");
        }
    }
}

/// The random messages have every field of each format, and every name that a field can hold.
#[test]
fn random_messages_have_every_field() {
    for from in Vocabulary::ALL {
        let mut seen: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let (mut runner, conversations) = (runner(), messages::conversation(from));
        for _ in 0..CASES {
            let tree = conversations.new_tree(&mut runner).expect("a case");
            for (path, value) in tree.current().iter().flat_map(leaves) {
                let value = value.as_str().unwrap_or_default().to_string();
                seen.entry(path).or_default().insert(value);
            }
        }
        for field in messages::fields(from) {
            assert!(seen.contains_key(field), "{from}: no message has `{field}`");
        }
        for (field, names) in messages::names(from) {
            for name in names.split_whitespace() {
                let is_seen = seen[*field].contains(name);
                assert!(is_seen, "{from}: no message has `{name}` as `{field}`");
            }
        }
    }
}

/// Converts a conversation and converts the result back, and records the fate of each field of
/// the last message. The fates must agree with what is reported and documented.
fn observe(
    conversion: &Conversion,
    conversation: &[Value],
    findings: &mut Findings,
) -> Result<(), TestCaseError> {
    let mut before = 0;
    for (at, sent) in conversation.iter().enumerate() {
        let mut crossed = (conversion.there_and_back)(&conversation[..=at]);
        let returned = with_blocks(sent, crossed.messages.split_off(before));
        before += returned.len();
        let reported = crossed.losses.iter().filter(|(message, _)| *message == at);
        let reported: BTreeSet<&str> = reported.map(|(_, name)| name.as_str()).collect();
        let role = compare::role(sent);
        let fates = compare(sent, &returned);
        let lost = fates.iter().filter(|(_, fate)| !matches!(fate, Fate::Kept));
        let lost: Vec<&str> = lost.map(|(path, _)| path.as_str()).collect();
        let agrees = match &conversion.documentation {
            None if lost.is_empty() == reported.is_empty() => Ok(()),
            None => Err("it should report a loss if there is one".to_string()),
            Some(documentation) => check_losses(documentation, role, &lost, &reported),
        };
        if let Err(problem) = agrees {
            return Err(TestCaseError::fail(format!(
                "{}: {problem}\n    lost: {lost:?}\nreported: {reported:?}\n    sent: {sent}\nreturned: {}",
                conversion.name,
                Value::from(returned)
            )));
        }
        // Earlier messages only make the last one valid, so they are not recorded.
        if at + 1 == conversation.len() {
            for (path, fate) in &fates {
                findings.add(&conversion.name, role, path, fate);
            }
        }
    }
    Ok(())
}

/// The returned messages, with all their blocks if `sent` has them: a session keeps raw blocks
/// only if its flat fields can't hold them.
fn with_blocks(sent: &Value, mut returned: Vec<Value>) -> Vec<Value> {
    if sent.get("raw_content_blocks").is_some() {
        for message in &mut returned {
            let chat: ChatMessage = serde_json::from_value(message.clone()).expect("a message");
            let blocks = chat.to_blocks().expect("each result names its call");
            message["raw_content_blocks"] = serde_json::to_value(blocks).expect("JSON");
        }
    }
    returned
}

/// Checks that each lost field is documented, and reported if the documentation has a name for
/// it; and that nothing is reported without a loss.
fn check_losses(
    documentation: &Documentation,
    role: &str,
    lost: &[&str],
    reported: &BTreeSet<&str>,
) -> Result<(), String> {
    let losses = &documentation.losses;
    let is_known = |path: &str| {
        let is_reported = |it: &Documented| it.reported.is_none_or(|name| reported.contains(name));
        losses
            .iter()
            .any(|it| it.covers(role, path) && is_reported(it))
    };
    if let Some(path) = lost.iter().find(|path| !is_known(path)) {
        return Err(format!(
            "`{path}` is lost, but not documented or not reported"
        ));
    }
    let has_cause = |name: &str| {
        let covers = |it: &Documented| lost.iter().any(|path| it.covers(role, path));
        losses
            .iter()
            .any(|it| it.reported == Some(name) && covers(it))
    };
    match reported.iter().find(|name| !has_cause(name)) {
        Some(name) => Err(format!("`{name}` is reported, but not lost")),
        None => Ok(()),
    }
}

/// Checks that each documented loss was observed at least once.
fn check_documented_losses_occur(conversion: &Conversion, findings: &Findings) {
    for loss in conversion.documentation.iter().flat_map(|it| &it.losses) {
        let mut lost = findings.lost(&conversion.name);
        let is_found = lost.any(|(role, path)| loss.covers(role, path));
        assert!(
            is_found,
            "{}: nothing was lost for {:?} of documented.txt",
            conversion.name, loss.text
        );
    }
}
