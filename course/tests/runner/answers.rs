//! `cargo course solution` and `reset`.

use crate::common::{Fixture, assert_same_files};

#[test]
fn solution_shows_the_code_and_writes_nothing() {
    let fixture = Fixture::new();
    let before = fixture.work();
    fixture
        .run("solution 1.1")
        .exits(0)
        .prints("// 1.1, src/light.rs")
        .prints("(cars * 2).clamp(5, 60)")
        .does_not_print("Color::Red, Color::Green")
        .prints("`cargo course solution 1.1 --apply`");
    fixture
        .run("solution 1")
        .exits(0)
        .prints("(cars * 2).clamp(5, 60)")
        .prints("vec![Color::Red, Color::Green, Color::Amber]")
        .prints("color: Color::Green,");
    assert_same_files(&fixture.work(), &before, "after showing solutions");
}

#[test]
fn applying_one_section_leaves_the_others() {
    let fixture = Fixture::new();
    fixture
        .run("solution 1.2 --apply")
        .exits(0)
        .prints("wrote src/light.rs");
    let text = fixture.read("src/light.rs");
    for (words, is_there) in [
        ("todo!(\"green-time: write green_for\")", true),
        ("#[repr(u16)]", true),
        ("    /// Stop, if you still can.\n    Amber,\n", true),
        ("todo!(\"colors", false),
    ] {
        assert_eq!(
            text.contains(words),
            is_there,
            "whether {words:?} is in:\n{text}"
        );
    }
    fixture.run("check 1.2").exits(0);
    fixture.run("check 1.1").exits(1);
}

#[test]
fn applying_a_chapter_gives_the_reference() {
    let fixture = Fixture::new();
    fixture.run("open 2").exits(0);
    fixture
        .run("solution 1 --apply")
        .exits(0)
        .prints("Chapter 1 is solved.");
    fixture.run("solution 2 --apply").exits(0);
    for file in ["light.rs", "lamp.rs", "crossing.rs", "lib.rs"] {
        assert_eq!(
            fixture.read(&format!("src/{file}")),
            fixture.read(&format!("solutions/src/{file}")),
            "{file}: left as applied, right the reference"
        );
    }
    fixture.run("check").exits(0);
}

#[test]
fn resetting_a_chapter_gives_the_stubs() {
    let fixture = Fixture::new();
    let stubs = fixture.work();
    fixture.run("solution 1 --apply").exits(0);
    fixture
        .run("reset 1")
        .exits(0)
        .prints("The sections of chapter 1 are stubs.");
    assert_same_files(&fixture.work(), &stubs, "after solution and reset");
    fixture.run("reset 1").exits(0).prints("Nothing to do");
}

#[test]
fn resetting_a_section_leaves_the_others() {
    let fixture = Fixture::after_chapter_1();
    fixture
        .run("reset 1.2")
        .exits(0)
        .prints("Section 1.2 is a stub.");
    let text = fixture.read("src/light.rs");
    assert!(text.contains(".clamp(5, 60)"), "1.1 stays solved:\n{text}");
    assert!(!text.contains("Amber"), "1.2 is a stub:\n{text}");
    fixture.run("check 1.1").exits(0);
    fixture.run("check 1.2").exits(1).prints("not written yet");
}

#[test]
fn code_that_the_learner_added_stays() {
    let fixture = Fixture::new();
    fixture.replace(
        "src/light.rs",
        "//! What a light shows, and for how long.\n",
        "//! What a light shows, and for how long.\n\n/* mine, at the top */\nuse std::fmt::Debug;\n",
    );
    fixture.append(
        "src/light.rs",
        "\n/// Mine.\npub fn    mine( ) -> u32 { 5 }  // odd, and mine\n\nimpl Color {\n    /// Mine too.\n    pub fn mine(self) -> bool {\n        self == Color::Red\n    }\n}\n",
    );
    let mine = fixture.read("src/light.rs");
    for section in ["1.1", "1.2"] {
        fixture.run(&format!("solution {section} --apply")).exits(0);
    }
    let text = fixture.read("src/light.rs");
    for kept in [
        "/* mine, at the top */\nuse std::fmt::Debug;\n",
        "pub fn    mine( ) -> u32 { 5 }  // odd, and mine\n",
        "    /// Mine too.\n    pub fn mine(self) -> bool {\n        self == Color::Red\n    }\n}\n",
    ] {
        assert!(text.contains(kept), "{kept:?} survives `--apply`:\n{text}");
    }
    for section in ["1.1", "1.2"] {
        fixture.run(&format!("reset {section}")).exits(0);
    }
    assert_eq!(
        fixture.read("src/light.rs"),
        mine,
        "after `reset` of both sections"
    );
}

#[test]
fn applying_restores_deleted_items() {
    let fixture = Fixture::new();
    let text = fixture.read("src/lamp.rs");
    let from = text.find("    /// A green lamp").expect("the method green");
    let to = text
        .find("    /// Red for as long")
        .expect("the next method");
    fixture.write("src/lamp.rs", format!("{}{}", &text[..from], &text[to..]));
    let text = fixture.read("src/light.rs");
    let from = text.find("/// The seconds of green").expect("the function");
    let to = text
        .find("/// What a light shows.\n")
        .expect("the next type");
    fixture.write("src/light.rs", format!("{}{}", &text[..from], &text[to..]));
    fixture.run("solution 1 --apply").exits(0);
    fixture
        .run("check 1")
        .exits(0)
        .prints("3 of 3 checkpoints green");
}

