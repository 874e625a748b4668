//! What `cargo course check` says of code that does not compile or is wrong.

use crate::common::Fixture;

#[test]
fn a_compile_error_shows_rustcs_message_and_location() {
    let fixture = Fixture::new();
    fixture.run("solution 1.1 --apply").exits(0);
    fixture.run("check 1.1").exits(0);
    // A section that was green before also fails if the code no longer compiles.
    fixture.replace("src/light.rs", "(cars * 2)", "(autos * 2)");
    for what in [
        "check",
        "check 1",
        "check 1.1",
        "check test_ch1_lamp_reads_well",
    ] {
        fixture
            .run(what)
            .exits(1)
            .prints("The code does not compile: 1 error")
            .prints("at src/light.rs:6")
            .prints("\nerror[E0425]: cannot find value `autos`")
            .does_not_print("\x1b");
    }
}

#[test]
fn a_syntax_error_makes_no_function_missing() {
    let fixture = Fixture::new();
    fixture.run("solution 1.1 --apply").exits(0);
    fixture.run("check 1.1").exits(0);
    fixture.replace("src/light.rs", "-> u32 {", "-> u32 {{");
    fixture
        .run("check 1.1")
        .exits(1)
        .prints("The code does not compile: 1 error at src/light.rs")
        .prints("unclosed delimiter")
        .does_not_print("is missing");
}

#[test]
fn an_error_of_cargo_is_shown_as_such() {
    let fixture = Fixture::new();
    fixture.replace(
        "Cargo.toml",
        "[features]",
        "[features]\nnope = [\"nothing\"]",
    );
    fixture
        .run("check")
        .exits(1)
        .prints("cargo could not build the tests")
        .prints("nothing")
        .prints("`git diff Cargo.toml`");
}

#[test]
fn a_known_mistake_is_explained() {
    let fixture = Fixture::new();
    fixture.fill("src/light.rs", "green-time", "green_for", "2 * cars");
    fixture
        .run("check 1.1")
        .exits(1)
        .prints("1.1 Green for how long · written, but not right yet")
        .prints("✗ test_ch1_green_has_limits  tests/ch01/s01_green_for.rs:")
        .prints("even an empty road gets five seconds")
        .prints("A common cause: Two seconds for each car is right, and nothing holds it between 5 and 60.");
}

/// Section 1.2 lacks parts of a type, which could be the cause of other failures.
#[test]
fn a_known_mistake_is_explained_even_if_an_earlier_section_is_not_written() {
    let fixture = Fixture::new();
    fixture.run("solution 1 --apply").exits(0);
    fixture.run("open 2").exits(0);
    fixture.run("solution 2 --apply").exits(0);
    fixture.append(
        "book/src/ch01-one-light.toml",
        "\n[[wrong]]\nsection = \"lamps\"\nitem = \"lamp::Lamp::fmt\"\nbody = \"write!(f, \\\"?\\\")\"\ntests = [\"test_ch1_lamp_reads_well\"]\nsays = \"Green for 8 s\"\nbecause = \"A lamp shows its color.\"\n",
    );
    fixture.replace(
        "src/lamp.rs",
        "\"{:?} for {} s\", self.color, self.seconds",
        "\"?\"",
    );
    fixture.run("reset 1.2").exits(0);
    fixture
        .run("check 1.3")
        .exits(1)
        .prints("1.3 Lamps · written, but not right yet")
        .prints("A common cause: A lamp shows its color.")
        .does_not_print("needs section");
}

/// Moves the text of `src/light.rs` from `from` up to `to`, or to the end, to a new module, and
/// exports `item` of it.
fn move_to_module(fixture: &Fixture, module: &str, item: &str, from: &str, to: Option<&str>) {
    let text = fixture.read("src/light.rs");
    let at = |text_there: &str| text.find(text_there).expect("the file has it");
    let (from, to) = (at(from), to.map_or(text.len(), at));
    fixture.write(&format!("src/{module}.rs"), &text[from..to]);
    let (before, after) = (&text[..from], &text[to..]);
    let export = format!("pub use crate::{module}::{item};\n\n");
    fixture.write("src/light.rs", format!("{before}{export}{after}"));
    fixture.append("src/lib.rs", &format!("pub mod {module};\n"));
}

