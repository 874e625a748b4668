//! Section 20.10: Search messages

use claw_code::chat::*;
use claw_code::session::*;

use super::support::*;

#[test]
fn test_ch20_words_become_quoted_strings() {
    for (rule, words, expected) in [
        ("a word", "walnut", Some("\"walnut\"")),
        ("whitespace", "  two \t words\n", Some("\"two\" \"words\"")),
        ("a quote", "say \"hi\"", Some("\"say\" \"\"\"hi\"\"\"")),
        ("a zero byte", "a\u{0}b", Some("\"a\" \"b\"")),
        (
            "any whitespace, any control character",
            "a\u{3000}b\u{1}c",
            Some("\"a\" \"b\" \"c\""),
        ),
        ("punctuation", "a ...", Some("\"a\" \"...\"")),
        ("operators", "AND NOT", Some("\"AND\" \"NOT\"")),
        ("no text", "", None),
        ("no words", " \n\u{0} ", None),
    ] {
        assert_eq!(
            match_expression(words).as_deref(),
            expected,
            "{rule}: each word of {words:?} is in double quotes, with quotes inside it doubled"
        );
    }
}

#[test]
fn test_ch20_search_finds_whole_words() {
    let messages = [
        user("A walnut has two halves."),
        user("Halves of what?"),
        user("Schöne Grüße, main.rs"),
    ];
    for (rule, words, positions) in [
        ("a word", "walnut", &[0][..]),
        ("case does not matter", "WALNUT", &[0]),
        ("accents do not matter", "schone", &[2]),
        ("ß is not an accent", "grusse schone", &[]),
        ("a word of two messages", "halves", &[0, 1]),
        ("all words must be there", "halves two", &[0]),
        ("part of a word is not the word", "wal", &[]),
        ("punctuation splits words", "main.rs", &[2]),
        ("the parts must keep their order", "rs.main", &[]),
        ("no words", "  ", &[]),
    ] {
        assert_eq!(found(&messages, words), positions, "{rule}: {words:?}");
    }
}

#[test]
fn test_ch20_search_looks_into_all_parts_of_a_message() {
    let reply = ChatMessage {
        reasoning: Some("Look in the cellar.".into()),
        tool_calls: Some(vec![ToolCall::new(
            "t",
            "grep",
            "{\"pattern\":\"parse_arguments\"}",
        )]),
        ..ChatMessage::new(Role::Assistant)
    };
    let messages = [reply, raw(Role::User, &[text_block("A hazelnut.")])];
    for (rule, word, position) in [
        ("reasoning", "cellar", 0),
        ("the name of a tool", "grep", 0),
        ("the arguments of a call", "parse_arguments", 0),
        ("text that is only in raw blocks", "hazelnut", 1),
    ] {
        assert_eq!(found(&messages, word), [position], "{rule}: {word:?}");
    }
}

#[test]
fn test_ch20_hit_has_session_position_and_snippet() {
    let mut history = history_with("a", &[user("First."), user("A walnut has two halves.")]);
    create(&mut history, &session_of("b", vec![user("No nut.")]));
    let hit = Hit {
        session_id: "a".into(),
        position: 1,
        snippet: "A [walnut] has two halves.".into(),
    };
    assert_eq!(
        search(&history, "walnut", 10),
        [hit],
        "the snippet shows the word in square brackets"
    );
}

#[test]
fn test_ch20_snippet_of_a_long_message_is_an_excerpt() {
    let long = format!("{}walnut{}", "much ".repeat(40), " more".repeat(40));
    let history = history_with("a", &[user(&long)]);
    let snippet = search(&history, "walnut", 1).remove(0).snippet;
    assert!(
        snippet.starts_with('…') && snippet.ends_with('…') && snippet.contains("[walnut]"),
        "`…` marks what is left out on both sides: {snippet}"
    );
    assert!(
        snippet.split_whitespace().count() <= 16,
        "a snippet has at most 16 words: {snippet}"
    );
}

#[test]
fn test_ch20_search_finds_appended_messages() {
    let mut history = history_with("a", &[user("One half.")]);
    let appended = history.append(&mut Cursor::new("a", 1), &[user("Halves of what?")]);
    appended.expect("can be appended");
    assert_eq!(positions(&history, "halves", 10), [1]);
}

