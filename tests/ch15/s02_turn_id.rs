//! Section 15.2: Reading a turn id

use claw_code::agent::*;

use super::support::*;

#[test]
fn test_ch15_turn_id_round_trips() {
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
            "the order does not matter, and an unknown field is skipped: {text}"
        );
    }
}

#[test]
fn test_ch15_broken_turn_ids_are_rejected() {
    for (broken, word) in BROKEN_TURNS {
        assert_rejected::<TurnId>(broken, word);
    }
}
