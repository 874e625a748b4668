//! From a reply, and the fault that is done to it, to the bytes that go out.

use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use futures_util::stream;
use tokio::sync::watch;

use crate::fault::Fault;
use crate::request::Request;
use crate::script::Reply;
use crate::wire::{Api, Event};

const JSON: &str = "application/json";
const EVENTS: &str = "text/event-stream; charset=utf-8";

/// What is sent, in the pieces that it is written in.
pub(crate) struct Answer {
    status: StatusCode,
    content_type: String,
    retry_after: Option<String>,
    pieces: Vec<Vec<u8>>,
    end: End,
}

/// How the body ends.
#[derive(Debug, Clone, Copy, PartialEq)]
enum End {
    /// As HTTP wants it.
    Whole,
    /// The connection is closed after so many bytes.
    Cut(usize),
    /// Nothing more comes after so many bytes.
    Stall(usize),
}

impl Answer {
    /// A JSON body.
    pub(crate) fn json(status: u16, body: String) -> Self {
        Self::of(status, JSON, body.into_bytes())
    }

    fn of(status: u16, content_type: &str, body: Vec<u8>) -> Self {
        Self {
            // What a script asks for was checked when it was written.
            status: StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR),
            content_type: content_type.into(),
            retry_after: None,
            pieces: vec![body],
            end: End::Whole,
        }
    }

    /// A reply in an API's words.
    pub(crate) fn reply(api: Api, request: &Request, reply: &Reply) -> Self {
        if request.is_stream {
            Self::events(&api.events(request, reply))
        } else {
            Self::json(200, api.body(request, reply).to_string())
        }
    }

    fn events(events: &[Event]) -> Self {
        Self {
            pieces: events.iter().map(Event::to_bytes).collect(),
            ..Self::of(200, EVENTS, Vec::new())
        }
    }

    /// A reply with something done to it. `None`: no answer at all.
    pub(crate) fn faulty(api: Api, request: &Request, reply: &Reply, fault: Fault) -> Option<Self> {
        let mut answer = Self::reply(api, request, reply);
        match fault {
            Fault::Status {
                status,
                retry_after,
                body,
            } => {
                let is_json = serde_json::from_str::<serde_json::Value>(&body).is_ok();
                let content_type = if is_json { JSON } else { "text/plain" };
                answer = Self::of(status, content_type, body.into_bytes());
                answer.retry_after = retry_after;
            }
            Fault::CutAfter { bytes } => answer.end = End::Cut(bytes),
            Fault::Stall { after_bytes } => answer.end = End::Stall(after_bytes),
            Fault::StallBeforeHeaders => return None,
            Fault::Raw {
                status,
                content_type,
                body,
            } => answer = Self::of(status, &content_type, body),
            Fault::ContentType { content_type } => answer.content_type = content_type,
            Fault::GarbageEvent if request.is_stream => {
                let mut events = api.events(request, reply);
                let middle = events.len() / 2;
                let garbage = Event {
                    name: events[middle].name.clone(),
                    data: GARBAGE.into(),
                };
                events.insert(middle, garbage);
                answer = Self::events(&events);
            }
            Fault::GarbageEvent => {
                let body = &mut answer.pieces[0];
                body.truncate(body.len() / 2);
            }
            Fault::OversizedEvent { bytes } => {
                let mut reply = reply.clone();
                let pieces = reply.pieces.get_or_insert_default();
                pieces.insert(pieces.len() / 2, "x".repeat(bytes));
                answer = Self::reply(api, request, &reply);
            }
            Fault::InvalidUtf8 => answer = Self::not_utf8(api, request, reply),
        }
        Some(answer)
    }

    /// A reply with a byte in its text that no UTF-8 text holds. It is written with a
    /// character in that place that JSON does not escape and that comes from nowhere
    /// else; then the character's bytes are replaced.
    fn not_utf8(api: Api, request: &Request, reply: &Reply) -> Self {
        let mut reply = reply.clone();
        let pieces = reply.pieces.get_or_insert_default();
        pieces.insert(pieces.len() / 2, MARK.into());
        let mut answer = Self::reply(api, request, &reply);
        for piece in &mut answer.pieces {
            while let Some(at) = (piece.windows(MARK.len())).position(|it| it == MARK.as_bytes()) {
                piece.splice(at..at + MARK.len(), [0xFF]);
            }
        }
        answer
    }

    /// The answer as an HTTP response, `chunk` bytes at a time or, without that, an event
    /// at a time. `closing` ends what is stalled when the server stops.
    pub(crate) fn into_response(
        self,
        chunk: Option<usize>,
        closing: watch::Receiver<bool>,
    ) -> Response {
        let body: Vec<u8> = self.pieces.concat();
        let length = body.len();
        let sent = match self.end {
            End::Whole => length,
            End::Cut(bytes) | End::Stall(bytes) => bytes.min(length),
        };
        let is_one_piece = self.pieces.len() == 1;
        let pieces = match chunk {
            Some(size) => body[..sent]
                .chunks(size)
                .map(Bytes::copy_from_slice)
                .collect(),
            None => shortened(self.pieces, sent),
        };
        let is_plain = self.end == End::Whole && is_one_piece && chunk.is_none();
        let body = if is_plain {
            Body::from(body)
        } else {
            body_in_pieces(pieces, self.end, closing)
        };
        let mut response = Response::new(body);
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, header_value(&self.content_type));
        if let Some(retry_after) = &self.retry_after {
            headers.insert(header::RETRY_AFTER, header_value(retry_after));
        }
        // A body that promises its length, and a stream that ends where it ends.
        if is_one_piece && self.end != End::Whole {
            headers.insert(header::CONTENT_LENGTH, length.into());
        }
        response
    }
}

