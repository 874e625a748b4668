//! Options and prompts on the command line.

use crate::support::{Run, Workspace};

fn claw(arguments: &[&str]) -> Run {
    Workspace::new().claw(arguments).run()
}

#[test]
fn one_prompt_prints_the_reply_without_a_greeting() {
    let workspace = Workspace::with(&[("notes.txt", "")]);
    let text = workspace.ask("list the files here");
    assert!(text.contains("notes.txt"), "{text}");
    assert!(!text.contains("offline model:"), "{text}");
}

#[test]
fn a_prompt_may_begin_with_a_dash() {
    let text = Workspace::new().ask("-x hello");
    assert!(text.contains("None of my rules"), "{text}");
}

#[test]
fn an_empty_prompt_is_an_error() {
    for prompt in ["", "  "] {
        claw(&["--offline", "-p", prompt]).fails(2, "the prompt after -p is empty");
    }
}

#[test]
fn a_prompt_without_its_option_gets_a_hint() {
    for arguments in [&["list the files"][..], &["list", "the", "files"]] {
        claw(arguments).fails(2, "claw -p \"list the files here\"");
    }
}

#[test]
fn an_unknown_option_gets_no_hint_about_prompts() {
    let run = claw(&["--unknown"]).fails(2, "--unknown");
    assert!(!run.stderr.contains("claw -p"), "{run:?}");
}

#[test]
fn help_says_which_tools_run_without_asking() {
    let text = claw(&["--help"]).succeeds().stdout;
    let permissions = match cfg!(feature = "ch10") {
        true => "asks before a tool changes something",
        false => "run at once, without asking you",
    };
    for warning in [permissions, "--tools '!bash'"] {
        assert!(text.contains(warning), "{warning}: {text}");
    }
}

#[test]
fn help_lists_every_key_variable() {
    let text = claw(&["--help"]).succeeds().stdout;
    for name in claw_code_solutions::provider::API_KEY_VARIABLES {
        assert!(text.contains(name), "{name}: {text}");
    }
}

#[test]
fn a_pattern_with_an_exclamation_mark_removes_a_tool() {
    let workspace = Workspace::new();
    let arguments = ["--offline", "--tools", "!bash", "-p", "run touch made.txt"];
    let text = workspace.claw(&arguments).run().succeeds().stdout;
    assert!(text.contains("I lack the tool for that: `bash`"), "{text}");
    assert!(!workspace.path().join("made.txt").exists(), "{text}");
}

#[test]
fn patterns_select_tools() {
    let workspace = Workspace::with(&[("notes.txt", "milk\n")]);
    let arguments = ["--offline", "--tools", "read,gr*", "-p", "read notes.txt"];
    let text = workspace.claw(&arguments).run().succeeds().stdout;
    assert!(text.contains("● [read: notes.txt]"), "{text}");
    assert!(!text.contains("└ error:"), "{text}");
}

#[test]
fn a_pattern_that_matches_no_tool_is_an_error_with_a_suggestion() {
    let arguments = ["--offline", "--tools", "raed", "-p", "read notes.txt"];
    claw(&arguments).fails(2, "did you mean `read`?");
}
