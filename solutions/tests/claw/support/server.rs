//! A model behind HTTP that plays a script.

use claw_offline::{LoggedRequest, Reply, Script, Server};
use serde_json::Value;
use tokio::runtime::Runtime;

/// A server with a runtime of its own, so that tests need not be async.
pub struct ScriptedServer {
    // Dropped before the runtime that it runs on.
    server: Server,
    _runtime: Runtime,
}

impl ScriptedServer {
    pub fn new(script: Script) -> Self {
        let runtime = Runtime::new().expect("a runtime");
        let server = runtime.block_on(Server::with(script)).expect("a server");
        Self {
            server,
            _runtime: runtime,
        }
    }

    /// A server that replies with these texts.
    pub fn replies<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        let script = texts.into_iter().fold(Script::new(), |script, text| {
            script.reply(Reply::text(text))
        });
        Self::new(script)
    }

    /// A server that answers by the offline model's rules.
    pub fn rules() -> Self {
        Self::new(Script::new())
    }

    /// Up to and including `/v1`.
    pub fn base_url(&self) -> String {
        format!("{}/v1", self.server.url())
    }

    /// Every request so far.
    pub fn requests(&self) -> Vec<LoggedRequest> {
        self.server.requests()
    }

    /// The body of request `index`, counted from 0.
    #[track_caller]
    pub fn body(&self, index: usize) -> Value {
        let request = self.requests().into_iter().nth(index);
        request.expect("that many requests").body
    }

    /// The body of the last request.
    #[track_caller]
    pub fn last_body(&self) -> Value {
        let request = self.requests().into_iter().next_back();
        request.expect("a request").body
    }
}

/// The role and the text of each message in a body of Chat Completions, without the
/// instructions.
pub fn messages(body: &Value) -> Vec<(String, String)> {
    let messages = body["messages"].as_array().expect("messages").iter();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
    messages
        .map(|message| (text(&message["role"]), text(&message["content"])))
        .filter(|(role, _)| role != "system")
        .collect()
}

/// The texts of the user in a body of Chat Completions.
pub fn prompts(body: &Value) -> Vec<String> {
    let messages = messages(body).into_iter();
    messages
        .filter(|(role, _)| role == "user")
        .map(|(_, text)| text)
        .collect()
}
