//! Section 20.9: Search

use claw_code::chat::*;
use claw_code::session::*;

use super::support::*;

#[test]
fn test_ch20_words_are_quoted() {
    for (words, expected) in [
        ("walnut", Some("\"walnut\"")),
        ("  two \t words\n", Some("\"two\" \"words\"")),
        ("say \"hi\"", Some("\"say\" \"\"\"hi\"\"\"")),
        ("a\u{0}b", Some("\"a\" \"b\"")),
        ("AND NOT", Some("\"AND\" \"NOT\"")),
        ("", None),
        (" \n\u{0} ", None),
    ] {
        assert_eq!(
            match_expression(words).as_deref(),
            expected,
            "each word of {words:?} in double quotes, and those inside it doubled"
        );
    }
}

#[test]
fn test_ch20_messages_are_found() {
    let mut history = in_memory();
    assert_eq!(
        search(&history, "walnut", 10),
        [],
        "an empty history holds no words"
    );
    let mut a = session("a", 0);
    a.messages = vec![
        user("A walnut has two halves."),
        ChatMessage {
            reasoning: Some("Look in the cellar.".into()),
            tool_calls: Some(vec![ToolCall::new(
                "t",
                "grep",
                "{\"pattern\":\"parse_arguments\"}",
            )]),
            ..ChatMessage::new(Role::Assistant)
        },
        user("Schöne Grüße, main.rs"),
        ChatMessage {
            raw_content_blocks: Some(vec![block(&text_block("A hazelnut."))]),
            ..ChatMessage::new(Role::User)
        },
    ];
    create(&mut history, &a);
    let mut cursor = create(&mut history, &session("b", 0));
    history
        .append(&mut cursor, &[user("Halves of what?")])
        .expect("can be appended");
    for (why, words, mut found) in [
        ("a word of the text", "walnut", vec![("a", 0)]),
        ("case does not matter", "WALNUT", vec![("a", 0)]),
        ("accents do not matter", "grusse schone", vec![]),
        ("accents do not matter", "schone", vec![("a", 2)]),
        ("a word of two messages", "halves", vec![("a", 0), ("b", 0)]),
        ("all words have to be there", "halves two", vec![("a", 0)]),
        ("half a word is not the word", "wal", vec![]),
        ("thoughts are searched", "cellar", vec![("a", 1)]),
        ("names of tools are searched", "grep", vec![("a", 1)]),
        ("arguments are searched", "parse_arguments", vec![("a", 1)]),
        ("words in raw blocks alone", "hazelnut", vec![("a", 3)]),
        ("signs part words", "main.rs", vec![("a", 2)]),
        ("their order counts", "rs.main", vec![]),
        ("no words", "  ", vec![]),
    ] {
        let mut hits: Vec<_> = search(&history, words, 10)
            .into_iter()
            .map(|hit| (hit.session_id, hit.position))
            .collect();
        hits.sort();
        found.sort();
        let found: Vec<_> = found
            .into_iter()
            .map(|(id, at)| (id.to_owned(), at))
            .collect();
        assert_eq!(hits, found, "{why}: {words:?}");
    }
    let hit = &search(&history, "walnut", 10)[0];
    assert_eq!(
        hit.snippet, "A [walnut] has two halves.",
        "the snippet shows the word where it stands"
    );
    let (branch, _) = history.branch("a", 1).expect("can be branched");
    assert_eq!(
        search(&history, "walnut", 10).len(),
        2,
        "what was copied into a branch is found there as well"
    );
    history.delete(&branch.session_id).expect("can be deleted");
    history.delete("a").expect("can be deleted");
    assert_eq!(
        search(&history, "walnut", 10),
        [],
        "what was deleted is not found"
    );
}

#[test]
fn test_ch20_no_words_break_the_search() {
    let mut history = in_memory();
    assert_eq!(
        search(&history, "walnut", 10),
        [],
        "an empty history holds no words"
    );
    let mut a = session("a", 0);
    a.messages = vec![user("say \"hi\" to col:x AND NEAR(y)")];
    create(&mut history, &a);
    for words in [
        "\"", "'", "*", "hi*", "(", ")", "AND", "OR", "NOT", "NEAR(", "col:", "-hi", "^hi", "{a}",
        "+", "a\u{0}b", "\u{0}", "\\", "%", ";", "--", "?1", "🦀", "\"hi\"", "say \"hi",
    ] {
        let found = history.search(words, 10);
        assert!(
            found.is_ok(),
            "any text can be searched for, and {words:?} gave {:?}",
            found.err()
        );
    }
    for words in ["\"hi\"", "col:x", "AND", "near(y)"] {
        assert_eq!(
            search(&history, words, 10).len(),
            1,
            "{words:?} stands in the message"
        );
    }
}

#[test]
fn test_ch20_the_best_come_first() {
    let mut history = in_memory();
    assert_eq!(
        search(&history, "walnut", 10),
        [],
        "an empty history holds no words"
    );
    let mut a = session("a", 0);
    a.messages = vec![
        user(&format!("walnut {}", "and much else ".repeat(30))),
        user("walnut"),
        user("nothing"),
        user("walnut"),
    ];
    create(&mut history, &a);
    let places = |limit| -> Vec<usize> {
        let hits = search(&history, "walnut", limit);
        hits.iter().map(|hit| hit.position).collect()
    };
    assert_eq!(
        places(10),
        [3, 1, 0],
        "the shortest text with the word comes first; of equals, the newest"
    );
    assert_eq!(places(1), [3], "no more than asked for");
    assert_eq!(places(0), [0; 0], "none, if none are asked for");
    assert_eq!(
        places(usize::MAX).len(),
        3,
        "all, if there is no limit to speak of"
    );
}

fn search(history: &SessionHistory, words: &str, limit: usize) -> Vec<Hit> {
    match history.search(words, limit) {
        Ok(hits) => hits,
        Err(error) => panic!("searching for {words:?} gave: {error} ({error:?})"),
    }
}
