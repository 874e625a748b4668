//! Section 11.6: The commands of a script

use claw_code::safety::*;

use super::support::*;

/// Checks the simple commands of a script.
#[track_caller]
fn assert_commands(source: &str, expected: &[&str]) {
    let script = Script::parse(source);
    let commands = script.map(|script| script.commands);
    let expected: Vec<_> = expected.iter().map(|command| words(command)).collect();
    assert_eq!(commands, Some(expected), "the commands of {source:?}");
}

/// Checks that nothing about a script is certain.
#[track_caller]
fn assert_uncertain(source: &str) {
    assert_eq!(Script::parse(source), None, "{source:?} is not certain");
}

#[test]
fn test_ch11_simple_command_has_its_words() {
    assert_commands("ls -la src", &["ls -la src"]);
    assert_commands("'ls' \"-l\"", &["ls -l"]);
}

#[test]
fn test_ch11_lists_and_pipelines_have_several_commands() {
    assert_commands("ls; pwd", &["ls", "pwd"]);
    assert_commands("ls && pwd || date", &["ls", "pwd", "date"]);
    assert_commands("cat a | grep b | wc", &["cat a", "grep b", "wc"]);
    assert_commands("ls & pwd &", &["ls", "pwd"]);
    assert_commands("ls\npwd\n", &["ls", "pwd"]);
}

#[test]
fn test_ch11_groups_have_commands_in_them() {
    assert_commands("(ls; pwd)", &["ls", "pwd"]);
    assert_commands("{ ls; pwd; }", &["ls", "pwd"]);
    assert_commands("! ls", &["ls"]);
}

#[test]
fn test_ch11_comments_are_no_commands() {
    assert_commands("ls # rm x", &["ls"]);
    assert_commands("# a\nls\n# b\nrm x", &["ls", "rm x"]);
    assert_commands("", &[]);
}

#[test]
fn test_ch11_text_in_quotes_is_no_command() {
    let script = Script::parse("echo '; rm x'").expect("a certain script");
    let expected = [vec![Some("echo".to_string()), Some("; rm x".to_string())]];
    assert_eq!(script.commands, expected, "one command with one argument");
}

#[test]
fn test_ch11_assignments_are_not_certain() {
    for source in ["PATH=. ls", "A=1 B=2 ls", "A=1", "A=1; ls", "export A=1"] {
        assert_uncertain(source);
    }
}

#[test]
fn test_ch11_other_syntax_is_not_certain() {
    for source in [
        "if true; then ls; fi",
        "for i in a; do ls; done",
        "while true; do ls; done",
        "case a in a) ls;; esac",
        "ls() { pwd; }",
        "[[ -f a ]]",
        "((x = 1))",
        "(ls; for i in a; do ls; done)",
    ] {
        assert_uncertain(source);
    }
}

#[test]
fn test_ch11_invalid_syntax_is_not_certain() {
    assert_commands("ls", &["ls"]);
    for source in ["ls '", "ls &&", "echo $(", "| ls"] {
        assert_uncertain(source);
    }
}

#[test]
fn test_ch11_odd_spaces_are_not_certain() {
    assert_commands("ls \\\n -l", &["ls -l"]);
    for source in [
        "ls\u{a0}-l",
        "ls\r\n",
        "cat \\ a",
        "ls\u{b}-l",
        "echo\\\n#$(rm x)",
    ] {
        assert_uncertain(source);
    }
}

#[test]
fn test_ch11_deep_nesting_is_not_certain() {
    assert_uncertain(&format!("{}ls{}", "(".repeat(1000), ")".repeat(1000)));
    assert_uncertain(&format!("{}ls", "ls && ".repeat(5000)));
    let nested = |groups| format!("{}ls{}", "( ".repeat(groups), " )".repeat(groups));
    assert_commands(&nested(49), &["ls"]);
    assert_uncertain(&nested(50));
}

#[test]
fn test_ch11_many_groups_side_by_side_are_certain() {
    assert_commands(&"(ls)\n".repeat(100), &["ls"; 100]);
}
