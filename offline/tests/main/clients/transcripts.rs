//! The recorded requests of agents get the answers that the agents got.

use super::transcript::{answer, read_all};

#[tokio::test]
async fn recorded_requests_get_the_recorded_answers() {
    let transcripts = read_all();
    assert_eq!(transcripts.len(), 3, "Codex twice, and Claude Code");
    for (name, entries) in transcripts {
        assert!(entries.len() > 3, "{name} is complete");
        for (number, entry) in entries.iter().enumerate() {
            let answer = answer(entry.path, &entry.body).await;
            assert_eq!(answer, entry.answer, "{name}, line {}", number + 1);
        }
    }
}

#[test]
fn recorded_requests_name_no_machine() {
    for (name, entries) in read_all() {
        for entry in entries {
            let body = entry.body.to_string();
            for private in ["/root", "/work", "/tmp", "turn_id", "user_id"] {
                assert!(!body.contains(private), "{name} contains {private}");
            }
        }
    }
}
