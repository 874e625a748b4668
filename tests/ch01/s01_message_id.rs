//! Section 1.1: MessageId and new_id()

use std::collections::HashSet;
use std::thread;

use claw_code::types::*;

#[test]
fn test_ch1_new_id_is_a_random_uuid() {
    let id: MessageId = new_id();
    let parsed = uuid::Uuid::parse_str(&id)
        .unwrap_or_else(|error| panic!("new_id() returned {id:?}, which is not a UUID: {error}"));
    assert_eq!(
        parsed.get_version_num(),
        4,
        "new_id() returned {id:?}: the digit after the second hyphen is the version, and a random UUID has version 4"
    );
    assert_eq!(
        id,
        parsed.hyphenated().to_string(),
        "an id is in lower case, with hyphens"
    );
    let next = new_id();
    let differing = id.chars().zip(next.chars()).filter(|(a, b)| a != b).count();
    assert!(
        differing >= 8,
        "an id is random, but two ids differ in only {differing} characters: {id} and {next}"
    );
}

#[test]
fn test_ch1_new_id_never_repeats() {
    let make_ids = || (0..500).map(|_| new_id()).collect::<Vec<_>>();
    let threads: Vec<_> = (0..4).map(|_| thread::spawn(make_ids)).collect();
    let mut seen = HashSet::from([new_id()]);
    for thread in threads {
        for id in thread.join().expect("new_id() does not panic") {
            assert!(
                seen.insert(id.clone()),
                "new_id() returned the same id twice: {id:?}"
            );
        }
    }
}
