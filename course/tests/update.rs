//! `cargo course update` brings a newer version of a miniature course, and the learner's work
//! survives.

mod common;

use std::fs;
use std::process::Command;

use common::{Fixture, Ran, assert_same_files};

const MANIFEST: &str = "book/src/ch01-one-light.toml";
const LIGHT: &str = "solutions/src/light.rs";
const LAMP: &str = "solutions/src/lamp.rs";

/// The body that a learner wrote for `green_for`. The reference has another one.
const MY_GREEN: &str = "// MINE: two for each\n    std::cmp::min(60, std::cmp::max(5, cars * 2))";

/// A newer version: the miniature after `edit`, with its stubs generated.
fn newer(edit: impl FnOnce(&Fixture)) -> Fixture {
    let new = Fixture::new();
    edit(&new);
    new.run("generate").exits(0);
    new
}

/// A learner who wrote `green_for`, and nothing else.
fn learner() -> Fixture {
    let learner = Fixture::new();
    learner.fill("src/light.rs", "green-time", "green_for", MY_GREEN);
    learner
}

/// Runs `update` with the folder of `new`, and then `undo` in a copy.
fn update(learner: &Fixture, new: &Fixture) -> Ran {
    update_from(learner, &new.root().to_string_lossy())
}

fn update_from(learner: &Fixture, source: &str) -> Ran {
    let before = learner.everything();
    let ran = learner.run(&format!("update {source}")).exits(0);
    let after = learner.everything();
    assert_ne!(before, after, "{ran} changes something");
    learner.run("undo").exits(0);
    assert_same_files(&learner.everything(), &before, "after undo of the update");
    let undone = learner.run("undo --list").exits(0);
    let newest = undone
        .stdout
        .trim_start()
        .split(' ')
        .next()
        .unwrap_or_default();
    learner.run(&format!("undo {newest}")).exits(0);
    assert_same_files(&learner.everything(), &after, "after the undo was undone");
    ran
}

#[test]
fn code_stays_where_the_contract_is_unchanged() {
    let learner = learner();
    let new = newer(|new| {
        new.replace(LIGHT, "(cars * 2).clamp(5, 60)", "(2 * cars).clamp(5, 60)");
        new.replace(
            "book/src/ch01-one-light.md",
            "# Chapter 1",
            "# The new chapter 1",
        );
    });
    update(&learner, &new).prints("1 item that you wrote stays as it is.");
    assert!(learner.read("src/light.rs").contains(MY_GREEN));
    assert!(
        learner
            .read("book/src/ch01-one-light.md")
            .contains("# The new chapter")
    );
    learner.run("check 1.1").exits(0);
}

#[test]
fn undo_removes_the_empty_folders_that_the_update_made() {
    let learner = learner();
    let new = newer(|new| {
        new.write("book/src/mine/lights/red.svg", "<svg/>");
        new.write("book/src/sounds/horns/short.txt", "beep");
    });
    let exists = |folder: &str| learner.path("book/src").join(folder).exists();
    fs::create_dir(learner.path("book/src/mine")).expect("a new folder");
    update(&learner, &new);
    learner.write("book/src/sounds/note.txt", "MINE");
    learner.run("undo 1").exits(0);
    assert!(!exists("mine/lights"), "the update made this folder");
    assert!(exists("mine"), "the learner made this empty folder");
    assert!(!exists("sounds/horns"), "the update made this folder");
    assert!(exists("sounds/note.txt"), "the learner made this file");
}

