//! Section 11.8: Redirections

use claw_code::safety::*;

use super::support::*;

/// The files and commands of the first redirection of this kind; `None` if it is not certain.
fn redirected(source: &str, kind: &str) -> Option<Script> {
    let tree = tree(source);
    let mut script = Script::default();
    script.add_redirection(first(&tree, kind), source)?;
    Some(script)
}

/// The same for a redirection that must be certain.
#[track_caller]
fn certain(source: &str, kind: &str) -> Script {
    redirected(source, kind)
        .unwrap_or_else(|| panic!("the {kind} of {source:?} is certain, and came out as `None`"))
}

/// Checks the file of a redirection.
#[track_caller]
fn assert_file(source: &str, expected: Option<(&str, Access)>) {
    let script = certain(source, "file_redirect");
    let expected: Vec<_> = expected
        .map(|(path, access)| PathUse {
            path: path.into(),
            access,
        })
        .into_iter()
        .collect();
    assert_eq!(script.redirections, expected, "the file of {source:?}");
}

#[test]
fn test_ch11_input_is_read() {
    assert_file("sort < a", Some(("a", Access::Read)));
}

#[test]
fn test_ch11_output_is_written() {
    for operator in [">", ">>", ">|", "2>", "&>", "&>>", ">&"] {
        let source = format!("ls {operator} 'a file'");
        assert_file(&source, Some(("a file", Access::Write)));
    }
    for operator in [">", "&>", "&>>"] {
        assert_file(&format!("ls {operator} 2"), Some(("2", Access::Write)));
    }
    for file in ["1x", "0x1", "+1", "²"] {
        assert_file(&format!("ls >& {file}"), Some((file, Access::Write)));
    }
}

#[test]
fn test_ch11_copied_descriptor_is_no_file() {
    for source in ["ls 2>&1", "ls >&2", "cat <&3"] {
        assert_file(source, None);
    }
}

#[test]
fn test_ch11_null_device_is_no_file() {
    assert_file("ls > /dev/null", None);
    assert_file("cat < /dev/null", None);
}

#[test]
fn test_ch11_other_devices_are_not_certain() {
    for source in [
        "cat < /dev/tcp/host/80",
        "ls > /dev/sda",
        "ls > /dev/null2",
        "ls > /dev/../etc/x",
    ] {
        let script = redirected(source, "file_redirect");
        assert_eq!(script, None, "{source} reaches a device or a host");
    }
}

#[test]
fn test_ch11_file_that_is_not_known_is_not_certain() {
    for source in ["ls > $x", "ls > *.txt", "ls > ~/x", "ls > \"$x\""] {
        let script = redirected(source, "file_redirect");
        assert_eq!(script, None, "nobody knows the file of {source}");
    }
}

#[test]
fn test_ch11_second_word_of_a_redirection_is_not_certain() {
    for source in ["ls > a -l", "sort > >(wc) -o a", "ls > a >(wc)"] {
        let script = redirected(source, "file_redirect");
        assert_eq!(
            script, None,
            "bash takes the words after the file for arguments of the command: {source}"
        );
    }
}

#[test]
fn test_ch11_process_substitution_may_be_the_file() {
    let script = certain("ls > >(wc -l)", "file_redirect");
    assert_eq!(script.commands, [words("wc -l")], "its commands run");
    assert_eq!(script.redirections, [], "it is not a file");
}

#[test]
fn test_ch11_text_of_a_here_document_may_run_commands() {
    for text in ["a $(rm x)", "a `rm x`", " $(rm x)", "$((PATH = 1))"] {
        let script = redirected(&format!("cat <<E\n{text}\nE"), "heredoc_redirect");
        assert_eq!(
            script, None,
            "the shell computes {text:?}, and the parser does not find each command in such a text"
        );
        let script = certain(&format!("cat <<'E'\n{text}\nE"), "heredoc_redirect");
        let rule = "a quoted delimiter turns that off";
        assert_eq!(script, Script::default(), "{rule}: {text:?}");
    }
    let script = certain("cat <<E\nplain text\nE", "heredoc_redirect");
    assert_eq!(script, Script::default(), "a plain text runs nothing");
}

#[test]
fn test_ch11_here_document_may_have_a_file() {
    let script = certain("cat <<E > a\nx\nE", "heredoc_redirect");
    let written = PathUse {
        path: "a".into(),
        access: Access::Write,
    };
    assert_eq!(
        script.redirections,
        [written],
        "the file after the delimiter"
    );
}

#[test]
fn test_ch11_here_document_has_the_rest_of_its_line() {
    for source in [
        "cat <<E | rm x\na\nE",
        "cat <<E && rm x\na\nE",
        "cat <<E > a && rm x\na\nE",
    ] {
        let script = certain(source, "heredoc_redirect");
        assert_eq!(
            script.commands,
            [words("rm x")],
            "{source:?} runs the command after the delimiter, too"
        );
    }
    for source in ["sort <<E -o a\nx\nE", "find <<E . -delete\nx\nE"] {
        let script = redirected(source, "heredoc_redirect");
        assert_eq!(
            script, None,
            "in {source:?}, the words after the delimiter are arguments of the command before it"
        );
    }
}

#[test]
fn test_ch11_end_of_a_here_document_must_be_clear() {
    for source in [
        "cat <<\\E\na\nE\n",
        "cat <<E\na\n E\nE\n",
        "cat <<'a b'\nx\na b\n",
        "cat <<E\na\\\nE\nE2\n",
        "cat <<E\na\nE\nrm x\nE\n",
    ] {
        let script = redirected(source, "heredoc_redirect");
        assert_eq!(script, None, "{source:?} may end somewhere else");
    }
}

#[test]
fn test_ch11_here_string_may_run_commands() {
    let script = certain("cat <<< \"$(pwd)\"", "herestring_redirect");
    assert_eq!(
        script.commands,
        [words("pwd")],
        "the shell computes the text"
    );
}
