//! Thoughts: the thinking blocks of Messages and the reasoning items of Responses.

/// What a provider checks when a client returns a thought.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Thought {
    /// A `thinking` block of Messages.
    Thinking { text: String, signature: String },
    /// A `redacted_thinking` block of Messages.
    Redacted { data: String },
    /// A `reasoning` item of Responses: its summary, its encrypted content, and its id if
    /// the client returned that too.
    Reasoning {
        text: String,
        encrypted: String,
        id: Option<String>,
    },
}

/// A thought that a request returns to the server.
#[derive(Debug)]
pub(crate) struct ReturnedThought {
    /// Its path in the request body, for error messages.
    pub(crate) path: String,
    pub(crate) thought: Thought,
}

impl Thought {
    /// Whether a client that received `sent` may return this. Responses compares the
    /// encrypted content and ignores the summary.
    pub(crate) fn matches(&self, sent: &Self) -> bool {
        match (self, sent) {
            (
                Self::Reasoning { encrypted, id, .. },
                Self::Reasoning {
                    encrypted: sent_encrypted,
                    id: sent_id,
                    ..
                },
            ) => encrypted == sent_encrypted && (id.is_none() || id == sent_id),
            (returned, sent) => returned == sent,
        }
    }
}
