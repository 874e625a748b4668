//! Chat Completions: `POST /v1/chat/completions`.

mod reply;
mod request;

pub(super) use reply::{body, events};
pub(super) use request::read_request;
