//! Section 14.3: Token counts and cost

use claw_code::agent::*;

use super::support::*;

#[test]
fn test_ch14_cost_is_the_sum_over_priced_tokens() {
    let rates = CostConfig {
        input: 3.0,
        output: 15.0,
        cache_read: 0.25,
        cache_write: 4.0,
    };
    for (usage, dollars) in [
        (Usage::default(), 0.0),
        (counts(1_000_000, 0, 0, 0), 3.0),
        (counts(0, 1_000_000, 0, 0), 15.0),
        (counts(0, 0, 1_000_000, 0), 0.25),
        (counts(0, 0, 0, 1_000_000), 4.0),
        (counts(1_000, 200, 8_000, 500), 0.01),
    ] {
        assert_close("the cost", usage.estimated_cost(&rates), dollars, &usage);
    }
    let thought = Usage {
        reasoning: 900_000,
        total_tokens: 5_000_000,
        ..counts(0, 1_000_000, 0, 0)
    };
    assert_close(
        "reasoning tokens are part of the output and the total is not priced, so the cost",
        thought.estimated_cost(&rates),
        15.0,
        &thought,
    );
}

#[test]
fn test_ch14_combine_adds_each_count() {
    let one = Usage {
        input: 1,
        output: 2,
        reasoning: 3,
        cache_read: 4,
        cache_write: 5,
        total_tokens: 6,
    };
    let other = Usage {
        input: 10,
        output: 20,
        reasoning: 30,
        cache_read: 40,
        cache_write: 50,
        total_tokens: 70,
    };
    let both = Usage {
        input: 11,
        output: 22,
        reasoning: 33,
        cache_read: 44,
        cache_write: 55,
        total_tokens: 76,
    };
    assert_eq!(
        one.combine(&other),
        both,
        "each count is added to the same count; the total is the provider's and not recomputed"
    );
    assert_eq!(other.combine(&one), both, "the order does not matter");
    assert_eq!(
        one.combine(&Usage::default()),
        one,
        "adding empty usage changes nothing"
    );
    let most = Usage {
        input: u64::MAX,
        output: u64::MAX,
        reasoning: u64::MAX,
        cache_read: u64::MAX,
        cache_write: u64::MAX,
        total_tokens: u64::MAX,
    };
    assert_eq!(
        most.combine(&one),
        most,
        "a sum that would overflow stays at the largest number"
    );
}

#[test]
fn test_ch14_hit_rate_is_cache_reads_over_all_reads() {
    for (usage, rate) in [
        (counts(25, 0, 75, 0), 0.75),
        (counts(0, 0, 10, 0), 1.0),
        (counts(10, 0, 0, 0), 0.0),
        (counts(10, 0, 20, 10), 0.5),
        (counts(0, 500, 0, 0), 0.0),
        (Usage::default(), 0.0),
        (counts(u64::MAX, 0, u64::MAX, u64::MAX), 1.0 / 3.0),
    ] {
        assert_close("the hit rate", usage.cache_hit_rate(), rate, &usage);
    }
}

#[track_caller]
fn assert_close(what: &str, got: f64, expected: f64, usage: &Usage) {
    assert!(
        (got - expected).abs() < 1e-9,
        "{what} of {usage:?} is {expected}, not {got}"
    );
}
