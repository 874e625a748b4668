//! Section 5.5: What a cache can reuse

use super::support::*;

#[test]
fn test_ch5_shared_with_counts_leading_bytes() {
    for (one, other, shared) in [
        ("one\n", "one\n", 4),
        ("one\n\ntwo\n", "one\n\nten\n", 6),
        ("one\n", "one\n\ntwo\n", 4),
        ("two\n", "one\n", 0),
        ("", "one\n", 0),
        ("äb", "äc", 2),
        ("ä", "ö", 1),
    ] {
        let [one, other] = [one, other].map(|text| prompt(text, text.len().min(2)));
        assert_eq!(
            one.shared_with(&other),
            shared,
            "the leading bytes that {:?} and {:?} share",
            one.text,
            other.text
        );
        assert_eq!(other.shared_with(&one), shared, "shared_with is symmetric");
    }
}
