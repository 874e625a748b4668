//! Plan mode, the plan and the todo list of a session that was killed with SIGKILL.

use claw_offline::{Fault, Reply, Script};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use crate::support::{Claw, ScriptedServer, Terminal, Workspace, prompts};

const PLAN: &str = "1. Write tests.\n2. Write the code.";

/// `claw` without a mode on its command line, so that the session decides.
fn claw(workspace: &Workspace, arguments: &[&str]) -> Claw {
    let mut claw = workspace.claw(&[]);
    claw.command.args(arguments);
    claw
}

/// What a resumed conversation says at its start.
fn greeting(workspace: &Workspace) -> String {
    let run = claw(workspace, &["--offline", "--resume"]).run();
    run.succeeds().stdout
}

/// Asserts that a command runs, or does not, in the resumed session.
#[track_caller]
fn assert_runs(workspace: &Workspace, runs: bool) {
    let arguments = ["--offline", "--resume", "--allow", "bash(touch *)"];
    let prompt = ["-p", "run touch resumed"];
    let run = claw(workspace, &[&arguments[..], &prompt].concat()).run();
    let exists = workspace.path().join("resumed").exists();
    assert_eq!(exists, runs, "{run:?}");
}

/// Kills the process whose id is in the file `pid`.
fn kill(workspace: &Workspace) {
    let pid: i32 = workspace.read("pid").trim().parse().expect("a process id");
    let pid = Pid::from_raw(pid).expect("a process id");
    kill_process(pid, Signal::KILL).expect("claw runs");
}

/// A script that writes a list, proposes [`PLAN`], and runs a command that does not end.
fn script() -> Script {
    let items = json!([
        { "content": "write tests", "status": "in_progress" },
        { "content": "write the code", "status": "pending" },
    ]);
    let wait = json!({ "command": "echo now > here; cat fifo" });
    Script::new()
        .reply(Reply::tool_calls([(
            "a",
            "todo",
            json!({ "items": items }),
        )]))
        .reply(Reply::tool_calls([(
            "a",
            "exit_plan",
            json!({ "plan": PLAN }),
        )]))
        .reply(Reply::tool_calls([("a", "bash", wait)]))
}

/// `claw` in a terminal and in plan mode, which has proposed [`PLAN`]. Its process id is in the
/// file `pid`.
fn proposed(server: &ScriptedServer) -> Option<(Workspace, Terminal)> {
    let workspace = Workspace::new();
    let terminal = Terminal::open(&workspace)?;
    let program = env!("CARGO_BIN_EXE_claw");
    let url = server.base_url();
    let options = "--model scripted --permission-mode plan --allow bash";
    terminal.line(&format!(
        "mkfifo fifo; sh -c 'echo $$ > pid; exec {program} --base-url {url} {options}'"
    ));
    terminal.wait_for("Ctrl-D ends claw");
    terminal.line("make it");
    terminal.wait_for("Carry out this plan?");
    Some((workspace, terminal))
}

#[test]
fn an_approved_plan_and_the_list_survive_a_kill() {
    let server = ScriptedServer::new(script());
    let Some((workspace, terminal)) = proposed(&server) else {
        return;
    };
    terminal.line("y");
    workspace.wait_for("here", "now");
    kill(&workspace);
    terminal.wait_for("Killed");
    let greeting = greeting(&workspace);
    assert!(
        greeting.contains(&format!("The approved plan:\n{PLAN}\n")),
        "{greeting}"
    );
    let list = "The todo list:\n[>] write tests\n[ ] write the code\n";
    assert!(greeting.contains(list), "{greeting}");
    assert!(!greeting.contains("plan mode is on"), "{greeting}");
    assert_runs(&workspace, true);
}

#[test]
fn a_plan_that_was_not_approved_before_a_kill_is_not_approved_after_it() {
    let server = ScriptedServer::new(script());
    let Some((workspace, terminal)) = proposed(&server) else {
        return;
    };
    kill(&workspace);
    terminal.wait_for("Killed");
    let greeting = greeting(&workspace);
    assert!(greeting.contains("(plan mode is on"), "{greeting}");
    let plan =
        format!("The last plan, which is not approved; ask for it again to review it:\n{PLAN}\n");
    assert!(greeting.contains(&plan), "{greeting}");
    assert!(greeting.contains("[>] write tests"), "{greeting}");
    assert_runs(&workspace, false);
}

#[test]
fn a_session_that_is_killed_before_any_plan_is_in_plan_mode_again() {
    let workspace = Workspace::new();
    let reply = Reply::text("word ".repeat(400));
    let stall = Fault::Stall { after_bytes: 4000 };
    let server = ScriptedServer::new(Script::new().fault_in(stall, reply));
    let claw = claw(&workspace, &["--permission-mode", "plan", "-p", "look"]);
    let running = claw.asks(&server).stdout_to("shown").start();
    workspace.wait_for("shown", "word word");
    running.kill();
    let greeting = greeting(&workspace);
    assert!(greeting.contains("(plan mode is on"), "{greeting}");
    assert!(
        greeting.contains("\n> look\n"),
        "without the notice: {greeting}"
    );
    assert_runs(&workspace, false);
}

#[test]
fn the_mode_on_the_command_line_ends_plan_mode() {
    let workspace = Workspace::new();
    let server = ScriptedServer::replies(["I look.", "I begin."]);
    let plan = ["--permission-mode", "plan", "-p", "look"];
    claw(&workspace, &plan).asks(&server).run().succeeds();
    let auto = ["--resume", "--permission-mode", "auto", "-p", "begin"];
    claw(&workspace, &auto).asks(&server).run().succeeds();
    let sent = prompts(&server.last_body());
    assert!(sent[0].contains("Plan mode is on: "), "{sent:?}");
    assert!(
        sent[1].starts_with("begin\n\nPlan mode is over: "),
        "{sent:?}"
    );
    assert!(
        !greeting(&workspace).contains("plan mode is on"),
        "it is over"
    );
}
