//! The check "in step": stubs, lists, layers and names agree with the reference and the manifests.

use super::*;

#[test]
fn finds_an_edited_stub() {
    let fixture = Fixture::verified();
    fixture.append("src/light.rs", "// Mine.\n");
    finds(
        &fixture,
        "in step",
        &[
            "src/light.rs differs from its stub",
            "`cargo course generate`",
        ],
    );
    fixture.run("generate").exits(0);
    fixture.run_with_book("verify --chapter 1").exits(0);
}

#[test]
fn finds_a_missing_and_an_extra_stub() {
    let fixture = Fixture::verified();
    fixture.write("src/dark.rs", "//! Off.\n");
    std::fs::remove_file(fixture.path("src/crossing.rs")).expect("it is there");
    finds(
        &fixture,
        "in step",
        &[
            "src/dark.rs has no counterpart in solutions/src",
            "src/crossing.rs is missing",
        ],
    );
}

#[test]
fn finds_an_unformatted_stub() {
    let fixture = Fixture::verified();
    fixture.replace("solutions/src/light.rs", "-> u32 {", "->  u32 {");
    fixture.run("generate").exits(0);
    finds(
        &fixture,
        "in step",
        &["the stub of src/light.rs is not formatted"],
    );
}

#[test]
fn reports_an_error_of_rustfmt() {
    let fixture = Fixture::verified();
    let text = "a".repeat(120);
    let spaces = "    ";
    fixture.append(
            "solutions/src/light.rs",
            &format!("\n/// A number.\npub const LONG: usize = \"{text}\"\n    .len(){spaces}\n    .wrapping_add(1);\n"),
        );
    fixture.run("generate").exits(0);
    finds(
        &fixture,
        "in step",
        &[
            "rustfmt cannot format the stubs: ",
            "left behind trailing whitespace",
            "--> light.rs:",
        ],
    );
}

#[test]
fn finds_a_function_in_no_manifest() {
    let fixture = Fixture::verified();
    fixture.append(
        "solutions/src/light.rs",
        "\n/// A third of a minute.\npub fn short() -> u32 {\n    20\n}\n",
    );
    fixture.run("generate").exits(0);
    finds(
        &fixture,
        "in step",
        &["`short` in solutions/src/light.rs is in no manifest"],
    );
}

#[test]
fn finds_a_given_function_that_does_not_exist() {
    let fixture = Fixture::verified();
    fixture.replace(MANIFEST, "given = [", "given = [\"light::nothing\", ");
    finds(
        &fixture,
        "in step",
        &["`light::nothing`, listed under `given`, contains no function"],
    );
}

#[test]
fn finds_a_test_in_no_manifest() {
    let fixture = Fixture::verified();
    fixture.append(
        GREEN_FOR,
        "\n#[test]\nfn test_ch1_extra() {\n    green_for(1);\n}\n",
    );
    finds(
        &fixture,
        "in step",
        &["test_ch1_extra in tests/ch01/s01_green_for.rs is in no manifest"],
    );
}

#[test]
fn finds_a_listed_test_that_does_not_exist() {
    let fixture = Fixture::verified();
    fixture.replace(
        LAMPS,
        "#[test]\nfn test_ch1_lamp_reads_well",
        "#[allow(dead_code)]\nfn test_ch1_lamp_reads_well",
    );
    let ran = fixture.run_with_book("verify --chapter 1").exits(1);
    ran.prints("FAILED in step ").prints(
            "test_ch1_lamp_reads_well is listed in book/src/ch01-one-light.toml and is not in tests/ch01/s03_lamps.rs",
        );
}

#[test]
fn finds_a_test_in_the_file_of_another_section() {
    let fixture = Fixture::verified();
    let test = "\n#[test]\nfn test_ch1_color_is_two_bytes() {\n    let bytes = size_of::<Color>();\n    assert_eq!(bytes, 2, \"a controller sends a color as two bytes\");\n}\n";
    fixture.replace(COLORS, test, "");
    fixture.append(LAMPS, &format!("\nuse claw_code::light::Color;\n{test}"));
    finds(
        &fixture,
        "in step",
        &[
            "test_ch1_color_is_two_bytes is in tests/ch01/s03_lamps.rs, but book/src/ch01-one-light.toml puts it in tests/ch01/s02_colors.rs; move it",
        ],
    );
}

