//! `cargo course class`, on files as learners hand them in.

#[cfg(unix)]
#[path = "../../book/tests/main/browser.rs"]
#[allow(dead_code, reason = "the tests of the book use all of it")]
mod browser;

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

/// A running `cargo course class`.
struct Class {
    child: Child,
    port: u16,
}

impl Class {
    fn of(source: &Path) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_course-teacher"))
            .args(["class", "--port", "0"])
            .arg(source)
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("an output"))
            .read_line(&mut line)
            .expect("a line");
        let port = line.split(['/', ':']).find_map(|part| part.parse().ok());
        let port = port.unwrap_or_else(|| panic!("no port in {line:?}"));
        Self { child, port }
    }

    fn url(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }

    /// The status line, the headers and the body.
    fn get(&self, path: &str, host: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("a connection");
        let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).expect("sent");
        let mut response = String::new();
        stream.read_to_string(&mut response).expect("an answer");
        response
    }

    /// The content of the page.
    fn main(&self) -> String {
        self.get("/main", &format!("127.0.0.1:{}", self.port))
    }
}

impl Drop for Class {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn now() -> u64 {
    course::journal::now()
}

/// A report of a learner who is red at `section` for `minutes`.
fn report(section: &str, state: &str, minutes: u64) -> Value {
    json!({
        "format": 1,
        "course": "0.1.0 abcdef12",
        "written_at": now() - 120,
        "path": "core",
        "current_chapter": 4,
        "current_section": section,
        "red_since": now() - 120 - minutes * 60,
        "wrong_answers": [],
        "chapters": [{ "number": 4, "problem": null, "sections": [
            { "id": "4.1", "title": "The first", "state": "done", "given": false },
            { "id": section, "title": "The tool loop", "state": state, "given": false },
            { "id": "4.9", "title": "Depth", "state": "done", "given": true },
        ] }],
    })
}

fn hand_in(folder: &Path, name: &str, content: impl AsRef<[u8]>) {
    fs::write(folder.join(name), content).expect("the file can be written");
}

#[test]
fn the_page_says_who_is_where_and_how_long() {
    let folder = TempDir::new().expect("a folder");
    let folder = folder.path();
    hand_in(
        folder,
        "otter.json",
        report("4.11", "wrong", 25).to_string(),
    );
    hand_in(
        folder,
        "heron.json",
        report("4.11", "not-written", 3 * 60 + 5).to_string(),
    );
    let mut done = report("4.11", "done", 0);
    done["current_section"] = Value::Null;
    hand_in(folder, "vole.json", done.to_string());
    let mut broken = report("4.2", "not-written", 1);
    broken["chapters"][0]["problem"] = json!({ "kind": "does-not-compile" });
    hand_in(folder, "newt.json", broken.to_string());
    let page = Class::of(folder).main();
    for text in [
        "4 learners",
        "<b>4.11</b> The tool loop</span><progress max=\"4\" value=\"2\">",
        "all open chapters are green</span><progress max=\"4\" value=\"1\">",
        "wrong answer</td><td data-label=\"Red for\">25 min</td><td data-label=\"Green\">1 of 2<",
        "3 h 5 min",
        "does not compile",
        "2 min ago",
        "0.1.0 abcdef12, core path",
    ] {
        assert!(page.contains(text), "expected {text:?} in {page}");
    }
    let order = ["heron", "otter", "newt"].map(|name| page.find(name));
    assert!(
        order.is_sorted(),
        "the longest red comes first: {order:?} in {page}"
    );
}

#[test]
fn common_wrong_answers_are_counted() {
    let folder = TempDir::new().expect("a folder");
    let folder = folder.path();
    for (name, is_now) in [("otter", true), ("heron", true), ("vole", false)] {
        let mut report = report("4.11", "wrong", 5);
        report["wrong_answers"] = json!([{ "section": "4.11", "because": "Stops too early." }]);
        if is_now {
            report["chapters"][0]["sections"][1]["explanation"] = json!("Stops too early.");
        }
        hand_in(folder, &format!("{name}.json"), report.to_string());
    }
    let mut other = report("4.2", "wrong", 5);
    other["wrong_answers"] = json!([{ "section": "4.1", "because": "`a < b` counts twice." }]);
    hand_in(folder, "newt.json", other.to_string());
    let page = Class::of(folder).main();
    let first = "<ol class=\"mistakes\">\n<li><b>4.11</b> Stops too early. <span class=\"note\">3 made it, 2 have it now";
    assert!(page.contains(first), "expected {first:?} in {page}");
    assert!(
        page.contains("<code>a &lt; b</code> counts twice. <span class=\"note\">1 made it, 0 have"),
        "{page}"
    );
}

#[test]
fn files_without_progress_get_a_row_that_says_why() {
    let folder = TempDir::new().expect("a folder");
    let folder = folder.path();
    let whole = report("4.11", "wrong", 5).to_string();
    hand_in(folder, "torn.json", &whole[..whole.len() / 2]);
    hand_in(folder, "empty.json", "");
    hand_in(folder, "foreign.json", "{\"hello\": [1, 2]}");
    hand_in(folder, "list.json", "[1]");
    hand_in(folder, "text.json", "hello");
    hand_in(folder, "deep.json", "[".repeat(100_000));
    hand_in(folder, "bytes.json", [0xff; 2000]);
    let mut newer: Value = report("4.11", "wrong", 5);
    newer["format"] = json!(2);
    hand_in(folder, "newer.json", newer.to_string());
    let huge = fs::File::create(folder.join("huge.json")).expect("a file");
    huge.set_len(100 << 20).expect("a size");
    fs::create_dir(folder.join("folder.json")).expect("a folder");
    hand_in(folder, "notes.txt", "not looked at");
    // An older version of the course wrote no times.
    hand_in(folder, "older.json", json!({ "current_chapter": 4, "current_section": "4.1",
        "chapters": [{ "number": 4, "sections": [{ "id": "4.1", "title": "The first", "state": "wrong" }] }] }).to_string());
    // The learner's clock was set right in between.
    let years = report("4.1", "wrong", 2 * 366 * 24 * 60);
    hand_in(folder, "clock.json", years.to_string());
    // Values of wrong types.
    hand_in(folder, "odd.json", json!({ "format": "x", "current_section": 7, "path": [],
        "written_at": -5, "red_since": "then", "wrong_answers": 3, "chapters": [3, { "sections": "x" }] }).to_string());
    // PowerShell redirects into UTF-16.
    let units = whole.encode_utf16().flat_map(u16::to_le_bytes);
    hand_in(
        folder,
        "power.json",
        [0xff, 0xfe].into_iter().chain(units).collect::<Vec<u8>>(),
    );
    let page = Class::of(folder).main();
    for (name, text) in [
        ("torn", "The file is cut off"),
        ("empty", "The file is empty"),
        ("foreign", "The file is not a report of this course"),
        ("list", "The file is not a report of this course"),
        ("text", "The file is not JSON"),
        ("deep", "The file is not JSON"),
        ("bytes", "The file is not JSON"),
        ("newer", "The file is from a newer version"),
        ("huge", "The file is too large (100 MB)"),
        ("folder", "The file is not a plain file"),
        ("older", "<td data-label=\"Course\">an older version"),
        ("clock", "<td data-label=\"Red for\">unknown"),
        ("odd", "all green"),
        ("power", "wrong answer"),
    ] {
        let row = page
            .lines()
            .find(|line| line.contains(&format!(">{name}</th>")));
        let row = row.unwrap_or_else(|| panic!("no row for {name} in {page}"));
        assert!(row.contains(text), "expected {text:?} in {row}");
    }
    assert!(!page.contains("notes"), "{page}");
}

#[test]
fn the_folder_may_be_empty_or_go_away() {
    let folder = TempDir::new().expect("a folder");
    let class = Class::of(folder.path());
    assert!(class.main().contains("No files yet"), "{}", class.main());
    fs::remove_dir(folder.path()).expect("it is empty");
    let page = class.main();
    assert!(
        page.contains("role=\"alert\"") && page.contains("cannot be read"),
        "{page}"
    );
}

#[test]
fn only_this_machine_may_read_the_page() {
    let folder = TempDir::new().expect("a folder");
    let class = Class::of(folder.path());
    let port = class.port;
    for host in [
        "evil.example",
        &format!("evil.example:{port}"),
        "127.0.0.1:1",
        "127.0.0.1",
    ] {
        let answer = class.get("/", host);
        assert!(
            answer.starts_with("HTTP/1.1 403 "),
            "from the host {host}: {answer}"
        );
        assert!(
            !answer.contains("The class"),
            "from the host {host}: {answer}"
        );
    }
    for host in [format!("127.0.0.1:{port}"), format!("localhost:{port}")] {
        let answer = class.get("/", &host);
        assert!(
            answer.starts_with("HTTP/1.1 200 "),
            "from the host {host}: {answer}"
        );
        assert!(
            answer.contains("default-src 'none'"),
            "a policy in {answer}"
        );
    }
}

#[test]
fn a_git_repository_is_cloned() {
    let folder = TempDir::new().expect("a folder");
    let work = folder.path().join("work");
    fs::create_dir(&work).expect("a folder");
    hand_in(&work, "otter.json", report("4.11", "wrong", 25).to_string());
    let git = |arguments: &[&str]| {
        let mut git = Command::new("git");
        git.arg("-C").arg(folder.path()).args(arguments);
        assert!(git.status().expect("git starts").success(), "{git:?}");
    };
    git(&["init", "--quiet", "work"]);
    git(&["-C", "work", "add", "."]);
    let author = [
        "-C",
        "work",
        "-c",
        "user.name=a",
        "-c",
        "user.email=a@example.com",
    ];
    git(&[&author[..], &["commit", "--quiet", "-m", "Hand in"]].concat());
    git(&["clone", "--quiet", "--bare", "work", "class.git"]);
    let class = Class::of(&folder.path().join("class.git"));
    let page = class.main();
    assert!(page.contains(">otter</th>"), "{page}");
    let clone = Path::new(env!("CARGO_MANIFEST_DIR"));
    let clone = clone.join(format!("../../target/class-{}", class.port));
    fs::remove_dir_all(clone).expect("the clone is in target");
}

#[test]
fn a_source_that_is_neither_folder_nor_repository_is_an_error() {
    let output = Command::new(env!("CARGO_BIN_EXE_course-teacher"))
        .args(["class", "--port", "0", "/nowhere/at/all"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("it starts");
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(
        error.contains("is neither a folder nor a git repository"),
        "{error}"
    );
}

#[cfg(unix)]
#[test]
fn a_browser_shows_the_page_and_runs_nothing_from_the_files() {
    let Some(mut browser) = browser::Browser::start() else {
        return;
    };
    let folder = TempDir::new().expect("a folder");
    let folder = folder.path();
    let evil = "<img src=x onerror=window.hit=1><script>window.hit=1<\u{2044}script>";
    let mut report = report("4.11", "wrong", 5);
    let script = "\"'><script>window.hit=1</script><img src=x onerror=window.hit=1>";
    report["path"] = json!(script);
    report["course"] = json!(script);
    report["current_section"] = json!(script);
    report["wrong_answers"] = json!([{ "section": script, "because": script }]);
    report["chapters"][0]["sections"][1] =
        json!({ "id": script, "title": script, "state": script, "explanation": script });
    hand_in(folder, &format!("{evil}.json"), report.to_string());
    let class = Class::of(folder);
    browser.resize(390, 800);
    browser.visit(&class.url());
    let until = |browser: &mut browser::Browser, what: &str| {
        for _ in 0..200 {
            if browser.value(what) == json!(true) {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        panic!("timed out waiting for {what}");
    };
    // The second learner's row comes without a reload.
    browser.value("window.same = true");
    hand_in(
        folder,
        &format!("{}.json", "a-long-name".repeat(12)),
        report.to_string(),
    );
    until(
        &mut browser,
        "document.querySelectorAll('tbody tr').length === 2",
    );
    assert_eq!(
        browser.value("window.same"),
        json!(true),
        "the page was not loaded again"
    );
    assert_eq!(
        browser.value("typeof window.hit"),
        json!("undefined"),
        "a script ran"
    );
    assert_eq!(
        browser.value("document.querySelectorAll('main script, main img').length"),
        0
    );
    let shown = browser.value("document.querySelector('main').textContent");
    let shown = shown.as_str().unwrap_or_default();
    assert!(
        shown.contains(evil) && shown.contains(script),
        "shown as text: {shown}"
    );
    for width in [390, 1280] {
        browser.resize(width, 800);
        let wide = browser.value("document.documentElement.scrollWidth > innerWidth");
        assert_eq!(
            wide,
            json!(false),
            "at {width} pixels, the page is wider than the window"
        );
    }
    drop(class);
    until(&mut browser, "!document.getElementById('stopped').hidden");
}
