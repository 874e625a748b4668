//! Section 14.4: Caching and thinking

use claw_code::agent::*;
use serde_json::json;

use super::support::*;

#[test]
fn test_ch14_cache_settings_json() {
    for strategy in [
        json!("auto"),
        json!("disabled"),
        json!({ "manual": { "cache_system": true, "cache_tools": false, "cache_messages": true } }),
    ] {
        assert_round_trip::<CacheStrategy>(strategy.clone());
        assert_round_trip::<CacheConfig>(json!({ "enabled": false, "strategy": strategy }));
    }
    assert_refused::<CacheStrategy>(r#""always""#, "always");
    assert_refused::<CacheStrategy>(
        r#"{"manual":{"cache_system":true,"cache_tools":false}}"#,
        "cache_messages",
    );
}

#[test]
fn test_ch14_cache_default() {
    assert_json(
        "unless somebody decides otherwise, the cache is used and the provider's connection decides how",
        &to_json(&CacheConfig::default()),
        &json!({ "enabled": true, "strategy": "auto" }),
    );
}

#[test]
fn test_ch14_thinking_levels() {
    for word in ["off", "minimal", "low", "medium", "high"] {
        assert_round_trip::<ThinkingLevel>(json!(word));
    }
    assert_refused::<ThinkingLevel>(r#""max""#, "max");
}
