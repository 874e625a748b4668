//! `course-book serve`, over real connections.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::common::{Scratch, chapter};

/// Far longer than a rebuild takes anywhere.
const PATIENCE: Duration = Duration::from_secs(60);

struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(scratch: &Scratch, port: &str) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_course-book"))
            .args(["serve", "--port", port])
            .current_dir(scratch.root())
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

    /// The whole response, head included.
    fn get(&self, path: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).expect("it listens");
        let request = format!(
            "GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n",
            self.address
        );
        stream.write_all(request.as_bytes()).expect("it reads");
        let mut response = Vec::new();
        stream.read_to_end(&mut response).expect("it answers");
        String::from_utf8_lossy(&response).into_owned()
    }

    /// Asks for `path` until the response contains `wanted`.
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
        // It may have ended already; that is what some tests are about.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn pages_keep_up_with_their_sources() {
    let scratch = Scratch::new();
    let server = Server::start(&scratch, "0");
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
    scratch.write(
        "book/src/ch01-greetings.md",
        &format!("{}\nNew words.\n", chapter()),
    );
    server.wait_for(page, "New words.");
    scratch.write(
        "solutions/src/greeting.rs",
        "/// Greets loudly.\npub fn greet(name: &str) -> String {\n    name.to_uppercase()\n}\n",
    );
    server.wait_for(page, "Greets loudly.");

    // A build that fails is shown on the last good page, until it is mended.
    scratch.write("book/src/ch01-greetings.md", "{{#item greeting::gone}}\n");
    let broken = server.wait_for(page, "last good state");
    assert!(broken.contains("New words."), "{broken}");
    assert!(
        broken.contains("book/src/ch01-greetings.md:1: "),
        "{broken}"
    );
    scratch.write(
        "book/src/ch01-greetings.md",
        &format!("{}\nMended.\n", chapter()),
    );
    let mended = server.wait_for(page, "Mended.");
    assert!(!mended.contains("last good state"), "{mended}");
}

#[test]
fn the_learners_status_is_passed_on() {
    let scratch = Scratch::new();
    let server = Server::start(&scratch, "0");
    assert!(
        server
            .get("/course-status.json")
            .starts_with("HTTP/1.1 404")
    );
    scratch.write(".course/status.json", "{\"chapters\":[]}");
    let response = server.get("/course-status.json");
    assert!(response.starts_with("HTTP/1.1 200"), "{response}");
    assert!(response.contains("cache-control: no-store"), "{response}");
    assert!(response.contains("{\"chapters\":[]}"), "{response}");
}

#[test]
fn a_port_that_was_asked_for_and_is_taken_is_an_error() {
    let scratch = Scratch::new();
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port();
    let output = Command::new(env!("CARGO_BIN_EXE_course-book"))
        .args(["serve", "--port", &port.to_string()])
        .current_dir(scratch.root())
        .output()
        .expect("course-book runs");
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert!(text.contains(&format!("port {port} is in use")), "{text}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_it_quietly_and_leaves_nothing_behind() {
    for signal in ["-INT", "-TERM"] {
        let scratch = Scratch::new();
        let mut server = Server::start(&scratch, "0");
        // A page that is open keeps its connection; that must not hold the end up.
        let mut open = TcpStream::connect(&server.address).expect("it listens");
        write!(open, "GET / HTTP/1.1\r\nHost: x\r\n\r\n").expect("it reads");
        open.read_exact(&mut [0; 8]).expect("it answers");

        let id = server.child.id().to_string();
        let sent = Command::new("kill").args([signal, &id]).status();
        assert!(sent.expect("kill runs").success());
        let ended = server.child.wait().expect("it ends");
        assert_eq!(ended.code(), Some(0), "after {signal}");
        let left = fs::read_dir(scratch.root().join("target")).expect("the folder stays");
        assert_eq!(left.count(), 0, "after {signal}");
    }
}
