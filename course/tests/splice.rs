//! Cutting the learner's parts out of a reference, and replacing them in a learner's file.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use course::course_toml::Course;
use course::manifest::SectionId;
use course::repo::Repo;
use course::source::Source;
use course::splice::{self, Form};
use course::stubs::Solution;
use tempfile::TempDir;

/// A course of one chapter and one module, `m`.
struct Mini {
    _dir: TempDir,
    repo: Repo,
    solution: Solution,
    sections: Vec<SectionId>,
}

/// The items and the attributes (item, attribute) that a section asks for.
type Asked<'a> = (&'a [&'a str], &'a [(&'a str, &'a str)]);

impl Mini {
    /// A course with the reference `text` and the sections 1.1, 1.2 … for `sections`.
    fn new(text: &str, sections: &[Asked]) -> Self {
        let dir = TempDir::new().expect("a temporary folder");
        write(
            dir.path(),
            "book/src/course.toml",
            "[[part]]\ntitle = \"P\"\nchapters = [{ number = 1, slug = \"m\", title = \"M\", about = \"\" }]\n",
        );
        let mut manifest = String::new();
        for (number, (items, attributes)) in (1..).zip(sections) {
            let items: Vec<String> = items.iter().map(|item| format!("'m::{item}'")).collect();
            let attributes: Vec<String> = attributes
                .iter()
                .map(|(on, attribute)| format!("{{ on = 'm::{on}', attribute = '{attribute}' }}"))
                .collect();
            manifest.push_str(&format!(
                "[[section]]\nid = \"s{number}\"\ntitle = \"S\"\nminutes = 1\nitems = [{}]\nattributes = [{}]\ntests = [\"test_ch1_{number}\"]\nhints = [\"\", \"\", \"\"]\n",
                items.join(", "),
                attributes.join(", "),
            ));
        }
        write(dir.path(), "book/src/ch01-m.toml", &manifest);
        write(dir.path(), "solutions/src/lib.rs", "pub mod m;\n");
        write(dir.path(), "solutions/src/m.rs", text);
        let mini = Self::load(dir);
        mini.put(&mini.stub());
        mini
    }

    fn load(dir: TempDir) -> Self {
        let repo = Repo::find(dir.path()).expect("it is a course");
        let course = Course::load(&repo).expect("the manifest is in order");
        let solution = Solution::load(&repo, &course).expect("every item is found");
        let sections = course
            .written()
            .flat_map(|(_, manifest)| &manifest.sections)
            .map(|section| section.id)
            .collect();
        Self {
            _dir: dir,
            repo,
            solution,
            sections,
        }
    }

    /// The stub of the module.
    fn stub(&self) -> String {
        self.solution.render("m.rs", |_| false)
    }

    /// Writes the learner's file.
    fn put(&self, text: &str) {
        write(self.repo.root(), "src/m.rs", text);
    }

    fn text(&self) -> String {
        fs::read_to_string(self.repo.src().join("m.rs")).expect("it is there")
    }

    /// Replaces the parts of `sections` in the learner's file, and returns its text.
    fn edit(&self, sections: &[SectionId], form: Form) -> String {
        let files = splice::plan(&self.repo, &self.solution, all_in(sections, form))
            .unwrap_or_else(|error| panic!("{sections:?} as {form:?}: {error:#}\n{}", self.text()));
        if let Some(text) = files.get("m.rs") {
            self.put(text);
        }
        self.text()
    }

    /// Asserts what is true for every reference. The stub is formatted and lacks each part. Each
    /// section can be applied and reset without a trace. All sections applied give the reference.
    fn holds(self) -> Self {
        let reference = self.solution.file("m.rs").expect("the module").text.clone();
        let stub = self.stub();
        for text in [&reference, &stub] {
            assert_formatted(text);
        }
        for id in &self.sections {
            let with = self.solution.render("m.rs", |section| section == *id);
            let without = self.solution.render("m.rs", |section| section != *id);
            let alone = [*id];
            for (before, after) in [(&stub, &with), (&without, &reference)] {
                self.put(before);
                assert_eq!(self.edit(&alone, Form::Solved), *after, "{id} put in");
                assert_formatted(after);
                assert_eq!(self.edit(&alone, Form::Solved), *after, "{id} put in twice");
                assert_eq!(
                    self.edit(&alone, Form::Stub),
                    *before,
                    "{id} taken out again"
                );
            }
        }
        self.put(&stub);
        assert_eq!(
            self.edit(&self.sections, Form::Solved),
            reference,
            "all sections applied"
        );
        assert_eq!(
            self.edit(&self.sections, Form::Stub),
            stub,
            "all sections reset"
        );
        self
    }
}

