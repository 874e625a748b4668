//! The check "true book": what the pages name exists.

use super::*;

const PAGE: &str = "book/src/ch01-one-light.md";

#[test]
fn finds_a_dead_link() {
    let fixture = Fixture::verified();
    fixture.replace(PAGE, "(ch02-the-crossing.md)", "(ch02-the-crosing.md)");
    finds(
        &fixture,
        "true book",
        &["book/src/ch01-one-light.md:", "ch02-the-crosing"],
    );
}

#[test]
fn finds_a_dead_anchor() {
    let fixture = Fixture::verified();
    fixture.replace(
        PAGE,
        "(ch02-the-crossing.md)",
        "(ch02-the-crossing.md#22-nothing)",
    );
    finds(
        &fixture,
        "true book",
        &["book/src/ch01-one-light.md:", "#22-nothing"],
    );
}

#[test]
fn finds_an_include_without_its_anchor() {
    let fixture = Fixture::verified();
    fixture.write("book/src/light.txt", "ANCHOR: here\nx\nANCHOR_END: here\n");
    fixture.append(PAGE, "\n```text\n{{#include light.txt:there}}\n```\n");
    finds(
        &fixture,
        "true book",
        &["book/src/ch01-one-light.md:", "there"],
    );
}

#[test]
fn finds_an_unknown_directive() {
    let fixture = Fixture::verified();
    fixture.append(PAGE, "\n{{#listing light::green_for}}\n");
    finds(
        &fixture,
        "true book",
        &["book/src/ch01-one-light.md:", "listing"],
    );
}

#[test]
fn finds_an_unknown_item() {
    let fixture = Fixture::verified();
    fixture.append(PAGE, "\n{{#item light::blue_for}}\n");
    finds(
        &fixture,
        "true book",
        &["book/src/ch01-one-light.md:", "blue_for"],
    );
}

#[test]
fn finds_a_missing_checkpoint() {
    let fixture = Fixture::verified();
    fixture.replace(PAGE, "{{#checkpoint 1.2}}\n", "");
    finds(
        &fixture,
        "true book",
        &["section 1.2 has tests but no checkpoint"],
    );
}

#[test]
fn finds_an_unknown_test() {
    let fixture = Fixture::verified();
    fixture.append(PAGE, "\nRun `cargo test test_ch1_green_is_nice`.\n");
    finds(&fixture, "true book", &["test_ch1_green_is_nice"]);
}

#[test]
fn an_unknown_command() {
    let fixture = Fixture::verified();
    fixture.append(
        "book/src/index.md",
        "\nType `cargo course solve 1.1` if you must.\n",
    );
    finds(
        &fixture,
        "true book",
        &["`cargo course solve 1.1` is not a command of the runner"],
    );
}

#[test]
fn accepts_commands_with_placeholders() {
    let fixture = Fixture::verified();
    fixture.append(
            "book/src/index.md",
            "\n`cargo course check N.S`, `cargo course solution N --apply`, `cargo course undo K`, `cargo course report --junit FILE` and `cargo course book --port P` are all there.\n",
        );
    fixture.run_with_book("verify --chapter 1").exits(0);
}
