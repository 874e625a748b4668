//! The settings of a request for the form of its reply.

mod choices;
mod json_format;
mod stop_sequences;
mod token_limit;
mod tool_choice;
