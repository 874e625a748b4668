//! The names of the wire formats.

/// A wire format: what one API sends and receives.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum WireFormat {
    /// OpenAI's `POST /v1/chat/completions`.
    ChatCompletions,
    /// OpenAI's `POST /v1/responses`.
    Responses,
    /// Anthropic's `POST /v1/messages`.
    Messages,
}
