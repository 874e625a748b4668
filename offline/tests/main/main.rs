//! The server as its clients see it, over real connections.

mod support;

mod clients;
mod faults;
mod formats;
mod rules;
mod server;
mod settings;
mod thinking;