#[test]
fn a_new_section_comes_as_a_stub() {
    let learner = learner();
    let new = newer(|new| {
        new.append(
            LIGHT,
            "\n/// Whether the light is broken.\npub fn is_broken(color: Color) -> bool {\n    color == Color::Red\n}\n",
        );
        new.replace(
            MANIFEST,
            "[[section]]\nid = \"colors\"",
            "[[section]]\nid = \"broken\"\nminutes = 5\ntitle = \"Broken\"\nitems = [\"light::is_broken\"]\ntests = [\"test_ch1_broken\"]\nhints = [\"a\", \"b\", \"c\"]\n\n[[section]]\nid = \"colors\"",
        );
        fs::rename(
            new.path("tests/ch01/s03_lamps.rs"),
            new.path("tests/ch01/s04_lamps.rs"),
        )
        .expect("a file");
        fs::rename(
            new.path("tests/ch01/s02_colors.rs"),
            new.path("tests/ch01/s03_colors.rs"),
        )
        .expect("a file");
        new.write(
            "tests/ch01/s02_broken.rs",
            "//! Section 1.2: Broken\n\nuse claw_code::light::{Color, is_broken};\n\n#[test]\nfn test_ch1_broken() {\n    assert!(is_broken(Color::Red));\n}\n",
        );
    });
    update(&learner, &new)
        .prints("New sections:")
        .prints("1.2   Broken");
    let light = learner.read("src/light.rs");
    assert!(light.contains(MY_GREEN), "{light}");
    assert!(
        light.contains("todo!(\"broken: write is_broken\")"),
        "{light}"
    );
    assert!(
        !learner.path("tests/ch01/s02_colors.rs").exists(),
        "an old test file is removed"
    );
    learner.run("check 1.1").exits(0);
    assert_eq!(learner.state("1.2"), "not-written");
}

#[test]
fn a_changed_signature_makes_a_stub_with_the_old_code_in_a_comment() {
    let learner = learner();
    let new = newer(|new| {
        new.replace(
            LIGHT,
            "green_for(cars: u32)",
            "green_for(cars: u32, night: bool)",
        );
        new.replace(
            LIGHT,
            "(cars * 2).clamp(5, 60)",
            "if night { 5 } else { (cars * 2).clamp(5, 60) }",
        );
        new.replace(LAMP, "green_for(cars)", "green_for(cars, false)");
        let test = "tests/ch01/s01_green_for.rs";
        new.write(
            test,
            new.read(test)
                .replace("0)", "0, false)")
                .replace("(11)", "(11, false)"),
        );
        new.replace(
            MANIFEST,
            "body = \"cars * 2\"",
            "body = \"let _ = night; cars * 2\"",
        );
    });
    update(&learner, &new)
        .prints("Stubs again, with your code in a comment inside:")
        .prints("1.1   light::green_for (its signature changed)");
    let light = learner.read("src/light.rs");
    for text in [
        "pub fn green_for(cars: u32, night: bool) -> u32 {\n    // The update of the course made this a stub again: its signature changed.",
        "    // pub fn green_for(cars: u32) -> u32 {\n    //     // MINE: two for each\n",
        "    todo!(\"green-time: write green_for\")\n",
    ] {
        assert!(light.contains(text), "expected {text:?} in\n{light}");
    }
    assert_eq!(learner.state("1.1"), "not-written");
}

#[test]
fn a_reworded_doc_comment_keeps_the_code_while_the_tests_are_the_same() {
    let learner = learner();
    let new = newer(|new| {
        new.replace(
            LIGHT,
            "/// The seconds of green",
            "/// How many seconds of green",
        );
        // Another message is no other test.
        new.replace(
            "tests/ch01/s01_green_for.rs",
            "even an empty road gets five seconds",
            "five seconds at least",
        );
        new.replace(
            MANIFEST,
            "even an empty road gets five seconds",
            "five seconds at least",
        );
    });
    update(&learner, &new).prints("Your code stays, and its doc comment changed:");
    let light = learner.read("src/light.rs");
    assert!(
        light.contains(MY_GREEN) && light.contains("/// How many seconds of green"),
        "{light}"
    );
}

#[test]
fn a_doc_comment_and_tests_that_change_together_make_a_stub() {
    let learner = learner();
    let new = newer(|new| {
        new.replace(LIGHT, "at least 5,", "at least 6,");
        new.replace(LIGHT, "clamp(5, 60)", "clamp(6, 60)");
        new.replace(
            "tests/ch01/s01_green_for.rs",
            "green_for(0), 5",
            "green_for(0), 6",
        );
    });
    update(&learner, &new).prints("light::green_for (its doc comment and its tests changed)");
    let light = learner.read("src/light.rs");
    assert!(
        light.contains("    // MINE") || light.contains("// MINE"),
        "{light}"
    );
    assert!(
        light.contains("todo!(\"green-time: write green_for\")"),
        "{light}"
    );
}

