//! A parser that checks a list of events against the grammar of `AgentEvent`.

use std::collections::HashMap;

use claw_code::agent::*;

/// Checks that `events` are one complete loop. The error says what came and what was expected.
pub fn check(events: &[AgentEvent]) -> Result<(), String> {
    Reader::new(events).whole_loop()
}

/// Checks that `events` are those of [`AgentLoop::turns`]: a loop without its first and its
/// last event.
pub fn check_turns(events: &[AgentEvent]) -> Result<(), String> {
    let mut reader = Reader::new(events);
    reader.turns()?;
    match reader.at == events.len() {
        true => Ok(()),
        false => reader.next().and_then(|_| reader.wrong(BETWEEN_TURNS)),
    }
}

/// Checks the pairing rule: the results of a reply follow it, in call order.
pub fn check_pairs<'a>(messages: impl IntoIterator<Item = &'a Message>) -> Result<(), String> {
    let mut due: Vec<String> = Vec::new();
    for (at, message) in messages.into_iter().enumerate() {
        if let Message::ToolResult { tool_call_id, .. } = message {
            if due.first() != Some(tool_call_id) {
                return Err(format!(
                    "message {at} is the result of {tool_call_id}; expected were the results of {due:?}"
                ));
            }
            due.remove(0);
            continue;
        }
        if !due.is_empty() {
            let role = message.role();
            return Err(format!(
                "message {at} ({role}) comes before the results of {due:?}"
            ));
        }
        due.extend(calls(message));
    }
    match due.is_empty() {
        true => Ok(()),
        false => Err(format!("it ends before the results of {due:?}")),
    }
}

/// The ids of a reply's calls.
pub fn calls(message: &Message) -> Vec<String> {
    let Message::Assistant { content, .. } = message else {
        return Vec::new();
    };
    let ids = content.iter().filter_map(|block| match block {
        Content::ToolCall { id, .. } => Some(id.clone()),
        _ => None,
    });
    ids.collect()
}

/// The name of an event.
pub fn name(event: &AgentEvent) -> &'static str {
    match event {
        AgentEvent::AgentStart { .. } => "AgentStart",
        AgentEvent::AgentEnd { .. } => "AgentEnd",
        AgentEvent::TurnStart { .. } => "TurnStart",
        AgentEvent::TurnEnd { .. } => "TurnEnd",
        AgentEvent::MessageStart { .. } => "MessageStart",
        AgentEvent::MessageUpdate { .. } => "MessageUpdate",
        AgentEvent::MessageEnd { .. } => "MessageEnd",
        AgentEvent::ToolExecutionStart { .. } => "ToolExecutionStart",
        AgentEvent::ToolExecutionUpdate { .. } => "ToolExecutionUpdate",
        AgentEvent::ToolExecutionEnd { .. } => "ToolExecutionEnd",
        AgentEvent::ProgressMessage { .. } => "ProgressMessage",
        AgentEvent::InputRejected { .. } => "InputRejected",
        AgentEvent::Other(_) => "another event",
    }
}

/// The events between two turns.
const BETWEEN_TURNS: &str = "InputRejected, MessageStart, the next TurnStart or the end";

struct Reader<'a> {
    events: &'a [AgentEvent],
    at: usize,
    /// The completed messages, in order.
    messages: Vec<AgentMessage>,
    usage: Usage,
    turns: u64,
    rejection: Option<String>,
}

impl<'a> Reader<'a> {
    fn new(events: &'a [AgentEvent]) -> Self {
        Self {
            events,
            at: 0,
            messages: Vec::new(),
            usage: Usage::default(),
            turns: 0,
            rejection: None,
        }
    }

    fn next(&mut self) -> Result<AgentEvent, String> {
        let event = self.events.get(self.at).cloned();
        self.at += 1;
        event.ok_or_else(|| format!("the events end after {}, without AgentEnd", self.at - 1))
    }

    /// The error for the event before `at`.
    fn wrong<T>(&self, expected: &str) -> Result<T, String> {
        let came = self.events[..self.at].last().map_or("nothing", name);
        let names: Vec<&str> = self.events.iter().map(name).collect();
        Err(format!(
            "event {} is {came}; expected was {expected}. All events: {}",
            self.at.saturating_sub(1),
            names.join(" ")
        ))
    }

    fn whole_loop(&mut self) -> Result<(), String> {
        let AgentEvent::AgentStart { loop_id, .. } = self.next()? else {
            return self.wrong("AgentStart");
        };
        if let Some(other) = self.events.iter().find(|event| event.loop_id() != loop_id) {
            return Err(format!(
                "a {} of the loop {} among the events of {loop_id}",
                name(other),
                other.loop_id()
            ));
        }
        self.turns()?;
        let AgentEvent::AgentEnd {
            messages,
            usage,
            rejection,
            ..
        } = self.next()?
        else {
            return self.wrong(BETWEEN_TURNS);
        };
        if messages != self.messages {
            return Err("AgentEnd has other messages than the events before it".into());
        }
        if usage != self.usage {
            return Err(format!(
                "AgentEnd has the usage {usage:?}, not {:?}",
                self.usage
            ));
        }
        if rejection.is_some() && (self.turns > 0 || rejection != self.rejection) {
            return Err(format!("AgentEnd has the rejection {rejection:?}"));
        }
        match self.at == self.events.len() {
            true => Ok(()),
            false => Err("an event comes after AgentEnd".into()),
        }
    }

