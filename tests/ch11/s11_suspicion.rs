//! Section 11.11: Suspicion

use claw_code::safety::*;

/// Checks the class of commands that are not certain.
#[track_caller]
fn assert_suspected(expected: CommandClass, commands: &[&str]) {
    for command in commands {
        assert_eq!(
            suspected_class(command),
            expected,
            "the class of {command:?}"
        );
    }
}

#[test]
fn test_ch11_program_of_a_table_is_found() {
    assert_suspected(CommandClass::Destructive, &["rm", "rm -rf x", "/bin/rm x"]);
    assert_suspected(CommandClass::Network, &["curl x", "/usr/bin/wget"]);
}

#[test]
fn test_ch11_program_is_found_after_any_word() {
    assert_suspected(
        CommandClass::Destructive,
        &[
            "sudo rm x",
            "ls | xargs rm",
            "if a; then rm x; fi",
            "env A=1 rm x",
        ],
    );
}

#[test]
fn test_ch11_program_is_found_in_a_value() {
    assert_suspected(
        CommandClass::Destructive,
        &[
            "tar --to-command=rm",
            "git -c core.pager='rm x' log",
            "{rm,x}",
            "git config a '!rm'",
        ],
    );
}

#[test]
fn test_ch11_words_of_a_row_may_be_anywhere_after_the_program() {
    assert_suspected(
        CommandClass::Destructive,
        &[
            "git reset --hard",
            "git -C x reset -q --hard",
            "git --hard reset",
            "git push origin -uf",
        ],
    );
    assert_suspected(
        CommandClass::Unknown,
        &["git reset --soft", "reset git --hard"],
    );
}

#[test]
fn test_ch11_destructive_is_worse_than_network() {
    assert_suspected(CommandClass::Destructive, &["curl x; rm y"]);
    assert_suspected(CommandClass::Destructive, &["git push --force"]);
    assert_suspected(CommandClass::Network, &["git push"]);
}

#[test]
fn test_ch11_other_commands_are_unknown() {
    assert_suspected(
        CommandClass::Unknown,
        &["ls", "cargo test", "", "trim x", "rma"],
    );
}
