//! Patterns for paths

use std::path::Path;

use claw_code::permission::*;

#[test]
fn a_pattern_is_made_absolute_as_a_path_is() {
    let places = Places {
        workspace: "/work/app".into(),
        home: Some("/home/ada".into()),
    };
    for (pattern, path) in [
        ("src/**", "/work/app/src/a.rs"),
        ("./src/./**", "/work/app/src/a.rs"),
        ("src//**", "/work/app/src/a.rs"),
        ("src//", "/work/app/src/a.rs"),
        ("src//a.rs", "/work/app/src/a.rs"),
        ("./", "/work/app/src/a.rs"),
        ("/etc//**", "/etc/passwd"),
        ("//etc/**", "/etc/passwd"),
        ("/", "/etc/passwd"),
        ("~//.ssh/**", "/home/ada/.ssh/id"),
        ("~/", "/home/ada/.ssh/id"),
    ] {
        let parsed = PathPattern::parse(pattern, &places).expect("a valid pattern");
        assert!(parsed.matches(Path::new(path)), "{pattern} matches {path}");
        let other = Path::new("/var/other");
        assert_eq!(parsed.matches(other), pattern == "/", "{pattern}");
    }
}
