//! Section 15.2: Reading a turn

use claw_code::agent::*;

use super::support::*;

#[test]
fn test_ch15_turn_round_trip() {
    for index in [0, 7, u64::MAX] {
        let turn = TurnId {
            loop_id: "s.c.1".to_string(),
            turn_index: index,
        };
        let text = format!(r#"{{"loopId":"s.c.1","turnIndex":{index}}}"#);
        assert_eq!(read::<TurnId>(&text), turn, "read from {text}");
        let text = format!(r#"{{"turnIndex":{index},"since":[2026],"loopId":"s.c.1"}}"#);
        assert_eq!(
            read::<TurnId>(&text),
            turn,
            "the order says nothing, and a field of a newer program is passed over: {text}"
        );
    }
}

#[test]
fn test_ch15_broken_turns_are_refused() {
    for (broken, word) in BROKEN_TURNS {
        assert_refused::<TurnId>(broken, word);
    }
}
