//! Search beside ripgrep itself, on many files, and stopped half way.
//!
//! The tests that compare need the program `rg`; where it is missing they say so and
//! compare nothing.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use claw_code_solutions::tools::search::{Query, Scope, Search, Shape, Tree, compile};
use claw_code_solutions::tools::{GlobTool, GrepTool, RESULT_LIMIT, glob, grep};
use claw_code_solutions::types::Tool;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

/// What a call asks for, and what asks ripgrep for the same.
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
fn lines_are_those_of_ripgrep() {
    let Some(()) = ripgrep() else { return };
    let corpus = corpus();
    for (args, flags) in LINES {
        let args: Value = serde_json::from_str(args).expect("arguments");
        let mut args = args;
        args["limit"] = json!(1_000_000);
        let ours = grep(corpus.path(), &args, &CancellationToken::new());
        assert!(!ours.is_truncated, "{args}: the corpus is too large for it");
        let flags = [
            &["--heading", "--line-number", "--sort=path", "--crlf"],
            *flags,
        ]
        .concat();
        let theirs = rg(corpus.path(), &flags);
        assert!(
            !theirs.is_empty(),
            "{args}: ripgrep finds nothing, so nothing is compared"
        );
        assert_eq!(ours.content, theirs, "{args} and rg {flags:?}");
        for (mode, flag) in [("files", "--files-with-matches"), ("count", "--count")] {
            // Of matches over several lines, ripgrep counts the lines.
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
fn files_are_those_of_ripgrep() {
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
        // The one thing that is different on purpose: to ripgrep, a file that fits a glob
        // is not ignored. Here globs narrow.
        let known = [&["--files"], &flags[2..]].concat();
        let known: Vec<&str> = known
            .into_iter()
            .filter(|flag| !is_own_glob(flag))
            .collect();
        let known = rg(corpus.path(), &known);
        let known: Vec<&str> = known.lines().collect();
        let theirs: Vec<&str> = theirs.lines().filter(|path| known.contains(path)).collect();
        assert_eq!(ours.content, theirs.join("\n"), "{args} and rg {flags:?}");
    }
}

fn is_own_glob(flag: &str) -> bool {
    flag.starts_with("-g") && flag != "-g!.git"
}

/// The sources that cargo has downloaded: tens of thousands of files of every kind.
#[test]
fn counts_are_those_of_ripgrep_on_a_large_tree() {
    let Some(()) = ripgrep() else { return };
    let Some(tree) = registry() else { return };
    for pattern in ["unsafe impl Send", r"fn \w+<'a>", "[A-Z]{12}_SUFFIX"] {
        let ours = counts(&tree, &json!({ "pattern": pattern }));
        let theirs = rg(&tree, &["--count", "--crlf", pattern]);
        let theirs: BTreeMap<&str, usize> = theirs
            .lines()
            .filter_map(|line| line.rsplit_once(':'))
            .map(|(path, count)| (path, count.parse().expect("a number")))
            .collect();
        let ours: BTreeMap<&str, usize> =
            ours.iter().map(|(path, n)| (path.as_str(), *n)).collect();
        assert_eq!(
            ours, theirs,
            "the lines that match {pattern:?} in each file"
        );
        println!("{pattern:?}: the same {} files", ours.len());
    }
}

#[test]
fn an_answer_to_much_too_much_takes_little_memory() {
    // In a process of its own: the peak of memory is that of all tests that run in one.
    const ALONE: &str = "CLAW_SEARCH_ALONE";
    if std::env::var_os(ALONE).is_none() {
        let child = Command::new(std::env::current_exe().expect("this program"))
            .args(["--exact", "an_answer_to_much_too_much_takes_little_memory"])
            .args(["--nocapture"])
            .env(ALONE, "1")
            .output()
            .expect("it runs");
        let said = String::from_utf8_lossy(&child.stdout);
        assert!(
            child.status.success(),
            "{said}{}",
            String::from_utf8_lossy(&child.stderr)
        );
        println!("{said}");
        return;
    }
    let folder = many_names("x\n".repeat(100_000).as_bytes(), 20);
    let before = peak_memory();
    let args = json!({ "pattern": "x", "limit": 1_000_000_000, "context": 3 });
    let result = grep(folder.path(), &args, &CancellationToken::new());
    assert!(result.content.len() <= RESULT_LIMIT && result.is_truncated);
    assert!(
        result.content.contains("of 2000000 matches"),
        "all are counted: …{}",
        &result.content[result.content.len() - 200..]
    );
    if let (Some(before), Some(after)) = (before, peak_memory()) {
        println!(
            "2,000,000 lines match; the peak of memory grew by {} KiB",
            after - before
        );
        assert!(
            after - before < 16 * 1024,
            "2,000,000 lines match; the peak of memory grew by {} KiB",
            after - before
        );
    }
}

#[test]
fn a_dropped_call_stops_its_threads() {
    let text = "Wäre es nicht schön, fände man hier etwas?\n".repeat(25_000);
    let folder = many_names(text.as_bytes(), 500);
    let tool = GrepTool::new(folder.path());
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .expect("a runtime");
    let idle = threads();
    runtime.block_on(async {
        let call = tool.call(json!({ "pattern": "\\b.{9}\\b.[0-9]" }));
        let cut = tokio::time::timeout(Duration::from_millis(200), call).await;
        assert!(cut.is_err(), "so much is not searched in 200 ms");
    });
    let begun = Instant::now();
    runtime.shutdown_timeout(Duration::from_secs(20));
    let took = begun.elapsed();
    assert!(
        took < Duration::from_secs(2),
        "dropped in the middle, its threads ended only after {took:?}"
    );
    // Other tests of this program have threads of their own, so only a rise is looked at.
    println!(
        "threads: {idle:?} before, {:?} after, {took:?} to stop",
        threads()
    );
}

/// Every file's number of matches, uncut.
fn counts(root: &Path, args: &Value) -> BTreeMap<String, usize> {
    let mut args = args.clone();
    args["output_mode"] = json!("count");
    let (query, shape) = (Query::from_args(&args), Shape::from_args(&args));
    let matcher = compile(&query).expect("a pattern");
    let tree = Tree::open(root, &Scope::default()).expect("a folder");
    let found = Mutex::new(BTreeMap::new());
    let stop = CancellationToken::new();
    tree.visit(&stop, || {
        let mut search = Search::new(&matcher, &query, &shape, &stop);
        let (tree, found) = (&tree, &found);
        move |file| {
            let path = file.expect("it can be read");
            let hits = search.file(path, true).expect("it can be searched");
            if hits.matches > 0 {
                let name = tree.relative(path).display().to_string();
                found.lock().expect("no panic").insert(name, hits.matches);
            }
        }
    });
    found.into_inner().expect("no panic")
}

/// Whether there is a ripgrep to compare with.
fn ripgrep() -> Option<()> {
    match Command::new("rg").arg("--version").output() {
        Ok(output) if output.status.success() => Some(()),
        _ => {
            println!("NOT COMPARED: there is no `rg` on this machine; install ripgrep for it");
            None
        }
    }
}

/// What ripgrep says in this folder, in the form in which it is compared: without `\r` at
/// the ends of lines.
fn rg(folder: &Path, flags: &[&str]) -> String {
    let output = Command::new("rg")
        .args(["--no-config", "--color=never"])
        .args(flags)
        .current_dir(folder)
        .stdin(std::process::Stdio::null())
        .output()
        .expect("rg runs");
    let text = String::from_utf8_lossy(&output.stdout).replace("\r\n", "\n");
    text.trim_end_matches('\n').to_string()
}

fn registry() -> Option<PathBuf> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(std::env::home_dir()?.join(".cargo")));
    let sources = home?.join("registry/src");
    if !sources.is_dir() {
        println!(
            "NOT COMPARED: cargo has no sources in {}",
            sources.display()
        );
        return None;
    }
    Some(sources)
}

