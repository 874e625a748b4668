//! Messages: `POST /v1/messages`.

mod reply;
mod request;
mod thinking;

pub(super) use reply::{body, events, thoughts};
pub(super) use request::read_request;