#[test]
fn a_function_that_was_moved_to_another_file_is_written() {
    let fixture = Fixture::new();
    fixture.run("solution 1 --apply").exits(0);
    let (from, to) = ("/// The seconds of green", "/// What a light shows.\n///");
    move_to_module(&fixture, "green", "green_for", from, Some(to));
    fixture.replace("src/green.rs", "clamp(5, 60)", "clamp(4, 60)");
    fixture
        .run("check 1.1")
        .exits(1)
        .prints("1.1 Green for how long · written, but not right yet")
        .does_not_print("to write");
}

/// It names its types in another way there.
#[test]
fn a_moved_function_with_another_signature_is_written() {
    let fixture = Fixture::new();
    fixture.run("solution 1 --apply").exits(0);
    let function = "pub fn green_for(cars: u32) -> u32 {";
    fixture.replace(
        "src/light.rs",
        function,
        &format!(
            "pub use crate::green::green_for;\n\n{}",
            function.replace("green_for", "old")
        ),
    );
    fixture.write(
        "src/green.rs",
        "pub fn green_for(cars: core::primitive::u32) -> u32 {\n    cars\n}\n",
    );
    fixture.append("src/lib.rs", "pub mod green;\n");
    fixture
        .run("check 1.1")
        .exits(1)
        .prints("1.1 Green for how long · written, but not right yet")
        .does_not_print("to write");
}

#[test]
fn a_type_that_was_moved_to_a_new_file_is_written() {
    let fixture = Fixture::new();
    fixture.run("solution 1 --apply").exits(0);
    move_to_module(
        &fixture,
        "color",
        "Color",
        "/// What a light shows.\n///",
        None,
    );
    fixture.replace("src/color.rs", "vec![Color::Red, ", "vec![");
    fixture
        .run("check 1.2")
        .exits(1)
        .prints("1.2 Colors · written, but not right yet")
        .does_not_print("to write");
}

#[test]
fn a_field_of_another_type_with_the_same_name_is_not_the_learners() {
    let fixture = Fixture::new();
    fixture.run("solution 1.1 --apply").exits(0);
    let other = "pub struct Lamp {\n    pub seconds: u32,\n}\n";
    fixture.write("src/mine.rs", other);
    fixture
        .run("check 1.3")
        .exits(1)
        .prints("to write Lamp::seconds  src/lamp.rs:9");
}

/// One function for each system, of which only one is compiled.
#[test]
fn a_function_that_is_there_twice_is_read() {
    let fixture = Fixture::new();
    fixture.run("solution 1 --apply").exits(0);
    let text = fixture.read("src/light.rs");
    let from = text.find("pub fn green_for").expect("the function");
    let to = text.find("/// What a light shows.\n///").expect("the type");
    let twice = format!(
        "{}#[cfg(unix)]\n{function}#[cfg(not(unix))]\n{function}{}",
        &text[..from],
        &text[to..],
        function = text[from..to].replace("clamp(5, 60)", "clamp(4, 60)")
    );
    fixture.write("src/light.rs", twice);
    fixture
        .run("check 1.1")
        .exits(1)
        .prints("1.1 Green for how long · written, but not right yet");
    let ran = fixture
        .run("reset 1.1")
        .fails_with(&["section 1.1 cannot be written into src/light.rs"]);
    assert!(
        ran.stderr.contains("2 items are called `green_for`"),
        "{ran}"
    );
    assert!(!ran.stderr.contains("syntax error"), "{ran}");
}

#[test]
fn a_known_mistake_in_a_type_is_explained() {
    let fixture = Fixture::new();
    fixture.run("solution 1.2 --apply").exits(0);
    fixture.replace("src/light.rs", "#[repr(u16)]\n", "");
    fixture
        .run("check 1.2")
        .exits(1)
        .prints("written, but not right yet")
        .prints("A common cause: Rust takes the smallest size");
}

#[test]
fn an_unknown_mistake_gets_no_explanation() {
    let fixture = Fixture::new();
    fixture.fill("src/light.rs", "green-time", "green_for", "7");
    fixture
        .run("check 1.1")
        .exits(1)
        .prints("written, but not right yet")
        .prints("two seconds for each car")
        .does_not_print("A common cause:");
}

