//! Agents from npm: how they run against the server.

#![cfg_attr(
    not(target_os = "linux"),
    allow(dead_code, reason = "the agents run on Linux only")
)]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use super::npm;
use crate::support::{MESSAGES, RESPONSES};

/// An agent in the release that the tests were last run with.
#[derive(Debug, PartialEq)]
pub struct Agent {
    pub package: &'static str,
    pub version: &'static str,
    /// The path of the API that it uses.
    pub api: &'static str,
    /// Its program in the folder of its package.
    program: &'static str,
}

pub const CODEX: Agent = Agent {
    package: "@openai/codex",
    version: "0.169.0",
    api: RESPONSES,
    program: "bin/codex.js",
};

pub const CLAUDE_CODE: Agent = Agent {
    package: "@anthropic-ai/claude-code",
    version: "2.1.330",
    api: MESSAGES,
    program: "cli-wrapper.cjs",
};

/// A proxy that refuses every connection: port 9 is reserved and has no server. What an agent
/// sends to any other address than the server's ends here.
const NO_NETWORK: &str = "http://127.0.0.1:9";

/// Codex without updates and telemetry, and without plugins and apps, whose lists it would
/// download.
const CODEX_CONFIG: &str = r#"
model_provider = "offline"
check_for_update_on_startup = false
[analytics]
enabled = false
[features]
plugins = false
remote_plugin = false
apps = false
[model_providers.offline]
name = "claw-offline"
wire_api = "responses"
"#;

/// Claude Code without updates, telemetry, error reports and everything else that its work
/// does not need.
const CLAUDE_CODE_SWITCHES: [&str; 4] = [
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
    "DISABLE_AUTOUPDATER",
    "DISABLE_TELEMETRY",
    "DISABLE_ERROR_REPORTING",
];

impl Agent {
    /// Runs the agent on a prompt in the folder `project` below `folder`. Its home is below
    /// `folder`, too. It asks for the model with this name, or else for its default model.
    pub fn run(
        &self,
        folder: &Path,
        url: &str,
        model: Option<&str>,
        prompt: &str,
    ) -> Result<Output, String> {
        let packages = npm::install()?;
        let home = folder.join("home");
        let mut command = Command::new("node");
        command
            .arg(packages.join(self.package).join(self.program))
            .current_dir(folder.join("project"))
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", &home)
            .env("HTTP_PROXY", NO_NETWORK)
            .env("HTTPS_PROXY", NO_NETWORK)
            .env("NO_PROXY", "127.0.0.1");
        match self.api {
            RESPONSES => {
                let config = format!("{CODEX_CONFIG}base_url = \"{url}/v1\"\n");
                write(&home.join(".codex/config.toml"), &config)?;
                command.args(["exec", "--skip-git-repo-check", "--ephemeral"]);
                command.args(["--sandbox", "danger-full-access", prompt]);
            }
            _ => {
                command.envs(CLAUDE_CODE_SWITCHES.map(|name| (name, "1")));
                command.env("ANTHROPIC_BASE_URL", url);
                command.env("ANTHROPIC_API_KEY", "none");
                command.args(["--print", prompt]);
                command.args(["--permission-mode", "acceptEdits"]);
                command.args(["--allowedTools", "Bash Edit Read Write"]);
            }
        }
        if let Some(model) = model {
            command.args(["--model", model]);
        }
        let output = command.stdin(std::process::Stdio::null()).output();
        output.map_err(|error| format!("node does not start: {error}"))
    }
}

/// Writes a file, and creates its folder.
fn write(path: &Path, text: &str) -> Result<(), String> {
    let folder = path.parent().unwrap_or(path);
    let written = fs::create_dir_all(folder).and_then(|()| fs::write(path, text));
    written.map_err(|error| format!("{}: {error}", path.display()))
}
