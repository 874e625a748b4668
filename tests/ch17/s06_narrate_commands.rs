//! Section 17.6: Commands

use claw_code::transcript::narrate::*;
use serde_json::json;

use super::support::*;

#[tokio::test]
async fn test_ch17_bash_shows_the_command_and_its_exit_status() {
    let tools = StandardTools::new();
    for (command, expected) in [
        ("ls -la", "Ran ls -la"),
        ("exit 3", "Ran exit 3 (exit code 3)"),
        (
            "kill -9 $$",
            "Ran kill -9 $$ (exit code 137: killed by SIGKILL)",
        ),
        ("\n  true\necho 2", "Ran true …"),
        (" \n  true\necho 2", "Ran true …"),
        ("true  \necho 2", "Ran true …"),
        ("echo '[exit code x]'", "Ran echo '[exit code x]'"),
        ("echo '[exit code ]'", "Ran echo '[exit code ]'"),
        ("echo '[exit code 1 of 3]'", "Ran echo '[exit code 1 of 3]'"),
        ("echo '[exit code 1]'\necho 2", "Ran echo '[exit code 1]' …"),
        ("echo 'exit code 1'", "Ran echo 'exit code 1'"),
        ("echo ' [exit code 1]'", "Ran echo ' [exit code 1]'"),
        ("echo '[exit code 1] x'", "Ran echo '[exit code 1] x'"),
    ] {
        let args = json!({ "command": command });
        tools
            .assert_outcome("bash", &BashNarrator, args, expected)
            .await;
    }
}

#[test]
fn test_ch17_long_command_is_cut() {
    for (rest, end) in [
        ("", "…"),
        ("\ny", "… …"),
        ("\n\ny", "… …"),
        ("\n\n", "…"),
        ("\n \n", "…"),
    ] {
        let args = json!({ "command": "x".repeat(100) + rest });
        assert_eq!(
            BashNarrator.outcome(&args, ""),
            Some(format!("Ran {}{end}", "x".repeat(59))),
            "the first line is cut to 60 characters, and ` …` is added after that if more lines follow, as in {rest:?}"
        );
    }
}

#[tokio::test]
async fn test_ch17_only_the_exit_code_marks_a_failed_command() {
    let tools = StandardTools::new();
    for (command, expected) in [
        ("echo 'error: no main'", "Ran echo 'error: no main'"),
        (
            "echo 'error: no main'; exit 101",
            "Ran echo 'error: no main'; exit 101 (exit code 101)",
        ),
    ] {
        let args = json!({ "command": command });
        tools
            .assert_outcome("bash", &BashNarrator, args, expected)
            .await;
    }
}