#[test]
fn a_restored_method_goes_into_its_own_impl_block() {
    let fixture = Fixture::after_chapter_1();
    let text = fixture.read("src/lamp.rs");
    let (head, rest) = text.split_once("impl Lamp {").expect("the methods");
    let display = &rest[rest.find("impl fmt::Display").expect("the trait's block")..];
    // First only the trait's block is left, then only the type.
    fixture.write("src/lamp.rs", format!("{head}{display}"));
    fixture.run("solution 1.3 --apply").exits(0);
    fixture
        .run("check 1")
        .exits(0)
        .prints("3 of 3 checkpoints green");
    fixture.write("src/lamp.rs", head);
    fixture.run("solution 1.3 --apply").exits(0);
    fixture
        .run("check 1")
        .exits(0)
        .prints("3 of 3 checkpoints green");
}

#[test]
fn a_deleted_file_is_restored() {
    let fixture = Fixture::new();
    std::fs::remove_file(fixture.path("src/light.rs")).expect("it is there");
    fixture.run("solution 1.1 --apply").exits(0);
    fixture.run("check 1.1").exits(0);
    std::fs::remove_file(fixture.path("src/light.rs")).expect("it is there");
    fixture.run("reset 1").exits(0);
    fixture
        .run("check 1")
        .exits(1)
        .prints("1.1 Green for how long · not written yet");
}

#[test]
fn a_chapter_can_be_reset_if_its_file_does_not_parse() {
    let fixture = Fixture::new();
    let stubs = fixture.work();
    fixture.append("src/light.rs", "\nfn half( {\n");
    fixture
        .run("reset 1.1")
        .fails_with(&["src/light.rs has a syntax error", "`cargo course reset 1`"]);
    fixture.run("reset 1").exits(0);
    assert_same_files(&fixture.work(), &stubs, "after the reset");
}

#[test]
fn a_section_to_read_has_no_solution() {
    Fixture::new()
        .run("solution 1.4 --apply")
        .fails_with(&["section 1.4 has nothing to write"])
        .on_one_line();
}

/// The reference's `impl` beside a learner's `derive` of the same trait.
#[test]
fn an_applied_solution_that_does_not_compile_is_not_called_solved() {
    let fixture = Fixture::new();
    fixture.append("src/lamp.rs", "\nimpl fmt::Display for Color {\n    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {\n        f.write_str(self.seconds)\n    }\n}\n");
    fixture
        .run("solution 1.3 --apply")
        .exits(1)
        .prints("1.3 is written, and not tested:\nThe code does not compile")
        .prints("no field `seconds`")
        .prints("`cargo course undo` restores them")
        .does_not_print("is solved");
}

#[test]
fn an_applied_solution_whose_tests_need_another_section_says_so() {
    let fixture = Fixture::new();
    fixture
        .run("solution 1.3 --apply")
        .exits(0)
        .prints("1.3 is written, and not green yet:")
        .prints("1.3 Lamps · needs section 1.1 first")
        .does_not_print("is solved");
}

#[test]
fn a_solution_of_a_closed_chapter_is_not_tested() {
    Fixture::new()
        .run("solution 2 --apply")
        .exits(0)
        .prints("2 is written. It is not tested, since chapter 2 is not open yet.");
}

/// A learner who renamed a file and changed the list of modules.
#[test]
fn given_files_can_be_restored_after_a_jump_into_changed_modules() {
    let fixture = Fixture::new();
    let lib = fixture.read("src/lib.rs");
    std::fs::rename(fixture.path("src/light.rs"), fixture.path("src/bulb.rs")).expect("a move");
    fixture.replace("src/lib.rs", "pub mod light;", "pub mod bulb;");
    for command in ["jump 2", "solution 1 --apply"] {
        fixture
            .run(command)
            .exits(1)
            .prints("written, and not tested:\nThe code does not compile")
            .prints("not as the course has them: src/lib.rs.")
            .prints("`cargo course reset --given`")
            .does_not_print("is solved");
    }
    fixture
        .run("reset --given")
        .exits(0)
        .prints("wrote src/lib.rs")
        .prints("`cargo course undo` restores them");
    assert_eq!(fixture.read("src/lib.rs"), lib);
    fixture.run("check 1").exits(0);
    fixture
        .run("reset --given")
        .exits(0)
        .prints("Nothing to do");
}

/// The renamed file still has the stubs, and the solution goes into a file that is not compiled.
#[test]
fn written_code_that_is_not_compiled_is_not_called_solved() {
    let fixture = Fixture::new();
    std::fs::rename(fixture.path("src/lamp.rs"), fixture.path("src/bulb.rs")).expect("a move");
    fixture.replace(
        "src/lib.rs",
        "pub mod lamp;",
        "pub mod bulb;\n#[cfg(feature = \"ch1\")]\npub use bulb as lamp;",
    );
    for (command, message) in [
        ("solution 1 --apply", "1 is written, and not green yet"),
        ("jump 2", "written, and not all of it is compiled."),
    ] {
        fixture
            .run(command)
            .exits(1)
            .prints(message)
            .prints("not as the course has them: src/lib.rs.")
            .prints("`cargo course reset --given`")
            .does_not_print("is solved");
    }
    fixture.run("reset --given").exits(0);
    fixture.run("check 1").exits(0);
}
