//! Section 14.4: Caching and thinking

use claw_code::agent::*;
use serde_json::json;

use super::support::*;

#[test]
fn test_ch14_cache_settings_round_trip() {
    for strategy in [
        json!("auto"),
        json!("disabled"),
        json!({ "manual": { "cache_system": true, "cache_tools": false, "cache_messages": true } }),
    ] {
        assert_round_trip::<CacheStrategy>(strategy.clone());
        assert_round_trip::<CacheConfig>(json!({ "enabled": false, "strategy": strategy }));
    }
}

#[test]
fn test_ch14_unknown_cache_settings_are_rejected() {
    assert_rejected::<CacheStrategy>(r#""always""#, "always");
    assert_rejected::<CacheStrategy>(
        r#"{"manual":{"cache_system":true,"cache_tools":false}}"#,
        "cache_messages",
    );
}

#[test]
fn test_ch14_caching_is_on_by_default() {
    assert_json(
        "by default, the cache is enabled and the strategy is automatic",
        &to_json(&CacheConfig::default()),
        &json!({ "enabled": true, "strategy": "auto" }),
    );
}

#[test]
fn test_ch14_thinking_levels_round_trip() {
    for word in ["off", "minimal", "low", "medium", "high"] {
        assert_round_trip::<ThinkingLevel>(json!(word));
    }
    assert_rejected::<ThinkingLevel>(r#""max""#, "max");
}
