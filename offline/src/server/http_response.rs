//! HTTP responses: a reply in its wire format, with a fault applied.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;

use super::response_body::{BodyEnd, paced_body};
use super::shutdown::Shutdown;
use crate::fault::Fault;
use crate::model_request::ModelRequest;
use crate::reply::Reply;
use crate::wire::{SseEvent, WireFormat};

const JSON: &str = "application/json";
const EVENT_STREAM: &str = "text/event-stream; charset=utf-8";

/// A character that no other part of a reply contains and that JSON does not escape. It is
/// in Unicode's private-use area.
const PLACEHOLDER: &str = "\u{F8FF}";
const GARBAGE: &str = "{\"this is not\": JSON";

/// A response before it is sent.
pub(super) struct HttpResponse {
    status: StatusCode,
    content_type: String,
    retry_after: Option<String>,
    /// The body: one part, or one for each event of a stream.
    parts: Vec<Vec<u8>>,
    end: BodyEnd,
}

impl HttpResponse {
    /// A response with a JSON body.
    pub(super) fn json(status: u16, body: String) -> Self {
        Self::new(status, JSON, body.into_bytes())
    }

    fn new(status: u16, content_type: &str, body: Vec<u8>) -> Self {
        Self {
            // `Fault::assert_valid` has checked the statuses that scripts ask for.
            status: StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR),
            content_type: content_type.into(),
            retry_after: None,
            parts: vec![body],
            end: BodyEnd::Complete,
        }
    }

    fn event_stream(events: &[SseEvent]) -> Self {
        Self {
            parts: events.iter().map(SseEvent::to_bytes).collect(),
            ..Self::new(200, EVENT_STREAM, Vec::new())
        }
    }

    /// A reply, streamed or not, as the request asks.
    pub(super) fn reply(format: WireFormat, request: &ModelRequest, reply: &Reply) -> Self {
        if request.is_stream {
            Self::event_stream(&format.events(request, reply))
        } else {
            Self::json(200, format.body(request, reply).to_string())
        }
    }

    /// A reply with a fault applied. `None` means that the server never answers.
    pub(super) fn faulty(
        format: WireFormat,
        request: &ModelRequest,
        reply: &Reply,
        fault: Fault,
    ) -> Option<Self> {
        let mut response = Self::reply(format, request, reply);
        match fault {
            Fault::Status {
                status,
                retry_after,
                body,
            } => {
                let is_json = serde_json::from_str::<serde_json::Value>(&body).is_ok();
                let content_type = if is_json { JSON } else { "text/plain" };
                response = Self::new(status, content_type, body.into_bytes());
                response.retry_after = retry_after;
            }
            Fault::CutAfter { bytes } => response.end = BodyEnd::CutAfter(bytes),
            Fault::Stall { after_bytes } => response.end = BodyEnd::StallAfter(after_bytes),
            Fault::StallBeforeHeaders => return None,
            Fault::Raw {
                status,
                content_type,
                body,
            } => response = Self::new(status, &content_type, body),
            Fault::ContentType { content_type } => response.content_type = content_type,
            Fault::GarbageEvent if request.is_stream => {
                let mut events = format.events(request, reply);
                let middle = events.len() / 2;
                let garbage = SseEvent {
                    name: events[middle].name.clone(),
                    data: GARBAGE.into(),
                };
                events.insert(middle, garbage);
                response = Self::event_stream(&events);
            }
            Fault::GarbageEvent => {
                let body = &mut response.parts[0];
                body.truncate(body.len() / 2);
            }
            Fault::OversizedEvent { bytes } => {
                let reply = with_middle_piece(reply, "x".repeat(bytes));
                response = Self::reply(format, request, &reply);
            }
            Fault::InvalidUtf8 => {
                let reply = with_middle_piece(reply, PLACEHOLDER.into());
                response = Self::reply(format, request, &reply);
                response.parts.iter_mut().for_each(replace_placeholder);
            }
        }
        Some(response)
    }

    /// The response for axum. Without `chunk`, each part of the body is an HTTP chunk of its
    /// own. `shutdown` ends a stalled body.
    pub(super) fn send(self, chunk: Option<usize>, shutdown: Shutdown) -> Response {
        let is_single_part = self.parts.len() == 1;
        let length: usize = self.parts.iter().map(Vec::len).sum();
        let mut response = Response::new(paced_body(self.parts, self.end, chunk, shutdown));
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, header_value(&self.content_type));
        if let Some(retry_after) = &self.retry_after {
            headers.insert(header::RETRY_AFTER, header_value(retry_after));
        }
        // A body that is not a stream announces its full length, even if less arrives.
        if is_single_part && self.end != BodyEnd::Complete {
            headers.insert(header::CONTENT_LENGTH, length.into());
        }
        response
    }
}

/// The reply with one more piece in the middle of its text.
fn with_middle_piece(reply: &Reply, piece: String) -> Reply {
    let mut reply = reply.clone();
    let pieces = reply.pieces.get_or_insert_default();
    pieces.insert(pieces.len() / 2, piece);
    reply
}

/// Replaces each placeholder by the byte `0xFF`.
fn replace_placeholder(part: &mut Vec<u8>) {
    let placeholder = PLACEHOLDER.as_bytes();
    while let Some(at) = part
        .windows(placeholder.len())
        .position(|it| it == placeholder)
    {
        part.splice(at..at + placeholder.len(), [0xFF]);
    }
}

fn header_value(text: &str) -> HeaderValue {
    HeaderValue::from_str(text).unwrap_or(HeaderValue::from_static("not-a-header-value"))
}
