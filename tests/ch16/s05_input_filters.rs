//! Section 16.5: Input filters

use claw_code::agent::*;

use super::support::*;

#[test]
fn test_ch16_first_filter_that_rejects_decides() {
    for (rule, text, verdict) in [
        ("the first filter that rejects decides", "bad", Err("first")),
        ("all filters are asked in order", "worse", Err("third")),
        ("no filter rejects this input", "good", Ok(())),
    ] {
        let verdict = verdict.map_err(String::from);
        assert_eq!(admit(&three_filters(), &user_text(text)), verdict, "{rule}");
    }
    let admitted = admit(&[], &user_text("bad"));
    assert_eq!(admitted, Ok(()), "without filters, all input is accepted");
}

#[test]
fn test_ch16_filters_do_not_see_extensions() {
    assert_eq!(
        admit(&three_filters(), &note("bad")),
        Ok(()),
        "filters do not see extensions, because the model does not"
    );
}

#[test]
fn test_ch16_only_user_messages_and_extensions_are_input() {
    let all = three_filters();
    for stranger in [
        model_reply("bad", &[], StopReason::Stop),
        result("a", "bad", false),
    ] {
        let role = stranger.role();
        for filters in [&all[..0], &all[..]] {
            let reason = admit(filters, &stranger.clone().into())
                .expect_err("only the loop may add replies and results");
            assert!(
                reason.contains(role),
                "the reason names {role}, and is not that of a filter: {reason}"
            );
        }
    }
}

#[test]
fn test_ch16_panicking_filter_rejects_input() {
    struct Crashing;
    impl InputFilter for Crashing {
        fn check(&self, _message: &Message) -> Result<(), String> {
            panic_silently("a bug in the filter")
        }
    }
    let verdict = std::panic::catch_unwind(|| admit(&[Box::new(Crashing)], &user_text("hello")));
    let verdict = verdict.expect("`admit` should catch a filter's panic");
    let rule = "input that a filter could not check is rejected";
    let reason = verdict.expect_err(rule);
    assert!(!reason.is_empty(), "{rule}, with a reason");
}

/// Two filters that reject `bad`, and one that rejects `worse`.
fn three_filters() -> [Box<dyn InputFilter>; 3] {
    [
        Box::new(Refuse("first", "bad")),
        Box::new(Refuse("second", "bad")),
        Box::new(Refuse("third", "worse")),
    ]
}