#[test]
fn finds_a_test_in_support_rs() {
    let fixture = Fixture::verified();
    fixture.append(
        "tests/ch01/support.rs",
        "\n#[test]\nfn test_ch1_extra() {\n    claw_code::light::green_for(1);\n}\n",
    );
    finds(
        &fixture,
        "in step",
        &["test_ch1_extra in tests/ch01/support.rs is in no manifest"],
    );
}

#[test]
fn finds_a_test_file_with_the_wrong_number() {
    let fixture = Fixture::verified();
    let text = fixture.read(LAMPS);
    std::fs::remove_file(fixture.path(LAMPS)).expect("it was just read");
    fixture.write("tests/ch01/s07_lamps.rs", text);
    fixture.run("generate").exits(0);
    let ran = fixture.run_with_book("verify --chapter 1").exits(1);
    ran.prints("FAILED in step ")
            .prints("section 1.3 has no test file; write its tests in tests/ch01/s03_….rs, named after the section")
            .prints("test_ch1_lamp_reads_well is in tests/ch01/s07_lamps.rs, but book/src/ch01-one-light.toml puts it in tests/ch01/s03_….rs");
}

#[test]
fn finds_extra_test_files() {
    let fixture = Fixture::verified();
    fixture.write("tests/ch01/s03_more.rs", "//! More.\n");
    fixture.write("tests/ch01/s04_rain.rs", "//! Rain.\n");
    fixture.run("generate").exits(0);
    finds(
        &fixture,
        "in step",
        &[
            "tests/ch01/s03_lamps.rs and tests/ch01/s03_more.rs are both for section 1.3",
            "tests/ch01/s04_rain.rs is for section 1.4, which has no tests in book/src/ch01-one-light.toml",
        ],
    );
}

#[test]
fn finds_a_test_file_with_a_wrong_first_line() {
    let fixture = Fixture::verified();
    fixture.replace(
        COLORS,
        "//! Section 1.2: Colors\n",
        "//! Section 1.2: Paint\n",
    );
    finds(
        &fixture,
        "in step",
        &["the first line of tests/ch01/s02_colors.rs must be `//! Section 1.2: Colors`"],
    );
}

#[test]
fn finds_an_edited_list_of_chapters() {
    for (list, line, other) in [
        ("tests/main.rs", "mod ch1;", "mod chapter_one;"),
        (
            "tests/main.rs",
            "#[cfg(all(feature = \"ch1\", not(without = \"ch1\")))]",
            "#[cfg(feature = \"ch1\")]",
        ),
        (
            "solutions/tests/chapters.rs",
            "#[cfg(feature = \"ch2\")]\n",
            "",
        ),
        ("tests/ch01/mod.rs", "//! The tests", "//! All tests"),
        ("Cargo.toml", "ch2 = [\"ch1\", \"crates2\"]\n", ""),
        (
            "solutions/Cargo.toml",
            "default = [\"ch2\"]",
            "default = [\"ch1\"]",
        ),
        (
            "solutions/src/lib.rs",
            "#[cfg(feature = \"ch2\")]",
            "#[cfg(feature = \"ch1\")]",
        ),
    ] {
        let fixture = Fixture::verified();
        fixture.replace(list, line, other);
        let ran = fixture.run_with_book("verify --chapter 1").exits(1);
        ran.prints("FAILED in step ").prints(&format!(
            "{list} is out of date; run `cargo course generate` and commit it"
        ));
        fixture.run("generate").exits(0).prints(list);
        fixture.run_with_book("verify --chapter 1").exits(0);
    }
}

#[test]
fn finds_files_that_import_each_other() {
    let fixture = Fixture::verified();
    for (file, text) in [
        ("lib.rs", "mod reply;\nmod rules;\npub use rules::Rule;\n"),
        ("rules/mod.rs", "mod rule;\npub use rule::*;\n"),
        (
            "rules/rule.rs",
            "use crate::reply;\npub struct Rule(reply::Reply);\n",
        ),
        (
            "reply.rs",
            "pub struct Reply;\npub fn of(_: &crate::Rule) {}\n",
        ),
    ] {
        fixture.write(&format!("offline/src/{file}"), text);
    }
    finds(
        &fixture,
        "in step",
        &[
            "these files import each other",
            "offline/src/reply.rs → offline/src/rules/rule.rs: Rule",
            "offline/src/rules/rule.rs → offline/src/reply.rs: Reply",
        ],
    );
    fixture.replace("offline/src/reply.rs", "crate::Rule", "u8");
    fixture.run_with_book("verify --chapter 1").exits(0);
}

