//! The subcommands `build`, `preprocess` and `commands`.

use std::fs;
use std::io::Write;
use std::process::{Command, Output, Stdio};

use crate::common::TempCourse;
use mdbook_preprocessor::PreprocessorContext;
use mdbook_preprocessor::book::{Book, BookItem, Chapter};
use mdbook_preprocessor::config::Config;

fn run(course: &TempCourse, arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_course-book"))
        .args(arguments)
        .current_dir(course.root())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("course-book runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(input.as_bytes()).expect("it reads");
    drop(stdin);
    child.wait_with_output().expect("it ends")
}

#[test]
fn build_refuses_to_replace_other_folders() {
    let course = TempCourse::new();
    let output = run(&course, &["build"], "");
    assert!(output.status.success(), "{output:?}");
    let page = course.root().join("target/book/ch01-greetings.html");
    let html = fs::read_to_string(page).expect("the page was built");
    assert!(html.contains("data-section=\"1.1\""), "{html}");
    assert!(html.contains("cargo course check 1.1"), "{html}");

    let again = run(&course, &["build"], "");
    assert!(again.status.success(), "a book is replaced: {again:?}");

    let refused = run(&course, &["build", "--dest", "tests"], "");
    assert_eq!(refused.status.code(), Some(1));
    assert!(course.root().join("tests/ch01/s01_greet.rs").exists());
}

#[test]
fn build_names_every_problem() {
    let course = TempCourse::new();
    course.write("book/src/index.md", "{{#item a::b}}\n{{#picture gone}}\n");
    let output = run(&course, &["build"], "");
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert!(text.contains("book/src/index.md:1: "), "{text}");
    assert!(text.contains("book/src/index.md:2: "), "{text}");
}

#[test]
fn an_installed_mdbook_gets_expanded_pages() {
    let course = TempCourse::new();
    let input = |text: &str| {
        let root = course.root().join("book");
        let context = PreprocessorContext::new(root, Config::default(), "html".to_string());
        let chapter = Chapter::new("Start", text.to_string(), "index.md", Vec::new());
        let mut book = Book::new();
        book.push_item(BookItem::Chapter(chapter));
        serde_json::to_string(&(context, book)).expect("JSON")
    };
    let output = run(
        &course,
        &["preprocess"],
        &input("{{#item greeting::greet}}"),
    );
    let book: Book = serde_json::from_slice(&output.stdout).expect("a book comes back");
    let Some(BookItem::Chapter(chapter)) = book.iter().next() else {
        panic!("a book with a chapter comes back: {book:?}");
    };
    assert!(chapter.content.contains("pub fn greet"), "{chapter:?}");

    let output = run(&course, &["preprocess"], &input("{{#item greeting::gone}}"));
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && output.stdout.is_empty());
    assert!(text.contains("book/src/index.md:1: "), "{text}");

    assert!(
        run(&course, &["preprocess", "supports", "html"], "")
            .status
            .success()
    );
    assert!(
        !run(&course, &["preprocess", "supports", "epub"], "")
            .status
            .success()
    );
}

#[test]
fn commands_are_listed_without_placeholders() {
    let course = TempCourse::new();
    course.write(
        "book/src/index.md",
        "`cargo course`, `cargo course open N`, `cargo courses`, `cargo build`\n\n\
         ```text\n$ cargo course hint N.S   # the next hint\nthe output\n```\n\n\
         ```rust\ncargo course nothing\n```\n",
    );
    let output = run(&course, &["commands"], "");
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "cargo course\ncargo course check 1.1\ncargo course hint 1.1\ncargo course open 1\n"
    );
}
