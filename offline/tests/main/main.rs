//! The server as its clients see it, over real connections.

mod support;

// The server.
mod in_process;
mod program;
mod request_log;
mod script;
mod server_lifecycle;

// The wire formats.
mod bad_requests;
mod chat_completions;
mod clients;
mod messages;
mod python;
mod reply_formats;
mod request_formats;
mod responses;
mod returned_thoughts;
mod thinking_errors;
mod tool_definitions;
mod tool_status;

// The faults.
mod connection_faults;
mod content_faults;

// The rule model.
mod repair;
mod result_summaries;
mod rules;
mod small_talk;
mod tasks;
mod thinking;
mod tool_choice;