#[test]
fn test_ch20_search_finds_branched_and_not_deleted_messages() {
    let mut history = history_with("a", &[user("A walnut."), user("Another one.")]);
    let (branch, _) = history.branch("a", 1).expect("can be branched");
    assert_eq!(
        search(&history, "walnut", 10).len(),
        2,
        "a message that was copied into a branch is found there too"
    );
    history.delete(&branch.session_id).expect("can be deleted");
    history.delete("a").expect("can be deleted");
    assert_eq!(
        search(&history, "walnut", 10),
        [],
        "deleted messages are not found"
    );
}

#[test]
fn test_ch20_any_text_can_be_searched_for() {
    let history = history_with("a", &[user("say \"hi\" to col:x AND NEAR(y)")]);
    for text in [
        "\"", "'", "*", "hi*", "(", ")", "AND", "OR", "NOT", "NEAR(", "col:", "-hi", "^hi", "{a}",
        "+", "a\u{0}b", "\u{0}", "\\", "%", ";", "--", "?1", "🦀", "\"hi\"", "say \"hi",
    ] {
        let result = history.search(text, 10);
        assert!(
            result.is_ok(),
            "searching for {text:?} gave {:?}",
            result.err()
        );
    }
}

#[test]
fn test_ch20_query_syntax_is_searched_for_as_text() {
    let history = history_with("a", &[user("say \"hi\" to col:x AND NEAR(y)")]);
    for text in ["\"hi\"", "col:x", "AND", "near(y)"] {
        assert_eq!(
            positions(&history, text, 10),
            [0],
            "the message contains {text:?}"
        );
    }
}

#[test]
fn test_ch20_best_match_comes_first() {
    let long = format!("walnut {}", "and much else ".repeat(30));
    let messages = [user("walnut"), user("nothing"), user("walnut"), user(&long)];
    let history = history_with("a", &messages);
    for (rule, limit, expected) in [
        (
            "the shorter text comes first, and of equal ones the newer",
            10,
            &[2, 0, 3][..],
        ),
        ("no more than the limit", 1, &[2]),
        ("no hits with a limit of 0", 0, &[]),
        ("all hits with the highest limit", usize::MAX, &[2, 0, 3]),
    ] {
        assert_eq!(positions(&history, "walnut", limit), expected, "{rule}");
    }
}

#[test]
fn test_ch20_of_equal_matches_the_newest_comes_first() {
    let mut history = history_with("a", &[user("nothing"), user("walnut")]);
    create(&mut history, &session_of("b", vec![user("walnut")]));
    let appended = history.append(&mut Cursor::new("a", 2), &[user("walnut")]);
    appended.expect("can be appended");
    let hits = search(&history, "walnut", 10).into_iter();
    let hits: Vec<_> = hits.map(|hit| (hit.session_id, hit.position)).collect();
    assert_eq!(
        hits,
        [("a", 2), ("b", 0), ("a", 1)].map(|(id, position)| (id.to_string(), position)),
        "the newest message comes first, whatever its session and position"
    );
}

#[test]
fn test_ch20_search_passes_on_errors() {
    let database = Database::with(&[session("a", 2)]);
    let damage = "UPDATE messages SET words = CAST(x'FF' AS TEXT) WHERE position = 0";
    sql(&database.connection(), damage);
    assert_error(
        "a hit that cannot be read is an error of the search, and not left out",
        database.history().search("message", 10),
        "Corrupt",
    );
}

/// A history with one session. Before it is stored, this searches the empty history, so that
/// a test stops at this section's stub first.
#[track_caller]
fn history_with(session_id: &str, messages: &[ChatMessage]) -> SessionHistory {
    let mut history = in_memory(&[]);
    let hits = search(&history, "walnut", 10);
    assert_eq!(hits, [], "an empty history has no messages to find");
    create(&mut history, &session_of(session_id, messages.to_vec()));
    history
}

/// The positions of the messages that contain the words, in order.
#[track_caller]
fn found(messages: &[ChatMessage], words: &str) -> Vec<usize> {
    let mut positions = positions(&history_with("a", messages), words, 10);
    positions.sort();
    positions
}

#[track_caller]
fn positions(history: &SessionHistory, words: &str, limit: usize) -> Vec<usize> {
    let hits = search(history, words, limit);
    hits.into_iter().map(|hit| hit.position).collect()
}

#[track_caller]
fn search(history: &SessionHistory, words: &str, limit: usize) -> Vec<Hit> {
    match history.search(words, limit) {
        Ok(hits) => hits,
        Err(error) => panic!("searching for {words:?} failed: {error} ({error:?})"),
    }
}
