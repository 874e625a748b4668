//! Chapter 8, Search Tools.
//!
//! Folders are real ones, small, made for the test and removed after it. What ripgrep
//! itself finds in a larger one is compared in the reference's own tests.

use std::path::{Path, PathBuf};

use claw_code::tools::search::*;
use claw_code::tools::*;
use claw_code::types::*;
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

/// A small project with something of everything in it.
pub fn project() -> Folder {
    Folder::new(&[
        (".git/HEAD", "fn git\n"),
        (".gitignore", "target\n"),
        (".env", "KEY=1\n"),
        ("Cargo.toml", "[package]\nname = \"claw\"\n"),
        ("README.md", "# claw\n"),
        ("picture.png", "x\0\n"),
        ("src/bin/tool.rs", "fn main() {}\n"),
        ("src/lib.rs", "fn one() {}\nfn two() {}\n"),
        ("src/main.rs", "use x;\n\nfn main() {\n    run(1);\n}\n"),
        ("target/main.o", "out\n"),
    ])
}

/// Sixty files in twelve folders, with two lines in each that have an `x` in them.
pub fn sixty_files() -> Folder {
    let names: Vec<String> = (0..60)
        .map(|n| format!("{}/{}/{n:02}.txt", n % 4, n % 3))
        .collect();
    let files: Vec<(&str, &str)> = names
        .iter()
        .map(|name| (name.as_str(), "x\ny\nx\n"))
        .collect();
    Folder::new(&files)
}

/// What comes of a call on the whole road of chapter 3.
pub async fn called(tool: &dyn Tool, args: &Value) -> ToolResult {
    run(tool, args).await
}

pub fn line(text: &str) -> Line {
    Line {
        text: text.to_string(),
        is_match: true,
    }
}

pub fn hits_without_lines(matches: usize) -> Hits {
    Hits {
        matches,
        ..Hits::default()
    }
}

/// A matcher made without the code of 8.1.
#[track_caller]
pub fn matcher(pattern: &str) -> RegexMatcher {
    let mut builder = RegexMatcherBuilder::new();
    builder.multi_line(true).crlf(true);
    builder.build(pattern).expect("a pattern")
}

/// What is found in a file with this text.
#[track_caller]
pub fn found(text: &str, pattern: &str, shape: &Shape) -> Hits {
    let folder = Folder::new(&[("f", text)]);
    let (matcher, query, stop) = (matcher(pattern), Query::default(), CancellationToken::new());
    let mut search = Search::new(&matcher, &query, shape, &stop);
    let found = search.file(&folder.path().join("f"), true);
    found.expect("it can be read")
}

/// A folder of its own for one test, removed at its end.
pub struct Folder(pub PathBuf);

impl Folder {
    /// With these files in it, and the folders that hold them.
    pub fn new(files: &[(&str, &str)]) -> Self {
        let path = std::env::temp_dir().join(format!("claw-ch8-{}", uuid::Uuid::new_v4()));
        std::fs::create_dir_all(&path).expect("a new folder among the temporary files");
        for (file, text) in files {
            let file = path.join(file);
            let above = file.parent().expect("it lies in the new folder");
            std::fs::create_dir_all(above).expect("a new folder");
            std::fs::write(file, text).expect("a new file");
        }
        Self(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
