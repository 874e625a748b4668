//! The check "red": every test fails on the stubs, because of its own section.

use super::*;

#[test]
fn finds_a_test_that_passes_on_the_stub() {
    let fixture = Fixture::verified();
    fixture.replace(
            LAMPS,
            "fn test_ch1_lamp_reads_well() {\n    assert_eq!(Lamp::green(4).to_string(), \"Green for 8 s\");",
            "fn test_ch1_lamp_reads_well() {\n    assert_eq!(size_of::<Lamp>(), size_of::<Lamp>());",
        );
    finds(
        &fixture,
        "red",
        &[
            "test_ch1_lamp_reads_well passes on the untouched stub",
            "section 1.3",
        ],
    );
}

#[test]
fn finds_a_test_that_stops_at_another_sections_stub() {
    let fixture = Fixture::verified();
    fixture.replace(
        COLORS,
        "    let all = shown(",
        "    assert_eq!(claw_code::light::green_for(0), 5);\n    let all = shown(",
    );
    let ran = fixture.run_with_book("verify --chapter 1").exits(1);
    ran.prints("FAILED red ")
        .prints("test_ch1_colors_in_order checks section 1.2 but stops at the stub of section 1.1");
}

#[test]
fn finds_a_test_that_fails_before_it_reaches_a_stub() {
    let fixture = Fixture::verified();
    fixture.replace(
            GREEN_FOR,
            "    assert_eq!(green_for(0), 5,",
            "    assert_eq!(size_of::<claw_code::light::Color>(), 2, \"two bytes first\");\n    assert_eq!(green_for(0), 5,",
        );
    let ran = fixture.run_with_book("verify --chapter 1").exits(1);
    ran.prints("FAILED red ")
        .prints("test_ch1_green_has_limits fails on the stubs, but not at the stub of section 1.1");
}

#[test]
fn finds_stubs_that_do_not_compile() {
    let fixture = Fixture::verified();
    fixture.replace(
        "solutions/src/crossing.rs",
        "pub fn letting(cars: u32) -> Self {",
        "pub fn letting(cars: u32) -> impl std::ops::Deref<Target = Self> {",
    );
    fixture.replace(
        "solutions/src/crossing.rs",
        "Self { open, closed }\n",
        "Box::new(Self { open, closed })\n",
    );
    fixture.run("generate").exits(0);
    let ran = fixture.run_with_book("verify --chapter 2").exits(1);
    ran.prints("FAILED red ")
        .prints("on the stubs, stubs does not compile")
        .prints("ok     isolated ");
}
