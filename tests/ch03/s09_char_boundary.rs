//! Section 3.9: Cutting between characters

use claw_code::tools::*;

#[test]
fn test_ch3_boundaries() {
    let text = "aé漢🦀";
    let starts = [0, 1, 3, 6, 10];
    for at in 0..text.len() + 5 {
        let floor = starts.iter().rev().find(|&&start| start <= at);
        let ceil = starts.iter().find(|&&start| start >= at).unwrap_or(&10);
        assert_eq!(
            Some(&floor_boundary(text, at)),
            floor,
            "the last boundary at or before byte {at} of {text:?}, whose characters begin at {starts:?}"
        );
        assert_eq!(
            &ceil_boundary(text, at),
            ceil,
            "the first boundary at or behind byte {at} of {text:?}, whose characters begin at {starts:?}"
        );
    }
    assert_eq!(floor_boundary("", 3), 0);
    assert_eq!(ceil_boundary("", 3), 0);
}
