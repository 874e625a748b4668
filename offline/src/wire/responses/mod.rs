//! Responses: `POST /v1/responses`.

mod output_item;
mod reply;
mod request;

pub(super) use reply::{body, events, thoughts};
pub(super) use request::read_request;
