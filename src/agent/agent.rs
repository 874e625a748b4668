//! The agent: a history, and the loop that extends it while other tasks watch and steer.

use std::sync::{Arc, OnceLock};

use serde_json::Value;
use tokio::sync::mpsc;

use super::settings::Services;
use super::{
    AgentError, AgentEvents, AgentHandle, AgentLoop, AgentMessage, ContinuationKind, EventSink,
    LoopCounts, LoopRecord, Message, Prompt, Settings, StopReason, TurnTrigger, Usage,
    convert_to_llm, repair_history,
};
use crate::agent::run::agent_loop::LoopStart;
use crate::agent::run::crash_report::run_with_crash_report;
use crate::agent::steering::handle::Run;

/// A conversation with a model that uses tools.
///
/// A loop runs in its own task and sends an event for each step. The owner of the agent
/// starts loops; a [`handle`](Self::handle) can only steer the running one. Dropping the
/// agent aborts its loop.
pub struct Agent {
    pub(super) services: Arc<Services>,
    pub(super) settings: Settings,
    pub(super) handle: AgentHandle,
    pub(super) agent_id: String,
    pub(super) session_id: String,
    pub(super) metadata: Option<Value>,
    /// The loop that runs this agent as a tool.
    pub(super) caller: Option<String>,
    pub(super) counts: LoopCounts,
    pub(super) last_loop_id: Option<String>,
    /// The history without the messages that the loop of `run` has added.
    pub(super) history: Vec<AgentMessage>,
    /// A copy of the whole history, if it was asked for while `run` still held its messages.
    pub(super) whole: OnceLock<Vec<AgentMessage>>,
    /// The part of the history that the model sees, if the last loop has left it.
    pub(super) lane: Option<Vec<Message>>,
    pub(super) usage: Usage,
    pub(super) records: Vec<LoopRecord>,
    pub(super) run: Option<Arc<Run>>,
}

impl Agent {
    /// Starts a loop with the user's input: text, a message, or several messages. Read the
    /// events while the loop runs, or drop the receiver. The loop waits for a slow reader
    /// and continues without a dropped one.
    ///
    /// Call it inside a tokio runtime.
    ///
    /// # Panics
    ///
    /// Panics while a loop runs. [`try_prompt`](Self::try_prompt) returns an error instead.
    pub fn prompt(&mut self, prompt: impl Into<Prompt>) -> AgentEvents {
        or_panic(self.try_prompt(prompt))
    }

    /// Starts a loop with the user's input. Returns an error while another loop runs. Call it
    /// inside a tokio runtime.
    pub fn try_prompt(&mut self, prompt: impl Into<Prompt>) -> Result<AgentEvents, AgentError> {
        todo!("agent-builder-and-handle: write Agent::try_prompt")
    }

    /// Starts a loop that answers the last message of the history: after an abort between
    /// calls, after the turn limit, or with a replaced history.
    ///
    /// # Panics
    ///
    /// Panics while a loop runs, if the history is empty, and if its last message is an
    /// assistant message. [`try_continue`](Self::try_continue) returns an error instead.
    pub fn continue_loop(&mut self) -> AgentEvents {
        or_panic(self.try_continue(ContinuationKind::Default))
    }

    /// Starts a loop that answers the last message of the history, or returns the reason why
    /// it cannot. Extensions at the end are ignored.
    pub fn try_continue(&mut self, kind: ContinuationKind) -> Result<AgentEvents, AgentError> {
        todo!("agent-builder-and-handle: write Agent::try_continue")
    }

    /// Waits until no loop runs and returns the stop reason of the last one; `None` if there
    /// was none. Meanwhile another task must read the events, or their receiver must be
    /// dropped.
    pub async fn finish(&mut self) -> Option<StopReason> {
        self.handle.finished().await;
        self.settle();
        self.records.last().map(|record| record.stop_reason)
    }

    /// Runs a loop to its end without its events, and returns its stop reason.
    ///
    /// # Panics
    ///
    /// Panics while another loop runs.
    pub async fn run(&mut self, prompt: impl Into<Prompt>) -> StopReason {
        drop(self.prompt(prompt));
        self.finish().await.unwrap_or(StopReason::Stop)
    }

    /// A handle with which other tasks steer the agent.
    pub fn handle(&self) -> AgentHandle {
        self.handle.clone()
    }

    /// See [`AgentHandle::steer`].
    pub fn steer(&self, message: impl Into<AgentMessage>) {
        self.handle.steer(message);
    }

    /// See [`AgentHandle::follow_up`].
    pub fn follow_up(&self, message: impl Into<AgentMessage>) {
        self.handle.follow_up(message);
    }

    /// See [`AgentHandle::abort`].
    pub fn abort(&self) {
        self.handle.abort();
    }

