//! `cargo course doctor`.

use std::fs::File;
use std::process::Command;
use std::time::{Duration, Instant, SystemTime};

use crate::common::{Fixture, Ran};

/// The miniature course with the files that every clone of the real course has.
fn clone() -> Fixture {
    let fixture = Fixture::new();
    fixture.write(".cargo/config.toml", "");
    fixture.write("course/Cargo.toml", "");
    fixture
}

/// Runs `cargo course doctor` with some variables.
fn doctor(fixture: &Fixture, variables: &[(&str, &str)]) -> Ran {
    let mut command = fixture.command("doctor");
    Ran::of(command.envs(variables.iter().copied()))
}

#[test]
fn a_complete_machine_is_ready() {
    let fixture = clone();
    doctor(&fixture, &[])
        .exits(0)
        .prints("ok       linker        links a program, and the program starts")
        .prints("ok       C compiler    cc compiles")
        .prints("ok       course files  complete")
        .prints("ok       crates        all are on this machine; no network is needed")
        .prints("ok       loopback ")
        .prints("This machine is ready for the course.")
        .does_not_print("missing");
    assert!(
        !fixture.path(".course").exists(),
        "the doctor leaves no files in the course"
    );
}

#[test]
fn the_json_has_each_check_with_its_remedy() {
    let fixture = clone();
    std::fs::remove_dir_all(fixture.path("solutions/src")).expect("it is there");
    let ran = fixture.run("doctor --json").exits(1);
    let json: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(json["ready"], false, "{json:#}");
    let checks = json["checks"].as_array().expect("a list");
    let find = |name| checks.iter().find(|check| check["name"] == name);
    let files = find("course files").expect("a check of the files");
    assert_eq!(files["state"], "missing", "{json:#}");
    assert_eq!(files["found"], "solutions/src not found", "{json:#}");
    assert!(files["remedy"].is_string(), "{json:#}");
    let rust = find("Rust").expect("a check of Rust");
    assert_eq!(rust["state"], "ok", "{json:#}");
    assert!(rust["remedy"].is_null(), "{json:#}");
}

#[test]
fn deleted_files_of_the_course_are_named() {
    let download = clone();
    // The first run notes the files as downloaded.
    download.run("path").exits(0);
    let clone = clone();
    for arguments in ["init --quiet", "add --all"] {
        let git = Command::new("git")
            .args(arguments.split(' '))
            .current_dir(clone.root())
            .status();
        assert!(git.expect("git starts").success(), "git {arguments}");
    }
    for (fixture, remedy) in [
        (download, "Download the course again"),
        (clone, "`git restore`"),
    ] {
        std::fs::remove_file(fixture.path("solutions/src/lib.rs")).expect("it is there");
        doctor(&fixture, &[])
            .exits(1)
            .prints("missing  course files  1 file not found, such as solutions/src/lib.rs")
            .prints(remedy);
    }
}

#[test]
fn it_works_while_the_course_is_broken() {
    let fixture = clone();
    fixture.write("Cargo.toml", "[[[");
    fixture.write(".course", "not a folder");
    fixture.write("book/src/course.toml", "[[");
    doctor(&fixture, &[])
        .exits(1)
        .prints("missing  write access  cannot write to")
        .prints("ok       linker ");
}

#[test]
fn missing_programs_are_named_with_where_to_get_them() {
    doctor(&clone(), &[("PATH", "/nowhere")])
        .exits(1)
        .prints("missing  Rust          rustc: not found")
        .prints("https://rustup.rs")
        .prints("missing  linker        rustc cannot link a program")
        .prints("missing  C compiler    cc: not found; chapter 2 and later ones need it")
        .prints("warning  git           not installed")
        .prints("Something is missing.");
}

#[cfg(unix)]
#[test]
fn an_old_rust_is_missing() {
    let fixture = clone();
    fixture.program("old", "#!/bin/sh\necho rustc 1.70.0\n");
    let old = fixture.path("old");
    doctor(&fixture, &[("RUSTC", old.to_str().expect("UTF-8"))])
        .exits(1)
        .prints("missing  Rust          rustc 1.70.0, but the course needs 1.89 or newer");
}

#[cfg(unix)]
#[test]
fn a_program_that_hangs_is_not_missing_and_is_ended_within_ten_seconds() {
    let fixture = clone();
    fixture.program("hang", "#!/bin/sh\nexec sleep 60\n");
    let hang = fixture.path("hang");
    let start = Instant::now();
    doctor(&fixture, &[("RUSTC", hang.to_str().expect("UTF-8"))])
        .exits(0)
        .prints("warning  Rust          not known, since this check did not finish in time")
        .prints("warning  linker        not known, since this check did not finish in time")
        .prints("ok       C compiler")
        .does_not_print("missing");
    assert!(
        start.elapsed() < Duration::from_secs(10),
        "the doctor took {:?}",
        start.elapsed()
    );
}

#[test]
fn settings_that_change_the_builds_are_warnings() {
    let fixture = clone();
    doctor(&fixture, &[("RUSTFLAGS", "-D warnings")])
        .exits(0)
        .prints(
            "warning  cargo config  the variable `RUSTFLAGS` changes how your code is compiled",
        );
    let home = tempfile::tempdir().expect("a folder");
    let config = home.path().join("config.toml");
    std::fs::write(&config, "[build]\ntarget-dir = \"all\"\n").expect("it can be written");
    let path = home.path().to_str().expect("UTF-8");
    doctor(&fixture, &[("CARGO_HOME", path)])
        .exits(0)
        .prints("warning  cargo config  `build.target-dir` in")
        .prints("builds in another folder");
    std::fs::write(&config, "[build\n").expect("it can be written");
    doctor(&fixture, &[("CARGO_HOME", path)])
        .exits(1)
        .prints("missing  cargo config")
        .prints("cargo does not start with it");
}

#[test]
fn a_home_folder_that_cannot_be_written_is_named() {
    let fixture = clone();
    let file = fixture.path("Cargo.lock");
    doctor(&fixture, &[("CARGO_HOME", file.to_str().expect("UTF-8"))])
        .exits(1)
        .prints(&format!(
            "missing  write access  cannot write to {}",
            file.display()
        ));
}

#[test]
fn missing_crates_without_a_network_are_missing() {
    let fixture = clone();
    let package = "\n[[package]]\nname = \"far\"\nversion = \"1.0.0\"\nsource = \"registry\"\n";
    fixture.append("Cargo.lock", package);
    let home = tempfile::tempdir().expect("a folder");
    let offline = [
        ("CARGO_HOME", home.path().to_str().expect("UTF-8")),
        ("CARGO_NET_OFFLINE", "true"),
    ];
    doctor(&fixture, &offline)
        .exits(1)
        .prints(
            "missing  crates        1 of 1 are not on this machine, and cargo is in offline mode",
        )
        .prints("cargo course fetch");
    fixture.write(
        ".cargo/config.toml",
        "[source.crates-io]\nreplace-with = \"here\"\n[source.here]\ndirectory = \"vendor\"\n",
    );
    fixture.write("vendor/far-1.0.0/Cargo.toml", "");
    doctor(&fixture, &offline)
        .exits(0)
        .prints("ok       crates        all are on this machine");
}

#[test]
fn files_from_the_future_are_a_warning() {
    let fixture = clone();
    let file = File::options()
        .append(true)
        .open(fixture.path("src/light.rs"));
    file.expect("it is there")
        .set_modified(SystemTime::now() + Duration::from_secs(3_600))
        .expect("its time can be set");
    doctor(&fixture, &[])
        .exits(0)
        .prints("warning  clock         files are from the future (1, such as src/light.rs)");
}
