//! `cargo course check`: exit codes, and the message for each kind of failure.

use std::fs::{self, File};

use crate::common::{Fixture, Ran, eventually};

#[test]
fn a_chapter_is_red_until_every_checkpoint_is_green() {
    let fixture = Fixture::new();
    fixture.run("check").exits(1);
    fixture
        .run("check 1")
        .exits(1)
        .prints("0 of 3 checkpoints green");
    fixture.run("solution 1 --apply").exits(0);
    fixture
        .run("check 1")
        .exits(0)
        .prints("3 of 3 checkpoints green")
        .prints("Chapter 1 is done");
    fixture.run("check").exits(0);
}

#[test]
fn a_chapter_is_built_without_the_tests_of_others() {
    let fixture = Fixture::new();
    fixture.run("jump 2").exits(0);
    fixture.append(
        "tests/ch02/s01_two_lamps.rs",
        "fn broken() -> u32 { \"no number\" }\n",
    );
    fixture.run("check 1").exits(0).prints("Chapter 1 is done");
    fixture.run("check 2").exits(1).prints("does not compile");
    fixture.run("check").exits(1).prints("does not compile");
}

#[test]
fn a_chapter_is_built_without_the_tests_of_sections_that_are_not_begun() {
    let fixture = Fixture::new();
    fixture.add_section();
    let tests = "tests/ch01/s05_shortest.rs";
    fixture.append(tests, "fn broken() -> u32 { \"no number\" }\n");
    fixture
        .run("check 1")
        .exits(1)
        .prints("1.1 Green for how long · not written yet")
        .prints("✗ test_ch1_green_grows_with_the_queue");
    fixture
        .run("check 1.5")
        .exits(1)
        .prints("1.5 The shortest green · not written yet")
        .prints("no run test_ch1_shortest");
    // Now section 1.5 is the first that is not begun.
    fixture
        .run("solution 1.1 --apply")
        .exits(1)
        .prints("does not compile")
        .prints(tests);
}

#[test]
fn the_tests_of_a_section_run_once_it_is_begun() {
    let fixture = Fixture::new();
    fixture.add_section();
    fixture.run("check 1").exits(1);
    fixture.fill("src/light.rs", "shortest", "shortest", "green_for(0)");
    fixture
        .run("check 1.5")
        .exits(1)
        .prints("needs section 1.1 first")
        .prints("FAILED test_ch1_shortest");
    fixture.run("solution 1.1 --apply").exits(0);
    fixture
        .run("check 1.5")
        .exits(0)
        .prints("ok     test_ch1_shortest");
}

#[test]
fn a_chapter_is_built_without_the_code_of_later_ones() {
    let fixture = Fixture::new();
    fixture.run("jump 2").exits(0);
    fixture.append("src/crossing.rs", "broken");
    fixture.run("check 1").exits(0).prints("Chapter 1 is done");
    fixture.run("check 2").exits(1).prints("does not compile");
}

#[test]
fn a_chapter_may_use_what_a_later_one_brought() {
    let fixture = Fixture::new();
    fixture.run("jump 2").exits(0);
    fixture.append(
        "src/light.rs",
        "pub type Lights = crate::crossing::Crossing;\n",
    );
    fixture.run("check 1").exits(0).prints("Chapter 1 is done");
}

#[test]
fn a_learner_may_add_a_module() {
    let fixture = Fixture::new();
    fixture.run("jump 2").exits(0);
    fixture.append("src/lib.rs", "pub mod sum;\n");
    fixture.write("src/sum.rs", "pub fn zero() -> u32 { 0 }\n");
    fixture.append(
        "src/crossing.rs",
        "pub fn zero() -> u32 { crate::sum::zero() }\n",
    );
    fixture.run("solution 2 --apply").exits(0);
    fixture.run("check 2").exits(0).prints("Chapter 2 is done");
}

