//! What the editor asks for.

/// A prompt.
pub struct Request {
    /// Shown above the line.
    pub text: String,
    /// Begins the line.
    pub prompt: &'static str,
    /// Whether the line is a prompt for the model. Then it goes into the history, and what has
    /// been typed before is its beginning, or the line itself.
    pub is_for_model: bool,
}
