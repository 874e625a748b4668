//! Expands the directives of pages, on a course of two chapters made for the tests.

use std::fs;
use std::path::Path;

use course::book::{Pages, directives};
use course::repo::Repo;
use tempfile::TempDir;

const COURSE: &str = r#"
[[part]]
title = "The core"
chapters = [
  { number = 1, slug = "greetings", title = "Greet & Go", about = "Says hello." },
  { number = 2, slug = "later", title = "Later", about = "Comes later." },
]
"#;

const MANIFEST: &str = r##"
[[section]]
id = "green-time"
minutes = 10
title = "greet"
items = ["greeting::greet", "greeting::Greeting::tone"]
attributes = [{ on = "greeting::Greeting", attribute = "#[derive(Debug)]" }]
tests = ["test_ch1_greets", "test_ch1_is_polite"]
hints = ["one", "two", "three", { for = "test_ch1_is_polite", text = "Say *please*." }]

[[section]]
id = "colors"
minutes = 10
title = "To read"

[[wrong]]
section = "green-time"
item = "greeting::greet"
body = 'name.to_string()'
tests = ["test_ch1_greets"]
says = "no hello"
because = "It only says the *name*."

[[wrong]]
section = "green-time"
item = "greeting::greet"
replace = '"Hello, {name}"'
with = '"Bye, {name}"'
tests = ["test_ch1_is_polite"]
says = "bye"
because = "That is a farewell."
"##;

const SOLUTION: &str = r##"
/// How to greet.
#[derive(Debug)]
pub struct Greeting {
    /// The words.
    pub words: String,
    /// Loud or soft.
    pub tone: u8,
}

impl Greeting {
    /// How many words it has.
    pub fn count(&self) -> usize {
        self.words.split(' ').count()
    }
}

/// Greets `name`.
pub fn greet(name: &str) -> String {
    format!("Hello, {name}")
}

/// Text that mdBook would change.
pub const TRAPS: &str = r#"
# A heading
```text
{{#include nothing.rs}}
```
"#;
"##;

struct Fixture {
    dir: TempDir,
}

impl Fixture {
    fn new() -> Self {
        let fixture = Self {
            dir: TempDir::new().expect("a temporary folder"),
        };
        fixture.write("book/src/course.toml", COURSE);
        fixture.write("book/src/ch01-greetings.toml", MANIFEST);
        fixture.write("tests/ch01/s01_greet.rs", "");
        fixture.write("solutions/src/lib.rs", "pub mod greeting;\n");
        fixture.write("solutions/src/greeting.rs", SOLUTION.trim_start());
        fixture
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.dir.path().join(path);
        fs::create_dir_all(path.parent().unwrap_or(Path::new("/"))).expect("a folder");
        fs::write(path, text).expect("a file");
    }

    fn pages(&self) -> Pages {
        let repo = Repo::find(self.dir.path()).expect("the fixture is a repository");
        Pages::load(&repo).expect("the fixture loads")
    }

    fn expand(&self, markdown: &str) -> String {
        self.pages()
            .expand("page.md", markdown)
            .unwrap_or_else(|problems| panic!("unexpected: {problems:?}"))
    }

    fn problems(&self, markdown: &str) -> Vec<String> {
        match self.pages().expand("page.md", markdown) {
            Ok(text) => panic!("expected problems, got:\n{text}"),
            Err(problems) => problems.iter().map(ToString::to_string).collect(),
        }
    }

    /// Asserts that `markdown` has one problem, whose message contains `wanted`.
    fn refuses(&self, markdown: &str, wanted: &str) {
        let problems = self.problems(markdown);
        assert!(
            problems.len() == 1 && problems[0].contains(wanted),
            "expected one problem with {wanted:?}, got {problems:?}"
        );
    }
}

#[test]
fn an_item_is_shown_as_in_the_reference() {
    let text = Fixture::new().expand("Before.\n{{#item greeting::greet}}\nAfter.");
    assert_eq!(
        text,
        "Before.\n\n<figure class=\"listing\" id=\"item-greeting-greet\"><figcaption><code>src/greeting.rs</code></figcaption>\n\n\
         ```rust\n/// Greets `name`.\npub fn greet(name: &str) -> String {\n    format!(\"Hello, {name}\")\n}\n```\n\n\
         </figure>\n\nAfter.\n"
    );
}

