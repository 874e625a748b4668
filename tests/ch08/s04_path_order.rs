//! Section 8.4: The first files in path order

use std::path::Path;

use claw_code::tools::search::*;
use claw_code::tools::*;

use super::support::*;

#[test]
fn test_ch8_files_are_in_path_order() {
    let mut found = TopK::new(100);
    for path in ["b", "a-b", "a/z", "a", "B", "a/b/c", "ä", "a0"] {
        found.add(Path::new(path), matches(1));
    }
    assert_eq!(
        paths(&found),
        ["B", "a", "a/b/c", "a/z", "a-b", "a0", "b", "ä"],
        "paths compare name by name, and names byte by byte"
    );
}

#[test]
fn test_ch8_kept_files_do_not_depend_on_the_order_of_arrival() {
    let files: Vec<(String, usize)> = (0..6).map(|n| (format!("f{n}"), 1 + n % 3)).collect();
    for (limit, kept) in [(1, 1), (3, 2), (4, 3), (7, 4), (100, 6)] {
        let expected = &["f0", "f1", "f2", "f3", "f4", "f5"][..kept];
        for order in permutations(files.len()) {
            let mut found = TopK::new(limit);
            for n in &order {
                let (path, count) = &files[*n];
                found.add(Path::new(path), matches(*count));
            }
            assert_eq!(
                paths(&found),
                expected,
                "f0 to f5 have 1, 2, 3, 1, 2, 3 matches, and the limit is {limit}: the first files that fill the result should be kept; they were added in the order {order:?}"
            );
            let totals = &found.totals;
            assert_eq!(
                (totals.files, totals.matches, totals.searched),
                (6, 12, 6),
                "all files and matches count, kept or not; they were added in the order {order:?}"
            );
        }
    }
}

#[test]
fn test_ch8_kept_files_need_bounded_memory() {
    let mut found = TopK::new(usize::MAX);
    let mut most = 0;
    for number in (0..500).rev() {
        found.add(Path::new(&format!("{number:03}")), match_of_length(1000));
        most = most.max(found.files.len());
    }
    assert!(
        most <= RESULT_LIMIT / 1000 + 1,
        "no more files should be kept than fit into a result of {RESULT_LIMIT} bytes; of files with 1000 bytes each, {most} were kept at a time"
    );
    assert_eq!(found.files.len(), most, "the kept files fill the result");
    assert_eq!(paths(&found)[0], "000", "the kept files are the first ones");
    assert_eq!(found.totals.matches, 500, "all matches count");
}

#[test]
fn test_ch8_files_are_kept_while_their_paths_fit() {
    let mut found = TopK::new(1000);
    for number in 0..200 {
        found.add(
            Path::new(&format!("{number:0100}")),
            matches_without_lines(1),
        );
    }
    assert_eq!(
        found.files.len(),
        200,
        "200 lines with a path of 100 bytes fit into a result of {RESULT_LIMIT} bytes"
    );
}

#[test]
fn test_ch8_last_kept_file_may_fit_in_part() {
    let mut found = TopK::new(usize::MAX);
    for path in ["c", "b", "a"] {
        found.add(Path::new(path), match_of_length(RESULT_LIMIT * 5 / 8));
    }
    assert_eq!(
        paths(&found),
        ["a", "b"],
        "each file fills five eighths of a result; the second is kept, since a part of it fits"
    );
}

#[test]
fn test_ch8_full_result_accepts_only_earlier_files() {
    let mut found = TopK::new(3);
    for (rule, path, count) in [
        ("an empty result accepts every file", "m", 2),
        ("a result with room accepts every file", "n", 2),
    ] {
        assert!(found.accepts(Path::new("z")), "{rule}");
        found.add(Path::new(path), matches(count));
    }
    for (rule, path, expected) in [
        ("a later path is not accepted", "z", false),
        ("a path below the last one is not accepted", "n/a", false),
        ("an earlier path is accepted", "a", true),
    ] {
        assert_eq!(found.accepts(Path::new(path)), expected, "{rule}: {path}");
    }
    let mut found = TopK::new(1);
    found.add(Path::new("a/z"), matches(1));
    assert!(
        !found.accepts(Path::new("a-b")),
        "paths compare name by name, so `a-b` comes after `a/z`"
    );
}

#[test]
fn test_ch8_totals_count_every_file() {
    let mut found = TopK::new(1);
    let binary = FileMatches {
        is_binary: true,
        ..FileMatches::default()
    };
    found.add(Path::new("none"), FileMatches::default());
    found.add(Path::new("picture"), binary);
    assert!(
        found.files.is_empty(),
        "files without a match are not kept: {found:?}"
    );
    for reason in ["b: locked", "a: gone", "c: locked"] {
        found.add_unread(reason.to_string());
    }
    let totals = Totals {
        searched: 2,
        binary: 1,
        unread: 3,
        reason: Some("a: gone".to_string()),
        ..Totals::default()
    };
    assert_eq!(
        found.totals, totals,
        "everything counts, and the alphabetically first reason is kept"
    );
}

fn paths(found: &TopK) -> Vec<String> {
    let paths = found.files.keys();
    paths
        .map(|path| path.display().to_string().replace('\\', "/"))
        .collect()
}

/// Matches with one line each.
fn matches(count: usize) -> FileMatches {
    let lines = (1..=count).map(|number| match_line(&format!("{number}:x")));
    FileMatches {
        count,
        lines: lines.collect(),
        is_binary: false,
    }
}

/// One match with a line of this many bytes.
fn match_of_length(bytes: usize) -> FileMatches {
    FileMatches {
        count: 1,
        lines: vec![match_line(&"x".repeat(bytes))],
        is_binary: false,
    }
}

/// All orders of the numbers below `count`.
fn permutations(count: usize) -> Vec<Vec<usize>> {
    let mut orders = vec![Vec::new()];
    for _ in 0..count {
        let longer = |order: Vec<usize>| {
            let rest: Vec<usize> = (0..count).filter(|n| !order.contains(n)).collect();
            rest.into_iter()
                .map(move |n| [order.clone(), vec![n]].concat())
        };
        orders = orders.into_iter().flat_map(longer).collect();
    }
    orders
}
