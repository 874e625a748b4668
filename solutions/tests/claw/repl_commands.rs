//! The commands of a conversation.

use crate::support::{ScriptedServer, Workspace, prompts};

#[test]
fn the_help_lists_every_command() {
    let run = Workspace::new().claw(&["--offline"]).run_with("/help\n");
    let text = run.succeeds().stdout;
    for command in [
        "/image FILE",
        "/then TEXT",
        "/plan [off]",
        "/todos",
        "/show [N]",
        "/permissions",
        "/model [NAME]",
        "/clear",
        "/resume [ID]",
        "/cost",
        "/help",
        "/exit",
    ] {
        let row = format!("\n  {command:<16}");
        assert!(text.contains(&row), "{command}: {text}");
    }
    let mut lines = text.lines().skip(3);
    assert!(lines.all(|line| line.chars().count() < 79), "{text}");
}

#[test]
fn a_command_with_wrong_arguments_says_how_to_use_it() {
    for (line, usage) in [("/image", "use /image FILE"), ("/show x", "use /show [N]")] {
        let run = Workspace::new().claw(&["--offline"]).run_with(line);
        run.fails(1, usage);
    }
}

#[test]
fn a_prompt_that_begins_with_a_path_is_no_command() {
    let server = ScriptedServer::replies(["One.", "Two."]);
    let claw = Workspace::new().claw(&[]).asks(&server);
    let lines = "/etc what is this\n/etc/passwd what is this\n";
    claw.run_with(lines).succeeds();
    let expected = ["/etc what is this", "/etc/passwd what is this"];
    assert_eq!(prompts(&server.last_body()), expected);
}

#[test]
fn clear_begins_a_new_session_and_resume_returns() {
    let workspace = Workspace::new();
    let server = ScriptedServer::replies(["One.", "Two.", "Three."]);
    let first = workspace.claw(&["-p", "first"]).asks(&server).run();
    first.succeeds();
    let claw = workspace.claw(&[]).asks(&server);
    let run = claw.run_with("/resume\nsecond\n/clear\nthird\n").succeeds();
    assert_eq!(prompts(&server.body(1)), ["first", "second"], "{run:?}");
    assert_eq!(prompts(&server.body(2)), ["third"], "{run:?}");
    let listing = workspace.claw(&["sessions"]).run().succeeds().stdout;
    assert_eq!(listing.lines().count(), 3, "two sessions: {listing}");
}

#[test]
fn a_session_that_cannot_be_resumed_leaves_the_conversation() {
    let server = ScriptedServer::replies(["One.", "Two."]);
    let claw = Workspace::new().claw(&[]).asks(&server);
    let run = claw.run_with("first\n/resume nothing\nsecond\n");
    assert_eq!(prompts(&server.last_body()), ["first", "second"]);
    run.fails(1, "cannot resume");
}

#[test]
fn the_model_can_be_changed() {
    let server = ScriptedServer::replies(["One.", "Two."]);
    let claw = Workspace::new().claw(&[]).asks(&server);
    let run = claw.run_with("first\n/model other\nsecond\n/model\n");
    let models = [0, 1].map(|index| server.body(index)["model"].clone());
    assert_eq!(models, ["scripted", "other"]);
    assert_eq!(prompts(&server.last_body()), ["first", "second"]);
    assert!(run.succeeds().stdout.contains("other at http://127.0.0.1"));
}

#[test]
fn the_permissions_are_shown() {
    let arguments = ["--offline", "--allow", "edit", "--permission-mode", "auto"];
    let run = Workspace::new().claw(&arguments).run_with("/permissions\n");
    let text = run.succeeds().stdout;
    assert!(text.contains("mode: auto\nallowed: edit\n"), "{text}");
}

#[test]
fn the_permissions_show_the_mode_in_force() {
    for (mode, line, shown) in [
        ("plan", "/plan off", "mode: default"),
        ("default", "/plan", "mode: plan"),
    ] {
        let arguments = ["--offline", "--permission-mode", mode];
        let lines = format!("{line}\n/permissions\n");
        let run = Workspace::new().claw(&arguments).run_with(&lines);
        let text = run.succeeds().stdout;
        assert!(text.contains(&format!("{shown}\n")), "after {line}: {text}");
    }
}

#[test]
fn the_cost_is_shown_in_tokens() {
    let run = Workspace::new()
        .claw(&["--offline"])
        .run_with("hello\n/cost\n");
    let text = run.succeeds().stdout;
    assert!(
        text.contains("Tokens: ") && text.contains("costs nothing"),
        "{text}"
    );
    assert!(!text.contains("Tokens: 0 read"), "{text}");
}
