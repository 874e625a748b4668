//! Section 0.3: Run the call

use claw_code::first::{bash, run_call};

use super::support::*;

/// The output of a command that can be started.
#[track_caller]
fn output_of(command: &str) -> String {
    bash(command).unwrap_or_else(|error| panic!("`{command}` should run: {error}"))
}

#[test]
fn test_ch0_bash_returns_standard_output() {
    assert_eq!(output_of("echo one; echo two").trim_end(), "one\ntwo");
    let output = output_of(r"printf 'before\377after'");
    assert!(
        output.starts_with("before") && output.trim_end().ends_with("after"),
        "a byte that is not UTF-8 is replaced, and the rest of the output stays: {output:?}"
    );
}

#[test]
fn test_ch0_bash_returns_standard_error_after_standard_output() {
    let output = output_of("echo problem >&2; echo result");
    assert_eq!(
        output.trim_end(),
        "result\nproblem",
        "standard output comes first, then standard error"
    );
}

#[test]
fn test_ch0_failed_command_ends_with_its_exit_code() {
    let output = output_of("printf result; exit 3");
    assert_eq!(
        output.lines().last(),
        Some("[exit code 3]"),
        "the last line of a failed command's output is its exit code:\n{output}"
    );
    assert!(output.starts_with("result"), "the output stays:\n{output}");
}

#[test]
fn test_ch0_successful_command_has_no_exit_code() {
    let output = output_of("true");
    assert_eq!(output.trim_end(), "", "exit code 0 adds no line");
}

#[test]
fn test_ch0_result_is_a_tool_message_with_the_id_of_the_call() {
    let result = run_call(&call("call_7", r#"{"command":"echo hi"}"#)).expect("the call runs");
    assert_eq!(result["role"], "tool", "a result has the role `tool`");
    assert_eq!(
        result["tool_call_id"], "call_7",
        "`tool_call_id` is the id of the call that this is the result of"
    );
}

#[test]
fn test_ch0_result_contains_the_output_of_the_command() {
    let arguments = r#"{ "command": "printf '%s' \"a\\tb\"" }"#;
    let result = run_call(&call("call_1", arguments)).expect("the call runs");
    assert_eq!(
        result["content"], "a\\tb",
        "the arguments are JSON inside a string; parse them, and run the value of `command`"
    );
}