#[test]
fn code_follows_a_renamed_file_a_renamed_item_and_a_split_section() {
    let learner = learner();
    learner.append(
        "src/light.rs",
        "\n/// MINE, a helper.\npub fn double(x: u32) -> u32 {\n    x * 2\n}\n",
    );
    learner.fill(
        "src/lamp.rs",
        "lamps",
        "Lamp::fmt",
        "write!(f, \"MINE {:?}\", self.color)",
    );
    let new = newer(|new| {
        fs::rename(new.path(LIGHT), new.path("solutions/src/signal.rs")).expect("a file");
        new.replace(
            "solutions/src/signal.rs",
            "pub fn green_for",
            "pub fn green_seconds",
        );
        for file in [
            LAMP,
            "tests/ch01/s01_green_for.rs",
            "tests/ch01/s02_colors.rs",
        ] {
            let text = new.read(file);
            new.write(
                file,
                text.replace("light::", "signal::")
                    .replace("green_for", "green_seconds"),
            );
        }
        new.replace("solutions/src/lib.rs", "pub mod light;", "pub mod signal;");
        let text = new.read(MANIFEST).replace("light::", "signal::");
        let text = text
            .replace("\"light\"", "\"signal\"")
            .replace("green_for", "green_seconds");
        let text = text.replace(
            ", \"lamp::Lamp::fmt\"]\ntests = [\"test_ch1_lamp_shows_its_time\", \"test_ch1_lamp_reads_well\"]",
            "]\ntests = [\"test_ch1_lamp_shows_its_time\"]",
        );
        new.write(MANIFEST, text);
        new.replace(
            MANIFEST,
            "[[section]]\nid = \"rain\"",
            "[[section]]\nid = \"lamp-text\"\nminutes = 5\ntitle = \"Text\"\nitems = [\"lamp::Lamp::fmt\"]\ntests = [\"test_ch1_lamp_reads_well\"]\nhints = [\"a\", \"b\", \"c\"]\n\n[[section]]\nid = \"rain\"",
        );
    });
    update(&learner, &new).prints("1.1   signal::green_seconds (from light::green_for)");
    assert!(!learner.path("src/light.rs").exists());
    let signal = learner.read("src/signal.rs");
    for text in [
        "pub fn green_seconds(cars: u32)",
        MY_GREEN,
        "/// MINE, a helper.",
    ] {
        assert!(signal.contains(text), "expected {text:?} in\n{signal}");
    }
    assert!(learner.read("src/lamp.rs").contains("MINE {:?}"));
    learner.run("check 1.1").exits(0);
}

#[test]
fn a_changed_type_comes_complete() {
    let learner = learner();
    learner.replace(
        "src/lamp.rs",
        "    pub color: Color,\n}",
        "    pub color: Color,\n    /// MINE\n    pub seconds: u32,\n}",
    );
    let new = newer(|new| {
        new.replace(LAMP, "    pub seconds: u32,", "    pub seconds: u64,");
        new.replace(
            LAMP,
            "seconds: green_for(cars)",
            "seconds: green_for(cars).into()",
        );
    });
    update(&learner, &new).prints("1.3   lamp::Lamp (the type changed)");
    let lamp = learner.read("src/lamp.rs");
    assert!(lamp.contains("    pub seconds: u64,"), "{lamp}");
    assert!(lamp.contains("//     /// MINE\n"), "{lamp}");
    learner.run("check 1.1").exits(0);
}

