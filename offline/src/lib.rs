//! A stand-in for a language model that speaks the wire formats of the real ones.
//!
//! **It is not a neural network.** It is a table of rules that answers a small set of
//! requests, always in the same way, and it says so when asked. With it, the whole agent
//! runs without a key and without a network. Tests also use it as a server that sends
//! scripted replies and fails on demand.
//!
//! A [`Server`] listens on 127.0.0.1. It accepts `POST /v1/chat/completions`,
//! `POST /v1/responses` and `POST /v1/messages`, streaming or not. It also lists models, counts
//! tokens and stores responses. The book's page "A model for tests" has the fields that it
//! honors.
//! It answers each request with the next step of its [`Script`]: a [`Reply`], or a reply
//! damaged by a [`Fault`]. After the last step, the rules answer; if the request asks for
//! thinking, their reply starts with a thought that names the rule. Equal requests get
//! equal answers, byte for byte.
//!
//! ```no_run
//! # async fn example() -> std::io::Result<()> {
//! use claw_offline::{Fault, Reply, Script, Server};
//!
//! let server = Server::with(
//!     Script::new()
//!         .fault(Fault::CutAfter { bytes: 120 })
//!         .reply(Reply::text("Here I am again.")),
//! )
//! .await?;
//! println!("{}/v1/chat/completions", server.url());
//! # Ok(())
//! # }
//! ```
//!
//! # Without HTTP
//! [`InProcess`] is the same model in the caller's process: the body of a Chat Completions
//! request in, the body of the response out, as JSON values. It is all there is without the
//! crate's feature `server`, and then the crate depends on nothing but `serde_json`.
//!
//! # The way of a request
//! `server` reads and logs it. `wire` parses the body, whatever its format, into one
//! `model_request`. The script or `model` makes a `reply`. The model keeps to the request's
//! `reply_settings`, such as its token limit; a script does not. `wire` writes the reply in the
//! format of the request, and `server` sends the bytes and applies the fault, if any.
//!
//! # Differences from the real servers
//! The server is strict where the real ones are: tool calls and results must pair, tool
//! names and schemas must be valid for the API, thoughts must come back unchanged, and
//! Messages needs its version header and `max_tokens`. It is lax where nothing is lost: it
//! accepts any key and any model name, ignores settings such as the temperature, and never
//! calls tools that run at the provider.

#![cfg_attr(
    not(feature = "server"),
    allow(
        dead_code,
        reason = "streams and the other two formats are for the server"
    )
)]

mod command_output;
mod conversation;
mod digest;
#[cfg(feature = "server")]
mod fault;
mod in_process;
mod model;
mod model_request;
mod reply;
mod reply_settings;
mod request_error;
#[cfg(feature = "server")]
mod script;
#[cfg(feature = "server")]
mod server;
mod thought;
mod thought_signature;
mod tool_kind;
mod wire;

#[cfg(feature = "server")]
pub use fault::Fault;
pub use in_process::{InProcess, Refusal};
pub use reply::Reply;
#[cfg(feature = "server")]
pub use script::Script;
#[cfg(feature = "server")]
pub use server::{LoggedRequest, Server};
