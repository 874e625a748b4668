//! Responses: `POST /v1/responses`.

mod output_item;
mod reply_settings;
mod reply_writer;
mod request_reader;
#[cfg(feature = "server")]
mod response_store;

pub(super) use reply_writer::{body, events, thoughts};
pub(super) use request_reader::read_request;
#[cfg(feature = "server")]
pub(crate) use response_store::ResponseStore;
