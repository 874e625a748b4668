//! `ask`, the provider of chapter 2 in a terminal: streams one reply of the offline model.

use claw_code_solutions::provider::{OpenAiConfig, OpenAiProvider, Provider, ProviderError};
use claw_code_solutions::types::{Message, ToolDefinition};
use claw_offline::Server;
use tokio::sync::mpsc;

/// Prints each event as it arrives, and then the reply. The model may call the tool `list`,
/// which is not run.
#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let question: Vec<String> = std::env::args().skip(1).collect();
    let messages = [Message::user(question.join(" "))];
    let list = ToolDefinition::new("list", "List a folder.").param(
        "path",
        "string",
        "The folder, relative to the root folder.",
        true,
    );
    // Stops when it is dropped. Another server's address and model work the same way.
    let server = Server::start().await?;
    let config = OpenAiConfig::new(format!("{}/v1", server.url()), "claw-offline");
    let provider = OpenAiProvider::new(config)?;

    let (sender, mut events) = mpsc::channel(16);
    let ask = async move { provider.stream(&messages, &[&list], &sender).await };
    let show = async {
        while let Some(event) = events.recv().await {
            println!("{event:?}");
        }
    };
    let (reply, ()): (Result<_, ProviderError>, ()) = tokio::join!(ask, show);
    println!("\n{:#?}", reply?);
    Ok(())
}