#[test]
fn the_first_listing_of_an_item_has_an_id() {
    let page =
        "{{#stub greeting::greet}}\n{{#item greeting::greet}}\n{{#item greeting::Greeting::count}}";
    let text = Fixture::new().expand(page);
    let ids: Vec<&str> = text.split(" id=\"").skip(1).collect();
    assert_eq!(ids.len(), 2, "{text}");
    assert!(
        ids[0].starts_with("item-greeting-greet\"><figcaption>"),
        "{text}"
    );
    assert!(
        ids[1].starts_with("item-greeting-Greeting-count\">"),
        "{text}"
    );
}

#[test]
fn a_method_loses_its_indentation() {
    let text = Fixture::new().expand("{{#item greeting::Greeting::count}}");
    let body = "/// How many words it has.\npub fn count(&self) -> usize {\n    self.words";
    assert!(text.contains(body), "{text}");
}

#[test]
fn a_stub_lacks_what_the_learner_writes() {
    let fixture = Fixture::new();
    let text = fixture.expand("{{#stub greeting::Greeting}}\n{{#stub greeting::greet}}");
    assert!(
        text.contains("src/greeting.rs</code>, as you find it"),
        "{text}"
    );
    assert!(
        text.contains("todo!(\"green-time: write greet\")"),
        "{text}"
    );
    assert!(!text.contains("tone"), "{text}");
    assert!(!text.contains("derive"), "{text}");
    fixture.refuses(
        "{{#stub greeting::Greeting::tone}}",
        "the stub of src/greeting.rs has no `Greeting::tone`",
    );
}

#[test]
fn a_listing_is_escaped_for_mdbook() {
    let text = Fixture::new().expand("{{#item greeting::TRAPS}}");
    assert!(text.contains("\n````rust\n"), "a longer fence: {text}");
    assert!(text.contains("\n## A heading\n"), "no hidden line: {text}");
    assert!(
        text.contains("\n\\{{#include nothing.rs}}\n"),
        "no include: {text}"
    );
}

#[test]
fn a_checkpoint_lists_parts_tests_and_commands() {
    let fixture = Fixture::new();
    let text = fixture.expand("{{#checkpoint 1.1}}");
    for wanted in [
        "id=\"checkpoint-1.1\" data-section=\"1.1\"",
        "<code>greet</code>, <code>Greeting::tone</code> and an attribute on <code>Greeting</code>",
        "in <code>src/greeting.rs</code>",
        "cargo course check 1.1",
        "They are in <code>tests/ch01/s01_greet.rs</code>.",
        "<code>cargo test ch1::</code>",
        "<code>cargo test ch1::s01_</code>",
        "<code>test_ch1_is_polite</code>",
    ] {
        assert!(text.contains(wanted), "no {wanted:?} in {text}");
    }
    fixture.refuses(
        "{{#checkpoint 1.2}}",
        "section 1.2 has no tests and so no checkpoint",
    );
    fixture.refuses("{{#checkpoint 1.9}}", "no section 1.9");
    fixture.refuses("{{#checkpoint one}}", "`one` is not a section");
}

#[test]
fn a_checkpoint_folds_each_hint_inside_the_one_before() {
    let text = Fixture::new().expand("{{#checkpoint 1.1}}");
    let hints = "<details class=\"hint\"><summary>If <code>test_ch1_is_polite</code> fails</summary>\n\nSay *please*.\n\n</details>\n\
                 <details class=\"hint\"><summary>Hint 1 of 3</summary>\n\none\n\n\
                 <details class=\"hint\"><summary>Hint 2 of 3</summary>\n\ntwo\n\n\
                 <details class=\"hint\"><summary>Hint 3 of 3</summary>\n\nthree\n\n\
                 </details>\n</details>\n</details>\n</section>";
    assert!(text.contains(hints), "no {hints:?} in {text}");
}