    /// See [`AgentHandle::is_streaming`].
    pub fn is_streaming(&self) -> bool {
        self.handle.is_streaming()
    }

    /// The history. While a loop runs, it is the history before that loop; the events carry
    /// the loop's messages.
    pub fn messages(&self) -> &[AgentMessage] {
        match self.run.as_ref().and_then(|run| run.outcome()) {
            Some(outcome) => self
                .whole
                .get_or_init(|| [self.history.as_slice(), &outcome.added].concat()),
            None => &self.history,
        }
    }

    /// The usage of all loops that have ended.
    pub fn usage(&self) -> Usage {
        match self.run.as_ref().and_then(|run| run.outcome()) {
            Some(outcome) => self.usage.combine(&outcome.record.usage),
            None => self.usage,
        }
    }

    /// The records of all loops that have ended, in order.
    pub fn loop_records(&self) -> Vec<LoopRecord> {
        let last = self.run.as_ref().and_then(|run| run.outcome());
        let last = last.map(|outcome| outcome.record.clone());
        self.records.iter().cloned().chain(last).collect()
    }

    /// The session's id, which is the first part of each loop id.
    pub fn session_id(&self) -> &str {
        &self.session_id
    }

    /// The id of the current or last loop.
    pub fn loop_id(&self) -> Option<&str> {
        self.last_loop_id.as_deref()
    }

    /// The settings for the next loop.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The settings for the next loop, for changing. A running loop keeps its own.
    pub fn settings_mut(&mut self) -> &mut Settings {
        &mut self.settings
    }

    fn start(
        &mut self,
        kind: ContinuationKind,
        trigger: TurnTrigger,
        prompt: Vec<AgentMessage>,
    ) -> AgentEvents {
        if self.last_loop_id.is_none() {
            // The first history may come from outside. A loop always leaves a complete one.
            repair_history(&mut self.history, (self.services.clock)());
        }
        let config = self.settings.config_id();
        let loop_id = self.counts.next(&self.session_id, &config);
        let (work, events) = self.prepare(loop_id, kind, trigger);
        tokio::spawn(run_with_crash_report(work, prompt));
        events
    }

    /// A loop with this id, ready to run on the agent's history, and the receiver of its
    /// events. It counts as running until it has run or is dropped. Any earlier loop must
    /// have ended.
    pub fn prepare(
        &mut self,
        loop_id: impl Into<String>,
        kind: ContinuationKind,
        trigger: TurnTrigger,
    ) -> (AgentLoop, AgentEvents) {
        self.settle();
        let loop_id = loop_id.into();
        let earlier = self.last_loop_id.replace(loop_id.clone());
        let trigger = match &self.caller {
            Some(_) if kind == ContinuationKind::Initial => TurnTrigger::SubAgent,
            _ => trigger,
        };
        let start = LoopStart {
            loop_id,
            agent_id: self.agent_id.clone(),
            session_id: self.session_id.clone(),
            parent_loop_id: earlier.or_else(|| self.caller.clone()),
            continuation_kind: kind,
            trigger,
            metadata: self.metadata.clone(),
        };
        let run = self.handle.begin();
        self.run = Some(run.clone());
        let (sender, events) = mpsc::channel(self.services.buffer);
        let work = AgentLoop {
            services: self.services.clone(),
            settings: self.settings.clone(),
            handle: self.handle.clone(),
            sink: EventSink::new(sender, run.cancel.clone()),
            run,
            start,
            lane: self
                .lane
                .take()
                .unwrap_or_else(|| convert_to_llm(&self.history)),
            added: Vec::new(),
            usage: Usage::default(),
            turn_index: 0,
        };
        (work, events)
    }

    /// Replaces the history of an agent that is [settled](Self::settle).
    pub(super) fn set_history(&mut self, messages: Vec<AgentMessage>) {
        self.history = messages;
        self.lane = None;
    }

    /// Moves the last loop's result into the history, the usage and the records. It copies
    /// the messages of that loop, and not those before it.
    pub(super) fn settle(&mut self) {
        let Some(run) = self.run.take_if(|run| run.outcome().is_some()) else {
            return;
        };
        self.lane = run.take_lane();
        if let Some(outcome) = run.outcome() {
            match self.whole.take() {
                Some(whole) => self.history = whole,
                None => self.history.extend_from_slice(&outcome.added),
            }
            self.usage = self.usage.combine(&outcome.record.usage);
            self.records.push(outcome.record.clone());
        }
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        self.abort();
    }
}

fn or_panic(started: Result<AgentEvents, AgentError>) -> AgentEvents {
    match started {
        Ok(events) => events,
        // The contract asks for a panic: prompting a busy agent is a bug in the host.
        Err(error) => panic!("{error}"),
    }
}
