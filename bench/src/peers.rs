//! The same runs with other agents.

use std::sync::Arc;

use async_trait::async_trait;
use claw_code_solutions::tools::validate;
use claw_code_solutions::types::{ToolDefinition, ValidationResult};
use serde_json::Value;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::agents::{CALLS, TEXT, TURNS, arguments, definition, runtime};
use crate::harness::{Measure, seconds};

const UNVALIDATED: &str = "arguments are not validated";

pub fn turn_of_calls(measure: Measure<'_>) -> Measure<'_> {
    let yoagent = |validates| {
        let runtime = runtime();
        move || {
            let mut context = yo::context(Vec::new(), vec![Box::new(yo::Echo::new(validates))]);
            let turn = || yo::Scripted {
                pieces: 1,
                calls: CALLS,
            };
            runtime.block_on(yo::run(turn(), &mut context));
            let turns = || {
                for _ in 0..TURNS {
                    runtime.block_on(yo::run(turn(), &mut context));
                }
            };
            seconds(turns) / TURNS as f64
        }
    };
    let phi = {
        let runtime = runtime();
        move || {
            let mut agent = phi::agent();
            runtime.block_on(phi::run(&mut agent));
            seconds(|| runtime.block_on(phi::run(&mut agent)))
        }
    };
    let clark = {
        let runtime = runtime();
        let config = clark::config(1, CALLS);
        move || seconds(|| assert!(runtime.block_on(clark::run(&config, Vec::new())) > CALLS))
    };
    measure
        .peer("yoagent", UNVALIDATED, yoagent(false))
        .peer("yoagent", "its tool validates as ours does", yoagent(true))
        .peer("clark-agent", UNVALIDATED, clark)
        .peer("phi-core", UNVALIDATED, phi)
}

pub fn text_turn(measure: Measure<'_>, length: usize) -> Measure<'_> {
    let yoagent = {
        let runtime = runtime();
        move || {
            let mut context = yo::context(yo::history(length), Vec::new());
            let turn = || yo::Scripted {
                pieces: 1,
                calls: 0,
            };
            runtime.block_on(yo::run(turn(), &mut context));
            let turns = || {
                for _ in 0..TURNS {
                    runtime.block_on(yo::run(turn(), &mut context));
                }
            };
            seconds(turns) / TURNS as f64
        }
    };
    let clark = {
        let runtime = runtime();
        let config = clark::config(1, 0);
        move || {
            // A run takes its history.
            let histories: Vec<_> = (0..TURNS).map(|_| clark::history(length)).collect();
            let turns = || {
                for history in histories {
                    runtime.block_on(clark::run(&config, history));
                }
            };
            seconds(turns) / TURNS as f64
        }
    };
    measure
        .peer("yoagent", "", yoagent)
        .peer("clark-agent", "", clark)
}

pub fn streamed_reply(measure: Measure<'_>, pieces: usize) -> Measure<'_> {
    let yoagent = {
        let runtime = runtime();
        move || {
            let mut context = yo::context(Vec::new(), Vec::new());
            let turn = yo::Scripted { pieces, calls: 0 };
            seconds(|| runtime.block_on(yo::run(turn, &mut context))) / pieces as f64
        }
    };
    let clark = {
        let runtime = runtime();
        let config = clark::config(pieces, 0);
        move || {
            let count = || assert!(runtime.block_on(clark::run(&config, Vec::new())) > pieces);
            seconds(count) / pieces as f64
        }
    };
    let note = "its events carry no message so far; its channel is unbounded";
    measure
        .peer("clark-agent", note, clark)
        .peer("yoagent", "its channel is unbounded", yoagent)
}

mod yo {
    use super::*;
    use yoagent::agent_loop::{AgentLoopConfig, agent_loop};
    use yoagent::provider::{ProviderError, StreamConfig, StreamEvent, StreamProvider};
    use yoagent::{
        AgentContext, AgentMessage, AgentTool, Content, Message, StopReason, ToolContext,
        ToolError, ToolResult, Usage,
    };

    pub fn context(messages: Vec<AgentMessage>, tools: Vec<Box<dyn AgentTool>>) -> AgentContext {
        AgentContext {
            system_prompt: "Be brief.".to_string(),
            messages,
            tools,
        }
    }

    /// Runs a loop and returns the number of its events.
    pub async fn run(model: Scripted, context: &mut AgentContext) -> usize {
        let config = AgentLoopConfig::new(Arc::new(model), "ready");
        let (sender, mut events) = mpsc::unbounded_channel();
        let prompt = vec![AgentMessage::Llm(Message::user("Go."))];
        let running = agent_loop(prompt, context, &config, sender, CancellationToken::new());
        let reading = async {
            let mut count = 0;
            while events.recv().await.is_some() {
                count += 1;
            }
            count
        };
        tokio::join!(running, reading).1
    }

    pub fn history(length: usize) -> Vec<AgentMessage> {
        let message = |number: usize| match number % 2 {
            0 => Message::user(TEXT),
            _ => reply(vec![Content::Text { text: TEXT.into() }], StopReason::Stop),
        };
        (0..length).map(message).map(AgentMessage::Llm).collect()
    }

    fn reply(content: Vec<Content>, stop_reason: StopReason) -> Message {
        Message::assistant(content, stop_reason, "ready", "offline", Usage::default())
    }

    pub struct Scripted {
        pub pieces: usize,
        pub calls: usize,
    }

    #[async_trait]
    impl StreamProvider for Scripted {
        async fn stream(
            &self,
            config: StreamConfig,
            sender: mpsc::UnboundedSender<StreamEvent>,
            _cancel: CancellationToken,
        ) -> Result<Message, ProviderError> {
            let _ = sender.send(StreamEvent::Start);
            let is_asked = matches!(config.messages.last(), Some(Message::User { .. }));
            let message = if self.calls > 0 && is_asked {
                let call =
                    |number| Content::tool_call(format!("call_{number}"), "echo", arguments());
                reply((0..self.calls).map(call).collect(), StopReason::ToolUse)
            } else {
                for piece in 0..self.pieces {
                    let delta = "word ".to_string();
                    let _ = sender.send(StreamEvent::TextDelta {
                        content_index: 0,
                        delta,
                    });
                    // As over a network, the reader runs between the pieces.
                    if piece % 64 == 63 {
                        tokio::task::yield_now().await;
                    }
                }
                let text = "word ".repeat(self.pieces);
                reply(vec![Content::Text { text }], StopReason::Stop)
            };
            let _ = sender.send(StreamEvent::Done {
                message: message.clone(),
            });
            Ok(message)
        }
    }

    pub struct Echo {
        /// The arguments are validated with it.
        definition: Option<ToolDefinition>,
    }

    impl Echo {
        pub fn new(validates: bool) -> Self {
            Self {
                definition: validates.then(definition),
            }
        }
    }

    #[async_trait]
    impl AgentTool for Echo {
        fn name(&self) -> &str {
            "echo"
        }

        fn label(&self) -> &str {
            "Echo"
        }

        fn description(&self) -> &str {
            "Returns its path."
        }

        fn parameters_schema(&self) -> Value {
            definition().parameters
        }

        async fn execute(&self, args: Value, _: ToolContext) -> Result<ToolResult, ToolError> {
            if let Some(definition) = &self.definition {
                assert_eq!(validate(definition, &args), ValidationResult::Ok);
            }
            let text = args["path"].as_str().unwrap_or_default().to_string();
            Ok(ToolResult {
                content: vec![Content::Text { text }],
                details: Value::Null,
            })
        }
    }
}

mod clark {
    use super::*;
    use clark_agent::{
        AgentBuilder, AgentContext, AgentMessage, AgentTool, AssistantBlock, AssistantContent,
        AssistantStreamChunk, EventSink, LoopConfig, StopReason, StreamEvent, StreamFn,
        StreamRequest, ToolCall, ToolError, ToolRegistry, ToolResult, ToolUpdateSink, UserContent,
    };
    use futures::stream::{self, BoxStream, StreamExt};
    use std::sync::Mutex;

    /// A configuration, and the receiver of its events.
    pub type Config = (LoopConfig, Arc<Sink>);

    pub fn config(pieces: usize, calls: usize) -> Config {
        let sink = Arc::new(Sink::default());
        let config = AgentBuilder::new()
            .stream(Arc::new(Scripted { pieces, calls }))
            .tools(ToolRegistry::new().with(Arc::new(Echo)))
            .event_sink(sink.clone())
            .build();
        (config.expect("a configuration"), sink)
    }

    /// Sends events to the reader of the current run.
    #[derive(Default)]
    pub struct Sink(Mutex<Option<mpsc::UnboundedSender<clark_agent::AgentEvent>>>);

    #[async_trait]
    impl EventSink for Sink {
        async fn emit(&self, event: clark_agent::AgentEvent) {
            if let Some(sender) = &*self.0.lock().expect("not poisoned") {
                let _ = sender.send(event);
            }
        }
    }

    /// Runs a loop on `history` and returns the number of its events.
    pub async fn run((config, sink): &Config, history: Vec<AgentMessage>) -> usize {
        let (sender, mut events) = mpsc::unbounded_channel();
        *sink.0.lock().expect("not poisoned") = Some(sender);
        let context = AgentContext::new("Be brief.").with_messages(history);
        let running = async {
            let end =
                clark_agent::run(vec![user("Go.")], context, config, CancellationToken::new());
            end.await.expect("the run succeeds");
            *sink.0.lock().expect("not poisoned") = None;
        };
        let reading = async {
            let mut count = 0;
            while events.recv().await.is_some() {
                count += 1;
            }
            count
        };
        tokio::join!(running, reading).1
    }

    fn user(text: &str) -> AgentMessage {
        AgentMessage::User {
            content: UserContent::Text(text.to_string()),
            timestamp: Some(1),
        }
    }

    pub fn history(length: usize) -> Vec<AgentMessage> {
        let message = |number: usize| match number % 2 {
            0 => user(TEXT),
            _ => reply(AssistantContent::text(TEXT), StopReason::EndTurn),
        };
        (0..length).map(message).collect()
    }

    fn reply(content: AssistantContent, stop_reason: StopReason) -> AgentMessage {
        AgentMessage::Assistant {
            content,
            stop_reason,
            error_message: None,
            timestamp: Some(1),
            usage: None,
        }
    }

    struct Scripted {
        pieces: usize,
        calls: usize,
    }

    #[async_trait]
    impl StreamFn for Scripted {
        async fn stream(
            &self,
            request: StreamRequest,
            _signal: CancellationToken,
        ) -> BoxStream<'static, StreamEvent> {
            let is_asked = matches!(request.messages.last(), Some(AgentMessage::User { .. }));
            let (pieces, message) = if self.calls > 0 && is_asked {
                let call = |number: usize| {
                    AssistantBlock::ToolCall(ToolCall {
                        id: format!("call_{number}"),
                        name: "echo".to_string(),
                        arguments: arguments(),
                    })
                };
                let blocks = (0..self.calls).map(call).collect();
                (0, reply(AssistantContent { blocks }, StopReason::ToolUse))
            } else {
                let text = "word ".repeat(self.pieces);
                (
                    self.pieces,
                    reply(AssistantContent::text(text), StopReason::EndTurn),
                )
            };
            let partial = reply(AssistantContent::text(""), StopReason::EndTurn);
            let start = stream::iter([StreamEvent::Start { partial }]);
            let chunks = stream::iter(0..pieces).then(|piece| async move {
                if piece % 64 == 63 {
                    tokio::task::yield_now().await;
                }
                let delta = "word ".to_string();
                StreamEvent::Chunk(AssistantStreamChunk::Text { delta })
            });
            let done = stream::iter([StreamEvent::Done { message }]);
            start.chain(chunks).chain(done).boxed()
        }
    }

    struct Echo;

    #[async_trait]
    impl AgentTool for Echo {
        fn name(&self) -> &str {
            "echo"
        }

        fn description(&self) -> &str {
            "Returns its path."
        }

        fn parameters_schema(&self) -> Value {
            definition().parameters
        }

        async fn execute(
            &self,
            _id: &str,
            args: Value,
            _signal: CancellationToken,
            _updates: ToolUpdateSink,
        ) -> Result<ToolResult, ToolError> {
            Ok(ToolResult::text(args["path"].as_str().unwrap_or_default()))
        }
    }
}

mod phi {
    use super::*;
    use phi_core::provider::ModelConfig;
    use phi_core::provider::mock::{MockProvider, MockResponse, MockToolCall};
    use phi_core::{AgentTool, BasicAgent, Content, ToolContext, ToolError, ToolResult};

    pub fn agent() -> BasicAgent {
        let call = |_| MockToolCall {
            name: "echo".to_string(),
            arguments: arguments(),
        };
        let calls = MockResponse::ToolCalls((0..CALLS).map(call).collect());
        let replies = vec![calls, MockResponse::Text("word ".to_string())];
        BasicAgent::new(ModelConfig::anthropic("ready", "ready", "key"))
            .with_provider_override(Arc::new(MockProvider::repeating(replies)))
            .with_tools(vec![Arc::new(Echo)])
    }

    /// Runs a loop and returns the number of its events.
    pub async fn run(agent: &mut BasicAgent) -> usize {
        let mut events = agent.prompt("Go.").await;
        let mut count = 0;
        while events.recv().await.is_some() {
            count += 1;
        }
        count
    }

    struct Echo;

    #[async_trait]
    impl AgentTool for Echo {
        fn name(&self) -> &str {
            "echo"
        }

        fn label(&self) -> &str {
            "Echo"
        }

        fn description(&self) -> &str {
            "Returns its path."
        }

        fn parameters_schema(&self) -> Value {
            definition().parameters
        }

        async fn execute(&self, args: Value, _: ToolContext) -> Result<ToolResult, ToolError> {
            let text = args["path"].as_str().unwrap_or_default().to_string();
            Ok(ToolResult {
                content: vec![Content::Text { text }],
                details: Value::Null,
                child_loop_id: None,
            })
        }
    }
}
