//! The paths of the server and their handlers.

use std::sync::Arc;

use axum::Router;
use axum::body::{Bytes, HttpBody, to_bytes};
use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde_json::Value;

use super::app_state::AppState;
use super::http_response::HttpResponse;
use crate::model;
use crate::request_error::RequestError;
use crate::script::ScriptStep;
use crate::wire::{self, BODY_LIMIT, RequestBody, WireFormat};

/// The header that every Messages request must have.
const MESSAGES_VERSION: &str = "anthropic-version";

/// The paths, for the error message about an unknown one.
const PATHS: &str = "POST /v1/chat/completions, /v1/responses, /v1/messages and \
    /v1/messages/count_tokens, and GET /v1/models, /v1/models/{id} and /v1/responses/{id}";

/// All paths of the server.
pub(super) fn router(state: Arc<AppState>) -> Router {
    Router::new()
        .route("/v1/chat/completions", post(chat_completions))
        .route("/v1/responses", post(responses))
        .route("/v1/responses/{id}", get(stored_response))
        .route("/v1/messages", post(messages))
        .route("/v1/messages/count_tokens", post(count_tokens))
        .route("/v1/models", get(models))
        .route("/v1/models/{*id}", get(model))
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
    respond(&state, format, request, |_| Ok(wire::model_list(format))).await
}

async fn model(
    State(state): State<Arc<AppState>>,
    Path(id): Path<String>,
    request: Request,
) -> Response {
    let format = guess_format(&request);
    respond(&state, format, request, |_| Ok(wire::model(format, &id))).await
}

async fn stored_response(
    State(state): State<Arc<AppState>>,
    Path(id): Path<String>,
    request: Request,
) -> Response {
    let stored = |_: &Bytes| state.stored_response(&id);
    respond(&state, WireFormat::Responses, request, stored).await
}

async fn count_tokens(State(state): State<Arc<AppState>>, request: Request) -> Response {
    let version = check_version(WireFormat::Messages, &request);
    respond(&state, WireFormat::Messages, request, |body| {
        version?;
        wire::count_tokens(&RequestBody::parse(body)?)
    })
    .await
}

async fn unknown_path(State(state): State<Arc<AppState>>, request: Request) -> Response {
    let path = request.uri().path();
    let message = format!("{path} does not exist: this server has {PATHS}");
    let error = RequestError::with_status(404, message).code("unknown_url");
    let format = guess_format(&request);
    respond(&state, format, request, |_| Err(error)).await
}

async fn wrong_method(State(state): State<Arc<AppState>>, request: Request) -> Response {
    let message = format!(
        "{} does not accept {}",
        request.uri().path(),
        request.method()
    );
    let error = RequestError::with_status(405, message);
    let format = guess_format(&request);
    respond(&state, format, request, |_| Err(error)).await
}

/// The format of an error or of a model, for a path that does not determine it.
fn guess_format(request: &Request) -> WireFormat {
    let is_messages = request.uri().path().starts_with("/v1/messages")
        || request.headers().contains_key(MESSAGES_VERSION);
    match is_messages {
        true => WireFormat::Messages,
        false => WireFormat::ChatCompletions,
    }
}

/// Reads and logs a request, and answers it with JSON that depends only on its body.
async fn respond(
    state: &AppState,
    format: WireFormat,
    request: Request,
    answer: impl FnOnce(&Bytes) -> Result<Value, RequestError>,
) -> Response {
    let answer = match read_body(state, request).await {
        Ok(body) => answer(&body),
        Err(error) => Err(error),
    };
    match answer {
        Ok(body) => json(state, 200, &body),
        Err(error) => refuse(state, format, &error),
    }
}

/// Answers a request to the model.
async fn generate(state: &AppState, format: WireFormat, request: Request) -> Response {
    match try_generate(state, format, request).await {
        Ok(Some(response)) => response.send(state.chunk, state.shutdown()),
        Ok(None) => {
            state.shutdown().wait().await;
            StatusCode::SERVICE_UNAVAILABLE.into_response()
        }
        Err(error) => refuse(state, format, &error),
    }
}

/// The response to a request, `None` if the script never answers it.
async fn try_generate(
    state: &AppState,
    format: WireFormat,
    request: Request,
) -> Result<Option<HttpResponse>, RequestError> {
    let version = check_version(format, &request);
    let body = read_body(state, request).await?;
    version?;
    let mut body = RequestBody::parse(&body)?;
    if format == WireFormat::Responses {
        state.expand(&mut body)?;
    }
    let request = format.read_request(&body)?;
    state.check_thoughts(&request.thoughts)?;
    let ScriptStep { reply, fault } = state.next_step().unwrap_or_else(|| ScriptStep {
        reply: model::reply(&request),
        fault: None,
    });
    state.record_thoughts(format.thoughts(&request, &reply));
    let Some(fault) = fault else {
        if request.is_stored {
            state.store_response(&body, format.body(&request, &reply));
        }
        return Ok(Some(HttpResponse::reply(format, &request, &reply)));
    };
    Ok(HttpResponse::faulty(format, &request, &reply, fault))
}

/// Checks the version header, which only Messages requires.
fn check_version(format: WireFormat, request: &Request) -> Result<(), RequestError> {
    match format == WireFormat::Messages && !request.headers().contains_key(MESSAGES_VERSION) {
        true => Err(RequestError::new(
            "anthropic-version: this header is required",
        )),
        false => Ok(()),
    }
}

/// Reads the body of a request and logs the request.
async fn read_body(state: &AppState, request: Request) -> Result<Bytes, RequestError> {
    let (parts, body) = request.into_parts();
    // A client that waits for `100 Continue` learns this before it sends the body.
    if body.size_hint().lower() > BODY_LIMIT as u64 {
        let message = "the body is longer than 32 MiB";
        return Err(RequestError::with_status(413, message));
    }
    let body = to_bytes(body, BODY_LIMIT).await.map_err(|error| {
        let message = format!("the body cannot be read: {error}");
        RequestError::with_status(413, message)
    })?;
    state.log_request(&parts, &body);
    Ok(body)
}

fn refuse(state: &AppState, format: WireFormat, error: &RequestError) -> Response {
    json(state, error.status, &wire::error_body(format, error))
}

fn json(state: &AppState, status: u16, body: &Value) -> Response {
    HttpResponse::json(status, body.to_string()).send(state.chunk, state.shutdown())
}