#[test]
fn a_body_becomes_a_todo_and_the_rest_stays() {
    let text = "\
//! A module.

// A remark.
use std::fmt;

/// Doubles `n`.
///
/// Never overflows.
#[must_use]
#[inline]
pub fn double(n: u8) -> u16 {
    // Widened first.
    u16::from(n) * 2 // as promised
}

// The end.
";
    let mini = Mini::new(text, &[(&["double"], &[])]).holds();
    let expected = text.replace(
        "    // Widened first.\n    u16::from(n) * 2 // as promised\n",
        "    todo!(\"s1: write double\")\n",
    );
    assert_eq!(
        mini.stub(),
        expected,
        "left is the stub, right the expected text"
    );
}

#[test]
fn a_body_on_one_line_becomes_a_todo() {
    let mini = Mini::new(
        "pub struct A;\n\nimpl A {\n    /// Nothing.\n    pub fn no(&self) {}\n}\n",
        &[(&["A::no"], &[])],
    )
    .holds();
    assert_eq!(
        mini.stub(),
        "pub struct A;\n\nimpl A {\n    /// Nothing.\n    pub fn no(&self) {\n        todo!(\"s1: write A::no\")\n    }\n}\n"
    );
}

#[test]
fn attributes_are_found_above_and_between_doc_comments() {
    let text = "\
#[derive(Debug)]
/// A size.
#[repr(u16)]
/// In two bytes.
pub enum Size {
    /// Small.
    #[allow(dead_code)]
    Small,
    #[allow(dead_code)]
    /// Large.
    Large,
}
";
    let asked: &[Asked] = &[(&["Size::Large"], &[("Size", "#[repr(u16)]")])];
    let stub = Mini::new(text, asked).holds().stub();
    assert!(!stub.contains("repr") && !stub.contains("Large"), "{stub}");
    assert!(stub.contains("/// A size.\n/// In two bytes.\n"), "{stub}");
    assert!(
        stub.contains("    /// Small.\n    #[allow(dead_code)]\n    Small,\n}"),
        "{stub}"
    );
}

#[test]
fn spaces_in_attributes_do_not_matter() {
    let text = "#[derive(Debug, Clone)]\n#[repr(C, align(8))]\npub struct A;\n";
    let asked: &[Asked] = &[(&[], &[("A", "#[ repr(C,align( 8 )) ]")])];
    let stub = Mini::new(text, asked).holds().stub();
    assert_eq!(stub, "#[derive(Debug, Clone)]\npub struct A;\n");
}

