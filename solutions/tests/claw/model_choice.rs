//! Which model `claw` talks to, by the options and the environment.

use claw_code_solutions::claw::{Endpoint, Options, ServerApi, choose};
use claw_code_solutions::provider::API_KEY_VARIABLES;

use crate::support::{Run, Workspace};

fn claw(arguments: &[&str]) -> Run {
    Workspace::new().claw(arguments).run()
}

/// The base URL, or `offline`, and the API that are chosen if this variable is set.
fn choice(options: &Options, variable: &str) -> (String, ServerApi) {
    let env = |name: &str| match name {
        "CLAW_MODEL" => Some("m".to_string()),
        name => (name == variable).then(|| format!("http://{name}")),
    };
    match choose(options, env).expect("an endpoint") {
        Endpoint::Offline(api) => ("offline".to_string(), api),
        Endpoint::Server { api, base_url, .. } => (base_url, api),
    }
}

/// `api` if the open chapters have a client for it, and otherwise Chat Completions.
fn if_available(api: ServerApi) -> ServerApi {
    match api.is_available() {
        true => api,
        false => ServerApi::Completions,
    }
}

#[test]
fn a_key_selects_its_server_and_the_most_capable_api() {
    use ServerApi::{Completions, Messages, Responses};
    for (variable, server, api) in [
        ("", "offline", if_available(Messages)),
        (
            "OPENAI_API_KEY",
            "https://api.openai.com/v1",
            if_available(Responses),
        ),
        (
            "OPENROUTER_API_KEY",
            "https://openrouter.ai/api/v1",
            Completions,
        ),
        ("CLAW_BASE_URL", "http://CLAW_BASE_URL", Completions),
        #[cfg(feature = "ch20")]
        (
            "ANTHROPIC_API_KEY",
            "https://api.anthropic.com/v1",
            Messages,
        ),
    ] {
        let chosen = choice(&Options::default(), variable);
        assert_eq!(chosen, (server.to_string(), api), "{variable:?}");
    }
}

#[test]
fn no_server_gets_the_key_of_another_one() {
    let keys = |names: &'static [&str]| {
        move |name: &str| names.contains(&name).then(|| format!("the key in {name}"))
    };
    let all = &["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OPENROUTER_API_KEY"];
    let with_own = &["OPENAI_API_KEY", "CLAW_API_KEY"];
    for (base_url, variables, expected) in [
        ("http://localhost:8000/v1", &all[..], None),
        ("https://api.openai.com.example/v1", all, None),
        ("http://api.openai.com/v1", all, None),
        ("https://api.openai.com/v1/", all, Some("OPENAI_API_KEY")),
        ("https://localhost/v1", with_own, Some("CLAW_API_KEY")),
        ("https://api.openai.com/v1", with_own, Some("CLAW_API_KEY")),
    ] {
        let options = Options {
            base_url: Some(base_url.to_string()),
            model: Some("m".to_string()),
            ..Options::default()
        };
        let Ok(Endpoint::Server { key, .. }) = choose(&options, keys(variables)) else {
            panic!("{base_url} is a server");
        };
        let expected = expected.map(|name| format!("the key in {name}"));
        assert_eq!(key, expected, "{base_url} with {variables:?}");
    }
}

#[test]
fn the_option_offline_wins_over_a_key() {
    let options = Options {
        offline: true,
        ..Options::default()
    };
    let api = if_available(ServerApi::Messages);
    let chosen = choice(&options, "OPENAI_API_KEY");
    assert_eq!(chosen, ("offline".to_string(), api));
}

#[test]
fn a_prompt_without_a_key_reports_that_the_offline_model_answers() {
    let run = claw(&["-p", "hello"]).succeeds();
    assert!(run.stdout.contains("Hello."), "{run:?}");
    assert!(
        run.stderr.contains("the offline model answers") && run.stderr.lines().count() == 1,
        "{run:?}"
    );
}

#[test]
fn the_offline_model_on_request_reports_nothing() {
    let run = claw(&["--offline", "-p", "hello"]).succeeds();
    assert!(run.stdout.contains("Hello."), "{run:?}");
    assert_eq!(run.stderr, "");
}

#[test]
fn the_offline_model_needs_no_certificates() {
    for arguments in [&["-p", "hello"][..], &["--offline", "-p", "hello"]] {
        let run = without_certificates(arguments).succeeds();
        assert!(run.stdout.contains("Hello."), "{run:?}");
    }
}

/// Other systems keep their certificates elsewhere.
#[cfg(target_os = "linux")]
#[test]
fn an_https_server_needs_certificates() {
    let url = "https://127.0.0.1:9/v1";
    let run = without_certificates(&["--base-url", url, "--model", "m", "-p", "hi"]);
    run.fails(2, "No CA certificates were loaded");
}

fn without_certificates(arguments: &[&str]) -> Run {
    let claw = Workspace::new().claw(arguments);
    let claw = claw.env("SSL_CERT_FILE", "/nonexistent");
    claw.env("SSL_CERT_DIR", "/nonexistent").run()
}

#[test]
fn a_server_needs_a_model() {
    let arguments = ["--base-url", "http://127.0.0.1:9/v1", "-p", "hi"];
    claw(&arguments).fails(2, "--model");
}

#[test]
fn a_model_needs_a_server() {
    let run = claw(&["--model", "gpt-5", "-p", "hi"]);
    assert_eq!(run.stdout, "", "the offline model must not answer");
    for next_step in ["OPENAI_API_KEY", "--base-url", "leave out --model"] {
        assert!(run.stderr.contains(next_step), "{next_step}: {run:?}");
    }
    assert_eq!(run.code, Some(2), "{run:?}");
}

#[test]
fn the_offline_model_cannot_have_another_name() {
    let arguments = ["--offline", "--model", "gpt-5", "-p", "hi"];
    claw(&arguments).fails(2, "--model");
}

#[test]
fn a_server_that_is_down_is_an_error_with_a_next_step() {
    // The socket reserves a port without listening on it.
    let socket = tokio::net::TcpSocket::new_v4().expect("a socket");
    let any = "127.0.0.1:0".parse().expect("an address");
    socket.bind(any).expect("a free port");
    let url = format!("http://{}/v1", socket.local_addr().expect("an address"));
    let run = claw(&["--base-url", &url, "--model", "m", "-p", "hi"]);
    run.fails(1, "check the base URL");
}

#[test]
fn an_invalid_base_url_is_not_reported_as_an_error_of_the_provider() {
    for url in ["nonsense", "ftp://host/v1", "http://"] {
        let run = claw(&["--base-url", url, "--model", "m", "-p", "hi"]);
        let run = run.fails(2, &format!("`{url}` is not a base URL"));
        assert!(!run.stderr.contains("provider"), "{run:?}");
    }
}

/// The shell tool withholds the listed variables from the commands that it runs.
#[test]
fn every_key_variable_that_claw_reads_is_listed() {
    for base_url in [None, Some("http://localhost/v1")] {
        let options = Options {
            base_url: base_url.map(String::from),
            ..Options::default()
        };
        let _ = choose(&options, |name| {
            let is_listed = API_KEY_VARIABLES.contains(&name);
            assert!(is_listed || !name.contains("KEY"), "{name}");
            None
        });
    }
}