#[test]
fn a_page_of_a_chapter_shows_its_times() {
    let pages = Fixture::new().pages();
    let text = pages
        .expand(
            "ch01-greetings.md",
            "# Greet\n\n## 1.1 greet\n\n```sh\n# 1.1 no heading\n```\n",
        )
        .expect("a page without problems");
    assert_eq!(
        text,
        "# Greet\n\n<p class=\"chapter-time\">Core 20 min</p>\n\n\n\
         ## 1.1 greet\n\n<p class=\"section-time\">Core · 10 min</p>\n\n\n\
         ```sh\n# 1.1 no heading\n```\n"
    );
    assert_eq!(
        pages.name_with_time("ch01-greetings.md", "Greet"),
        "Greet · 20 min"
    );
    assert_eq!(pages.name_with_time("index.md", "Home"), "Home");
}

#[test]
fn a_section_without_tests_is_only_to_read() {
    let fixture = Fixture::new();
    let slides = fixture.expand("{{#slides 1}}");
    let wanted =
        "\n## 1.2 To read\n\n\n\n<p class=\"checkpoint\">Now read it, in about 10 min.</p>\n";
    assert!(slides.contains(wanted), "{slides}");
    assert!(
        slides.contains("<code>cargo course check 1.1</code>"),
        "{slides}"
    );

    let manifest = MANIFEST.replace("id = \"colors\"", "depth = true\nid = \"colors\"");
    fixture.write("book/src/ch01-greetings.toml", &manifest);
    let page = fixture
        .pages()
        .expand("ch01-greetings.md", "## 1.2 To read\n");
    let wanted = "<p class=\"section-time depth\">Depth · 10 min</p>";
    let page = page.expect("a page without problems");
    assert!(page.contains(wanted), "{page}");
}

#[test]
fn a_chapter_for_unix_is_marked() {
    let fixture = Fixture::new();
    fixture.write(
        "book/src/ch01-greetings.toml",
        &format!("unix = true\n{MANIFEST}"),
    );
    let pages = fixture.pages();
    let expand = |page, text| pages.expand(page, text).expect("a page without problems");
    for (place, text) in [
        ("the page's top", expand("ch01-greetings.md", "# Greet\n")),
        ("the list of chapters", expand("page.md", "{{#chapters}}")),
        (
            "the table of contents",
            pages.name_with_time("ch01-greetings.md", "Greet"),
        ),
    ] {
        assert!(text.contains("Unix"), "{place} should name Unix: {text}");
    }
}

#[test]
fn a_quiz_has_choices_that_explain_themselves() {
    let fixture = Fixture::new();
    let quiz = "[[question]]\ntext = \"Who greets?\"\nchoices = [\n\
                { text = \"`greet` <b>\", right = true, because = \"It is the *function*.\" },\n\
                { text = \"nobody\", because = \"Look again.\" },\n]\n";
    fixture.write("book/src/ch01-greetings.quiz.toml", quiz);
    let text = fixture.expand("{{#quiz 1}}");
    for wanted in [
        "<div class=\"quiz\" data-question=\"1.1\">\n\n**1.** Who greets?\n\n",
        "data-right=\"true\"><summary><code>greet</code> &lt;b&gt;</summary>\n\n**Right.** It is the *function*.",
        "data-right=\"false\"><summary>nobody</summary>\n\n**Not quite.** Look again.",
    ] {
        assert!(text.contains(wanted), "no {wanted:?} in {text}");
    }
    fixture.write(
        "book/src/ch01-greetings.quiz.toml",
        &quiz.replace("right = true, ", ""),
    );
    fixture.refuses(
        "{{#quiz 1}}",
        "question 1 of book/src/ch01-greetings.quiz.toml needs one right choice",
    );
    fixture.refuses("{{#quiz 2}}", "cannot read book/src/ch02-later.quiz.toml");
}

