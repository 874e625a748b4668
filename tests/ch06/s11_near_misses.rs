//! Section 6.11: Near misses

use claw_code::tools::*;

use super::support::*;

#[test]
fn test_ch6_miss_read_another_way() {
    let text = "fn a() {\n\tsay(\"hi\");\n}\nlast";
    for (wanted, words) in [
        (
            " 9\tfn a() {\n10\t\tsay(\"hi\");",
            ["without the line numbers", "line 1"],
        ),
        ("2\t\tsay(\"hi\");", ["without the line numbers", "line 2"]),
        ("{\\n\\tsay(\\\"hi\\\");", ["unescaped", "line 1"]),
        ("}\nlast\n", ["without the line end", "line 3"]),
    ] {
        contains(&explain_miss(text, wanted), &words);
    }
    let message = explain_miss(text, "then\tsay(\"hi\");");
    assert!(
        !message.contains("line numbers"),
        "what stands before a tab is a line number only if it is a number; it says: {message}"
    );
}

#[test]
fn test_ch6_miss_by_white_space() {
    let text = "one\nfn a() {\n\tlet x = 1;\n\n\tlet y = 2;\n}\n";
    for (wanted, words) in [
        (
            "fn a() {\n    let x = 1;",
            [
                "white space",
                "lines 2 to 3",
                "line 3",
                r#""\tlet x = 1;""#,
                r#""    let x = 1;""#,
            ],
        ),
        (
            "let x = 1;\n  \n\tlet y = 2;",
            ["white space", "lines 3 to 5", "line 4", r#""""#, r#""  ""#],
        ),
        (
            "let  y=2;",
            [
                "white space",
                "is line 5",
                "line 5",
                r#""\tlet y = 2;""#,
                r#""let  y=2;""#,
            ],
        ),
    ] {
        contains(&explain_miss(text, wanted), &words);
    }
    contains(
        &explain_miss(text, "let x =\n1;\nlet y"),
        &["white space", "lines 3 to 5", "line 3 of the file"],
    );
    let blank = ["", "a", ""];
    assert_eq!(
        without_white_space(&["", "a b", "", "c d"], &["bc"]),
        Some(1),
        "what is wanted may begin inside of a line, and go on behind blank ones"
    );
    assert_eq!(
        without_white_space(&["", "ab", "", "cd"], &["c d"]),
        Some(3)
    );
    assert_eq!(
        without_white_space(&blank, &["  "]),
        None,
        "white space alone is like any blank line, and tells nothing"
    );
    assert_eq!(without_white_space(&blank, &["a", " ", "b"]), None);
    assert_eq!(
        without_white_space(&["a"], &["a", "b"]),
        None,
        "longer than the file"
    );
}

#[test]
fn test_ch6_miss_shows_the_closest_lines() {
    let text = "fn add(a: i32) {}\nfn main() {\n    let total = add(1, 2);\n    print(total);\n}\n";
    contains(
        &explain_miss(
            text,
            "fn main() {\n    let total = sum(1, 2);\n    print(total);",
        ),
        &[
            "closest",
            "lines 2 to 4",
            "line 3 of the file",
            r#""    let total = add(1, 2);""#,
            r#""    let total = sum(1, 2);""#,
        ],
    );
    contains(
        &explain_miss(text, "{\n    print(totals);"),
        &["lines 3 to 4", "line 3 of the file", r#""{""#],
    );
    contains(
        &explain_miss(text, "main() {\n    let total = add(1, 3);"),
        &["lines 2 to 3", "line 3 of the file", "add(1, 3)"],
    );
    contains(
        &explain_miss(text, "    print(total);\n}\n\nfn more() {}"),
        &["lines 4 to 5", "the file ends there"],
    );
    let far = explain_miss(text, "SELECT * FROM users");
    contains(&far, &["nor anything like it", "read it again"]);
    for (text, wanted) in [("", "x"), (text, "7\t"), (text, "\n\n\n")] {
        contains(&explain_miss(text, wanted), &["nor anything like it"]);
    }
}

#[test]
fn test_ch6_miss_of_equal_candidates() {
    let lines = ["}", "return x;", "a", "return x;", "b", "return x;", "b"];
    assert_eq!(
        closest(&lines, &["return x;", "c"]),
        Some(1),
        "of lines that are equally like it, the first"
    );
    assert_eq!(
        closest(&lines, &["return x;", "b"]),
        Some(3),
        "unless more of the lines around another are the same; of those, the first"
    );
    assert_eq!(
        closest(&lines, &["a", "return y;"]),
        Some(2),
        "the longest line decides"
    );
    assert_eq!(closest(&lines, &["nothing else"]), None);
    assert_eq!(
        closest(&["abd"], &["abc"]),
        Some(0),
        "half of the pairs are enough"
    );
    for (line, wanted) in [
        ("ab", "abcdefghijklmnop"),
        ("abcdefghijklmnop", "ab"),
        ("ababababab", "abcdef"),
    ] {
        assert_eq!(
            closest(&[line], &[wanted]),
            None,
            "{line:?} and {wanted:?} share too few of their pairs"
        );
    }
    assert_eq!(
        closest(&["return x;"], &["a", "b", "return x;"]),
        Some(0),
        "before the first line there is none"
    );
}

#[test]
fn test_ch6_miss_shows_a_part_of_a_long_line() {
    let text = format!("{}MIDDLE{}\n", "a".repeat(5000), "b".repeat(5000));
    let wanted = text.replace("MIDDLE", "middle");
    let message = explain_miss(&text, wanted.trim_end());
    contains(&message, &["MIDDLE", "middle", "…"]);
    assert!(
        message.len() < 1000,
        "of long lines the part that differs is shown; the message has {} bytes",
        message.len()
    );
    let a = |count| "a".repeat(count);
    for (text, shown) in [
        (a(0) + "X" + &a(400), format!("is \"X{}\"…, and", a(159))),
        (
            a(200) + "X" + &a(200),
            format!("is …\"{}X{}\"…, and", a(80), a(79)),
        ),
        (a(400) + "X" + &a(0), format!("is …\"{}X\", and", a(159))),
        (a(159) + "X", format!("is \"{}X\", and", a(159))),
    ] {
        contains(&explain_miss(&text, &text.replace('X', "Y")), &[&shown]);
    }
}