    /// The turns, and what comes between them.
    fn turns(&mut self) -> Result<(), String> {
        while let Some(event) = self.events.get(self.at) {
            self.at += 1;
            match event {
                AgentEvent::InputRejected { reason, .. } => self.rejection = Some(reason.clone()),
                AgentEvent::MessageStart { message, .. } => self.input(message)?,
                AgentEvent::TurnStart { turn_index, .. } if *turn_index == self.turns => {
                    let usage = self.turn()?;
                    self.usage = self.usage.combine(&usage);
                    self.turns += 1;
                }
                _ => {
                    self.at -= 1;
                    break;
                }
            }
        }
        Ok(())
    }

    /// The end of a message after its start.
    fn input(&mut self, start: &AgentMessage) -> Result<(), String> {
        match self.next()? {
            AgentEvent::MessageEnd { message, .. } if message == *start => {
                self.messages.push(message);
                Ok(())
            }
            _ => self.wrong("MessageEnd of the same message"),
        }
    }

    fn turn(&mut self) -> Result<Usage, String> {
        let reply = loop {
            match self.next()? {
                AgentEvent::MessageStart { message, .. } => match message.role() {
                    "assistant" => break self.reply(message)?,
                    "user" | "extension" => self.input(&message)?,
                    _ => return self.wrong("a user message, an extension or the reply"),
                },
                _ => return self.wrong("MessageStart"),
            }
        };
        let Some(whole @ Message::Assistant { usage, .. }) = reply.as_llm() else {
            return self.wrong("a reply");
        };
        let ids = calls(whole);
        self.executions(&ids)?;
        let mut results = Vec::new();
        loop {
            match self.next()? {
                AgentEvent::MessageStart { message, .. } => {
                    self.input(&message)?;
                    results.extend(message.as_llm().cloned());
                }
                AgentEvent::TurnEnd {
                    message,
                    tool_results,
                    usage: sent,
                    ..
                } => {
                    if message != reply || tool_results != results || sent != *usage {
                        return Err("TurnEnd differs from the events before it".into());
                    }
                    check_pairs([whole].into_iter().chain(&results))?;
                    return Ok(*usage);
                }
                _ => return self.wrong("a result's MessageStart, or TurnEnd"),
            }
        }
    }

    /// A reply after its start.
    fn reply(&mut self, start: AgentMessage) -> Result<AgentMessage, String> {
        let mut last = start;
        let (mut text, mut thoughts, mut grew) = (String::new(), String::new(), false);
        loop {
            match self.next()? {
                AgentEvent::MessageUpdate { message, delta, .. } => {
                    grew = true;
                    match delta {
                        StreamDelta::Text { delta } => text.push_str(&delta),
                        StreamDelta::Thinking { delta } => thoughts.push_str(&delta),
                        StreamDelta::ToolCallDelta { .. } => {}
                    }
                    let so_far = (text_of(&message), thoughts_of(&message));
                    if so_far != (text.clone(), thoughts.clone()) {
                        return Err(format!(
                            "an update has the text and the thinking {so_far:?}; the deltas so \
                             far are {text:?} and {thoughts:?}"
                        ));
                    }
                    last = AgentMessage::clone(&message);
                }
                AgentEvent::MessageEnd { message, .. } => {
                    if message.turn_id() != last.turn_id() {
                        return Err("a reply changes its turn id".into());
                    }
                    let whole = (text_of(&message), thoughts_of(&message));
                    if grew && whole != (text.clone(), thoughts.clone()) {
                        return Err(format!(
                            "a reply ends as {whole:?}; its deltas were {text:?} and {thoughts:?}"
                        ));
                    }
                    self.messages.push(message.clone());
                    return Ok(message);
                }
                _ => return self.wrong("MessageUpdate or MessageEnd"),
            }
        }
    }

    /// The executions of a reply's calls: one each, in any order and interleaved.
    fn executions(&mut self, ids: &[String]) -> Result<(), String> {
        let mut state: HashMap<&str, &str> =
            ids.iter().map(|id| (id.as_str(), "not started")).collect();
        let mut ended = 0;
        while ended < ids.len() {
            let event = self.next()?;
            let (id, from, to) = match &event {
                AgentEvent::ToolExecutionStart { tool_call_id, .. } => {
                    (tool_call_id, "not started", "running")
                }
                AgentEvent::ToolExecutionUpdate { tool_call_id, .. }
                | AgentEvent::ProgressMessage { tool_call_id, .. } => {
                    (tool_call_id, "running", "running")
                }
                AgentEvent::ToolExecutionEnd { tool_call_id, .. } => {
                    ended += 1;
                    (tool_call_id, "running", "ended")
                }
                _ => return self.wrong("an event of a call, since not all have ended"),
            };
            match state.get_mut(id.as_str()) {
                Some(state) if *state == from => *state = to,
                state => {
                    let state = state.map_or("not the reply's", |state| *state);
                    return Err(format!(
                        "{} of the call {id}, which is {state} and not {from}",
                        name(&event)
                    ));
                }
            }
        }
        Ok(())
    }
}

/// The thinking of a reply, its blocks joined.
fn thoughts_of(message: &AgentMessage) -> String {
    let thoughts = blocks(message).iter().filter_map(|block| match block {
        Content::Thinking { thinking, .. } => Some(thinking.as_str()),
        _ => None,
    });
    thoughts.collect()
}

/// The text of a message, its blocks joined.
pub fn text_of(message: &AgentMessage) -> String {
    let texts = blocks(message).iter().filter_map(|block| match block {
        Content::Text { text } => Some(text.as_str()),
        _ => None,
    });
    texts.collect()
}

/// The blocks of a message; an extension has none.
fn blocks(message: &AgentMessage) -> &[Content] {
    message.as_llm().map_or(&[], content)
}

/// The blocks of a message.
pub fn content(message: &Message) -> &[Content] {
    match message {
        Message::User { content, .. }
        | Message::Assistant { content, .. }
        | Message::ToolResult { content, .. } => content,
    }
}
