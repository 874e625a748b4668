//! Runs the real book builder on the miniature course.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::{Duration, SystemTime};

use serde_json::Value;

use super::{Fixture, RUNNER};

/// The words added to each page, since a page must have the length of a chapter.
const FILLER_WORDS: usize = 2_200;

impl Fixture {
    /// The course with pages of full length, and with a `cargo` script that runs the existing book
    /// builder instead of building another.
    pub fn with_book() -> Self {
        let fixture = Self::new();
        for page in ["ch01-one-light", "ch02-the-crossing"] {
            let filler = "Cars come and go. ".repeat(FILLER_WORDS / 4);
            fixture.append(&format!("book/src/{page}.md"), &format!("\n{filler}\n"));
        }
        let script = format!(
            "#!/bin/sh\n\
             case \" $* \" in\n\
             *' course-book '*)\n\
                 while [ \"$1\" != -- ]; do shift; done\n\
                 shift\n\
                 exec '{}' \"$@\" ;;\n\
             *) exec '{}' \"$@\" ;;\n\
             esac\n",
            book_builder().display(),
            env::var("CARGO").expect("cargo runs the tests"),
        );
        fixture.program("bin/cargo", script);
        fixture
    }

    /// The same course after `cargo course verify` on another copy of it, so that only the checks
    /// that a test's defect concerns run again, and the reference is built again only after an
    /// edit to it or to its tests.
    pub fn verified() -> Self {
        static TARGET: OnceLock<Vec<TargetFile>> = OnceLock::new();
        let target = TARGET.get_or_init(|| {
            let fixture = Self::with_book();
            fixture.run_with_book("verify").exits(0);
            let names = fixture.files("target").into_keys();
            let kept = names.filter(|name| KEPT.iter().any(|part| name.contains(part)));
            kept.map(|name| TargetFile::read(&fixture, name)).collect()
        });
        let fixture = Self::with_book();
        let now = SystemTime::now();
        for name in fixture.everything().keys() {
            set_modified(&fixture.path(name), now - 2 * HOUR);
        }
        for file in target {
            fixture.write(&file.name, &file.content);
            let path = fixture.path(&file.name);
            fs::set_permissions(&path, file.permissions.clone()).expect("its mode can be set");
            set_modified(&path, now - HOUR);
        }
        fixture
    }

    /// Runs `cargo course ARGUMENTS` with that script as cargo.
    pub fn run_with_book(&self, arguments: &str) -> super::Ran {
        let mut command = self.command(arguments);
        command.env("CARGO", self.path("bin/cargo"));
        super::Ran::of(&mut command)
    }
}

/// The files below `target` that [`Fixture::verified`] takes over: the proofs, what cargo knows of
/// the compiler, and the build of the reference.
const KEPT: [&str; 5] = [
    "proofs.json",
    "rustc_info.json",
    "claw-code-solutions-",
    "claw_code_solutions-",
    "chapters-",
];

const HOUR: Duration = Duration::from_secs(3600);

/// A file below `target`.
struct TargetFile {
    name: String,
    content: Vec<u8>,
    permissions: fs::Permissions,
}

impl TargetFile {
    fn read(fixture: &Fixture, name: String) -> Self {
        let metadata = fs::metadata(fixture.path(&name)).expect("the file was just listed");
        Self {
            content: fixture.bytes(&name),
            permissions: metadata.permissions(),
            name,
        }
    }
}

/// Sets the time of the last change, by which cargo decides what to build again.
fn set_modified(path: &Path, time: SystemTime) {
    let file = fs::File::options().append(true).open(path);
    file.and_then(|file| file.set_modified(time))
        .unwrap_or_else(|error| panic!("cannot set the time of {path:?}: {error}"));
}

/// The real book builder, built once beside the runner under test.
fn book_builder() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let target = Path::new(RUNNER).ancestors().nth(2);
        let output = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
            .args([
                "build",
                "--package",
                "course-book",
                "--message-format",
                "json",
            ])
            .arg("--manifest-path")
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"))
            .arg("--target-dir")
            .arg(target.expect("the runner lies in a target folder"))
            .output()
            .expect("cargo can be started");
        let text = String::from_utf8_lossy(&output.stdout);
        let built = text
            .lines()
            .filter_map(|line| serde_json::from_str::<Value>(line).ok())
            .find_map(|message| {
                let program = message["executable"].as_str()?;
                (message["target"]["name"] == "course-book").then(|| PathBuf::from(program))
            });
        built.unwrap_or_else(|| {
            let words = String::from_utf8_lossy(&output.stderr);
            panic!("the book builder cannot be built:\n{words}")
        })
    })
}
