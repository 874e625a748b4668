//! Compares search with ripgrep, and checks its memory use and its cancellation.
//!
//! The comparisons need the program `rg`. Without it, they print a notice and compare
//! nothing.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use claw_code_solutions::tools::search::{
    FileSearcher, FileWalk, OutputOptions, Query, Scope, compile,
};
use claw_code_solutions::tools::{GlobTool, GrepTool, RESULT_LIMIT, glob, grep};
use claw_code_solutions::types::Tool;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

#[path = "../../tests/support/temp_folder.rs"]
#[allow(dead_code, reason = "other tests use more of it")]
mod temp_folder;

use temp_folder::TempFolder;

/// The arguments of a call, and the equivalent arguments of ripgrep.
const LINES: &[(&str, &[&str])] = &[
    (r#"{"pattern": "needle"}"#, &["needle"]),
    (r#"{"pattern": "needle", "context": 1}"#, &["-C1", "needle"]),
    (
        r#"{"pattern": "needle", "before": 2, "after": 1}"#,
        &["-B2", "-A1", "needle"],
    ),
    (
        r#"{"pattern": "NEEDLE", "ignore_case": true}"#,
        &["-i", "NEEDLE"],
    ),
    (
        r#"{"pattern": "n(e+)dle[(]", "glob": "*.rs"}"#,
        &["-g*.rs", "n(e+)dle[(]"],
    ),
    (
        r#"{"pattern": "needle(", "literal": true}"#,
        &["-F", "needle("],
    ),
    (
        r#"{"pattern": "needle", "glob": "!*.rs"}"#,
        &["-g!*.rs", "needle"],
    ),
    (
        r#"{"pattern": "needle", "glob": "src/**/*.{rs,txt}"}"#,
        &["-gsrc/**/*.{rs,txt}", "needle"],
    ),
    (
        r#"{"pattern": "needle", "glob": "/deep"}"#,
        &["-g/deep", "needle"],
    ),
    (
        r#"{"pattern": "needle", "type": "rust"}"#,
        &["-trust", "needle"],
    ),
    (
        r#"{"pattern": "needle", "hidden": true}"#,
        &["--hidden", "-g!.git", "needle"],
    ),
    (
        r#"{"pattern": "needle", "ignored": true}"#,
        &["--no-ignore", "needle"],
    ),
    (r#"{"pattern": "needle;$"}"#, &["needle;$"]),
    (r#"{"pattern": "^$"}"#, &["^$"]),
    (
        r#"{"pattern": "needle\\W+hay", "multiline": true}"#,
        &["-U", "needle\\W+hay"],
    ),
    (r#"{"pattern": "größe|ÄRA"}"#, &["größe|ÄRA"]),
    (
        r#"{"pattern": "\\bära\\b", "ignore_case": true}"#,
        &["-i", "\\bära\\b"],
    ),
];

#[test]
fn grep_shows_the_match_whatever_the_context_is() {
    let line = "a line that is about as long as a line of code\n".repeat(600);
    let folder = TempFolder::with_files(&[("a.txt", &format!("{line}needle\n{line}"))]);
    let search = |args| grep(folder.path(), &args, &CancellationToken::new()).content;
    for context in [500, 5000] {
        let text = search(json!({ "pattern": "needle", "context": context }));
        assert!(
            text.contains("\n601:needle\n") && text.contains("ask for fewer context lines"),
            "context {context}: {text}"
        );
    }
    let text = search(json!({ "pattern": "needle", "context": 20 }));
    assert!(
        text.ends_with("code") && !text.contains("ask for fewer"),
        "{text}"
    );
}

#[test]
fn grep_finds_the_lines_that_ripgrep_finds() {
    let Some(()) = ripgrep() else { return };
    let corpus = corpus();
    for (args, flags) in LINES {
        let args: Value = serde_json::from_str(args).expect("arguments");
        let mut args = args;
        args["limit"] = json!(1_000_000);
        let ours = grep(corpus.path(), &args, &CancellationToken::new());
        assert!(
            !ours.is_truncated,
            "{args}: the result should be complete, so the corpus must be smaller"
        );
        let flags = [
            &["--heading", "--line-number", "--sort=path", "--crlf"],
            *flags,
        ]
        .concat();
        let theirs = rg(corpus.path(), &flags);
        assert!(
            !theirs.is_empty(),
            "{args}: ripgrep finds nothing, so this compares nothing"
        );
        assert_eq!(ours.content, theirs, "{args} and rg {flags:?}");
        for (mode, flag) in [("files", "--files-with-matches"), ("count", "--count")] {
            // ripgrep counts the lines of a match across lines.
            if mode == "count" && args["multiline"] == true {
                continue;
            }
            args["output_mode"] = json!(mode);
            let ours = grep(corpus.path(), &args, &CancellationToken::new());
            let flags = [&["--sort=path", flag], &flags[2..]].concat();
            assert_eq!(ours.content, rg(corpus.path(), &flags), "{args}");
        }
    }
}

#[test]
fn glob_finds_the_files_that_ripgrep_finds() {
    let Some(()) = ripgrep() else { return };
    let corpus = corpus();
    for (args, flags) in [
        (json!({ "pattern": "**" }), vec![]),
        (json!({ "pattern": "*.rs" }), vec!["-g*.rs"]),
        (json!({ "pattern": "*.{txt,md}" }), vec!["-g*.{txt,md}"]),
        (json!({ "pattern": "!src" }), vec!["-g!src"]),
        (
            json!({ "pattern": "[a-m]*/**/*.rs" }),
            vec!["-g[a-m]*/**/*.rs"],
        ),
        (
            json!({ "pattern": "**", "hidden": true }),
            vec!["--hidden", "-g!.git"],
        ),
        (
            json!({ "pattern": "**", "ignored": true }),
            vec!["--no-ignore"],
        ),
    ] {
        let ours = glob(corpus.path(), &args, &CancellationToken::new());
        let flags = [&["--files", "--sort=path"], flags.as_slice()].concat();
        let theirs = rg(corpus.path(), &flags);
        // The one intended difference: in ripgrep, a glob overrides the ignore rules. Here
        // it only excludes.
        let without_glob = [&["--files"], &flags[2..]].concat();
        let without_glob: Vec<&str> = without_glob
            .into_iter()
            .filter(|flag| !flag.starts_with("-g") || *flag == "-g!.git")
            .collect();
        let listed = rg(corpus.path(), &without_glob);
        let listed: Vec<&str> = listed.lines().collect();
        let theirs: Vec<&str> = theirs
            .lines()
            .filter(|path| listed.contains(path))
            .collect();
        assert_eq!(ours.content, theirs.join("\n"), "{args} and rg {flags:?}");
    }
}

/// Searches the sources that cargo has downloaded: tens of thousands of files.
#[test]
fn grep_counts_what_ripgrep_counts_in_a_large_folder() {
    let Some(()) = ripgrep() else { return };
    let Some(sources) = cargo_sources() else {
        return;
    };
    for pattern in ["unsafe impl Send", r"fn \w+<'a>", "[A-Z]{12}_SUFFIX"] {
        let ours = counts(&sources, &json!({ "pattern": pattern }));
        let theirs = rg(&sources, &["--count", "--crlf", pattern]);
        let theirs: BTreeMap<&str, usize> = theirs
            .lines()
            .filter_map(|line| line.rsplit_once(':'))
            .map(|(path, count)| (path, count.parse().expect("a number")))
            .collect();
        let ours: BTreeMap<&str, usize> =
            ours.iter().map(|(path, n)| (path.as_str(), *n)).collect();
        assert_eq!(
            ours, theirs,
            "the number of lines that match {pattern:?} in each file"
        );
        println!("{pattern:?}: the same counts in {} files", ours.len());
    }
}

#[test]
fn grep_with_millions_of_matches_needs_little_memory() {
    // In its own process, because the peak of memory covers all tests of a process.
    const IN_CHILD: &str = "CLAW_SEARCH_CHILD";
    if std::env::var_os(IN_CHILD).is_none() {
        let child = Command::new(std::env::current_exe().expect("this program"))
            .args([
                "--exact",
                "grep_with_millions_of_matches_needs_little_memory",
            ])
            .args(["--nocapture"])
            .env(IN_CHILD, "1")
            .output()
            .expect("the child runs");
        let output = String::from_utf8_lossy(&child.stdout);
        assert!(
            child.status.success(),
            "{output}{}",
            String::from_utf8_lossy(&child.stderr)
        );
        println!("{output}");
        return;
    }
    let folder = linked_files("x\n".repeat(100_000).as_bytes(), 20);
    let before = peak_memory();
    let args = json!({ "pattern": "x", "limit": 1_000_000_000, "context": 3 });
    let result = grep(folder.path(), &args, &CancellationToken::new());
    assert!(result.content.len() <= RESULT_LIMIT && result.is_truncated);
    assert!(
        result.content.contains("of 2000000 matches"),
        "all matches should count: …{}",
        &result.content[result.content.len() - 200..]
    );
    if let (Some(before), Some(after)) = (before, peak_memory()) {
        let growth = after - before;
        println!("2,000,000 lines match; the peak of memory grew by {growth} KiB");
        assert!(
            growth < 16 * 1024,
            "2,000,000 lines match; the peak of memory grew by {growth} KiB"
        );
    }
}

#[test]
fn dropped_grep_call_stops_its_threads() {
    let text = "Wäre es nicht schön, fände man hier etwas?\n".repeat(25_000);
    let folder = linked_files(text.as_bytes(), 500);
    let tool = GrepTool::new(folder.path());
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .expect("a runtime");
    let idle = threads();
    runtime.block_on(async {
        let call = tool.call(json!({ "pattern": "\\b.{9}\\b.[0-9]" }));
        let cut = tokio::time::timeout(Duration::from_millis(200), call).await;
        assert!(cut.is_err(), "the search should take longer than 200 ms");
    });
    let start = Instant::now();
    runtime.shutdown_timeout(Duration::from_secs(20));
    let took = start.elapsed();
    assert!(
        took < Duration::from_secs(2),
        "the call was dropped, and its threads ended only {took:?} later"
    );
    // Other tests of this process have threads too, so the numbers are only printed.
    println!(
        "threads: {idle:?} before the call, {:?} after it; {took:?} to stop",
        threads()
    );
}

/// The number of matches in each file, without a limit.
fn counts(root: &Path, args: &Value) -> BTreeMap<String, usize> {
    let mut args = args.clone();
    args["output_mode"] = json!("count");
    let (query, options) = (Query::from_args(&args), OutputOptions::from_args(&args));
    let matcher = compile(&query).expect("a valid pattern");
    let walk = FileWalk::new(root, &Scope::default()).expect("a folder");
    let found = Mutex::new(BTreeMap::new());
    let stop = CancellationToken::new();
    walk.visit(&stop, || {
        let mut searcher = FileSearcher::new(&matcher, &query, &options, &stop);
        let (walk, found) = (&walk, &found);
        move |file| {
            let path = file.expect("the file can be read");
            let matches = searcher.search(path, true).expect("it can be searched");
            if matches.count > 0 {
                let name = walk.relative(path).display().to_string();
                found.lock().expect("no panic").insert(name, matches.count);
            }
        }
    });
    found.into_inner().expect("no panic")
}

/// Checks for ripgrep, and prints a notice without it.
fn ripgrep() -> Option<()> {
    match Command::new("rg").arg("--version").output() {
        Ok(output) if output.status.success() => Some(()),
        _ => {
            println!("NOT COMPARED: install ripgrep (`rg`) to run this test");
            None
        }
    }
}

/// The output of ripgrep in this folder, without `\r` before line endings.
fn rg(folder: &Path, flags: &[&str]) -> String {
    let output = Command::new("rg")
        .args(["--no-config", "--color=never"])
        .args(flags)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .expect("rg runs");
    let text = String::from_utf8_lossy(&output.stdout).replace("\r\n", "\n");
    text.trim_end_matches('\n').to_string()
}

/// The folder of cargo's downloaded sources.
fn cargo_sources() -> Option<PathBuf> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(std::env::home_dir()?.join(".cargo")));
    let sources = home?.join("registry/src");
    if !sources.is_dir() {
        println!(
            "NOT COMPARED: there are no sources in {}",
            sources.display()
        );
        return None;
    }
    Some(sources)
}

/// The peak of this process's memory in KiB, on Linux.
fn peak_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// The number of this process's threads, on Linux.
fn threads() -> Option<usize> {
    Some(fs::read_dir("/proc/self/task").ok()?.count())
}

/// One file with so many names, by hard links.
fn linked_files(text: &[u8], names: usize) -> TempFolder {
    let folder = TempFolder::new();
    folder.write("000", text);
    for number in 1..names {
        let name = folder.path().join(format!("{number:03}"));
        fs::hard_link(folder.path().join("000"), name).expect("another name");
    }
    folder
}

/// Files with every feature that a search must handle. No binary file has a match before its
/// NUL byte: for such a file, ripgrep itself shows the lines but does not count them.
fn corpus() -> TempFolder {
    let folder = TempFolder::new();
    let utf16: Vec<u8> = "\u{feff}a needle\nin UTF-16\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    for (path, text) in [
        (".git/config", &b"needle\n"[..]),
        (
            ".gitignore",
            b"/target\n*.log\n!kept.log\nsub/**/deep.txt\n",
        ),
        (".ignore", b"by-ignore\n"),
        (".rgignore", b"by-rgignore\n"),
        (".hidden/needle.rs", b"needle\n"),
        (".env", b"needle=1\n"),
        ("target/debug/needle.rs", b"needle\n"),
        ("a.log", b"needle\n"),
        ("kept.log", b"needle\n"),
        ("by-ignore", b"needle\n"),
        ("by-rgignore", b"needle\n"),
        ("sub/.gitignore", b"local.*\n"),
        ("sub/local.txt", b"needle\n"),
        ("sub/x/y/deep.txt", b"needle\n"),
        ("sub/x/y/other.txt", b"needle\nhay\nneedle,\n  hay\n"),
        (
            "src/main.rs",
            b"fn needle() {\n    needle();\n}\n\nfn b() {}\n\n\n// Needle NEEDLE\n",
        ),
        ("src-a/main.rs", b"needle"),
        (
            "src.rs",
            b"let needle;\nlet b;\nlet c;\nlet needle;\nlet d;\nlet e;\nlet f;\nneedle",
        ),
        ("src/crlf.txt", b"let needle;\r\n\r\nlet b;\r\nneedle;\r\n"),
        ("src/empty.rs", b""),
        ("src/no-end.md", b"a\nneedle"),
        ("Makefile", b"needle:\n\ttrue\n"),
        ("deep", b"needle\n"),
        ("a/deep", b"needle\n"),
        ("umlaut ä.txt", "größe\nÄRA ära\nära_x\n".as_bytes()),
        ("latin1.txt", b"caf\xe9 needle \xff\n"),
        ("utf16.txt", &utf16),
        ("bom.txt", b"\xef\xbb\xbfneedle\n"),
        ("nul-first.bin", b"\0needle\nneedle\n"),
        ("B.txt", b"needle\n"),
        ("b.txt", b"needle\n"),
        ("#x#", b"needle\n"),
    ] {
        folder.write(path, text);
    }
    for number in 0..60 {
        let text = format!("{}needle {number}\n", "hay\n".repeat(number));
        folder.write(&format!("many/{}/{number}.rs", number % 7), text.as_bytes());
    }
    // Longer than the searcher's buffer.
    let text = format!(
        "{}needle;\n",
        "some hay that is of no interest\n".repeat(20_000)
    );
    folder.write("large.txt", text.as_bytes());
    let text = format!(
        "{}\0needle\n",
        "hay in a file that turns out binary\n".repeat(20_000)
    );
    folder.write("late.bin", text.as_bytes());
    folder
}

#[test]
fn summary_shows_the_pattern_first() {
    let summary = |args: Value| GrepTool::new(".").summary(&args);
    assert_eq!(summary(json!({ "pattern": "main" })), "[grep: main]");
    assert_eq!(
        summary(json!({ "pattern": "main", "path": "src" })),
        "[grep: main in src]"
    );
    let glob = GlobTool::new(".").summary(&json!({ "pattern": "*.rs", "path": "." }));
    assert_eq!(glob, "[glob: *.rs]");
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_behind_a_link_is_not_opened() {
    assert_eq!(errors_behind_links(), ["a link has replaced it"; 2]);
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "the next test runs it without `openat2`"]
fn the_opened_path_is_compared() {
    let by_the_system = "Too many levels of symbolic links (os error 40)";
    let errors = ["a link has replaced it", by_the_system];
    assert_eq!(errors_behind_links(), errors);
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_behind_a_link_is_not_opened_on_an_old_linux() {
    let mut python = Command::new("python3");
    python.args(["-c", include_str!("without_openat2.py")]);
    python.arg(std::env::current_exe().expect("this program has a path"));
    python.args(["--ignored", "--exact", "the_opened_path_is_compared"]);
    let output = python.output().expect("python3 starts");
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{shown}{output:?}");
    assert!(shown.contains("1 passed"), "{shown}");
}

/// The errors for a file in a linked folder and for a linked file. The file itself is searched.
#[cfg(target_os = "linux")]
fn errors_behind_links() -> [String; 2] {
    let folder = TempFolder::with_files(&[("src/a.rs", "needle\n")]);
    let root = folder.path().canonicalize().expect("the folder exists");
    std::os::unix::fs::symlink("src", root.join("folder")).expect("a link");
    std::os::unix::fs::symlink("src/a.rs", root.join("file.rs")).expect("a link");
    let (query, options, stop) = (needle(), OutputOptions::default(), CancellationToken::new());
    let matcher = compile(&query).expect("a pattern");
    let mut searcher = FileSearcher::new(&matcher, &query, &options, &stop);
    let found = searcher.search(&root.join("src/a.rs"), true);
    assert_eq!(found.expect("a file").count, 1);
    ["folder/a.rs", "file.rs"].map(|path| {
        let error = searcher.search(&root.join(path), true).expect_err(path);
        error.to_string()
    })
}

#[cfg(target_os = "linux")]
fn needle() -> Query {
    Query {
        pattern: "needle".to_string(),
        ..Query::default()
    }
}