/// The learner's code uses a given function that the new version does not have.
#[test]
fn code_that_no_longer_compiles_gives_way() {
    let learner = learner();
    learner.fill(
        "src/lamp.rs",
        "lamps",
        "Lamp::fmt",
        "write!(f, \"MINE {}\", self.color.is_go())",
    );
    learner.append(
        "src/lamp.rs",
        "\n/// MINE, too.\npub fn go(lamp: &Lamp) -> bool {\n    lamp.color.is_go()\n}\n",
    );
    let new = newer(|new| {
        new.replace(LIGHT, "\n    /// Whether cars may drive.\n    pub fn is_go(self) -> bool {\n        self == Color::Green\n    }\n", "");
        new.replace(MANIFEST, "given = [\"light::Color::is_go\"]\n", "");
    });
    update(&learner, &new)
        .prints("1.3   lamp::Lamp::fmt (it does not compile with the new version)")
        .prints("lamp::go");
    let lamp = learner.read("src/lamp.rs");
    assert!(lamp.contains("//     write!(f, \"MINE"), "{lamp}");
    assert!(
        lamp.contains("// pub fn go(lamp: &Lamp) -> bool {"),
        "{lamp}"
    );
    learner.run("check 1.1").exits(0);
}

/// Given code of an open chapter needs a type that a new section asks for.
#[test]
fn a_new_type_that_given_code_needs_comes_complete() {
    let learner = learner();
    let new = newer(|new| {
        new.append(
            LIGHT,
            "\n/// The weather.\npub struct Weather {\n    /// Whether it rains.\n    pub rain: bool,\n}\n\n/// Whether it is dry.\npub fn is_dry(weather: &Weather) -> bool {\n    !weather.rain\n}\n",
        );
        new.replace(MANIFEST, "given = [", "given = [\"light::is_dry\", ");
        new.replace(
            MANIFEST,
            "[[section]]\nid = \"rain\"",
            "[[section]]\nid = \"weather\"\nminutes = 5\ntitle = \"Weather\"\nitems = [\"light::Weather\"]\ntests = [\"test_ch1_weather\"]\nhints = [\"a\", \"b\", \"c\"]\n\n[[section]]\nid = \"rain\"",
        );
        new.write(
            "tests/ch01/s04_weather.rs",
            "//! Section 1.4: Weather\n\n#[test]\nfn test_ch1_weather() {}\n",
        );
    });
    update(&learner, &new);
    let light = learner.read("src/light.rs");
    assert!(
        light.contains("pub struct Weather {") && light.contains(MY_GREEN),
        "{light}"
    );
    learner.run("check 1.1").exits(0);
}

/// A chapter was opened before all types of an earlier one were written, and its given code now
/// needs one of them.
#[test]
fn a_type_that_is_still_a_stub_comes_complete_for_given_code_of_a_later_chapter() {
    let learner = learner();
    learner.replace("Cargo.toml", "default = [\"ch1\"]", "default = [\"ch2\"]");
    let new = newer(|new| {
        new.append(
            "solutions/src/crossing.rs",
            "\n/// Whether everybody waits.\npub fn is_free(crossing: &Crossing) -> bool {\n    crossing.open.color == crate::light::Color::Amber\n}\n",
        );
        let manifest = "book/src/ch02-the-crossing.toml";
        new.replace(
            manifest,
            "timeout_seconds = 2",
            "timeout_seconds = 2\ngiven = [\"crossing::is_free\"]",
        );
    });
    update(&learner, &new)
        .prints("Types of earlier chapters that come complete")
        .prints("  1.2   light::Color");
    let light = learner.read("src/light.rs");
    assert!(
        light.contains("    Amber,") && light.contains(MY_GREEN),
        "{light}"
    );
    assert!(
        light.contains("todo!(\"colors: write Color::all\")"),
        "functions stay stubs: {light}"
    );
    learner.run("check 1.1").exits(0);
}

#[test]
fn an_own_file_and_the_open_chapter_and_own_dependencies_stay() {
    let learner = learner();
    learner.run("open 2").exits(0);
    learner.write("src/mine.rs", "//! MINE\n");
    learner.append("src/lib.rs", "\npub mod mine;\n");
    learner.write("tests/mine.rs", "// MINE\n");
    add_own_dependency(&learner);
    let new = newer(|new| {
        new.replace(LIGHT, "//! What a light shows", "//! What the light shows");
        new.replace(
            "solutions/src/lib.rs",
            "//! A traffic light",
            "//! Another traffic light",
        );
    });
    update(&learner, &new).does_not_print("which you had edited");
    assert!(learner.read("Cargo.toml").contains("own = { path"));
    assert_eq!(learner.read("src/mine.rs"), "//! MINE\n");
    assert_eq!(learner.read("tests/mine.rs"), "// MINE\n");
    let lib = learner.read("src/lib.rs");
    assert!(
        lib.contains("//! Another traffic light") && lib.contains("pub mod mine;"),
        "{lib}"
    );
    assert!(learner.read("Cargo.toml").contains("default = [\"ch2\"]"));
    learner.run("check 1.1").exits(0);
}