/// The first `bytes` bytes of these pieces.
fn shortened(pieces: Vec<Vec<u8>>, bytes: usize) -> Vec<Bytes> {
    let mut left = bytes;
    let mut kept = Vec::new();
    for mut piece in pieces {
        piece.truncate(left);
        left -= piece.len();
        if !piece.is_empty() {
            kept.push(piece.into());
        }
    }
    kept
}

/// What a body in pieces has still to do.
struct Pieces {
    left: std::vec::IntoIter<Bytes>,
    end: End,
    closing: watch::Receiver<bool>,
    is_over: bool,
}

fn body_in_pieces(pieces: Vec<Bytes>, end: End, closing: watch::Receiver<bool>) -> Body {
    let pieces = Pieces {
        left: pieces.into_iter(),
        end,
        closing,
        is_over: false,
    };
    Body::from_stream(stream::unfold(pieces, next_piece))
}

async fn next_piece(mut pieces: Pieces) -> Option<(Result<Bytes, &'static str>, Pieces)> {
    if pieces.is_over {
        return None;
    }
    // hyper writes out what it was given when the body has nothing more for now: a chunk
    // for each piece. An error instead would drop what is not yet written.
    tokio::task::yield_now().await;
    if let Some(piece) = pieces.left.next() {
        return Some((Ok(piece), pieces));
    }
    pieces.is_over = true;
    match pieces.end {
        End::Whole => None,
        End::Cut(_) => Some((Err("cut, as the script says"), pieces)),
        End::Stall(_) => {
            until_closing(&mut pieces.closing).await;
            Some((Err("the server stops"), pieces))
        }
    }
}

/// Waits until the server stops.
pub(crate) async fn until_closing(closing: &mut watch::Receiver<bool>) {
    // An error means that the server is gone altogether.
    let _ = closing.wait_for(|closing| *closing).await;
}

fn header_value(text: &str) -> HeaderValue {
    HeaderValue::from_str(text).unwrap_or(HeaderValue::from_static("not-a-header-value"))
}

/// A private-use character, in no text of the model's.
const MARK: &str = "\u{F8FF}";
const GARBAGE: &str = "{\"this is not\": JSON";