/// A trace with this item as the code of each step.
fn trace(item: &str) -> String {
    let step = format!(
        r#"{{ "lane": "Agent", "title": "It says `hi`", "language": "json", "value": ["{{ \"a\": 1 }}"], "code": "{item}", "about": "One < two." }}"#
    );
    let steps = [step.as_str(); 6].join(",");
    format!(r#"{{ "title": "a greeting", "steps": [{steps}] }}"#)
}

#[test]
fn a_trace_is_a_list_of_steps() {
    let fixture = Fixture::new();
    fixture.write("book/src/traces/hi.json", &trace("greeting::greet"));
    let text = fixture.expand("{{#trace hi}}");
    for wanted in [
        "<section class=\"trace\" id=\"trace-hi\" aria-labelledby=\"trace-hi-title\">",
        "id=\"trace-hi-title\">Recorded run: a greeting</p>\n<ol class=\"trace-steps\">\n",
        "<li class=\"trace-step\" data-lane=\"Agent\">\n<p class=\"trace-head\"><span class=\"trace-lane\">Agent</span> It says <code>hi</code></p>",
        "\n\n```json\n{ \"a\": 1 }\n```\n\n<p>One &lt; two.</p>\n\n",
        "Code: [`greet`](ch01-greetings.md#11-greet) in `src/greeting.rs`\n\n</li>",
    ] {
        assert!(text.contains(wanted), "no {wanted:?} in {text}");
    }
    let text = fixture.expand("{{#trace hi}}\n{{#stub greeting::greet}}");
    let link = "Code: [`greet`](#item-greeting-greet)";
    assert!(text.contains(link), "the page lists the item: {text}");
}

#[test]
fn a_trace_names_given_code_without_a_link() {
    let fixture = Fixture::new();
    let manifest = format!("given = [\"greeting::Greeting::count\"]\n{MANIFEST}");
    fixture.write("book/src/ch01-greetings.toml", &manifest);
    let json = trace("greeting::Greeting::count");
    fixture.write("book/src/traces/hi.json", &json);
    let text = fixture.expand("{{#trace hi}}");
    let code = "Code: `Greeting::count` in `src/greeting.rs`, which is given";
    assert!(text.contains(code), "{text}");
}

#[test]
fn a_trace_that_is_not_complete_is_refused() {
    let fixture = Fixture::new();
    for (json, wanted) in [
        (
            trace("greeting::gone"),
            "step 1 of book/src/traces/hi.json: solutions/src/greeting.rs has no item `gone`",
        ),
        (
            trace("greeting::Greeting::count"),
            "this page does not list `greeting::Greeting::count`, no section asks for it, and it is not given",
        ),
        (
            trace("greeting::greet").replace("It says `hi`", " "),
            "its `title` is empty",
        ),
        (
            trace("greeting::greet").replace("One < two.", ""),
            "its `about` is empty",
        ),
        (
            trace("greeting::greet").replace("a greeting", ""),
            "needs a title and 6 to 16 steps; it has 6",
        ),
        (
            r#"{ "title": "x", "steps": [] }"#.to_string(),
            "6 to 16 steps; it has 0",
        ),
        (
            "{}".to_string(),
            "in book/src/traces/hi.json: missing field `title`",
        ),
    ] {
        fixture.write("book/src/traces/hi.json", &json);
        fixture.refuses("{{#trace hi}}", wanted);
    }
    fixture.refuses("{{#trace gone}}", "cannot read book/src/traces/gone.json");
    fixture.refuses("{{#trace ../x}}", "without folder and extension");
}

#[test]
fn wrong_answers_collapse_the_code_and_inside_it_the_explanation() {
    let fixture = Fixture::new();
    let text = fixture.expand("{{#wrong-answers 1}}");
    for wanted in [
        "<details class=\"wrong-answer\"><summary>Section 1.1: <code>greet</code></summary>",
        "[Back to checkpoint 1.1](ch01-greetings.md#checkpoint-1.1)",
        "```rust\npub fn greet(name: &str) -> String {\n    name.to_string()\n}\n```",
        "\n\nIt only says the *name*.\n\n</details>",
        "    format!(\"Bye, {name}\")",
    ] {
        assert!(text.contains(wanted), "no {wanted:?} in {text}");
    }
    fixture.refuses("{{#wrong-answers 2}}", "planned and not written yet");
    fixture.refuses("{{#wrong-answers x}}", "`x` is not a chapter");
}

#[test]
fn manifests_and_quizzes_may_have_other_line_ends() {
    let fixture = Fixture::new();
    let two_lines =
        "replace = '''\n{\n    format!(\"Hello, {name}\")'''\nwith = '{ \"Bye, {name}\".into()'";
    let manifest = MANIFEST
        .replace("replace = '\"Hello, {name}\"'\n", "")
        .replace("with = '\"Bye, {name}\"'", two_lines);
    let quiz = "[[question]]\ntext = '''\nWho?\nSay it.'''\nchoices = [\n\
                { text = \"A\", right = true, because = \"Yes.\" },\n\
                { text = \"B\", because = \"No.\" },\n]\n";
    for (file, text) in [("toml", manifest.as_str()), ("quiz.toml", quiz)] {
        let text = text.replace('\n', "\r\n");
        fixture.write(&format!("book/src/ch01-greetings.{file}"), &text);
    }
    let text = fixture.expand("{{#wrong-answers 1}}\n{{#quiz 1}}");
    assert!(text.contains("\"Bye, {name}\".into()"), "{text}");
    assert!(text.contains("Who?\nSay it."), "{text}");
}

#[test]
fn wrong_answers_to_core_sections_come_first_and_then_in_order() {
    let fixture = Fixture::new();
    let section = r#"
[[section]]
id = "count"
minutes = 10
title = "count"
items = ["greeting::Greeting::count"]
tests = ["test_ch1_counts"]
hints = ["one", "two", "three"]
"#;
    let wrong = r#"
[[wrong]]
section = "count"
item = "greeting::Greeting::count"
body = "1"
tests = ["test_ch1_counts"]
says = "two words"
because = "It does not count."

"#;
    for (kind, expected) in [
        ("", ["1.1", "1.2", "1.2"]),
        ("depth = true\n", ["1.2", "1.2", "1.1"]),
    ] {
        let section = section.replace("minutes", &format!("{kind}minutes"));
        let manifest = format!("{section}{MANIFEST}");
        // The answers of the manifest come first in it.
        let manifest = format!("{manifest}{wrong}");
        fixture.write("book/src/ch01-greetings.toml", &manifest);
        let text = fixture.expand("{{#wrong-answers 1}}");
        let order: Vec<&str> = text
            .split("<summary>Section ")
            .skip(1)
            .map(|answer| &answer[..3])
            .collect();
        assert_eq!(order, expected, "{text}");
    }
}

#[test]
fn a_picture_is_inlined_without_blank_lines() {
    let fixture = Fixture::new();
    fixture.write(
        "book/src/images/loop.svg",
        "<?xml version=\"1.0\"?>\n<svg>\n\n<g/>\n\n</svg>\n",
    );
    let text = fixture.expand("{{#picture loop}}");
    assert_eq!(
        text.trim(),
        "<figure class=\"picture\">\n<svg>\n<g/>\n</svg>\n</figure>"
    );
    fixture.refuses("{{#picture lop}}", "cannot read book/src/images/lop.svg");
    fixture.refuses("{{#picture ../x}}", "without folder and extension");
}

#[test]
fn the_table_links_written_chapters_and_marks_planned_ones() {
    let text = Fixture::new().expand("{{#chapters}}");
    assert!(text.contains("## The core"), "{text}");
    assert!(
        text.contains("| 1 | [Greet & Go](ch01-greetings.md) | Says hello. |"),
        "{text}"
    );
    assert!(
        text.contains("| 2 | Later <span class=\"planned\">planned</span> | Comes later. |"),
        "{text}"
    );
}

#[test]
fn directives_in_code_and_escaped_ones_stay() {
    let page = "~~~~\n{{#item a::b}}\n~~~\n{{#nonsense}}\n~~~~\n\n\
                Write `{{#item P}}` or ``a ` {{#what}}``.\n\n\\{{#item P}} and {{#this}}\n\n\
                {{#title A page}}\n";
    let fixture = Fixture::new();
    assert_eq!(fixture.expand(page), page);
}

#[test]
fn every_problem_is_reported_with_its_line() {
    let problems = Fixture::new().problems(
        "# Title\n{{#item greeting::gone}}\n\nText {{#item greeting::greet}} text\n  {{#chapters}}\n\
         {{#itm greeting::greet}}\n{{#item}}\n{{#item nowhere::x}}\n{{#stub greeting::greet\n",
    );
    let wanted = [
        (2, "solutions/src/greeting.rs has no item `gone`"),
        (4, "must stand alone on its line"),
        (5, "must stand alone on its line"),
        (
            6,
            "`{{#itm greeting::greet}}`: there is no such directive; there are item, stub",
        ),
        (7, "the argument is missing"),
        (8, "does not begin with a module"),
        (9, "the closing `}}` is missing on this line"),
    ];
    assert_eq!(problems.len(), wanted.len(), "{problems:#?}");
    for (problem, (line, text)) in problems.iter().zip(wanted) {
        let place = format!("book/src/page.md:{line}: ");
        assert!(
            problem.starts_with(&place) && problem.contains(text),
            "expected {place}…{text}, got {problem}"
        );
    }
}

#[test]
fn other_directives_expand_despite_a_problem() {
    let fixture = Fixture::new();
    let (text, problems) = fixture.pages().expand_leniently(
        "page.md",
        "{{#item greeting::gone}}\n{{#item greeting::greet}}",
    );
    assert_eq!(problems.len(), 1);
    assert!(
        text.contains("pub fn greet") && !text.contains("gone"),
        "{text}"
    );
}

#[test]
fn the_targets_of_mdbooks_includes_must_exist() {
    let fixture = Fixture::new();
    fixture.write(
        "book/src/part.rs",
        "// ANCHOR: one\nfn one() {}\n// ANCHOR_END: one\n// ANCHOR: two\n\n// ANCHOR: empty\n// ANCHOR_END: empty\n",
    );
    fixture.write("book/src/part.md", "See {{#checkpoint 1.1}}.\n");
    let good = "```rust\n{{#include part.rs:one}}\n{{#rustdoc_include part.rs:2:3}}\n{{#include part.rs::2}}\n{{#include part.rs:2}}\n```\n{{#playground part.rs editable}}\n";
    assert_eq!(fixture.expand(good), good);
    for (argument, wanted) in [
        ("part.rs:three", "there is no `ANCHOR: three`"),
        ("part.rs:two", "is not followed by `ANCHOR_END: two`"),
        ("part.rs:empty", "is empty"),
        ("part.rs:5", "is empty"),
        ("part.rs:8:9", "the file has 7"),
        ("part.rs:3:2", "lines 3 to 2 do not exist"),
        ("part.rs:1:x", "is not a range of lines"),
        ("gone.rs", "cannot read gone.rs"),
        ("part.md", "which works only on pages"),
        ("", "the path is missing"),
    ] {
        // mdBook also expands includes in code.
        let page = format!("```rust\n{{{{#include {argument}}}}}\n```\n");
        fixture.refuses(&page, wanted);
    }
    fixture.refuses("Inline {{#playground gone.rs}}.", "cannot read gone.rs");
}

#[test]
fn directives_are_listed_with_their_lines() {
    let page = "{{#checkpoint 1.1}}\n```\n{{#checkpoint 1.2}}\n```\n{{#chapters}}  \n";
    let found: Vec<_> = directives(page)
        .map(|one| (one.line, one.name, one.argument))
        .collect();
    assert_eq!(found, [(1, "checkpoint", "1.1"), (5, "chapters", "")]);
}

#[test]
fn the_real_pages_expand() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let repo = Repo::find(here).expect("this is the repository");
    let pages = Pages::load(&repo).expect("manifests and solution load");
    for (chapter, _) in pages.course().written() {
        let name = format!("{}.md", chapter.stem());
        let text = fs::read_to_string(repo.book().join(&name)).expect("a written chapter's page");
        if let Err(problems) = pages.expand(&name, &text) {
            panic!("{problems:#?}");
        }
    }
}