#[test]
fn default_methods_of_traits_are_cut_out() {
    let text = "\
/// Speaks.
pub trait Speak: Send + Sync {
    /// Its name.
    fn name(&self) -> &str;

    /// Its greeting.
    fn greet(&self) -> String {
        format!(\"Hello from {}\", self.name())
    }

    /// Whether it shouts.
    fn loud(&self) -> bool {
        false
    }
}
";
    let asked: &[Asked] = &[(&["Speak::greet"], &[]), (&["Speak::loud"], &[])];
    let mini = Mini::new(text, asked).holds();
    let source = Source::parse(mini.stub()).expect("the stub is Rust");
    assert_eq!(
        source.functions(),
        [["Speak", "greet"], ["Speak", "loud"]],
        "a method without a body is not a part to write"
    );
    // If they were deleted, both are restored in the trait.
    mini.put("/// Speaks.\npub trait Speak: Send + Sync {\n    /// Its name.\n    fn name(&self) -> &str;\n}\n");
    assert_eq!(mini.edit(&mini.sections, Form::Solved), text);
}

#[test]
fn generics_and_where_clauses_stay() {
    let text = "\
use std::collections::BTreeMap;

/// Of many things.
#[derive(Default)]
pub struct Many<K, V = Vec<Option<Box<dyn Fn(u8) -> u8>>>>
where
    K: Ord,
{
    /// The things.
    pub map: BTreeMap<K, Vec<V>>,
    /// How many.
    pub count: BTreeMap<K, Vec<Vec<usize>>>,
}

impl<K: Ord + Clone, V: Clone> Many<K, V> {
    /// All under `key`.
    pub fn get<'a, Q>(&'a self, key: &'a Q) -> impl Iterator<Item = &'a V> + use<'a, K, V, Q>
    where
        K: std::borrow::Borrow<Q>,
        Q: Ord + ?Sized,
    {
        self.map.get(key).into_iter().flatten()
    }
}
";
    let asked: &[Asked] = &[(&["Many::count"], &[]), (&["Many::get"], &[])];
    let stub = Mini::new(text, asked).holds().stub();
    assert!(
        stub.contains("    {\n        todo!(\"s2: write Many::get\")\n    }\n}"),
        "{stub}"
    );
    assert!(!stub.contains("How many"), "{stub}");
}

#[test]
fn methods_with_one_name_are_told_apart_by_trait() {
    let text = "\
use std::fmt;

/// A word.
pub struct Word(String);

impl fmt::Debug for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, \"<{}>\", self.0)
    }
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<u8> for Word {
    fn from(n: u8) -> Self {
        Self(n.to_string())
    }
}

impl From<Vec<u8>> for Word {
    fn from(n: Vec<u8>) -> Self {
        Self(format!(\"{n:?}\"))
    }
}

impl Clone for Word {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}
";
    let asked: &[Asked] = &[
        (&["<Word as Display>::fmt"], &[]),
        (
            &["<Word as From<u8>>::from", "<Word as From<Vec<u8>>>::from"],
            &[],
        ),
        (&["Word::clone", "<Word as Debug>::fmt"], &[]),
    ];
    let mini = Mini::new(text, asked).holds();
    let source = mini.solution.file("m.rs").expect("the module");
    for function in source.functions() {
        let found = source.find(&function);
        assert!(
            matches!(found, Ok(Some(_))),
            "{function:?} is found by the path it is listed under"
        );
        assert!(
            mini.solution.section_of("m.rs", &function).is_some(),
            "{function:?} is in the manifest"
        );
    }
    // Each is restored in the block of its own trait, which is recreated if it is missing.
    mini.put(
        "use std::fmt;\n\n/// A word.\npub struct Word(String);\n\nimpl fmt::Display for Word {}\n",
    );
    let back = mini.edit(&mini.sections[..1], Form::Solved);
    assert!(
        back.contains("impl fmt::Display for Word {\n    fn fmt("),
        "{back}"
    );
    let back = mini.edit(&mini.sections, Form::Solved);
    for head in [
        "impl fmt::Debug for Word {",
        "impl From<Vec<u8>> for Word {",
        "impl Clone for Word {",
    ] {
        assert!(back.contains(head), "{head:?} is in:\n{back}");
    }
    assert_formatted(&back);
}

#[test]
fn a_method_wins_over_a_field_of_its_name() {
    let text = "\
/// A tool.
pub struct Tool {
    name: String,
}

impl Tool {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }
}
";
    let stub = Mini::new(text, &[(&["Tool::name"], &[])]).holds().stub();
    assert!(
        stub.contains("    name: String,\n"),
        "the field stays:\n{stub}"
    );
    assert!(stub.contains("todo!(\"s1: write Tool::name\")"), "{stub}");
}

#[test]
fn a_deleted_impl_block_comes_back_with_its_attributes() {
    let text = "\
/// A thing.
pub struct Thing;

#[cfg(not(any()))]
impl Thing {
    /// Does it.
    pub fn act(&self) -> u8 {
        7
    }
}
";
    let mini = Mini::new(text, &[(&["Thing::act"], &[])]);
    mini.put("/// A thing.\npub struct Thing;\n");
    assert_eq!(mini.edit(&mini.sections, Form::Solved), text);
}

#[test]
fn text_outside_ascii_moves_no_range() {
    let text = "\
//! Übung 🦀: ファイル, «кавычки».

/// Grüße — 你好, 👩‍👩‍👧‍👦.
pub fn greet(naïve: &str) -> String {
    format!(\"👋 {naïve}\")
}

/* 🦀 */
/// Zählt.
pub fn count(s: &str) -> usize {
    s.chars().count()
}
";
    let stub = Mini::new(text, &[(&["greet"], &[]), (&["count"], &[])])
        .holds()
        .stub();
    assert!(
        stub.contains("/* 🦀 */\n/// Zählt.\npub fn count(s: &str) -> usize {\n    todo!(\"s2: write count\")\n}\n"),
        "{stub}"
    );
}

#[test]
fn code_in_doc_comments_is_not_cut() {
    let text = "\
/// Adds one.
///
/// ```
/// fn inc(n: u8) -> u8 {
///     todo!(\"s1: write inc\")
/// }
/// assert_eq!(inc(1), 2); // }}} {{{ \"
/// ```
pub fn inc(n: u8) -> u8 {
    let text = \"} // not the end {\";
    n + u8::from(!text.is_empty())
}

/** In a block: ```{``` */
pub fn dec(n: u8) -> u8 {
    /* } */
    n - 1
}
";
    let mini = Mini::new(text, &[(&["inc"], &[]), (&["dec"], &[])]).holds();
    assert_eq!(
        mini.stub().matches("/// ```\n").count(),
        2,
        "{}",
        mini.stub()
    );
}

#[test]
fn a_file_with_crlf_keeps_it() {
    let text = "\
/// One.
pub fn one() -> u8 {
    1
}

/// A pair.
pub struct Pair {
    /// Left.
    pub left: u8,

    /// Right.
    pub right: u8,
}

/// Two.
pub struct Two;
";
    let asked: &[Asked] = &[(&["one"], &[]), (&["Pair::right"], &[]), (&["Two"], &[])];
    let mini = Mini::new(text, asked).holds();
    let windows = |text: &str| text.replace('\n', "\r\n");
    mini.put(&windows(&mini.stub()));
    assert_eq!(
        mini.edit(&mini.sections, Form::Solved),
        windows(text),
        "all sections applied"
    );
    assert_eq!(
        mini.edit(&mini.sections, Form::Stub),
        windows(&mini.stub()),
        "all sections reset"
    );
}

#[test]
fn a_reference_with_crlf_makes_the_same_stub() {
    let text = "/// One.\npub fn one() -> u8 {\n    1\n}\n";
    let unix = Mini::new(text, &[(&["one"], &[])]).stub();
    let windows = Mini::new(&text.replace('\n', "\r\n"), &[(&["one"], &[])]).stub();
    assert_eq!(windows, unix);
}

#[test]
fn a_byte_order_mark_moves_no_range() {
    let mini = Mini::new(
        "/// One.\npub fn one() -> u8 {\n    1\n}\n",
        &[(&["one"], &[])],
    );
    mini.put(&format!("\u{feff}{}", mini.stub()));
    let text = mini.edit(&mini.sections, Form::Solved);
    assert!(
        text.ends_with("/// One.\npub fn one() -> u8 {\n    1\n}\n"),
        "{text:?}"
    );
}

#[test]
fn removed_items_leave_formatted_text() {
    let text = "\
//! Shapes.

use std::fmt::Debug;

/// First of all.
pub struct First;

/// A shape.
#[derive(Debug)]
pub enum Shape {
    /// Round.
    Circle(u8),

    // Remarks belong to what follows.
    /// With corners.
    Square { side: u8 },
    /// Flat.
    Line, // thin
}

/// All of it is removed.
pub enum Gone {
    /// One.
    A,
}

/// A point.
pub struct Point {
    /// Across.
    pub x: u8,
    /// Up.
    pub y: u8,

    /// Ahead.
    pub z: u8,
}

/// Its name.
pub type Name = String;
/// Its number.
pub const NUMBER: u8 = 7;

/// Last of all.
pub struct Last;
";
    let items = [
        "First",
        "Shape::Circle",
        "Shape::Square",
        "Shape::Line",
        "Gone",
        "Point::x",
        "Point::y",
        "Point::z",
        "Name",
        "NUMBER",
        "Last",
    ];
    // Removes each one, each pair, and all, since neighbors change the gaps.
    for (at, one) in items.iter().enumerate() {
        for other in &items[at..] {
            let asked: Vec<&str> = if one == other {
                vec![*one]
            } else {
                vec![*one, *other]
            };
            let mini = Mini::new(text, &[(&asked, &[])]);
            assert_formatted(&mini.stub());
            let source = Source::parse(mini.stub()).expect("the stub is Rust");
            for item in asked {
                let path: Vec<String> = item.split("::").map(str::to_string).collect();
                assert!(
                    source.find(&path).expect("a path").is_none(),
                    "{item} is gone"
                );
            }
        }
    }
    let mini = Mini::new(text, &[(&items, &[])]);
    assert_formatted(&mini.stub());
    assert!(!mini.stub().contains("Remarks"), "{}", mini.stub());
}

#[test]
fn whole_types_are_removed_and_restored() {
    let text = "\
//! Things.

/// Stays.
pub struct Stays;

/// First.
pub struct First {
    /// Its field.
    pub field: u8,
}

/// Second.
pub type Second = First; // the same

/// Third.
pub struct Third;

/// Stays, too.
pub fn stays() -> u8 {
    1
}

/// At the end.
pub const END: u8 = 1;
";
    Mini::new(
        text,
        &[
            (&["First"], &[]),
            (&["Second", "Third"], &[]),
            (&["END"], &[]),
        ],
    )
    .holds();
    Mini::new(text, &[(&["First", "Second", "Third", "END"], &[])]).holds();
}

#[test]
fn removing_a_type_leaves_others_on_its_line() {
    let mini = Mini::new(
        "/// One.\npub struct One;\n\n/// Two.\npub fn two() {}\n",
        &[(&["One"], &[]), (&["two"], &[])],
    );
    mini.put("pub struct One; pub struct Mine;\n\npub fn two() {}\n");
    let text = mini.edit(&mini.sections[..1], Form::Stub);
    assert!(
        text.contains("pub struct Mine;"),
        "the learner's own type stays:\n{text}"
    );
    assert!(!text.contains("One"), "{text}");
}

#[test]
fn a_type_is_inserted_after_a_comment() {
    let text = "/// A.\npub struct A; // first\n\n/// B.\npub struct B;\n";
    let mini = Mini::new(text, &[(&["B"], &[])]);
    mini.put("/// A.\npub struct A; // mine\n");
    assert_eq!(
        mini.edit(&mini.sections, Form::Solved),
        "/// A.\npub struct A; // mine\n\n/// B.\npub struct B;\n"
    );
}

#[test]
fn an_empty_file_gets_every_item() {
    let text = "/// A.\npub struct A;\n\n/// One.\npub fn one() -> u8 {\n    1\n}\n";
    let mini = Mini::new(text, &[(&["A", "one"], &[])]);
    mini.put("");
    assert_eq!(mini.edit(&mini.sections, Form::Solved), text);
}

#[test]
fn other_code_keeps_its_formatting() {
    let text =
        "/// One.\npub fn one() -> u8 {\n    1\n}\n\n/// Two.\npub fn two() -> u8 {\n    2\n}\n";
    let mini = Mini::new(text, &[(&["one"], &[]), (&["two"], &[])]);
    let mine = "\n\n//mine\npub   fn one( )->u8{ 9 }\n\n\n\nmod   odd { }\t\n/// Two.\npub fn two() -> u8 {\n    todo!()\n}\n\n\n// end";
    mini.put(mine);
    assert_eq!(
        mini.edit(&mini.sections[1..], Form::Solved),
        mine.replace("    todo!()\n", "    2\n")
    );
}

#[test]
fn a_syntax_error_is_refused_with_its_line() {
    let mini = Mini::new("/// One.\npub fn one() {}\n", &[(&["one"], &[])]);
    mini.put("pub fn one() {}\n\nfn half( {\n");
    let error = splice::plan(
        &mini.repo,
        &mini.solution,
        all_in(&mini.sections, Form::Solved),
    )
    .expect_err("half a function does not parse");
    let words = format!("{error:#}");
    for expected in [
        "src/m.rs has a syntax error",
        "cargo course reset 1",
        "line 3",
    ] {
        assert!(words.contains(expected), "{expected:?} is in {words:?}");
    }
}

#[test]
fn all_test_attributes_are_recognized() {
    let text = "#[test]\nfn a() {}\n\n#[tokio::test(flavor = \"multi_thread\")]\nasync fn b() {}\n\nfn c() {}\n\n#[test]\n#[should_panic]\nfn d() {}\n";
    let source = Source::parse(text).expect("it is Rust");
    assert_eq!(source.tests(), ["a", "b", "d"]);
}

#[test]
fn inner_attributes_belong_to_the_body() {
    let text = "/// Doc.\n#[inline]\nfn f() -> u8 {\n    //! x\n    #![allow(unused)]\n    1\n}\n";
    let source = Source::parse(text).expect("it is Rust");
    let path = ["f".to_string()];
    let found = source.find(&path).expect("one").expect("it is there");
    assert!(text[found.bare.clone()].starts_with("fn f()"));
    assert_eq!(source.signature(&found).as_deref(), Some("fn f () -> u8"));
    let attributes: Vec<&str> = found
        .attributes
        .iter()
        .map(|it| &text[it.clone()])
        .collect();
    assert_eq!(attributes, ["#[inline]"]);
}

#[test]
fn the_real_course_is_removed_and_restored() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let real = Repo::find(&root).expect("this is in the course's repository");
    let dir = TempDir::new().expect("a temporary folder");
    for (folder, ending) in [("book/src", "toml"), ("solutions/src", "rs")] {
        copy(&real.root().join(folder), &dir.path().join(folder), ending);
    }
    let mini = Mini::load(dir);
    let stubs = mini.solution.stubs();
    let all: &dyn Fn(SectionId) -> bool = &|_| true;
    let check = |sections: &[SectionId], form, solved: &dyn Fn(SectionId) -> bool| {
        let files =
            splice::plan(&mini.repo, &mini.solution, all_in(sections, form)).expect("a plan");
        for (file, text) in &files {
            write(mini.repo.root(), &format!("src/{file}"), text);
        }
        for (file, _) in mini.solution.files() {
            let found = fs::read_to_string(mini.repo.src().join(file)).expect("it is there");
            let expected = mini.solution.render(file, solved);
            assert_eq!(found, expected, "src/{file}, {sections:?} as {form:?}");
        }
    };
    for (file, stub) in &stubs {
        write(mini.repo.root(), &format!("src/{file}"), stub);
    }
    for id in &mini.sections {
        check(&[*id], Form::Solved, &|section| section == *id);
        check(&[*id], Form::Stub, &|_| false);
    }
    check(&mini.sections, Form::Solved, all);
    check(&mini.sections, Form::Stub, &|_| false);
}

/// Every section in one form.
fn all_in(sections: &[SectionId], form: Form) -> impl Iterator<Item = (SectionId, Form)> {
    sections.iter().map(move |id| (*id, form))
}

fn write(root: &Path, file: &str, text: &str) {
    let path = root.join(file);
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    fs::write(path, text).expect("a file");
}

/// Copies the files below `from` with the extension `ending`.
fn copy(from: &Path, to: &Path, ending: &str) {
    for entry in fs::read_dir(from).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name");
        if path.is_dir() {
            copy(&path, &to.join(name), ending);
        } else if path.extension().is_some_and(|found| found == ending) {
            fs::create_dir_all(to).expect("a folder");
            fs::copy(&path, to.join(name)).expect("a copy");
        }
    }
}

/// Asserts that `text` is formatted, if rustfmt is installed.
fn assert_formatted(text: &str) {
    let started = Command::new("rustfmt")
        .args(["--edition", "2024", "--emit", "stdout", "--quiet"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let Ok(mut rustfmt) = started else {
        eprintln!("rustfmt is not installed, so the formatting is not checked");
        return;
    };
    let mut stdin = rustfmt.stdin.take().expect("a pipe");
    stdin.write_all(text.as_bytes()).expect("rustfmt reads");
    drop(stdin);
    let output = rustfmt.wait_with_output().expect("rustfmt ends");
    let formatted = String::from_utf8(output.stdout).expect("UTF-8");
    assert_eq!(text, formatted, "left is the text, right the formatted one");
}
