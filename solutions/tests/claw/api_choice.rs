//! The APIs from chapter 20 on: addresses, keys and names.

use claw_code_solutions::claw::{ModelConnection, ServerApi};
use claw_code_solutions::provider::OpenAiConfig;

use crate::support::{ScriptedServer, Workspace};

#[test]
fn each_api_has_its_path_and_its_key_header() {
    for (api, path, key) in [
        ("completions", "/v1/chat/completions", "authorization"),
        ("responses", "/v1/responses", "authorization"),
        ("messages", "/v1/messages", "x-api-key"),
    ] {
        let server = ScriptedServer::replies(["Hello."]);
        let claw = Workspace::new().claw(&["--api", api, "-p", "hello"]);
        let run = claw.asks(&server).env("CLAW_API_KEY", "the-key").run();
        assert_eq!(run.stdout, "Hello.\n", "{run:?}");
        let request = &server.requests()[0];
        assert_eq!(request.path, path);
        let key = request.header(key).unwrap_or_default();
        assert!(key.ends_with("the-key"), "{api}: {key:?}");
    }
}

#[test]
fn an_api_that_the_server_does_not_have_is_an_error() {
    let claw = Workspace::new().claw(&["--api", "messages", "-p", "hello"]);
    let run = claw.env("OPENROUTER_API_KEY", "secret").run();
    let run = run.fails(2, "OPENROUTER_API_KEY is for https://openrouter.ai");
    assert!(!run.stderr.contains("secret"), "{run:?}");
}

#[test]
fn a_command_does_not_get_the_api_keys() {
    let workspace = Workspace::new();
    let mut claw = workspace.claw(&["--offline", "-p", "run env"]);
    for name in ["ANTHROPIC", "CLAW", "OPENAI", "OPENROUTER"] {
        claw = claw.env(&format!("{name}_API_KEY"), "the-secret-key");
    }
    claw.run().succeeds();
    let session = workspace.claw(&["sessions", "--show"]).run().succeeds();
    assert!(session.stdout.contains("\n  PATH="), "{session:?}");
    assert!(!session.stdout.contains("the-secret-key"), "{session:?}");
}

#[test]
fn a_provider_name_includes_the_server_unless_it_is_the_apis_own() {
    use ServerApi::{Completions, Messages, Responses};
    for (api, base_url, name) in [
        (Messages, "https://api.anthropic.com/v1", "anthropic"),
        (Messages, "https://API.anthropic.com:443", "anthropic"),
        (Responses, "https://api.openai.com/v1/", "openai"),
        (
            Messages,
            "https://api.openai.com/v1",
            "anthropic@api.openai.com",
        ),
        (
            Messages,
            "https://api.anthropic.com.example/v1",
            "anthropic@api.anthropic.com.example",
        ),
        (
            Responses,
            "http://somebody:SECRET@localhost:8080/v1",
            "openai@localhost:8080",
        ),
        (Messages, "http://[::1]:8080", "anthropic@[::1]:8080"),
        (Messages, "nonsense", "anthropic"),
        (Completions, "http://localhost:8080/v1", "completions"),
    ] {
        assert_eq!(provider_name(api, base_url), name, "{base_url}");
    }
}

fn provider_name(api: ServerApi, base_url: &str) -> String {
    let connection = ModelConnection {
        config: OpenAiConfig::new(base_url, "m"),
        api,
        description: String::new(),
        offline_server: None,
    };
    let name = connection.provider_name();
    assert!(!name.contains('/'), "a session stores `{name}/model`");
    name
}
