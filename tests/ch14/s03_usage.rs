//! Section 14.3: Token counts and cost

use claw_code::agent::*;

use super::support::*;

#[test]
fn test_ch14_cost_is_the_sum_over_priced_tokens() {
    for (usage, dollars) in [
        (Usage::default(), 0.0),
        (counts(1_000_000, 0, 0, 0), 3.0),
        (counts(0, 1_000_000, 0, 0), 15.0),
        (counts(0, 0, 1_000_000, 0), 0.25),
        (counts(0, 0, 0, 1_000_000), 4.0),
        (counts(5_000_000_000, 0, 0, 0), 15_000.0),
        (counts(0, 5_000_000_000, 0, 0), 75_000.0),
        (counts(0, 0, 5_000_000_000, 0), 1_250.0),
        (counts(0, 0, 0, 5_000_000_000), 20_000.0),
        (counts(1_000, 200, 8_000, 500), 0.01),
        (counts(0, 0, 1, 0), 0.000_000_25),
    ] {
        assert_close("the cost", usage.estimated_cost(&RATES), dollars, &usage);
    }
}

#[test]
fn test_ch14_reasoning_and_total_are_not_priced() {
    let thought = Usage {
        reasoning: 900_000,
        total_tokens: 5_000_000,
        ..counts(0, 1_000_000, 0, 0)
    };
    assert_close(
        "reasoning tokens are part of the output and the total is not priced, so the cost",
        thought.estimated_cost(&RATES),
        15.0,
        &thought,
    );
}

#[test]
fn test_ch14_combine_adds_each_count() {
    let one = all_counts([1, 2, 3, 4, 5, 6]);
    let other = all_counts([10, 20, 30, 40, 50, 70]);
    let both = all_counts([11, 22, 33, 44, 55, 76]);
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
}

#[test]
fn test_ch14_sum_that_would_overflow_stays_at_the_largest_number() {
    let most = all_counts([u64::MAX; 6]);
    let one = all_counts([1, 2, 3, 4, 5, 6]);
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
        (counts(0, 500, 1 << 33, 0), 1.0),
        (counts(0, 0, 1, 0), 1.0),
        (counts(10, 0, 0, 0), 0.0),
        (counts(10, 0, 20, 10), 0.5),
        (counts(0, 500, 0, 0), 0.0),
        (Usage::default(), 0.0),
        (counts(u64::MAX, 0, u64::MAX, u64::MAX), 1.0 / 3.0),
    ] {
        assert_close("the hit rate", usage.cache_hit_rate(), rate, &usage);
    }
}

/// Dollars for a million tokens.
const RATES: CostConfig = CostConfig {
    input: 3.0,
    output: 15.0,
    cache_read: 0.25,
    cache_write: 4.0,
};

/// A usage with these six counts, in the order of its fields.
fn all_counts(counts: [u64; 6]) -> Usage {
    let [
        input,
        output,
        reasoning,
        cache_read,
        cache_write,
        total_tokens,
    ] = counts;
    Usage {
        input,
        output,
        reasoning,
        cache_read,
        cache_write,
        total_tokens,
    }
}

#[track_caller]
fn assert_close(what: &str, got: f64, expected: f64, usage: &Usage) {
    assert!(
        (got - expected).abs() < 1e-9,
        "{what} of {usage:?} is {expected}, not {got}"
    );
}
