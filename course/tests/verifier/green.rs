//! The check "green": every test passes on the reference.

use super::*;

#[test]
fn finds_a_test_that_fails_on_the_reference() {
    let fixture = Fixture::verified();
    fixture.replace(
        LAMPS,
        "to_string(), \"Green for 8 s\"",
        "to_string(), \"Green, 8 s\"",
    );
    let ran = fixture.run_with_book("verify --chapter 1").exits(1);
    // What the reference fails, it fails under every other check as well.
    ran.prints("FAILED green ")
        .prints("on the reference, test_ch1_lamp_reads_well fails")
        .prints("Green, 8 s");
}

#[test]
fn finds_a_reference_that_does_not_compile() {
    let fixture = Fixture::verified();
    fixture.replace(
        "solutions/src/light.rs",
        "clamp(5, 60)\n",
        "clamp(5, 60) + \"\"\n",
    );
    let ran = fixture.run_with_book("verify --chapter 1").exits(1);
    ran.prints("FAILED green      the reference does not compile")
        .prints("cannot add `&str` to `u32`");
}