/// The compiler that the update starts saves a file first, as an editor would.
#[cfg(unix)]
#[test]
fn a_file_that_is_saved_during_an_update_stays() {
    let learner = learner();
    let wrapper = format!(
        "#!/bin/sh\ngrep -q MINE {0} || echo '// MINE' >> {0}\nexec \"$@\"\n",
        learner.path("src/lamp.rs").display()
    );
    learner.program("target/rustc", wrapper);
    let new = newer(|new| new.replace(LAMP, "//! ", "//! Newer: "));
    let mut command = learner.command(&format!("update {}", new.root().display()));
    command.env("RUSTC_WRAPPER", learner.path("target/rustc"));
    let before = learner.files("tests");
    Ran::of(&mut command)
        .exits(2)
        .fails_with(&["src/lamp.rs was saved during the update, so nothing was changed"]);
    assert!(learner.read("src/lamp.rs").ends_with("// MINE\n"));
    assert_same_files(&learner.files("tests"), &before, "after the update");
    update(&learner, &new);
    assert!(learner.read("src/lamp.rs").ends_with("// MINE\n"));
}

/// cargo writes it into `Cargo.lock`.
#[test]
fn a_second_update_finds_nothing_to_do_beside_an_own_dependency() {
    let learner = learner();
    // The first run notes the files as downloaded.
    learner.run("path").exits(0);
    add_own_dependency(&learner);
    let new = newer(|new| new.append("book/src/index.md", "new"));
    update(&learner, &new);
    learner.run("check 1.1").exits(0);
    let lock = learner.read("Cargo.lock");
    assert!(lock.contains("name = \"own\""), "{lock}");
    learner
        .run(&format!("update {}", new.root().display()))
        .exits(0)
        .prints("Nothing to do");
    assert_eq!(learner.read("Cargo.lock"), lock, "it stays");
}

fn add_own_dependency(learner: &Fixture) {
    learner.write("own/src/lib.rs", "");
    learner.write(
        "own/Cargo.toml",
        "[package]\nname = \"own\"\nedition = \"2024\"\n",
    );
    learner.replace(
        "Cargo.toml",
        "[dependencies]\n",
        "[dependencies]\nown = { path = \"own\" }\n",
    );
}

#[test]
fn an_edited_file_of_the_course_is_named_and_in_the_backup() {
    let learner = Fixture::new();
    // The first run notes the files as downloaded.
    learner.run("path").exits(0);
    learner.append("tests/ch01/s01_green_for.rs", "// MINE\n");
    let new = newer(|new| new.append("book/src/index.md", "new"));
    update(&learner, &new)
        .prints("The update replaces these files of the course, which you had edited.")
        .prints("  tests/ch01/s01_green_for.rs");
    let kept = learner.files(".course/saves").into_values();
    let kept: Vec<String> = kept
        .map(|it| String::from_utf8_lossy(&it).into_owned())
        .collect();
    assert!(kept.iter().any(|text| text.ends_with("// MINE\n")));
}

#[test]
fn a_syntax_error_stops_the_update_only_where_the_file_changes() {
    let learner = learner();
    learner.append("src/lamp.rs", "fn half( {\n");
    let before = learner.everything();
    let new = newer(|new| new.replace(LAMP, "/// What it shows.", "/// What the lamp shows."));
    learner
        .run(&format!("update {}", new.root().display()))
        .fails_with(&["src/lamp.rs has a syntax error", "line "])
        .on_one_line();
    assert_same_files(&learner.everything(), &before, "after the refusal");
    let new = newer(|new| new.replace(LIGHT, "/// Stop.\n", "/// Wait.\n"));
    learner
        .run(&format!("update {}", new.root().display()))
        .exits(0);
    assert!(learner.read("src/lamp.rs").ends_with("fn half( {\n"));
}

