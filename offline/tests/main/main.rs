//! The server as its clients see it, over real connections.

mod clients;
mod common;
mod faults;
mod formats;
mod model;
mod program;
mod repair;
mod server;
