//! The paths of the server and their handlers.

use std::sync::Arc;

use axum::Router;
use axum::body::{Bytes, HttpBody, to_bytes};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde_json::Value;

use super::app_state::AppState;
use super::http_response::HttpResponse;
use crate::model;
use crate::script::ScriptStep;
use crate::wire::{self, BODY_LIMIT, WireFormat};

/// The header that every Messages request must have.
const MESSAGES_VERSION: &str = "anthropic-version";

/// All paths of the server.
pub(super) fn router(state: Arc<AppState>) -> Router {
    Router::new()
        .route("/v1/chat/completions", post(chat_completions))
        .route("/v1/responses", post(responses))
        .route("/v1/messages", post(messages))
        .route("/v1/models", get(models))
        .fallback(unknown_path)
        .method_not_allowed_fallback(wrong_method)
        .with_state(state)
}

async fn chat_completions(state: State<Arc<AppState>>, request: Request) -> Response {
    generate(&state, WireFormat::ChatCompletions, request).await
}

async fn responses(state: State<Arc<AppState>>, request: Request) -> Response {
    generate(&state, WireFormat::Responses, request).await
}

async fn messages(state: State<Arc<AppState>>, request: Request) -> Response {
    generate(&state, WireFormat::Messages, request).await
}

async fn models(State(state): State<Arc<AppState>>, request: Request) -> Response {
    let format = guess_format(&request);
    match read_body(&state, format, request).await {
        Ok(_) => json(&state, 200, &wire::model_list(format)),
        Err(refusal) => refusal,
    }
}

async fn unknown_path(State(state): State<Arc<AppState>>, request: Request) -> Response {
    let message = format!(
        "{} does not exist: this server has POST /v1/chat/completions, /v1/responses and /v1/messages, and GET /v1/models",
        request.uri().path()
    );
    log_and_refuse(&state, request, 404, &message).await
}

async fn wrong_method(State(state): State<Arc<AppState>>, request: Request) -> Response {
    let message = format!(
        "{} does not accept {}",
        request.uri().path(),
        request.method()
    );
    log_and_refuse(&state, request, 405, &message).await
}

async fn log_and_refuse(
    state: &AppState,
    request: Request,
    status: u16,
    message: &str,
) -> Response {
    let format = guess_format(&request);
    match read_body(state, format, request).await {
        Ok(_) => refuse(state, format, status, message),
        Err(refusal) => refusal,
    }
}

/// The format of an error or of the model list, for a path that does not determine it.
fn guess_format(request: &Request) -> WireFormat {
    let is_messages = request.uri().path().starts_with("/v1/messages")
        || request.headers().contains_key(MESSAGES_VERSION);
    match is_messages {
        true => WireFormat::Messages,
        false => WireFormat::ChatCompletions,
    }
}

/// Answers a request to the model.
async fn generate(state: &AppState, format: WireFormat, request: Request) -> Response {
    let has_version = request.headers().contains_key(MESSAGES_VERSION);
    let body = match read_body(state, format, request).await {
        Ok(body) => body,
        Err(refusal) => return refusal,
    };
    if format == WireFormat::Messages && !has_version {
        return refuse(
            state,
            format,
            400,
            "anthropic-version: this header is required",
        );
    }
    let request = match format.read_request(&body) {
        Ok(request) => request,
        Err(error) => return refuse(state, format, 400, &error.0),
    };
    if let Err(error) = state.check_thoughts(&request.thoughts) {
        return refuse(state, format, 400, &error.0);
    }
    let ScriptStep { reply, fault } = state.next_step().unwrap_or_else(|| ScriptStep {
        reply: model::reply(&request),
        fault: None,
    });
    state.record_thoughts(format.thoughts(&request, &reply));
    let response = match fault {
        None => Some(HttpResponse::reply(format, &request, &reply)),
        Some(fault) => HttpResponse::faulty(format, &request, &reply, fault),
    };
    match response {
        Some(response) => response.send(state.chunk, state.shutdown()),
        None => {
            state.shutdown().wait().await;
            StatusCode::SERVICE_UNAVAILABLE.into_response()
        }
    }
}

/// Reads the body of a request and logs the request.
async fn read_body(
    state: &AppState,
    format: WireFormat,
    request: Request,
) -> Result<Bytes, Response> {
    let (parts, body) = request.into_parts();
    // A client that waits for `100 Continue` learns this before it sends the body.
    if body.size_hint().lower() > BODY_LIMIT as u64 {
        return Err(refuse(state, format, 413, "the body is longer than 32 MiB"));
    }
    let body = to_bytes(body, BODY_LIMIT).await.map_err(|error| {
        let message = format!("the body cannot be read: {error}");
        refuse(state, format, 413, &message)
    })?;
    state.log_request(&parts, &body);
    Ok(body)
}

fn refuse(state: &AppState, format: WireFormat, status: u16, message: &str) -> Response {
    json(state, status, &wire::error_body(format, status, message))
}

fn json(state: &AppState, status: u16, body: &Value) -> Response {
    HttpResponse::json(status, body.to_string()).send(state.chunk, state.shutdown())
}
