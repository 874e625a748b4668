//! Chat Completions: `POST /v1/chat/completions`.

mod reply_settings;
mod reply_writer;
mod request_reader;

pub(super) use reply_writer::{body, events};
pub(super) use request_reader::read_request;
