//! `cargo course hint`.

use crate::common::Fixture;

#[test]
fn each_asking_gives_one_more_up_to_the_last() {
    let fixture = Fixture::new();
    fixture
        .run("hint 1.2")
        .exits(0)
        .says("Hint 1 of 3 for 1.2: Which color is missing?")
        .says("Ask again for the next hint")
        .does_not_say("Hint 2");
    fixture
        .run("hint 1.2")
        .says("Hint 1 of 3")
        .says("Hint 2 of 3 for 1.2: A `repr` fixes the size.")
        .does_not_say("Hint 3");
    let third = fixture
        .run("hint 1.2")
        .says("Hint 3 of 3 for 1.2: Two bytes are a `u16`.")
        .says("`cargo course solution 1.2`");
    let fourth = fixture.run("hint 1.2").exits(0);
    assert_eq!(fourth.stdout, third.stdout, "the last hint stays");
}

#[test]
fn without_a_section_it_is_for_the_first_red_one() {
    let fixture = Fixture::new();
    fixture.run("hint").exits(0).says("Hint 1 of 3 for 1.1");
    fixture.run("solution 1.1 --apply").exits(0);
    fixture.run("hint").says("Hint 1 of 3 for 1.2");
}

#[test]
fn each_section_counts_its_own() {
    let fixture = Fixture::new();
    fixture.run("hint 1.1");
    fixture.run("hint 1.1").says("Hint 2 of 3 for 1.1");
    fixture
        .run("hint 1.3")
        .says("Hint 1 of 3 for 1.3")
        .does_not_say("Hint 2");
}

#[test]
fn where_nothing_is_red_or_to_write_it_says_so() {
    let fixture = Fixture::after_chapter_1();
    fixture.run("hint").exits(0).says("`cargo course next`");
    fixture
        .run("hint 1.4")
        .refuses(&["section 1.4 has nothing to write"])
        .in_one_line();
    fixture.run("hint one").exits(2);
}
