//! Runs the real book builder on the miniature course.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

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
    /// that a test's defect concerns run again.
    pub fn verified() -> Self {
        static PROOFS: OnceLock<Vec<u8>> = OnceLock::new();
        let proofs = PROOFS.get_or_init(|| {
            let fixture = Self::with_book();
            fixture.run_with_book("verify").exits(0);
            fixture.bytes("target/proofs.json")
        });
        let fixture = Self::with_book();
        fixture.write("target/proofs.json", proofs);
        fixture
    }

    /// Runs `cargo course ARGUMENTS` with that script as cargo.
    pub fn run_with_book(&self, arguments: &str) -> super::Ran {
        let mut command = self.command(arguments);
        command.env("CARGO", self.path("bin/cargo"));
        super::Ran::of(&mut command)
    }
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
