//! What `cargo course check` builds for a chapter, and what it shows meanwhile.

use std::fs::{self, File};

use crate::common::{Fixture, Ran, eventually};

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
    for module in [
        "pub(crate) mod sum;",
        "pub mod sum { pub fn zero() -> u32 { 0 } }",
    ] {
        fixture.replace("src/lib.rs", "pub mod sum;", module);
        fixture.run("check 2").exits(0).prints("Chapter 2 is done");
        fixture.replace("src/lib.rs", module, "pub mod sum;");
    }
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
