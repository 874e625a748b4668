//! Native models: two more APIs as a [`LanguageModel`](crate::agent::LanguageModel).
//!
//! [`ProviderModel`](crate::agent::ProviderModel) carries chapter 1's messages, which have
//! no field for thoughts and images. The models here send the agent's own messages, by way
//! of the chat messages of [`crate::chat`]: [`AnthropicModel`] to the Messages API and
//! [`ResponsesModel`] to the Responses API. [`RetryingModel`] repeats a failed request.

mod anthropic;
mod http_request;
mod responses;
mod retrying_model;

pub use anthropic::*;
pub use http_request::{Reply, ReplyReader};
pub use responses::*;
pub use retrying_model::*;
