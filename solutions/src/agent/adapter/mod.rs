//! A [`LanguageModel`](super::LanguageModel) over any provider of chapter 2.

mod provider_model;
pub(super) mod to_types;

pub use provider_model::*;
pub use to_types::*;
