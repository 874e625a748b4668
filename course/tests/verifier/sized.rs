//! The check "sized": the budgets of lines and minutes.

use super::*;

const LIGHT: &str = "solutions/src/light.rs";

/// Adds `lines` lines to the body of `green_for`, in section 1.1.
fn lengthen(fixture: &Fixture, lines: usize) {
    let line = "    let cars = cars;\n";
    let body = format!("{}    (cars * 2).clamp(5, 60)\n", line.repeat(lines));
    fixture.replace(LIGHT, "    (cars * 2).clamp(5, 60)\n", &body);
}

#[test]
fn finds_a_core_section_that_is_too_long() {
    let fixture = Fixture::verified();
    lengthen(&fixture, 30);
    finds(
        &fixture,
        "sized",
        &["section 1.1 has 31 lines to write; a core section has at most 30"],
    );
}

#[test]
fn a_depth_section_may_be_longer() {
    let fixture = Fixture::verified();
    lengthen(&fixture, 30);
    fixture.replace(
        MANIFEST,
        "id = \"green-time\"",
        "id = \"green-time\"\ndepth = true",
    );
    fixture.run_with_book("verify --chapter 1").exits(0);
}

#[test]
fn finds_three_listings_in_a_row() {
    let fixture = Fixture::verified();
    let page = "book/src/ch01-one-light.md";
    let two = "{{#stub light::green_for}}\n\n{{#item light::Color}}\n";
    fixture.replace(page, "{{#stub light::green_for}}\n", two);
    fixture.run_with_book("verify --chapter 1").exits(0);
    fixture.replace(
        page,
        two,
        &format!("{two}\n{{{{#stub light::Color::is_go}}}}\n"),
    );
    finds(
        &fixture,
        "sized",
        &["book/src/ch01-one-light.md:9: more than 2 listings in a row"],
    );
}

#[test]
fn finds_a_core_that_takes_more_than_three_hours() {
    let fixture = Fixture::verified();
    fixture.replace(
        MANIFEST,
        "id = \"lamps\"\nminutes = 10",
        "id = \"lamps\"\nminutes = 151",
    );
    finds(
        &fixture,
        "sized",
        &["the core of chapter 1 takes 3 h 01 and may take 3 h"],
    );
}
