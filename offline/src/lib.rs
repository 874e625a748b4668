//! A stand-in for a language model, behind the wire formats of the real ones.
//!
//! **It is no neural network.** It is a table of rules that answers a handful of
//! requests, the same way every time, and says so when asked. It is there so that the
//! whole agent runs without a key and without a network, and so that tests have a server
//! that says what they tell it to and fails when they tell it to.
//!
//! A [`Server`] listens on 127.0.0.1 and takes `POST /v1/chat/completions`,
//! `POST /v1/responses` and `POST /v1/messages`, streaming or not, and `GET /v1/models`.
//! What it answers is the next step of its [`Script`]: a [`Reply`], or a [`Fault`] done
//! to one. When there are no steps, the rules answer; asked to think first, they say
//! what they go by. Equal requests have equal answers, to the byte.
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
//! What comes in is read by `wire` into a request, whatever its format; `model` or the
//! script makes a reply of it; `wire` writes the reply in that format; and `answer` sends
//! the bytes, with the fault done to them.
//!
//! Where it is stricter than it must be, it is so because the real thing is: tool calls
//! and results must pair, a tool's name and schema must be ones that the API takes, Messages
//! wants its version header and `max_tokens`. Where it is
//! laxer, nothing is lost: any key and any model's name will do, settings such as the
//! temperature are not read, and tools that run on the provider's side are never called.

mod answer;
mod fault;
mod listener;
mod model;
mod recorded;
mod request;
mod routes;
mod script;
mod seal;
mod server;
mod wire;

pub use fault::Fault;
pub use recorded::Recorded;
pub use script::{Reply, Script};
pub use server::Server;
