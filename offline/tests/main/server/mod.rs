//! The server: how it starts and ends, and what it records.

mod in_process;
mod lifecycle;
mod models;
mod page;
mod program;
mod request_log;
mod script;
mod stored_responses;