fn peak_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

fn threads() -> Option<usize> {
    Some(fs::read_dir("/proc/self/task").ok()?.count())
}

/// One file under so many names.
fn many_names(text: &[u8], names: usize) -> Folder {
    let folder = Folder::new();
    folder.write("000", text);
    for number in 1..names {
        let name = folder.path().join(format!("{number:03}"));
        fs::hard_link(folder.path().join("000"), name).expect("another name");
    }
    folder
}

/// Files of every kind that a search can stumble over. All but the binary ones have
/// their NUL, if any, where no match stands before it: there ripgrep itself answers in
/// one way for lines and in another for counts.
fn corpus() -> Folder {
    let folder = Folder::new();
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

/// A folder of its own for one test, removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        let path = std::env::temp_dir().join(format!("claw-search-{}", uuid::Uuid::new_v4()));
        fs::create_dir_all(&path).expect("a new folder");
        Self(path)
    }

    fn path(&self) -> &Path {
        &self.0
    }

    fn write(&self, path: &str, text: &[u8]) {
        let path = self.0.join(path);
        fs::create_dir_all(path.parent().expect("it lies in the folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_row_names_the_pattern_first() {
    let row = |args: Value| GrepTool::new(".").summary(&args);
    assert_eq!(row(json!({ "pattern": "main" })), "[grep: main]");
    assert_eq!(
        row(json!({ "pattern": "main", "path": "src" })),
        "[grep: main in src]"
    );
    let glob = GlobTool::new(".").summary(&json!({ "pattern": "*.rs", "path": "." }));
    assert_eq!(glob, "[glob: *.rs]");
}
