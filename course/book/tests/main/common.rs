//! A small course with a book in a temporary folder. It uses the real book's theme.

use std::fs;
use std::path::{Path, PathBuf};

use course::repo::Repo;
use tempfile::TempDir;

const COURSE: &str = r#"
[[part]]
title = "The core"
chapters = [
  { number = 1, slug = "greetings", title = "Greetings", about = "Says hello." },
  { number = 2, slug = "later", title = "Later", about = "Comes later." },
]
"#;

/// The manifest of the chapter.
pub const MANIFEST: &str = r#"
[[section]]
id = "green-time"
minutes = 10
talk = "A greeting names the person."
title = "The function greet()"
items = ["greeting::greet"]
tests = ["test_ch1_greets"]
hints = ["one", "two", "three"]
"#;

const SOLUTION: &str =
    "/// Greets `name`.\npub fn greet(name: &str) -> String {\n    format!(\"Hello, {name}\")\n}\n";

const CHAPTER: &str = "# Chapter 1: Greetings

{{#picture wave}}

Back to [the start](index.md#where-to-start).

## 1.1 The function `greet()`

{{#stub greeting::greet}}

It lies in `src/greeting.rs`; `test_ch1_greets` and all of `test_ch1_…` check it.

**Predict.** What comes back?

<details><summary>Answer</summary>

A text.

</details>

{{#checkpoint 1.1}}

";

const PICTURE: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\" role=\"img\" aria-labelledby=\"wave-title\">\n<title id=\"wave-title\">A hand</title>\n\n<path d=\"M1 1h7\"/>\n</svg>\n";

const INDEX: &str = "# Start\n\n## Where to start\n\nAt [chapter 1](ch01-greetings.md#checkpoint-1.1).\n\n{{#chapters}}\n";

/// The chapter's page, without problems and with enough words.
pub fn chapter() -> String {
    format!("{CHAPTER}{}\n", "All is well. ".repeat(700))
}

/// A trace with six steps.
pub fn trace() -> String {
    let steps = (1..=6).map(|number| {
        let lane = if number % 2 == 1 { "You" } else { "Agent" };
        format!(
            r#"{{ "lane": "{lane}", "title": "Step number {number}", "language": "text", "value": ["Hello, a rather long name that does not fit on a phone", "", "<b>"], "code": "greeting::greet", "about": "It says `hello`." }}"#
        )
    });
    let steps: Vec<String> = steps.collect();
    format!(
        r#"{{ "title": "a greeting", "steps": [{}] }}"#,
        steps.join(",")
    )
}

pub struct TempCourse {
    dir: TempDir,
}

impl TempCourse {
    pub fn new() -> Self {
        let course = Self {
            dir: TempDir::new().expect("a temporary folder"),
        };
        let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../book");
        let theme = fs::read_dir(book.join("theme")).expect("the real book's look");
        let theme = theme.map(|entry| entry.expect("a file of it").path());
        for file in theme
            .filter(|path| path.is_file())
            .chain([book.join("book.toml")])
        {
            let text = fs::read_to_string(&file).expect("the real book has it");
            let name = file.strip_prefix(&book).expect("inside the book");
            course.write(&format!("book/{}", name.display()), &text);
        }
        course.write("book/src/course.toml", COURSE);
        course.write("book/src/ch01-greetings.toml", MANIFEST);
        course.write("book/src/ch01-greetings.md", &chapter());
        course.write("book/src/index.md", INDEX);
        course.write("book/src/images/wave.svg", PICTURE);
        course.write(
            "book/src/SUMMARY.md",
            "# Summary\n\n[Start](index.md)\n\n- [Greetings](ch01-greetings.md)\n",
        );
        course.write("solutions/src/lib.rs", "pub mod greeting;\n");
        course.write("solutions/src/greeting.rs", SOLUTION);
        course.write(
            "tests/ch01/s01_greet.rs",
            "#[test]\nfn test_ch1_greets() {}\n",
        );
        course
    }

    pub fn root(&self) -> &Path {
        self.dir.path()
    }

    pub fn repo(&self) -> Repo {
        Repo::find(self.root()).expect("the course is a repository")
    }

    pub fn write(&self, path: &str, text: &str) {
        let path: PathBuf = self.root().join(path);
        fs::create_dir_all(path.parent().expect("a file in a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
}
