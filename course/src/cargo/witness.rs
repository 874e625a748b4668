//! A second channel for the results of tests, which the code under test cannot easily write to.
//!
//! The log of libtest is a file, and code in the same process can find and open it. The witness is
//! a socket. Each test begins with a call that connects to it, before any other code of the test,
//! and drops a value that reports the test's name when it ends without a panic. There is only one
//! connection: the socket's file is removed at once, and Linux opens no socket through `/proc`.
//! What is left to code under test is to write into the memory of its own process.

use std::collections::BTreeSet;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::JoinHandle;

use anyhow::{Context, Result};

/// The environment variable with a random number, a colon, and the path of the socket. The first
/// line that a test program writes to the socket is the number: programs that run at the same time
/// can't speak for each other.
pub const WITNESS: &str = "COURSE_WITNESS";

/// Waits for the tests of one process.
pub struct Witness {
    path: PathBuf,
    number: String,
    is_over: Arc<AtomicBool>,
    thread: JoinHandle<Vec<u8>>,
}

impl Witness {
    /// Makes the socket, in `dir`.
    pub fn start(dir: &Path) -> Result<Self> {
        static STARTED: AtomicUsize = AtomicUsize::new(0);
        let path = dir.join(format!("w{}", STARTED.fetch_add(1, Ordering::SeqCst)));
        let is_over = Arc::new(AtomicBool::new(false));
        let thread = listen(&path, is_over.clone())
            .with_context(|| format!("cannot make a socket at {}", path.display()))?;
        Ok(Self {
            path,
            // Every state has keys of its own.
            number: RandomState::new().build_hasher().finish().to_string(),
            is_over,
            thread,
        })
    }

    /// The value of [`WITNESS`].
    pub fn variable(&self) -> String {
        format!("{}:{}", self.number, self.path.display())
    }

    /// The names of the tests that were seen to finish. The process has ended.
    pub fn finish(self) -> BTreeSet<String> {
        self.is_over.store(true, Ordering::SeqCst);
        let lines = self.thread.join().unwrap_or_default();
        let lines = String::from_utf8_lossy(&lines).into_owned();
        match lines.split_once('\n') {
            Some((number, names)) if number == self.number => {
                names.lines().map(str::to_string).collect()
            }
            _ => BTreeSet::new(),
        }
    }
}

/// Accepts one connection and reads it to its end, on a thread.
#[cfg(unix)]
fn listen(path: &Path, is_over: Arc<AtomicBool>) -> std::io::Result<JoinHandle<Vec<u8>>> {
    use std::io::{ErrorKind, Read};
    use std::os::unix::net::UnixListener;
    use std::time::Duration;

    const PAUSE: Duration = Duration::from_millis(5);
    const MOST: usize = 1 << 20;

    let listener = UnixListener::bind(path)?;
    listener.set_nonblocking(true)?;
    let path = path.to_path_buf();
    Ok(std::thread::spawn(move || {
        // Read before each look: what the program wrote before its end is there afterwards.
        let has_ended = || is_over.load(Ordering::SeqCst);
        let accepted = loop {
            let is_last_look = has_ended();
            match listener.accept() {
                Ok((stream, _)) => break Some(stream),
                Err(_) if is_last_look => break None,
                Err(_) => std::thread::sleep(PAUSE),
            }
        };
        drop(listener);
        let _ = std::fs::remove_file(path);
        let mut lines = Vec::new();
        let Some(mut stream) = accepted else {
            return lines;
        };
        let _ = stream.set_nonblocking(false);
        let _ = stream.set_read_timeout(Some(PAUSE));
        let mut buffer = [0; 4096];
        while lines.len() < MOST {
            let is_last_look = has_ended();
            match stream.read(&mut buffer) {
                Ok(0) => break,
                Ok(size) => lines.extend(&buffer[..size]),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                // A process that survives the tests can keep the connection open.
                Err(_) if is_last_look => break,
                Err(_) => {}
            }
        }
        lines
    }))
}

#[cfg(not(unix))]
fn listen(_: &Path, _: Arc<AtomicBool>) -> std::io::Result<JoinHandle<Vec<u8>>> {
    Err(std::io::Error::other(
        "tests of others can be run on Linux and macOS only",
    ))
}