#[test]
fn a_section_names_the_earlier_one_that_it_needs() {
    let fixture = Fixture::new();
    fixture.run("solution 1.3 --apply").exits(0);
    fixture
        .run("check 1.3")
        .exits(1)
        .prints("1.3 Lamps · needs section 1.1 first")
        .prints("not yet implemented: green-time: write green_for");
    assert_eq!(fixture.state("1.3"), "waiting");
}

/// `#[repr(u16,)]` is not the reference's text, but it means the same.
#[test]
fn no_section_waits_for_a_green_one() {
    let fixture = Fixture::new();
    fixture.run("solution 1 --apply").exits(0);
    fixture.replace("src/light.rs", "#[repr(u16)]", "#[repr(u16,)]");
    fixture.replace("src/lamp.rs", "green_for(cars)", "cars");
    fixture
        .run("check 1")
        .exits(1)
        .prints("2 of 3 checkpoints green")
        .prints("1.3 Lamps · written, but not right yet")
        .does_not_print("needs section");
}

#[test]
fn a_panic_in_the_standard_library_is_shown_with_the_learners_line() {
    let fixture = Fixture::new();
    let lines = "[profile.dev]\ndebug = \"line-tables-only\"";
    fixture.replace("Cargo.toml", "[profile.dev]\ndebug = false", lines);
    let body = "std::collections::VecDeque::from([cars]).drain(..2).sum()";
    fixture.fill("src/light.rs", "green-time", "green_for", body);
    let expected = "✗ test_ch1_green_grows_with_the_queue  src/light.rs:5";
    let ran = fixture.run("check 1.1").exits(1);
    ran.prints(expected).does_not_print("/rustc/");
    fixture.run("open 2").exits(0);
    let ran = fixture.run("check 1.1").exits(1);
    ran.prints(expected).does_not_print("/rustc/");
}

#[test]
fn a_changed_signature_is_named() {
    let fixture = Fixture::new();
    fixture.replace(
        "src/light.rs",
        "green_for(cars: u32)",
        "green_for(cars: &str)",
    );
    fixture
        .run("check 1")
        .exits(1)
        .prints("The code does not compile")
        .prints("Note: `green_for` of section 1.1 no longer has its given signature")
        .prints("`cargo course reset 1.1`");
    fixture.run("reset 1.1").exits(0);
    fixture.replace(
        "src/light.rs",
        "green_for(cars: u32)",
        "green_for(mut autos: u32)",
    );
    fixture.append("src/light.rs", "broken");
    fixture.run("check 1").exits(1).does_not_print("Look:");
}

#[test]
fn what_a_test_printed_is_shown() {
    let fixture = Fixture::new();
    let body = "println!(\"I see {cars}\"); cars";
    fixture.fill("src/light.rs", "green-time", "green_for", body);
    fixture
        .run("check 1.1")
        .exits(1)
        .prints("It printed:")
        .prints("I see 10");
}

/// Section 1.3 calls `green_for` of section 1.1.
#[test]
fn a_wrong_section_names_an_earlier_one_that_is_wrong_too() {
    let fixture = Fixture::new();
    fixture.run("solution 1 --apply").exits(0);
    fixture.replace(
        "src/light.rs",
        "(cars * 2).clamp(5, 60)",
        "(cars * 2).clamp(5, 60) + 1",
    );
    let cause = "Section 1.1 is not right yet either";
    fixture.run("check 1.3").exits(1).prints(cause);
    fixture.run("check 1.1").exits(1).does_not_print(cause);
}

#[test]
fn a_warning_is_shown_only_at_its_own_section() {
    let fixture = Fixture::new();
    fixture.run("solution 1.2 --apply").exits(0);
    fixture.replace("src/light.rs", "vec![Color::Red, ", "vec![");
    fixture.fill(
        "src/light.rs",
        "green-time",
        "green_for",
        "green_for(cars + 1) + 1",
    );
    fixture
        .run("check 1.2")
        .exits(1)
        .prints("written, but not right yet")
        .does_not_print("function cannot return without recursing");
}
