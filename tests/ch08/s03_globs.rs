//! Section 8.3: Globs that narrow

use std::path::Path;

use claw_code::tools::search::*;

#[test]
fn test_ch8_globs() {
    for (glob, path, fits) in [
        ("*.rs", "main.rs", true),
        ("*.rs", "src/deep/main.rs", true),
        ("*.rs", "main.rsx", false),
        ("src/*.rs", "src/main.rs", true),
        ("src/*.rs", "src/deep/main.rs", false),
        ("src/**/*.rs", "src/main.rs", true),
        ("src/**/*.rs", "src/deep/main.rs", true),
        ("src/**/*.rs", "lib/src/main.rs", false),
        ("/main.rs", "src/main.rs", false),
        ("/main.rs", "main.rs", true),
        ("./src/*.rs", "src/main.rs", true),
        ("**", "src/main.rs", true),
        ("v1..v2.md", "v1..v2.md", true),
        ("*.{rs,toml}", "Cargo.toml", true),
        ("[a-c]?.rs", "b1.rs", true),
        ("!*.rs", "main.rs", false),
        ("!*.rs", "main.c", true),
        ("!./src/*.rs", "src/main.rs", false),
        ("#*#", "#main.rs#", true),
        ("#*#", "main.rs", false),
        ("!#*#", "#main.rs#", false),
        ("Main.rs", "main.rs", false),
    ] {
        let filter = filter(glob);
        assert_eq!(
            filter.admits(&Path::new("/folder").join(path), false),
            fits,
            "whether the file {path} fits the glob `{glob}`"
        );
    }
}

#[test]
fn test_ch8_globs_and_folders() {
    for (glob, path, is_entered) in [
        ("*.rs", "src", true),
        ("src/*.rs", "lib", true),
        ("!target", "target", false),
        ("!target/", "src/target", false),
        ("!*.rs", "src", true),
    ] {
        assert_eq!(
            filter(glob).admits(&Path::new("/folder").join(path), true),
            is_entered,
            "whether the folder {path} is entered with the glob `{glob}`: files in it may fit, unless a glob with ! fits the folder"
        );
    }
    let both = Filter::new(Path::new("/folder"), Some("src/*"), Some("rust")).expect("a filter");
    for (path, fits) in [
        ("src/main.rs", true),
        ("src/main.c", false),
        ("main.rs", false),
    ] {
        assert_eq!(
            both.admits(&Path::new("/folder").join(path), false),
            fits,
            "with a glob and a type, a file has to fit both; the file is {path}"
        );
    }
    assert!(
        both.admits(Path::new("/folder/src"), true),
        "a type says nothing of folders"
    );
}

#[test]
fn test_ch8_bad_globs() {
    for (glob, says) in [
        ("", "empty"),
        ("!", "empty"),
        ("./", "empty"),
        ("  ", "empty"),
        ("../*.rs", "`path`"),
        ("src/../*.rs", "`path`"),
        ("!../x", "`path`"),
        ("*.{rs,toml", "unclosed"),
        ("[ab", "unclosed"),
        ("a\\", "dangling"),
    ] {
        let message = globs(Path::new("/folder"), glob).err().unwrap_or_else(|| {
            panic!("the glob {glob:?} fits nothing or everything, which nobody means")
        });
        assert!(
            message.contains(says),
            "the message about the glob {glob:?} says {says:?}; it says: {message}"
        );
    }
    let message = globs(Path::new("/folder"), "*.{rs")
        .err()
        .unwrap_or_default();
    assert!(
        message.contains("*.{rs") && message.contains('\\'),
        "the message repeats the glob, and says how a special character is meant as itself: {message}"
    );
}

#[track_caller]
fn filter(glob: &str) -> Filter {
    Filter::new(Path::new("/folder"), Some(glob), None)
        .unwrap_or_else(|message| panic!("`{glob}` is a glob: {message}"))
}
