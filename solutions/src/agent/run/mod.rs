//! One run of an agent's loop.
//!
//! - `agent_loop`, `turn`, `model_request`, `tool_calls`: the loop, one turn of it, one
//!   request to the model, and the calls of its reply.
//! - `event_sink`, `tool_events`, `partial_reply`: the events that these send.
//! - `loop_id`, `loop_origin`, `loop_record`, `child_loop`: a loop's name, what started
//!   it, what the agent keeps of it, and loops that tools start.
//! - `panic_guard`, `crash_report`, `pairing`: what holds after a panic. The loop's `AgentEnd` is
//!   sent, and no call stays without a result.

pub(super) mod agent_loop;
mod child_loop;
pub(super) mod crash_report;
mod event_sink;
mod loop_id;
mod loop_origin;
mod loop_record;
mod model_request;
mod pairing;
pub(super) mod panic_guard;
pub(super) mod partial_reply;
mod tool_calls;
mod tool_events;
mod turn;

pub use {
    agent_loop::AgentLoop, child_loop::*, event_sink::*, loop_id::*, loop_origin::*,
    loop_record::*, pairing::*, partial_reply::*, tool_calls::SKIPPED,
};
