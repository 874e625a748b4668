//! The server and the official Python clients.

mod python;
mod tool_call;
