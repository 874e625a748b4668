//! `course-book serve`, over real connections.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use course::loopback::NOT_LOOPBACK;

use crate::common::{TempCourse, chapter};

/// Far longer than any rebuild takes.
const PATIENCE: Duration = Duration::from_secs(60);

struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(course: &TempCourse, port: &str) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_course-book"))
            .args(["serve", "--port", port])
            .current_dir(course.root())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("course-book runs");
        let stdout = child.stdout.take().expect("a pipe");
        let mut line = String::new();
        let mut lines = BufReader::new(stdout);
        lines.read_line(&mut line).expect("it prints its address");
        let address = line
            .split("http://")
            .nth(1)
            .and_then(|rest| rest.split('/').next());
        let address = address.unwrap_or_else(|| panic!("no address in {line:?}"));
        Self {
            address: address.to_string(),
            child,
        }
    }

    /// The whole response with its headers.
    fn get(&self, path: &str) -> String {
        self.get_from(path, &self.address)
    }

    /// The same to a request with another `Host` header.
    fn get_from(&self, path: &str, host: &str) -> String {
        self.send(&format!(
            "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
        ))
    }

    /// The whole response to a request with a body.
    fn post(&self, path: &str, kind: &str, body: &str) -> String {
        self.send(&format!(
            "POST {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        ))
    }

    fn send(&self, request: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).expect("it listens");
        stream.write_all(request.as_bytes()).expect("it reads");
        let mut response = Vec::new();
        stream.read_to_end(&mut response).expect("it answers");
        String::from_utf8_lossy(&response).into_owned()
    }

    /// Requests `path` until the response contains `wanted`.
    fn wait_for(&self, path: &str, wanted: &str) -> String {
        let start = Instant::now();
        loop {
            let response = self.get(path);
            if response.contains(wanted) {
                return response;
            }
            assert!(start.elapsed() < PATIENCE, "no {wanted:?} in {response}");
            thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Some tests have ended the process already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn pages_are_rebuilt_after_changes() {
    let course = TempCourse::new();
    let server = Server::start(&course, "0");
    assert!(
        server.address.starts_with("127.0.0.1:"),
        "{}",
        server.address
    );
    let index = server.get("/");
    assert!(index.starts_with("HTTP/1.1 200"), "{index}");
    assert!(index.contains("Where to start"), "{index}");
    assert!(index.contains("event-stream"), "it reloads itself: {index}");
    assert!(server.get("/gone.html").starts_with("HTTP/1.1 404"));
    assert!(server.get("/../book/book.toml").starts_with("HTTP/1.1 404"));

    let page = "/ch01-greetings.html";
    course.write(
        "book/src/ch01-greetings.md",
        &format!("{}\nNew words.\n", chapter()),
    );
    server.wait_for(page, "New words.");
    course.write(
        "solutions/src/greeting.rs",
        "/// Greets loudly.\npub fn greet(name: &str) -> String {\n    name.to_uppercase()\n}\n",
    );
    server.wait_for(page, "Greets loudly.");

    // A failed build is shown on the last good page until it is fixed.
    course.write("book/src/ch01-greetings.md", "{{#item greeting::gone}}\n");
    let broken = server.wait_for(page, "last good build");
    assert!(broken.contains("New words."), "{broken}");
    assert!(
        broken.contains("book/src/ch01-greetings.md:1: "),
        "{broken}"
    );
    course.write(
        "book/src/ch01-greetings.md",
        &format!("{}\nMended.\n", chapter()),
    );
    let fixed = server.wait_for(page, "Mended.");
    assert!(!fixed.contains("last good build"), "{fixed}");
}

#[test]
fn the_learners_status_is_served() {
    let course = TempCourse::new();
    let server = Server::start(&course, "0");
    let asks = |expected: &str| {
        let response = server.get("/course-status.json");
        assert!(response.starts_with("HTTP/1.1 200"), "{response}");
        assert!(response.contains("cache-control: no-store"), "{response}");
        assert!(response.contains(expected), "{response}");
    };
    // Before the first check. After an error, a page would not ask again.
    asks("{\"chapters\": []}");
    let checked = "{\"chapters\":[{}]}";
    course.write(".course/status.json", checked);
    asks(checked);
}

#[test]
fn the_first_answer_to_each_question_of_a_quiz_is_kept() {
    let course = TempCourse::new();
    let server = Server::start(&course, "0");
    assert!(server.get("/course-quiz.json").contains("{}"));
    for answers in [r#"{"1.1":false}"#, r#"{"1.1":true,"1.2":true}"#] {
        let response = server.post("/course-quiz.json", "application/json", answers);
        assert!(response.starts_with("HTTP/1.1 204"), "{response}");
    }
    let kept = r#"{"1.1":false,"1.2":true}"#;
    let response = server.get("/course-quiz.json");
    assert!(response.contains(kept), "{response}");
    let file = fs::read_to_string(course.root().join(".course/quiz.json")).expect("it is stored");
    assert_eq!(file, kept);
}

#[test]
fn an_answer_that_another_site_could_send_is_refused() {
    let course = TempCourse::new();
    let server = Server::start(&course, "0");
    // A form or a script of another origin can send these without asking the server first.
    let refused = server.post("/course-quiz.json", "text/plain", r#"{"1.1":true}"#);
    assert!(refused.starts_with("HTTP/1.1 415"), "{refused}");
    let garbled = server.post("/course-quiz.json", "application/json", r#"{"one":true}"#);
    assert!(garbled.starts_with("HTTP/1.1 422"), "{garbled}");
    assert!(server.get("/course-quiz.json").contains("{}"));
}

#[test]
fn a_port_in_use_is_an_error() {
    let course = TempCourse::new();
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port();
    let output = Command::new(env!("CARGO_BIN_EXE_course-book"))
        .args(["serve", "--port", &port.to_string()])
        .current_dir(course.root())
        .output()
        .expect("course-book runs");
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert!(text.contains(&format!("port {port} is in use")), "{text}");
}

#[test]
fn a_request_for_another_host_is_refused() {
    let course = TempCourse::new();
    let server = Server::start(&course, "0");
    for path in ["/", "/course-status.json", "/course-quiz.json"] {
        let answer = server.get_from(path, "evil.example");
        assert!(answer.starts_with("HTTP/1.1 403 "), "{path}: {answer}");
        assert!(answer.ends_with(NOT_LOOPBACK), "{path}: {answer}");
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_exits_cleanly_and_removes_the_builds() {
    for signal in ["-INT", "-TERM"] {
        let course = TempCourse::new();
        let mut server = Server::start(&course, "0");
        // An open page keeps its connection, which must not delay the exit.
        let mut open = TcpStream::connect(&server.address).expect("it listens");
        write!(open, "GET / HTTP/1.1\r\nHost: x\r\n\r\n").expect("it reads");
        open.read_exact(&mut [0; 8]).expect("it answers");

        let id = server.child.id().to_string();
        let sent = Command::new("kill").args([signal, &id]).status();
        assert!(sent.expect("kill runs").success());
        let ended = server.child.wait().expect("it ends");
        assert_eq!(ended.code(), Some(0), "after {signal}");
        let left = fs::read_dir(course.root().join("target")).expect("the folder stays");
        assert_eq!(left.count(), 0, "after {signal}");
    }
}
