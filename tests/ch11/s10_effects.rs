//! Section 11.10: Effects

use claw_code::safety::*;

/// The effects of a script that must be certain.
#[track_caller]
fn effects(script: &str) -> Effects {
    certain_effects(script).unwrap_or_else(|| panic!("`{script}` should be certain"))
}

/// Checks the paths that a script reads and writes.
#[track_caller]
fn assert_paths(script: &str, expected: &[(&str, Access)]) {
    let paths = effects(script).paths;
    let paths: Vec<_> = paths
        .iter()
        .map(|it| (it.path.as_str(), it.access))
        .collect();
    assert_eq!(paths, expected, "the paths of `{script}`");
}

#[test]
fn test_ch11_worst_command_decides_the_class() {
    for (script, expected) in [
        ("ls", CommandClass::ReadOnly),
        ("touch a", CommandClass::Writes),
        ("touch a; ls", CommandClass::Writes),
        ("ls | tee a | wc", CommandClass::Writes),
        ("", CommandClass::ReadOnly),
    ] {
        assert_eq!(effects(script).class, expected, "the class of `{script}`");
    }
}

#[test]
fn test_ch11_redirection_to_a_file_writes() {
    assert_eq!(effects("ls > a").class, CommandClass::Writes);
    assert_eq!(effects("sort < a").class, CommandClass::ReadOnly);
    for script in ["sort < a > b", "sort > b < a"] {
        let class = effects(script).class;
        assert_eq!(class, CommandClass::Writes, "`{script}` writes `b`");
    }
    assert_paths("sort < a > b", &[("a", Access::Read), ("b", Access::Write)]);
}

#[test]
fn test_ch11_operands_are_paths_by_the_usage_line() {
    assert_paths(
        "cat -n a 'b c'",
        &[("a", Access::Read), ("b c", Access::Read)],
    );
    assert_paths("grep x a", &[("a", Access::Read)]);
    assert_paths("echo a", &[]);
    assert_paths("touch a", &[("a", Access::Write)]);
}

#[test]
fn test_ch11_command_that_no_line_fits_is_not_certain() {
    for script in ["cargo test", "sort -o a", "ls; ./x", "$x", "PATH=. ls"] {
        assert_eq!(certain_effects(script), None, "no table knows `{script}`");
    }
}

#[test]
fn test_ch11_operand_must_be_there() {
    assert_eq!(certain_effects("comm a"), None, "`comm` needs two files");
    assert_eq!(
        certain_effects("cd"),
        None,
        "`cd` alone leaves the workspace"
    );
    assert!(
        certain_effects("uniq").is_some(),
        "`uniq` may read its input"
    );
}

#[test]
fn test_ch11_operand_must_not_be_left_over() {
    assert_eq!(
        certain_effects("uniq a b"),
        None,
        "`uniq` writes its second file"
    );
    assert_eq!(certain_effects("hostname x"), None, "it would set the name");
}

#[test]
fn test_ch11_first_line_that_fits_decides() {
    assert_eq!(effects("git branch").class, CommandClass::ReadOnly);
    assert_eq!(effects("git branch x").class, CommandClass::Writes);
}

#[test]
fn test_ch11_program_that_runs_a_program_has_its_effects() {
    assert_eq!(effects("env nice touch a").class, CommandClass::Writes);
    assert_paths("timeout 5 cat a", &[("a", Access::Read)]);
    for script in ["env ./x", "nice", "timeout 5", "env A=1 ls"] {
        assert_eq!(certain_effects(script), None, "`{script}` is not certain");
    }
}

#[test]
fn test_ch11_script_of_a_shell_has_its_effects() {
    assert_paths(
        "sh -c 'cat a; cat b'",
        &[("a", Access::Read), ("b", Access::Read)],
    );
    assert_eq!(effects("bash -c 'ls > a'").class, CommandClass::Writes);
    assert_eq!(
        certain_effects("sh -c './x'"),
        None,
        "the script is not certain"
    );
    assert_eq!(
        certain_effects("sh -c ls x"),
        None,
        "an argument is left over"
    );
}

#[test]
fn test_ch11_command_of_find_has_its_effects() {
    assert_paths(
        "find src -exec cat a {} +",
        &["src", "a", "{}"].map(|it| (it, Access::Read)),
    );
    for command in [
        "./x {} +",
        "touch {} +",
        "touch {} ';'",
        "echo $x ';'",
        "sh -c 'cat {}' ';'",
        "uniq + x ';'",
    ] {
        let script = format!("find . -exec {command}");
        assert_eq!(certain_effects(&script), None, "`{script}` is not certain");
    }
}

#[test]
fn test_ch11_change_of_the_folder_is_remembered() {
    let effects = effects("cd src && cat a");
    assert_eq!(effects.folders, ["src"], "`a` may be in `src`");
    for script in ["cd ..", "cd a/../b", "cd -", "cd ?"] {
        let script = script.replace('?', "$x");
        assert_eq!(certain_effects(&script), None, "`{script}` is not certain");
    }
}

#[test]
fn test_ch11_long_command_is_not_certain() {
    let command = |words: usize| format!("{}ls", "env ".repeat(words - 1));
    assert_eq!(certain_effects(&command(201)), None, "more than 200 words");
    assert!(
        certain_effects(&command(200)).is_some(),
        "200 words are not too many"
    );
}
