//! Section 1.1: MessageId and new_id()

use std::collections::HashSet;
use std::thread::{self};

use claw_code::types::*;

#[test]
fn test_ch1_new_id_is_a_uuid() {
    let id: MessageId = new_id();
    let parsed = uuid::Uuid::parse_str(&id)
        .unwrap_or_else(|error| panic!("new_id() gave {id:?}, which is no UUID: {error}"));
    assert_eq!(
        parsed.get_version_num(),
        4,
        "new_id() gave {id:?}: the digit after the second hyphen is the version, and a random UUID has version 4"
    );
    assert_eq!(
        id,
        parsed.hyphenated().to_string(),
        "an id is written in lower case, with hyphens"
    );
}

#[test]
fn test_ch1_new_id_never_repeats() {
    let mut seen = HashSet::from([new_id()]);
    let threads: Vec<_> = (0..4)
        .map(|_| thread::spawn(|| (0..500).map(|_| new_id()).collect::<Vec<_>>()))
        .collect();
    for ids in threads {
        for id in ids.join().expect("new_id() panicked") {
            assert!(
                seen.insert(id.clone()),
                "new_id() gave the same id twice: {id:?}"
            );
        }
    }
}
