//! Given code of chapter 16: loop ids, saving, and the adapter over a provider.

#[path = "../../../../tests/ch16/events.rs"]
mod events;
#[path = "../../../../tests/ch16/grammar.rs"]
mod grammar;
mod loop_ids;
mod message_so_far;
mod provider_messages;
mod provider_model;
mod saved_agent;
#[path = "../../../../tests/ch16/support.rs"]
mod support;
