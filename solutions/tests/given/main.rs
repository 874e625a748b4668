//! The tests of code that the course gives to the learner.
//!
//! They are not checkpoints: this code is complete in the stubs, so they would be green from the
//! start. The module of a chapter has a file for each topic. `learner.rs` runs them on the learner's
//! crate.
#![allow(
    dead_code,
    unused_imports,
    reason = "the helpers also serve the suites of the chapters"
)]

extern crate claw_code_solutions as claw_code;

mod ch03;
mod ch04;
mod ch06;
#[cfg(unix)]
mod ch07;
mod ch08;
mod ch10;
#[cfg(unix)]
mod ch11;
#[cfg(unix)]
mod ch12;
mod ch13;
mod ch16;
mod ch17;
mod ch19;
mod ch20;
#[path = "../../../tests/support/mod.rs"]
mod support;

#[test]
fn both_programs_have_the_tests_of_every_chapter() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/given");
    for entry in folder.read_dir().expect("the folder of this program") {
        let entry = entry.expect("an entry");
        let chapter = entry.file_name().into_string().expect("a name in ASCII");
        for program in [include_str!("main.rs"), include_str!("learner.rs")] {
            let has_module = program.contains(&format!("mod {chapter};"));
            assert!(entry.path().is_file() || has_module, "{chapter}");
        }
    }
}
