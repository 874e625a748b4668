//! The environment variables with the agent's API keys.
//!
//! `claw` reads its key from one of them, and the shell tool of chapter 7 removes all of them
//! from the environment of a command.

/// The key for Anthropic.
pub const ANTHROPIC_API_KEY: &str = "ANTHROPIC_API_KEY";

/// The key for the server that the user names, such as in `CLAW_BASE_URL`.
pub const CLAW_API_KEY: &str = "CLAW_API_KEY";

/// The key for OpenAI.
pub const OPENAI_API_KEY: &str = "OPENAI_API_KEY";

/// The key for OpenRouter.
pub const OPENROUTER_API_KEY: &str = "OPENROUTER_API_KEY";

/// All of them.
pub const API_KEY_VARIABLES: [&str; 4] = [
    ANTHROPIC_API_KEY,
    CLAW_API_KEY,
    OPENAI_API_KEY,
    OPENROUTER_API_KEY,
];
