//! Explain a mismatch

use claw_code::tools::*;

use super::support::*;

const PROGRAM: &str =
    "fn add(a: i32) {}\nfn main() {\n    let total = add(1, 2);\n    print(total);\n}\n";

#[test]
fn mismatch_that_a_correction_explains() {
    let text = "fn a() {\n\tsay(\"hi\");\n}\nlast \\n";
    for (wanted, parts) in [
        (
            " 9\tfn a() {\n10\t\tsay(\"hi\");",
            ["without the line numbers", "line 1"],
        ),
        ("2\t\tsay(\"hi\");", ["without the line numbers", "line 2"]),
        ("{\\n\\tsay(\\\"hi\\\");", ["unescaped", "line 1"]),
        ("}\nlast \\n\n", ["without its final line end", "line 3"]),
        ("4\tlast \\n\n", ["without the line numbers", "line 4"]),
    ] {
        let rule = format!("{wanted:?} is a usual mistake");
        assert_contains(&rule, &explain_mismatch(text, wanted), &parts);
    }
    for (rule, wanted, part) in [
        (
            "a word is not a number",
            "then\tsay(\"hi\");",
            "line numbers",
        ),
        ("all lines must match", "1\tfn a() {\n2\tb", "line numbers"),
        (
            "nothing before the tab is no number",
            "\t\tsay(\"hi\");",
            "line numbers",
        ),
        (
            "this is not the end of the file",
            "say(\"hi\")\n",
            "final line end",
        ),
    ] {
        let message = explain_mismatch(text, wanted);
        assert!(
            !message.contains(part),
            "{rule}: {wanted:?} gives {message:?}"
        );
    }
}

#[test]
fn mismatch_in_white_space() {
    let text = "one\nfn a() {\n\tlet x = 1;\n\n\tlet y = 2;\n}\n";
    for (wanted, lines, parts) in [
        (
            "fn a() {\n    let x = 1;",
            "lines 2 to 3",
            ["line 3", r#""\tlet x = 1;""#, r#""    let x = 1;""#],
        ),
        (
            "let x = 1;\n  \n\tlet y = 2;",
            "lines 3 to 5",
            ["line 4", r#""""#, r#""  ""#],
        ),
        (
            "let  y=2;\n",
            "matches line 5",
            ["line 5", r#""\tlet y = 2;""#, r#""let  y=2;""#],
        ),
        (
            "let x =\n1;\nlet y",
            "lines 3 to 5",
            ["line 3 of the file", r#""\tlet x = 1;""#, r#""let x =""#],
        ),
    ] {
        let message = explain_mismatch(text, wanted);
        let rule = format!("{wanted:?} differs in white space");
        assert_contains(&rule, &message, &["white space", lines]);
        assert_contains(&rule, &message, &parts);
    }
}

#[test]
fn mismatch_shows_the_closest_lines() {
    for (rule, wanted, parts) in [
        (
            "the first line that differs",
            "fn main() {\n    let total = sum(1, 2);\n    print(total);",
            &[
                "closest",
                "lines 2 to 4",
                "line 3 of the file",
                r#""    let total = add(1, 2);""#,
                r#""    let total = sum(1, 2);""#,
            ][..],
        ),
        (
            "a first line that is the end of a line",
            "{\n    print(totals);",
            &["lines 3 to 4", "line 3 of the file", r#""{""#],
        ),
        (
            "a first line that matches the end of a line",
            "main() {\n    let total = add(1, 3);",
            &["lines 2 to 3", "line 3 of the file", "add(1, 3)"],
        ),
        (
            "lines past the end",
            "    print(total);\n}\n\nfn more() {}",
            &["lines 4 to 5", "the file ends there"],
        ),
    ] {
        assert_contains(rule, &explain_mismatch(PROGRAM, wanted), parts);
    }
}

#[test]
fn mismatch_without_a_similar_line() {
    for (text, wanted) in [
        (PROGRAM, "SELECT * FROM users"),
        ("", "x"),
        (PROGRAM, "7\t"),
        (PROGRAM, "\n\n\n"),
        ("x", "\n"),
    ] {
        let message = explain_mismatch(text, wanted);
        let parts = ["no line is similar", "read the file again"];
        assert_contains(&format!("{wanted:?}"), &message, &parts);
    }
}

#[test]
fn mismatch_shows_a_part_of_a_long_line() {
    let text = format!("{}MIDDLE{}\n", "a".repeat(5000), "b".repeat(5000));
    let wanted = text.replace("MIDDLE", "middle");
    let message = explain_mismatch(&text, wanted.trim_end());
    let rule = "the part of a long line that differs is shown";
    assert_contains(rule, &message, &["MIDDLE", "middle", "…"]);
    assert!(
        message.len() < 1000,
        "{rule}; the message has {} bytes",
        message.len()
    );
}

#[test]
fn an_excerpt_surrounds_the_difference() {
    let a = |count| "a".repeat(count);
    let middle = format!("is …\"{}X{}\"…, and", a(80), a(79));
    for (text, excerpt) in [
        (a(0) + "X" + &a(400), format!("is \"X{}\"…, and", a(159))),
        (a(200) + "X" + &a(200), middle),
        (a(400) + "X", format!("is …\"{}X\", and", a(159))),
        (a(159) + "X", format!("is \"{}X\", and", a(159))),
    ] {
        let message = explain_mismatch(&text, &text.replace('X', "Y"));
        let rule = format!("an excerpt has {MAX_EXCERPT} characters");
        assert_contains(&rule, &message, &[&excerpt]);
    }
}
