//! Given code of chapter 19.

mod agent_history;
#[path = "../../../../tests/ch19/bodies.rs"]
mod bodies;
mod from_completions;
mod output_items;
mod provider_data;
#[path = "../../../../tests/ch19/readers.rs"]
mod readers;
mod reply_content;
mod responses_body;
mod responses_input;
mod retries;
#[path = "../../../../tests/ch19/support.rs"]
mod support;
mod to_completions;
#[path = "../../../../tests/ch19/wire.rs"]
mod wire;