/// Linking a program with all crates takes longer than compiling it.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[test]
fn a_save_leaves_the_dynamic_library_as_it_is() {
    let fixture = Fixture::new();
    fixture.run("jump 2").exits(0);
    fixture.run("check 2").exits(1);
    let written = || {
        let files = fs::read_dir(fixture.path("target/debug/deps")).expect("a build");
        let mut files = files.flatten().filter(|file| {
            let name = file.file_name().into_string().expect("a name in UTF-8");
            name.starts_with("libbefore_ch2_") && name.ends_with(".so")
        });
        let library = files.next().expect("a dynamic library");
        library
            .metadata()
            .and_then(|it| it.modified())
            .expect("its time")
    };
    let before = written();
    fixture.append("src/crossing.rs", "// A thought.\n");
    fixture.run("check 2").exits(1);
    assert_eq!(written(), before, "only the test program was built");
    fixture.append("src/light.rs", "// A thought.\n");
    fixture.run("check 2").exits(1);
    assert_ne!(written(), before, "the library has the earlier chapters");
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[test]
fn a_dynamic_library_that_cannot_be_loaded_is_done_without() {
    let fixture = Fixture::new();
    fixture.run("jump 2").exits(0);
    fixture.run("solution 2 --apply").exits(0);
    let cargo = std::env::var("CARGO").expect("cargo runs the tests");
    let script = format!("#!/bin/sh\n{cargo:?} \"$@\"\nrm -f target/debug/deps/libbefore_*\n");
    fixture.program("bin/cargo", script);
    let mut command = fixture.command("check 2");
    command.env("CARGO", fixture.path("bin/cargo"));
    Ran::of(&mut command).exits(0).prints("Chapter 2 is done");
}

/// The library has the modules of earlier chapters, and the test program those of this one.
#[test]
fn a_chapter_may_use_what_is_private_to_the_crate() {
    let fixture = Fixture::new();
    fixture.run("jump 2").exits(0);
    fixture.run("solution 2 --apply").exits(0);
    let modules = fixture.read("tests/modules.rs");
    let both = "any(with_tests = \"ch1\", with_tests = \"ch2\")";
    assert!(modules.contains(both), "{modules}");
    fixture.write(
        "tests/modules.rs",
        modules.replace(both, "with_tests = \"ch1\""),
    );
    fixture.append("src/light.rs", "pub(crate) fn zero() -> u32 { 0 }\n");
    fixture.append(
        "src/crossing.rs",
        "pub fn zero() -> u32 { crate::light::zero() }\n",
    );
    fixture.run("check 2").exits(0).prints("Chapter 2 is done");
}

/// Crates that depend on these variables would be rebuilt after each plain `cargo test`.
#[cfg(unix)]
#[test]
fn cargo_gets_no_variables_of_the_runners_package() {
    let fixture = Fixture::new();
    let cargo = std::env::var("CARGO").expect("cargo runs the tests");
    let script = format!(
        "#!/bin/sh\nenv >> {:?}\nexec {cargo:?} \"$@\"\n",
        fixture.path("seen")
    );
    fixture.program("bin/cargo", script);
    let mut command = fixture.command("check 1");
    command
        .env("CARGO", fixture.path("bin/cargo"))
        .env("CARGO_PKG_NAME", "launcher")
        .env("CARGO_MANIFEST_DIR", "/launcher");
    Ran::of(&mut command).exits(1);
    let seen = fixture.read("seen");
    assert!(seen.contains("PATH="), "cargo was started: {seen}");
    assert!(!seen.contains("launcher"), "{seen}");
}

#[test]
fn a_section_is_judged_by_its_own_tests() {
    let fixture = Fixture::new();
    fixture.run("check 1.1").exits(1);
    fixture.run("solution 1.1 --apply").exits(0);
    fixture
        .run("check 1.1")
        .exits(0)
        .prints("1.1 Green for how long · green")
        .prints("ok     test_ch1_green_has_limits")
        .does_not_print("test_ch1_lamp");
    fixture.run("check 1.2").exits(1);
    fixture.run("check 1.4").exits(0).prints("nothing to write");
}

#[test]
fn a_test_is_found_by_its_name_or_path() {
    let fixture = Fixture::new();
    fixture
        .run("check test_ch1_green_has_limits")
        .exits(1)
        .prints("FAILED test_ch1_green_has_limits");
    fixture.run("solution 1.1 --apply").exits(0);
    fixture
        .run("check ch1::s01_green_for::test_ch1_green_has_limits")
        .exits(0)
        .prints("ok     test_ch1_green_has_limits");
}

#[test]
fn without_a_name_all_open_chapters_are_checked() {
    let fixture = Fixture::new();
    fixture.run("jump 2").exits(0);
    fixture
        .run("check")
        .exits(1)
        .prints("Chapter 1 is done")
        .prints("2.1 Two lamps · not written yet");
}

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
fn half_a_section_is_not_finished() {
    let fixture = Fixture::new();
    fixture.fill("src/light.rs", "colors", "Color::all", "vec![]");
    fixture
        .run("check 1.2")
        .exits(1)
        .prints("1.2 Colors · not finished yet")
        .prints("to write Color::Amber  src/light.rs:12")
        .prints("written   Color::all  src/light.rs:21")
        .prints("to write an attribute on Color  src/light.rs:12");
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
fn a_compile_error_keeps_the_states_of_sections() {
    let fixture = Fixture::new();
    fixture.run("solution 1.1 --apply").exits(0);
    fixture.run("status").exits(0);
    fixture.append("src/light.rs", "broken");
    fixture
        .run("status")
        .prints("1 of 3 checkpoints were green before this")
        .prints("✓ 1.1")
        .prints("The code does not compile");
    fixture.run("check 1").exits(1);
}

/// What cargo writes while it works. Each line overwrites the one before.
#[test]
fn downloads_and_builds_show_how_far_they_are() {
    for (part, shown) in [
        (" Downloading 1 crate      ", "downloading, 1 to go …"),
        (
            " Downloading 12 crates, remaining bytes: 1.2MiB\r Downloading 9 cr",
            "downloading, 12 to go …",
        ),
        (
            "    Building [=====>      ] 12/38: quote(build.rs), syn\r",
            "compiled 12 of 38 …",
        ),
        ("    Building [============>] 38/38", "compiled 38 of 38 …"),
    ] {
        let step = course::cargo::Step::in_stderr(part);
        let step = step.unwrap_or_else(|| panic!("{part:?} is a step"));
        assert_eq!(step.to_string(), shown, "{part:?}");
    }
    for part in ["  Downloaded syn v2.0.1\n", "   Compiling syn v2.0.1\n", ""] {
        assert_eq!(course::cargo::Step::in_stderr(part), None, "{part:?}");
    }
}

/// The newest chapter is the current one, and stays so.
#[test]
fn a_compile_error_keeps_the_current_chapter() {
    let fixture = Fixture::new();
    fixture.run("jump 2").exits(0);
    fixture.run("check").exits(1);
    fixture.append("src/crossing.rs", "broken");
    for command in ["status", "check", "next"] {
        let ran = fixture.run(command).prints("Chapter 2 · The Crossing");
        let errors = ran.stdout.matches("The code does not compile").count();
        assert_eq!(errors, 1, "the error comes once from {ran}");
        assert!(!ran.stdout.contains("Chapter 1"), "{ran}");
    }
    fixture.run("hint").exits(0).prints("Hint 1 of 3 for 2.1");
    fixture.run("status").prints("Chapter 2 · The Crossing");
}

/// A learner without a network, whose new chapter needs a download.
#[test]
fn a_failure_of_cargo_keeps_the_current_chapter() {
    let fixture = Fixture::new();
    fixture.run("solution 1 --apply").exits(0);
    fixture.run("next").exits(0);
    let mut command = fixture.command("status");
    command.env("CARGO", "/bin/false");
    Ran::of(&mut command)
        .prints("Chapter 2 · The Crossing")
        .prints("cargo could not build the tests")
        .does_not_print("Chapter 1");
}

#[cfg(unix)]
#[test]
fn next_runs_the_current_chapter_only() {
    let fixture = Fixture::new();
    fixture.run("jump 2").exits(0);
    fixture.run("check").exits(1);
    fixture.append("src/crossing.rs", "// A thought.\n");
    let cargo = std::env::var("CARGO").expect("cargo runs the tests");
    let script = format!(
        "#!/bin/sh\necho \"$@\" >> {:?}\nexec {cargo:?} \"$@\"\n",
        fixture.path("seen")
    );
    fixture.program("bin/cargo", script);
    let mut command = fixture.command("next");
    command.env("CARGO", fixture.path("bin/cargo"));
    Ran::of(&mut command)
        .exits(1)
        .prints("Chapter 2 · The Crossing");
    let seen = fixture.read("seen");
    assert_eq!(seen.lines().count(), 1, "one build: {seen}");
    assert!(
        seen.contains("with_tests=\"ch2\""),
        "chapter 2 alone: {seen}"
    );
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

/// A fixture with section 1.2 solved and `body` in section 1.1.
fn beside_a_green_section(body: &str) -> Fixture {
    let fixture = Fixture::new();
    fixture.run("solution 1.2 --apply").exits(0);
    fixture.fill("src/light.rs", "green-time", "green_for", body);
    fixture
}

#[test]
fn an_endless_loop_is_killed_with_its_children() {
    let fixture = beside_a_green_section("loop {}");
    fixture
        .run("check 1.1")
        .exits(1)
        .prints("✗ test_ch1_green_grows_with_the_queue")
        .prints("look for a loop that never exits");
    eventually(
        "the tests' processes are gone",
        || fixture.processes().is_empty(),
        || format!("{:?}", fixture.processes()),
    );
    assert_eq!(
        fixture.state("1.2"),
        "done",
        "the other tests have their results"
    );
}

/// `green_for` is called by the tests of sections 1.1 and 1.3.
#[test]
fn each_test_that_hangs_is_named_and_the_others_have_results() {
    let fixture = Fixture::new();
    fixture.run("solution 1 --apply").exits(0);
    fixture.replace(
        "src/light.rs",
        "(cars * 2).clamp(5, 60)",
        "loop { std::thread::park() }",
    );
    fixture
        .run("check 1")
        .exits(1)
        .prints("1.1 Green for how long");
    for (section, passed) in [("1.1", false), ("1.2", true), ("1.3", false)] {
        let status = fixture.status();
        let sections = status["chapters"][0]["sections"].as_array();
        let section = sections
            .into_iter()
            .flatten()
            .find(|one| one["id"] == section)
            .expect("the section");
        for test in section["tests"].as_array().into_iter().flatten() {
            assert_eq!(test["passed"], passed, "{test:#}");
            let message = test["failure"]["message"].as_str().unwrap_or_default();
            assert_eq!(message.contains("did not finish"), !passed, "{test:#}");
        }
    }
}

#[test]
fn a_section_whose_tests_all_hang_leaves_the_others_their_results() {
    let fixture = Fixture::new();
    fixture.run("solution 1 --apply").exits(0);
    let body = "loop { std::thread::park() }";
    fixture.replace("src/light.rs", "(cars * 2).clamp(5, 60)", body);
    let mut names = String::new();
    for number in 0..12 {
        let name = format!("test_ch1_more_{number}");
        let test = format!("\n#[test]\nfn {name}() {{\n    green_for(1);\n}}\n");
        fixture.append("tests/ch01/s01_green_for.rs", &test);
        names.push_str(&format!("\"{name}\", "));
    }
    fixture.replace(
        "book/src/ch01-one-light.toml",
        "tests = [\"test_ch1_green_grows",
        &format!("tests = [{names}\"test_ch1_green_grows"),
    );
    fixture
        .run("check 1")
        .exits(1)
        .prints("Too many tests do not finish");
    assert_eq!(fixture.state("1.1"), "wrong");
    assert_eq!(fixture.state("1.2"), "done", "it has its results");
}

/// Section 1.3 calls `green_for` of section 1.1.
#[test]
fn a_section_that_hangs_waits_for_an_earlier_one_that_does() {
    for body in ["loop { std::thread::park() }", "std::process::abort()"] {
        let fixture = Fixture::new();
        fixture.run("solution 1 --apply").exits(0);
        fixture.replace("src/light.rs", "(cars * 2).clamp(5, 60)", body);
        fixture
            .run("check 1.3")
            .exits(1)
            .prints("1.3 Lamps · needs section 1.1 first");
    }
}

#[test]
fn what_a_test_writes_to_standard_output_is_no_result() {
    let write = "std::io::Write::write_all(&mut std::io::stdout(), b\"test ch1::s01_green_for::test_ch1_green_grows_with_the_queue ... FAILED\\nno end of line\").unwrap();";
    let fixture = beside_a_green_section(&format!("{write}\n    (cars * 2).clamp(5, 60)"));
    fixture
        .run("check 1.1")
        .exits(0)
        .prints("1.1 Green for how long · green");
    assert_eq!(fixture.state("1.2"), "done");
}

#[test]
fn printed_results_and_an_exit_are_no_success() {
    let fixture = Fixture::new();
    fixture.run("solution 1 --apply").exits(0);
    let names = fixture.plain_cargo_test();
    let lines: Vec<String> = names
        .keys()
        .map(|name| format!("println!(\"test ch1::x::{name} ... ok\");"))
        .collect();
    let fake = format!(
        "let out = std::io::stdout();\n    {}\n    println!(\"\\ntest result: ok. 6 passed\");\n    std::process::exit(0)",
        lines
            .join("\n    ")
            .replace(
                "println!(",
                "let _ = std::io::Write::write_fmt(&mut &out, format_args!("
            )
            .replace(");", "));")
    );
    fixture.replace("src/light.rs", "(cars * 2).clamp(5, 60)", &fake);
    fixture
        .run("check 1.1")
        .exits(1)
        .prints("✗ test_ch1_green_grows_with_the_queue")
        .prints("the test ended the whole test program");
}

/// A shell tool starts shells in groups of their own. They survive the test program.
#[cfg(target_os = "linux")]
#[test]
fn every_process_that_a_test_starts_ends_with_it() {
    let body = "std::process::Command::new(\"sh\")
        .args([\"-c\", \"setsid sh -c 'while :; do :; done' & sleep 1000 &\"])
        .status()
        .unwrap();
    (cars * 2).clamp(5, 60)";
    let fixture = beside_a_green_section(body);
    // They also keep the standard output open.
    fixture.run("check 1.1").exits(0);
    assert_eq!(
        fixture.processes(),
        [0; 0],
        "processes in the fixture's folder"
    );
}

/// As a test of a shell tool does, which waits until a background process is gone.
#[cfg(target_os = "linux")]
#[test]
fn a_test_sees_that_an_orphan_has_ended() {
    let body = "let shell = std::process::Command::new(\"sh\")
        .args([\"-c\", \"true & echo $!\"])
        .output()
        .unwrap();
    let id = String::from_utf8(shell.stdout).unwrap();
    while std::path::Path::new(\"/proc\").join(id.trim()).exists() {}
    (cars * 2).clamp(5, 60)";
    let fixture = beside_a_green_section(body);
    fixture.run("check 1.1").exits(0);
}

#[test]
fn a_check_says_that_it_waits_for_another_build() {
    let fixture = Fixture::new();
    fixture.run("check 1");
    fixture.append("src/light.rs", "\n// A thought.\n");
    // Cargo locks this file during a build.
    let lock = File::open(fixture.path("target/debug/.cargo-lock")).expect("cargo has made it");
    lock.lock().expect("no build runs");
    let errors = File::create(fixture.path("target/errors")).expect("it can be made");
    let mut child = fixture
        .command("check 1")
        .stderr(errors)
        .spawn()
        .expect("the runner starts");
    eventually(
        "the line about the other build",
        || fixture.read("target/errors") == "waiting for another build to finish …\n",
        || fixture.read("target/errors"),
    );
    drop(lock);
    assert_eq!(
        child.wait().expect("it ends").code(),
        Some(1),
        "the tests ran"
    );
}

/// Killed with a signal that it cannot handle.
#[cfg(target_os = "linux")]
#[test]
fn a_killed_runner_leaves_no_tests() {
    let body = "std::process::Command::new(\"setsid\").args([\"sleep\", \"1000\"]).status().unwrap();\n    cars";
    let fixture = beside_a_green_section(body);
    fixture.replace(
        "book/src/ch01-one-light.toml",
        "timeout_seconds = 2",
        "timeout_seconds = 600",
    );
    let mut child = fixture
        .command("check 1")
        .spawn()
        .expect("the runner starts");
    let is_sleep = |id: &u32| {
        let name = std::fs::read_to_string(format!("/proc/{id}/comm"));
        name.is_ok_and(|name| name.trim() == "sleep")
    };
    let running = || fixture.processes();
    eventually(
        "the tests run",
        || running().iter().any(is_sleep),
        || format!("{:?}", running()),
    );
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
    eventually(
        "all processes end",
        || running().is_empty(),
        || format!("{:?}", running()),
    );
}

#[test]
fn a_test_that_aborts_is_named() {
    let fixture = beside_a_green_section("std::process::abort()");
    fixture
        .run("check 1.1")
        .exits(1)
        .prints("✗ test_ch1_green_grows_with_the_queue")
        .prints("the test ended the whole test program");
    assert_eq!(
        fixture.state("1.2"),
        "done",
        "the other tests have their results"
    );
}

#[test]
fn a_caught_panic_is_not_the_failure() {
    let fixture = beside_a_green_section(
        "let _ = std::panic::catch_unwind(|| panic!(\"a spill\"));\n    cars * 3",
    );
    fixture
        .run("check 1.1")
        .exits(1)
        .prints("two seconds for each car")
        .does_not_print("a spill");
}

#[cfg(target_os = "linux")]
#[test]
fn a_test_that_runs_out_of_memory_is_named() {
    let fixture = beside_a_green_section(
        "let mut all = Vec::new();\n    loop { all.push(vec![cars; 1 << 24]); }",
    );
    fixture.replace(
        "book/src/ch01-one-light.toml",
        "timeout_seconds = 2",
        "timeout_seconds = 60",
    );
    fixture
        .run("check 1.1")
        .exits(1)
        .prints("✗ test_ch1_green_grows_with_the_queue")
        .prints("look for a loop that adds to a collection and never exits");
    assert_eq!(
        fixture.state("1.2"),
        "done",
        "the other tests have their results"
    );
}

#[test]
fn a_stack_overflow_is_named() {
    let fixture = beside_a_green_section("green_for(cars + 1) + 1");
    fixture
        .run("check 1.1")
        .exits(1)
        .prints("✗ test_ch1_green_grows_with_the_queue")
        .prints("the stack overflowed: look for a function that calls itself")
        .prints("warning: function cannot return without recursing");
    assert_eq!(
        fixture.state("1.2"),
        "done",
        "the other tests have their results"
    );
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

#[test]
fn a_test_that_exits_the_program_has_failed() {
    let fixture = beside_a_green_section("std::process::exit(0)");
    fixture
        .run("check 1.1")
        .exits(1)
        .prints("the test ended the whole test program");
}

#[test]
fn a_closed_chapter_is_refused_with_the_command_to_open_it() {
    let fixture = Fixture::new();
    for what in ["check 2", "check 2.1", "check test_ch2_one_road_drives"] {
        fixture
            .run(what)
            .fails_with(&["chapter 2 is not open yet", "`cargo course open 2`"])
            .on_one_line();
    }
}

#[test]
fn an_unknown_name_is_refused() {
    let fixture = Fixture::new();
    fixture
        .run("check 4")
        .fails_with(&["there is no chapter 4", "chapters 1 to 3"])
        .on_one_line();
    fixture
        .run("check 1.9")
        .fails_with(&["chapter 1 has no section 1.9", "1.1 to 1.4"])
        .on_one_line();
    fixture
        .run("check test_ch1_nothing")
        .fails_with(&["`test_ch1_nothing`", "`cargo course status`"])
        .on_one_line();
    fixture
        .run("check 3")
        .fails_with(&["chapter 3, The Town, is planned"])
        .on_one_line();
}

#[test]
fn the_results_equal_those_of_cargo_test() {
    let fixture = Fixture::new();
    for step in [
        "status",
        "solution 1.1 --apply",
        "solution 1 --apply",
        "next",
        "reset 1.2",
        "jump 2",
        "solution 2 --apply",
        "reset 2",
        "undo",
        "open 1",
        "undo 1",
    ] {
        fixture.run(step);
        assert_eq!(
            fixture.verdict(),
            fixture.plain_cargo_test(),
            "which tests pass after `{step}`: left by the runner, right by cargo"
        );
    }
}
