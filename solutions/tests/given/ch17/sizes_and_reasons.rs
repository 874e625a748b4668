//! Sizes and reasons

use claw_code::transcript::narrate::*;

#[test]
fn sizes_have_at_most_one_decimal() {
    for (bytes, expected) in [
        (0, "0 bytes"),
        (1, "1 byte"),
        (1023, "1023 bytes"),
        (1024, "1 KB"),
        (1280, "1.3 KB"),
        (1536, "1.5 KB"),
        (4096, "4 KB"),
        (10_188, "9.9 KB"),
        (10_239, "10 KB"),
        (10_752, "11 KB"),
        (1_048_063, "1023 KB"),
        (1_048_575, "1 MB"),
        (1_048_576, "1 MB"),
        (1_572_864, "1.5 MB"),
        (1 << 30, "1 GB"),
        (1 << 40, "1 TB"),
        (u64::MAX, "16777216 TB"),
    ] {
        assert_eq!(size(bytes), expected, "the size of {bytes} bytes");
    }
}

#[test]
fn reasons_leave_out_advice() {
    for (error, expected) in [
        ("`a` is a folder; list it instead", "`a` is a folder"),
        ("it took too long. Give it more time.", "it took too long"),
        ("no such file; look; ask", "no such file"),
        ("no such file. Look. Ask.", "no such file"),
        ("no such file. Look; ask", "no such file"),
        ("no such file; look. Ask.", "no such file"),
    ] {
        assert_eq!(
            reason(error),
            expected,
            "a reason is cut at the first `; ` or `. `: {error:?}"
        );
    }
}

#[test]
fn short_reasons_are_unchanged() {
    assert_eq!(reason("no such file"), "no such file", "a short error");
    for error in ["waited 1.5 s", "no `a;b`"] {
        assert_eq!(
            reason(error),
            error,
            "a period or semicolon without a space does not end a reason"
        );
    }
}

#[test]
fn reasons_are_one_line_without_a_period() {
    for (rule, error, expected) in [
        (
            "the first line, without its colon",
            "first:\nsecond",
            "first",
        ),
        (
            "no advice and no output",
            "took long. Wait.\nOutput:",
            "took long",
        ),
        ("the first line that is not blank", "\n \nfirst", "first"),
        ("no periods at the end", "done...", "done"),
        ("an empty error has an empty reason", "", ""),
        ("so has a blank one", "\n \n\t", ""),
    ] {
        assert_eq!(reason(error), expected, "{rule}: {error:?}");
    }
}

#[test]
fn long_reasons_are_cut() {
    let long = reason(&"漢".repeat(500));
    assert_eq!(
        long.chars().count(),
        MAX_REASON,
        "a long reason is cut: {long}"
    );
}
