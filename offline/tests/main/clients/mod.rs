//! Programs of other projects that talk to the server.
//!
//! The Python clients, the agents and the AI SDK are installed below `target/`. Where that fails, their
//! tests print why and pass; with `CLAW_REQUIRE_CLIENTS=1`, they fail.

mod agent;
mod agents;
mod ai_sdk;
mod npm;
mod page_table;
mod python;
mod skip;
mod tool_call;
mod transcript;
mod transcripts;