#[test]
fn finds_files_of_the_reference_that_import_each_other() {
    let fixture = Fixture::verified();
    fixture.append(
        "solutions/src/light.rs",
        "\nconst _: Option<crate::lamp::Lamp> = None;\n",
    );
    fixture.run("generate").exits(0);
    finds(
        &fixture,
        "in step",
        &[
            "these files import each other",
            "solutions/src/light.rs → solutions/src/lamp.rs: Lamp",
        ],
    );
}

#[test]
fn finds_an_import_from_a_later_chapter() {
    let fixture = Fixture::verified();
    fixture.append(
        "solutions/src/light.rs",
        "\n#[cfg(feature = \"ch2\")]\nuse crate::crossing::Crossing as _;\n",
    );
    fixture.run("generate").exits(0);
    let ran = fixture.run_with_book("verify --chapter 1").exits(1);
    ran.prints("FAILED in step ")
        .prints("this file imports from a module of a later chapter")
        .prints("solutions/src/light.rs → solutions/src/crossing.rs: Crossing");
}

#[test]
fn generate_rejects_modules_that_no_manifest_lists() {
    let lib = "solutions/src/lib.rs";
    let fixture = Fixture::verified();
    fixture.replace(MANIFEST, "[\"lamp\", \"light\"]", "[\"light\"]");
    fixture.run("generate").fails_with(&[
        "in solutions/src/lib.rs: the module `lamp` is under ch1's feature and in no manifest",
    ]);
    fixture.replace(MANIFEST, "[\"light\"]", "[\"lamp\", \"light\", \"siren\"]");
    fixture.run("generate").fails_with(&[
        "lists the module `siren`",
        "neither solutions/src/siren.rs nor solutions/src/siren/mod.rs",
    ]);
    fixture.replace(MANIFEST, ", \"siren\"", "");
    fixture.replace(
        lib,
        "\n\n#[cfg(feature = \"ch2\")]",
        "\n\nmod mine;\n\n#[cfg(feature = \"ch2\")]",
    );
    fixture.run("generate").fails_with(&[
        "the chapters' modules must be next to each other; move `mod mine;` below the last of them",
    ]);
}

#[test]
fn generate_rejects_modules_that_are_more_than_a_line() {
    let lib = "solutions/src/lib.rs";
    let fixture = Fixture::verified();
    let plain = fixture.read(lib);
    for other in [
        "/// Lamps.\npub mod lamp;",
        "#[macro_use]\npub mod lamp;",
        "#[cfg(unix)]\npub mod lamp;",
        "pub(crate) mod lamp;",
        "// Lamps.\npub mod lamp;",
    ] {
        let text = plain.replace("pub mod lamp;", other);
        fixture.write(lib, &text);
        fixture.run("generate").fails_with(&[
            "in solutions/src/lib.rs: the module `lamp` must be one `#[cfg]` and `pub mod lamp;`",
        ]);
        assert_eq!(fixture.read(lib), text);
    }
}

#[test]
fn generate_rejects_a_chapter_without_tests() {
    let fixture = Fixture::verified();
    std::fs::remove_dir_all(fixture.path("tests/ch02")).expect("it is there");
    fixture
        .run("generate")
        .fails_with(&["cannot read tests/ch02, which holds the tests of chapter 2"]);
}

#[test]
fn finds_chapters_out_of_order() {
    let fixture = Fixture::verified();
    fixture.replace(
        "book/src/SUMMARY.md",
        "- [One Light](ch01-one-light.md)\n",
        "",
    );
    fixture.append("book/src/SUMMARY.md", "- [One Light](ch01-one-light.md)\n");
    finds(
        &fixture,
        "in step",
        &["entry 1 of book/src/SUMMARY.md is \"The Crossing\" and must be \"One Light\""],
    );
}
