//! Section 1.11: TokenUsage and ModelUsage

use claw_code::types::*;
use serde_json::json;

use super::support::*;

#[test]
fn test_ch1_token_usage_default() {
    assert_json(
        "a new TokenUsage has four counts, all zero",
        &to_json(&TokenUsage::default()),
        &json!({
            "input_tokens": 0, "output_tokens": 0,
            "cache_read_tokens": 0, "cache_creation_tokens": 0
        }),
    );
}

#[test]
fn test_ch1_token_usage_json() {
    let json = json!({
        "input_tokens": 1, "output_tokens": 2,
        "cache_read_tokens": 3, "cache_creation_tokens": 4
    });
    assert_json(
        "each count has its own name in the JSON",
        &to_json(&from_json::<TokenUsage>(&json)),
        &json,
    );
    let message = json!({
        "type": "Assistant", "id": "m3", "text": "Hi.",
        "tool_calls": [], "stop_reason": "Stop", "usage": json
    });
    assert_round_trip(message);
}

#[test]
fn test_ch1_token_usage_without_cache_fields() {
    let newer = json!({ "input_tokens": 1, "output_tokens": 2, "added_next_year": 1 });
    assert_eq!(
        from_json::<TokenUsage>(&newer).total_tokens(),
        3,
        "a count that a newer program has added is ignored"
    );
    let json = json!({ "input_tokens": 1, "output_tokens": 2 });
    assert_json(
        "a provider without a cache leaves its counts out, which means zero",
        &to_json(&from_json::<TokenUsage>(&json)),
        &json!({
            "input_tokens": 1, "output_tokens": 2,
            "cache_read_tokens": 0, "cache_creation_tokens": 0
        }),
    );
}

#[test]
fn test_ch1_token_usage_requires_input_and_output() {
    let complete = json!({ "input_tokens": 1, "output_tokens": 2 });
    assert_eq!(from_json::<TokenUsage>(&complete).total_tokens(), 3);
    for field in ["input_tokens", "output_tokens"] {
        let mut json = complete.clone();
        json.as_object_mut().expect("an object").remove(field);
        assert!(
            serde_json::from_value::<TokenUsage>(json).is_err(),
            "`{field}` is required: a report without it says nothing about the cost"
        );
    }
}

#[test]
fn test_ch1_token_usage_total() {
    let usage: TokenUsage = from_json(&json!({
        "input_tokens": 100, "output_tokens": 50,
        "cache_read_tokens": 7000, "cache_creation_tokens": 900
    }));
    assert_eq!(
        usage.total_tokens(),
        150,
        "the total is input plus output, without the cache counts"
    );
    let usage: TokenUsage = from_json(&json!({
        "input_tokens": 5_000_000_000_u64, "output_tokens": 4_000_000_000_u64,
        "cache_read_tokens": 0, "cache_creation_tokens": 0
    }));
    assert_eq!(
        usage.total_tokens(),
        9_000_000_000,
        "the total of counts that need 64 bits"
    );
}

#[test]
fn test_ch1_model_usage_record() {
    let mut total = ModelUsage::default();
    for (usage, cost) in [
        (
            json!({
                "input_tokens": 100, "output_tokens": 20,
                "cache_read_tokens": 3000, "cache_creation_tokens": 400
            }),
            0.2503,
        ),
        (
            json!({
                "input_tokens": 1, "output_tokens": 2,
                "cache_read_tokens": 3, "cache_creation_tokens": 4
            }),
            0.5,
        ),
        // A free reply, with counts that need 64 bits.
        (
            json!({
                "input_tokens": 5_000_000_000_u64, "output_tokens": 5_000_000_000_u64,
                "cache_read_tokens": 5_000_000_000_u64,
                "cache_creation_tokens": 5_000_000_000_u64
            }),
            0.0,
        ),
        (
            json!({
                "input_tokens": 0, "output_tokens": 0,
                "cache_read_tokens": 0, "cache_creation_tokens": 0
            }),
            0.1,
        ),
    ] {
        total.record(&from_json(&usage), cost);
    }
    assert_eq!(
        total,
        ModelUsage {
            input_tokens: 5_000_000_101,
            output_tokens: 5_000_000_022,
            cache_read_tokens: 5_000_003_003,
            cache_creation_tokens: 5_000_000_404,
            cost_usd: 0.2503 + 0.5 + 0.1,
            turn_count: 4,
        },
        "record() adds each count, the cost and one turn"
    );
}
