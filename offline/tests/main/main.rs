//! The server as its clients see it, over real connections.

mod clients;
mod common;
mod faults;
mod formats;
mod model;
mod program;
mod python;
mod repair;
mod server;
mod thoughts;
mod tools;
