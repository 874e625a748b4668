//! The wire formats of the three APIs.

mod bad_requests;
mod chat_completions;
mod custom_tools;
mod messages;
mod reply_formats;
mod request_formats;
mod responses;
mod tool_definitions;
mod tool_status;
