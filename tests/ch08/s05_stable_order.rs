//! Section 8.5: Order out of disorder

use std::path::Path;

use claw_code::tools::search::*;
use claw_code::tools::*;

use super::support::*;

#[test]
fn test_ch8_kept_in_path_order() {
    let mut kept = Kept::new(100);
    for path in ["b", "a-b", "a/z", "a", "B", "a/b/c", "ä", "a0"] {
        kept.add(Path::new(path), hits(1));
    }
    assert_eq!(
        paths(&kept),
        ["B", "a", "a/b/c", "a/z", "a-b", "a0", "b", "ä"],
        "name by name along the path, each compared as it is"
    );
}

#[test]
fn test_ch8_kept_whatever_the_order() {
    let files: Vec<(String, usize)> = (0..6).map(|n| (format!("f{n}"), 1 + n % 3)).collect();
    let mut orders = vec![Vec::new()];
    for _ in 0..files.len() {
        orders = orders
            .into_iter()
            .flat_map(|order: Vec<usize>| {
                let rest = (0..files.len())
                    .filter(|n| !order.contains(n))
                    .collect::<Vec<_>>();
                rest.into_iter()
                    .map(move |n| [order.clone(), vec![n]].concat())
            })
            .collect();
    }
    for limit in [1, 3, 4, 7, 100] {
        let expected = match limit {
            1 => vec!["f0"],
            3 => vec!["f0", "f1"],
            4 => vec!["f0", "f1", "f2"],
            7 => vec!["f0", "f1", "f2", "f3"],
            _ => vec!["f0", "f1", "f2", "f3", "f4", "f5"],
        };
        for order in &orders {
            let mut kept = Kept::new(limit);
            for n in order {
                let (path, matches) = &files[*n];
                kept.add(Path::new(path), hits(*matches));
            }
            let came: Vec<&str> = order.iter().map(|n| files[*n].0.as_str()).collect();
            assert_eq!(
                paths(&kept),
                expected,
                "files with 1, 2, 3, 1, 2, 3 matches, room for {limit}: the first files that fill it are kept, and they came as {came:?}"
            );
            assert_eq!(
                (kept.tally.files, kept.tally.matches, kept.tally.searched),
                (6, 12, 6),
                "all are counted, kept or not; they came as {came:?}"
            );
        }
    }
}

#[test]
fn test_ch8_kept_is_bounded() {
    let mut kept = Kept::new(usize::MAX);
    let long = "x".repeat(1000);
    let mut most = 0;
    for number in (0..500).rev() {
        let line = Line {
            text: long.clone(),
            is_match: true,
        };
        let found = Hits {
            matches: 1,
            lines: vec![line],
            is_binary: false,
        };
        kept.add(Path::new(&format!("{number:03}")), found);
        most = most.max(kept.files.len());
    }
    assert!(
        most <= RESULT_LIMIT / 1000 + 1,
        "no more lines are kept than an answer of {RESULT_LIMIT} bytes can have; of files with 1000 bytes each, {most} were kept at a time"
    );
    assert_eq!(kept.files.len(), most, "and they fill it");
    assert_eq!(paths(&kept)[0], "000", "those that are kept are the first");
    assert_eq!(kept.tally.matches, 500, "all are counted");
    let mut kept = Kept::new(usize::MAX);
    for path in ["c", "b", "a"] {
        let line = Line {
            text: "x".repeat(RESULT_LIMIT * 5 / 8),
            is_match: true,
        };
        let found = Hits {
            matches: 1,
            lines: vec![line],
            is_binary: false,
        };
        kept.add(Path::new(path), found);
    }
    assert_eq!(
        paths(&kept),
        ["a", "b"],
        "two files of five eighths fill an answer; the second is kept, since the answer has room for a part of it"
    );
}

#[test]
fn test_ch8_kept_wants() {
    let mut kept = Kept::new(3);
    assert!(kept.wants(Path::new("z")), "an empty answer wants anything");
    kept.add(Path::new("m"), hits(2));
    assert!(kept.wants(Path::new("z")), "one with room left does");
    kept.add(Path::new("n"), hits(2));
    assert!(
        !kept.wants(Path::new("z")),
        "what comes behind a full answer is not wanted"
    );
    assert!(
        !kept.wants(Path::new("n/a")),
        "nor what is below its last path"
    );
    assert!(
        kept.wants(Path::new("a")),
        "what comes before its end still is"
    );
    let mut kept = Kept::new(1);
    kept.add(Path::new("a/z"), hits(1));
    assert!(
        !kept.wants(Path::new("a-b")),
        "paths are compared name by name: `a-b` comes behind `a/z`"
    );
}

#[test]
fn test_ch8_kept_counts() {
    let mut kept = Kept::new(1);
    kept.add(Path::new("none"), Hits::default());
    kept.add(
        Path::new("picture"),
        Hits {
            is_binary: true,
            ..Hits::default()
        },
    );
    assert!(kept.files.is_empty(), "a file without a match is not kept");
    for reason in ["b: locked", "c: locked", "a: gone"] {
        kept.add_unread(reason.to_string());
    }
    let tally = Tally {
        searched: 2,
        binary: 1,
        unread: 3,
        reason: Some("a: gone".to_string()),
        ..Tally::default()
    };
    assert_eq!(
        kept.tally, tally,
        "everything is counted, and of the reasons the first by text is kept, whichever came first"
    );
}

fn paths(kept: &Kept) -> Vec<String> {
    let paths = kept.files.keys();
    paths
        .map(|path| path.display().to_string().replace('\\', "/"))
        .collect()
}

/// So many matches, a line each.
fn hits(matches: usize) -> Hits {
    let lines = (1..=matches).map(|number| line(&format!("{number}:x")));
    Hits {
        matches,
        lines: lines.collect(),
        is_binary: false,
    }
}