#[test]
fn a_dry_run_says_the_same_and_changes_nothing() {
    let learner = learner();
    learner.run("path").exits(0);
    let before = learner.everything();
    let new = newer(|new| {
        new.replace(
            LIGHT,
            "green_for(cars: u32)",
            "green_for(mut cars: u32, _: bool)",
        )
    });
    learner
        .run(&format!("update --dry-run {}", new.root().display()))
        .exits(0)
        .prints("light::green_for (its signature changed)")
        .prints("Nothing was changed.");
    assert_same_files(&learner.everything(), &before, "after the dry run");
    assert!(!learner.path(".course/saves").exists() && !learner.path(".course/update").exists());
}

#[test]
fn hints_and_the_path_survive_and_a_new_depth_section_is_given() {
    let learner = learner();
    learner.run("path full").exits(0);
    learner.run("path core").exits(0);
    learner.run("hint 1.1").exits(0);
    let kept = |learner: &Fixture| learner.read(".course/hints.json");
    let hints = kept(&learner);
    let new = newer(|new| {
        new.append(
            LIGHT,
            "\n/// Always.\npub fn always() -> bool {\n    true\n}\n",
        );
        new.replace(
            MANIFEST,
            "[[section]]\nid = \"rain\"",
            "[[section]]\nid = \"always\"\ndepth = true\nminutes = 5\ntitle = \"Always\"\nitems = [\"light::always\"]\ntests = [\"test_ch1_always\"]\nhints = [\"a\", \"b\", \"c\"]\n\n[[section]]\nid = \"rain\"",
        );
        new.write("tests/ch01/s04_always.rs", "//! Section 1.4: Always\n\n#[test]\nfn test_ch1_always() {\n    assert!(claw_code::light::always());\n}\n");
    });
    learner
        .run(&format!("update {}", new.root().display()))
        .exits(0);
    assert_eq!(kept(&learner), hints);
    assert!(
        learner
            .read("src/light.rs")
            .contains("pub fn always() -> bool {\n    true\n}")
    );
    assert!(learner.read(".course/path.json").contains("always"));
    learner
        .run("path")
        .exits(0)
        .prints("You are on the core path.");
}

#[test]
fn the_new_version_comes_from_an_archive_or_from_git() {
    let new = newer(|new| new.replace(LIGHT, "/// Stop.\n", "/// Wait.\n"));
    let folder = new.root();
    let archive = folder.with_extension("tar.gz");
    let run = |program: &str, arguments: &[&str]| {
        let mut command = Command::new(program);
        let ran = Ran::of(command.args(arguments).current_dir(&folder));
        assert_eq!(ran.code, Some(0), "{ran}");
    };
    let name = archive.to_string_lossy().into_owned();
    run(
        "tar",
        &[
            "-czf",
            &name,
            "book",
            "solutions",
            "src",
            "tests",
            "Cargo.toml",
            "Cargo.lock",
        ],
    );
    let by_archive = learner();
    update_from(&by_archive, &name);
    assert!(by_archive.read("src/light.rs").contains("/// Wait."));
    fs::remove_file(&archive).expect("the archive");
    // As GitHub makes them: in a folder of its own.
    let download = Fixture::new();
    download.write("claw-code-main/README", "");
    for (file, content) in new.everything() {
        download.write(&format!("claw-code-main/{file}"), content);
    }
    let zip = download.path("new.zip").to_string_lossy().into_owned();
    let top = download
        .path("claw-code-main")
        .to_string_lossy()
        .into_owned();
    run("python3", &["-m", "zipfile", "-c", &zip, &top]);
    let by_zip = learner();
    by_zip.run(&format!("update {zip}")).exits(0);
    assert!(by_zip.read("src/light.rs").contains("/// Wait."));

    let git = |fixture: &Fixture, arguments: &[&str]| {
        let mut command = Command::new("git");
        command.current_dir(fixture.root());
        command.args([
            "-c",
            "user.name=a",
            "-c",
            "user.email=a@b",
            "-c",
            "commit.gpgsign=false",
        ]);
        let ran = Ran::of(command.args(arguments));
        assert_eq!(ran.code, Some(0), "{ran}");
    };
    git(&new, &["init", "--quiet"]);
    git(&new, &["add", "."]);
    git(&new, &["commit", "--quiet", "-m", "new"]);
    let clone = learner();
    git(&clone, &["init", "--quiet"]);
    git(&clone, &["add", "."]);
    git(&clone, &["commit", "--quiet", "-m", "old"]);
    git(
        &clone,
        &["remote", "add", "origin", &folder.to_string_lossy()],
    );
    let before = clone.run("path").exits(0);
    assert!(!before.stdout.is_empty());
    clone
        .run("update")
        .exits(0)
        .prints("Updated the course to origin, commit ");
    let light = clone.read("src/light.rs");
    assert!(
        light.contains("/// Wait.") && light.contains(MY_GREEN),
        "{light}"
    );
    clone.run("update").exits(0).prints("Nothing to do");
}

