//! Messages: `POST /v1/messages`.

mod reply_settings;
mod reply_writer;
mod request_reader;
mod thinking;

pub(super) use reply_writer::{body, events, thoughts};
pub(super) use request_reader::{read_request, read_uncounted_request};
