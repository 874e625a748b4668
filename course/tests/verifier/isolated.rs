//! The check "isolated": nothing needs anything later.

use super::*;

#[test]
fn finds_a_chapter_that_needs_a_later_one() {
    let fixture = Fixture::verified();
    fixture.replace(
        "solutions/src/lamp.rs",
        "            seconds: green_for(cars),",
        "            seconds: crate::crossing::Crossing::seconds(cars),",
    );
    fixture.replace("solutions/src/lamp.rs", "{Color, green_for}", "Color");
    fixture.replace(
            "solutions/src/crossing.rs",
            "impl Crossing {\n",
            "impl Crossing {\n    /// For how long.\n    pub fn seconds(cars: u32) -> u32 {\n        crate::light::green_for(cars)\n    }\n\n",
        );
    fixture.replace(
        "book/src/ch02-the-crossing.toml",
        "\"crossing::Crossing::letting\"",
        "\"crossing::Crossing::seconds\", \"crossing::Crossing::letting\"",
    );
    fixture.run("generate").exits(0);
    let ran = fixture.run_with_book("verify").exits(1);
    ran.prints("FAILED isolated ")
        .prints("with the chapters up to 1 solved, under feature ch1, the compiler reports:")
        .prints("`crossing`")
        .prints("ok     green ");
}

/// After a save, a chapter's modules compile with its tests, and those before it are a
/// library.
#[test]
fn finds_a_chapter_that_needs_what_is_private_to_the_library() {
    let fixture = Fixture::new();
    fixture.append(
        "solutions/src/light.rs",
        "\npub(crate) const ONE: u32 = 1;\n",
    );
    fixture.append(
        "solutions/src/crossing.rs",
        "\n/// One.\npub const ONE: u32 = crate::light::ONE;\n",
    );
    fixture.run("generate").exits(0);
    let both = "any(with_tests = \"ch1\", with_tests = \"ch2\")";
    let modules = fixture.read("tests/modules.rs");
    fixture.write(
        "tests/modules.rs",
        modules.replace(both, "with_tests = \"ch1\""),
    );
    let ran = fixture.run("verify").exits(1);
    ran.prints("FAILED isolated ")
        .prints("constant `ONE` is private");
}

#[test]
fn finds_a_section_that_needs_a_later_one() {
    let fixture = Fixture::verified();
    fixture.replace(
        GREEN_FOR,
        "    assert_eq!(green_for(11), 22, \"two seconds for each car\");",
        "    assert_eq!(claw_code::lamp::Lamp::green(11).to_string(), \"Green for 22 s\");",
    );
    finds(
        &fixture,
        "isolated",
        &[
            "with the sections up to 1.1 solved and the rest stubs",
            "test_ch1_green_grows_with_the_queue fails",
            "not yet implemented: 1.3",
        ],
    );
}

#[test]
fn finds_a_given_section_that_does_not_compile_without_a_core_section() {
    let fixture = Fixture::verified();
    fixture.replace(
        "solutions/src/lamp.rs",
        "            color: Color::Green,",
        "            color: [Color::Green, Color::Amber].into_iter().next().unwrap(),",
    );
    fixture.replace(MANIFEST, "id = \"lamps\"", "id = \"lamps\"\ndepth = true");
    finds(
        &fixture,
        "isolated",
        &["with the depth sections of chapter 1 given, core-1 does not compile"],
    );
}

#[test]
fn finds_a_warning_in_the_reference() {
    let fixture = Fixture::verified();
    fixture.replace(
        "solutions/src/light.rs",
        "    // A long queue must not starve the other road.\n",
        "    let unused = 1;\n",
    );
    finds(
        &fixture,
        "isolated",
        &["warning: unused variable: `unused`"],
    );
}

#[test]
fn finds_a_warning_under_one_feature_alone() {
    let fixture = Fixture::verified();
    fixture.replace(
        "solutions/src/lamp.rs",
        "use std::fmt;\n",
        "#[cfg(not(feature = \"ch2\"))]\nuse std::collections::BTreeMap;\nuse std::fmt;\n",
    );
    fixture.run("generate").exits(0);
    finds(
        &fixture,
        "isolated",
        &[
            "with the chapters up to 1 solved",
            "unused import: `std::collections::BTreeMap`",
        ],
    );
}