/// This file defines the command `cargo course`.
#[test]
fn an_update_from_a_folder_keeps_the_configuration_of_cargo() {
    let config = |fixture: &Fixture, text: &str| fixture.write(".cargo/config.toml", text);
    let learner = learner();
    config(&learner, "[alias]\nold = 'run'\n");
    // The first run notes the files as downloaded.
    learner.run("path").exits(0);
    let new = newer(|new| config(new, "[alias]\nnew = 'run'\n"));
    learner
        .run(&format!("update {}", new.root().display()))
        .exits(0);
    assert!(learner.read(".cargo/config.toml").contains("new"));
}

#[test]
fn a_source_that_is_no_course_is_named() {
    let learner = learner();
    learner
        .run("update")
        .fails_with(&["this folder is no git clone, so name the new version"])
        .on_one_line();
    learner
        .run("update src")
        .fails_with(&["src is not a version of the course"])
        .on_one_line();
    learner
        .run("update Cargo.toml")
        .fails_with(&["Cargo.toml cannot be unpacked"])
        .on_one_line();
}

/// The launcher must reach the runner that can take back an update.
#[cfg(unix)]
#[test]
fn the_launcher_starts_the_last_runner_if_the_new_one_cannot_be_built() {
    let launcher = Launcher::new("target/runner/debug/course");
    let start = |argument: &str| launcher.start(argument);
    start("status").exits(2).does_not_print("the last runner");
    start("undo").exits(0).prints("the last runner: undo");
    launcher.fixture.write(".course/unfinished", "7");
    start("status").exits(0).prints("the last runner: status");
}

/// With `build.target` in a cargo configuration.
#[cfg(unix)]
#[test]
fn the_launcher_finds_the_runner_in_the_folder_of_a_target() {
    let launcher = Launcher::new("target/runner/x86_64-unknown-linux-gnu/debug/course");
    launcher
        .start("undo")
        .exits(0)
        .prints("the last runner: undo");
}

/// The launcher in a folder whose runner was built before and cannot be built again.
#[cfg(unix)]
struct Launcher {
    fixture: Fixture,
}

#[cfg(unix)]
impl Launcher {
    fn new(runner: &str) -> Self {
        let fixture = Fixture::new();
        fixture.write("course/src/main.rs", "no Rust");
        fixture.write("course/Cargo.toml", "");
        fixture.write("course/Cargo.lock", "");
        fixture.write("course/launcher/Cargo.toml", "");
        fixture.program(runner, "#!/bin/sh\necho the last runner: $*\n");
        let source = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("launcher/src/main.rs");
        let mut rustc = Command::new("rustc");
        rustc.args(["--edition", "2024", "-o"]);
        rustc.arg(fixture.path("launcher")).arg(source);
        assert_eq!(Ran::of(&mut rustc).code, Some(0));
        Self { fixture }
    }

    fn start(&self, argument: &str) -> Ran {
        let mut command = Command::new(self.fixture.path("launcher"));
        command.arg(argument);
        command.env("CARGO_MANIFEST_DIR", self.fixture.path("course/launcher"));
        // Every build fails.
        Ran::of(command.env("CARGO", "false"))
    }
}
