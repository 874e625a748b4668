//! Responses: `POST /v1/responses`.

mod output_item;
mod reply_writer;
mod request_reader;

pub(super) use reply_writer::{body, events, thoughts};
pub(super) use request_reader::read_request;
