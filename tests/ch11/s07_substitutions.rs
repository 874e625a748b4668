//! Section 11.7: Substitutions

use claw_code::safety::*;

use super::support::*;

/// The commands that run while the shell computes the first node of this kind; `None` if that is
/// not certain.
fn substituted(source: &str, kind: &str) -> Option<Vec<Vec<Word>>> {
    let tree = tree(source);
    let mut script = Script::default();
    script.add_substitutions(first(&tree, kind), source)?;
    Some(script.commands)
}

/// Checks the commands of a node.
#[track_caller]
fn assert_commands(source: &str, kind: &str, expected: &[&str]) {
    let expected: Vec<_> = expected.iter().map(|command| words(command)).collect();
    assert_eq!(
        substituted(source, kind),
        Some(expected),
        "the commands in {source:?}"
    );
}

#[test]
fn test_ch11_command_substitution_runs_its_commands() {
    assert_commands(
        "echo $(pwd; ls -l)",
        "command_substitution",
        &["pwd", "ls -l"],
    );
    assert_commands("echo `pwd`", "command_substitution", &["pwd"]);
}

#[test]
fn test_ch11_process_substitution_runs_its_commands() {
    assert_commands("diff <(sort a) b", "process_substitution", &["sort a"]);
    assert_commands("ls > >(rm x)", "process_substitution", &["rm x"]);
}

#[test]
fn test_ch11_substitution_in_a_string_or_word_is_found() {
    assert_commands("echo \"a $(pwd) b\"", "string", &["pwd"]);
    assert_commands("echo a\"$(pwd)\"$(ls)", "concatenation", &["pwd", "ls"]);
    assert_commands("a$(pwd) b", "command_name", &["pwd"]);
    assert_commands("echo 1#$(rm x)", "number", &["rm x"]);
}

#[test]
fn test_ch11_substitution_in_a_substitution_is_found() {
    assert_commands(
        "echo $(echo \"$(rm x)\")",
        "command_substitution",
        &["rm x", "echo ?"],
    );
}

#[test]
fn test_ch11_deeply_nested_substitutions_are_not_certain() {
    let nested = |times| format!("{}pwd{}", "echo $(".repeat(times), ")".repeat(times));
    let commands = substituted(&nested(10), "command_substitution");
    assert_eq!(commands.map(|it| it.len()), Some(10), "10 of them are fine");
    let commands = substituted(&nested(60), "command_substitution");
    assert_eq!(
        commands, None,
        "60 substitutions in each other are more than `MAX_NESTING`, and many more would overflow the stack: add their commands with `add_parts`"
    );
}

#[test]
fn test_ch11_plain_variable_runs_nothing() {
    assert_commands("echo $HOME", "simple_expansion", &[]);
    assert_commands("echo \"a $x\"", "string", &[]);
    assert_commands("echo a'b'1", "concatenation", &[]);
    assert_commands("echo '$(rm x)'$y", "concatenation", &[]);
    assert_commands("echo 12", "number", &[]);
}

#[test]
fn test_ch11_expansion_that_may_set_a_variable_is_not_certain() {
    for (source, kind) in [
        ("echo ${x:=y}", "expansion"),
        ("echo \"${x:-$(pwd)}\"", "string"),
        ("echo $((PATH = 1))", "arithmetic_expansion"),
    ] {
        assert_eq!(
            substituted(source, kind),
            None,
            "{source} may set a variable"
        );
    }
}

#[test]
fn test_ch11_substitution_with_other_syntax_is_not_certain() {
    let source = "echo $(if true; then ls; fi)";
    let commands = substituted(source, "command_substitution");
    assert_eq!(commands, None, "an `if` is not certain anywhere");
}

#[test]
fn test_ch11_text_that_sh_reads_differently_is_not_certain() {
    let commands = substituted("echo $'a'", "ansi_c_string");
    assert_eq!(
        commands, None,
        "`$'\\'` is complete in `sh`, and `bash` reads on: what follows may be a command"
    );
}
