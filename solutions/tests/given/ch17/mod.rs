//! Given code of chapter 17: the conversion from an agent's history, and the narrators.

mod agent_history;
#[path = "../../../../tests/ch17/conversions.rs"]
mod conversions;
mod from_agent;
mod narrate_changes;
mod narrate_reading;
mod narrate_searches;
mod replies_from_agent;
mod short_line;
mod sizes_and_reasons;
#[path = "../../../../tests/ch17/support.rs"]
mod support;
