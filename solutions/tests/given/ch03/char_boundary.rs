//! Character boundaries

use claw_code::tools::*;

#[test]
fn boundaries_are_between_characters() {
    let text = "aé漢🦀";
    let boundaries = [0, 1, 3, 6, 10];
    for at in 0..text.len() + 5 {
        let floor = boundaries.iter().rev().find(|&&boundary| boundary <= at);
        assert_eq!(
            Some(&floor_boundary(text, at)),
            floor,
            "the last boundary at or before byte {at} of {text:?}, whose boundaries are {boundaries:?}"
        );
        let ceil = boundaries.iter().find(|&&boundary| boundary >= at);
        assert_eq!(
            &ceil_boundary(text, at),
            ceil.unwrap_or(&10),
            "the first boundary at or after byte {at} of {text:?}, whose boundaries are {boundaries:?}"
        );
    }
    assert_eq!(floor_boundary("", 3), 0);
    assert_eq!(ceil_boundary("", 3), 0);
}
