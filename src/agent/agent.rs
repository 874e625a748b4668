//! The agent: a history, and a loop that works on it while others watch and steer.

use std::sync::Arc;

use serde_json::Value;
use tokio::sync::mpsc;

use super::settings::Equipment;
use super::{
    AgentBuilder, AgentError, AgentEvents, AgentHandle, AgentLoop, AgentMessage, ContinuationKind,
    EventSink, LanguageModel, LoopCounts, LoopRecord, Message, Prompt, Settings, StopReason,
    TurnTrigger, Usage, convert_to_llm, mend_messages,
};
use crate::agent::run::agent_loop::LoopStart;
use crate::agent::run::crash_report::guarded;
use crate::agent::steering::handle::Run;

/// A conversation with a model that uses tools.
///
/// A loop runs in a task of its own and tells its reader of each step. Who has the agent
/// starts loops; who has a [`handle`](Self::handle) steers the one that runs. Dropping the
/// agent aborts it.
pub struct Agent {
    pub(super) equipment: Arc<Equipment>,
    pub(super) settings: Settings,
    pub(super) handle: AgentHandle,
    pub(super) agent_id: String,
    pub(super) session_id: String,
    pub(super) metadata: Option<Value>,
    /// The loop that runs this agent as its tool.
    pub(super) caller: Option<String>,
    pub(super) counts: LoopCounts,
    pub(super) last_loop_id: Option<String>,
    /// The history up to the loop that runs or ran last, which is in `run`.
    pub(super) history: Arc<Vec<AgentMessage>>,
    pub(super) usage: Usage,
    pub(super) records: Vec<LoopRecord>,
    pub(super) run: Option<Arc<Run>>,
}

impl Agent {
    /// An agent that asks this model.
    pub fn builder(model: impl LanguageModel + 'static) -> AgentBuilder {
        AgentBuilder::new(Arc::new(model))
    }

    /// Starts a loop with what the user says: text, a message, or several. Read the events
    /// while it runs, or drop them: the loop waits for a reader who is behind, and does
    /// without one who has gone.
    ///
    /// It must be called inside of a tokio runtime.
    ///
    /// # Panics
    ///
    /// While a loop runs. [`try_prompt`](Self::try_prompt) returns an error instead.
    pub fn prompt(&mut self, prompt: impl Into<Prompt>) -> AgentEvents {
        or_panic(self.try_prompt(prompt))
    }

    /// Starts a loop with what the user says, if none runs. Like [`prompt`](Self::prompt), it
    /// must be called inside of a tokio runtime.
    pub fn try_prompt(&mut self, prompt: impl Into<Prompt>) -> Result<AgentEvents, AgentError> {
        todo!("16.11: write Agent::try_prompt")
    }

    /// Starts a loop that answers what the history ends with: after an abort between calls,
    /// after the limit on turns, or on a history that was replaced.
    ///
    /// # Panics
    ///
    /// While a loop runs, on an empty history, and when its last message is an
    /// assistant's. [`try_continue`](Self::try_continue) returns an error instead.
    pub fn continue_loop(&mut self) -> AgentEvents {
        or_panic(self.try_continue(ContinuationKind::Default))
    }

    /// Starts a loop that answers what the history ends with, if it can be answered.
    /// Extensions at the end don't count.
    pub fn try_continue(&mut self, kind: ContinuationKind) -> Result<AgentEvents, AgentError> {
        todo!("16.11: write Agent::try_continue")
    }

    /// Waits until no loop runs, and says why the last one ended; `None` if there was none.
    /// The events must be read meanwhile, or dropped.
    pub async fn finish(&mut self) -> Option<StopReason> {
        self.handle.finished().await;
        let outcome = self.run.as_ref().and_then(|run| run.outcome());
        outcome.map(|outcome| outcome.record.stop_reason)
    }

    /// Runs a loop to its end without looking at its events, and says why it ended.
    ///
    /// # Panics
    ///
    /// While a loop runs.
    pub async fn run(&mut self, prompt: impl Into<Prompt>) -> StopReason {
        drop(self.prompt(prompt));
        self.finish().await.unwrap_or(StopReason::Stop)
    }

    /// What steers the agent, for other tasks.
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

    /// The history. While a loop runs it is what the loop began with; the events tell of
    /// the rest.
    pub fn messages(&self) -> &[AgentMessage] {
        match self.run.as_ref().and_then(|run| run.outcome()) {
            Some(outcome) => &outcome.messages,
            None => &self.history,
        }
    }

    /// What all loops cost together, without one that still runs.
    pub fn usage(&self) -> Usage {
        todo!("16.11: write Agent::usage")
    }

    /// The loops that this agent has run to their ends, in order.
    pub fn loop_records(&self) -> Vec<LoopRecord> {
        let last = self.run.as_ref().and_then(|run| run.outcome());
        let last = last.map(|outcome| outcome.record.clone());
        self.records.iter().cloned().chain(last).collect()
    }

    /// The session's id, with which loop ids begin.
    pub fn session_id(&self) -> &str {
        &self.session_id
    }

    /// The loop that runs, or ran last.
    pub fn loop_id(&self) -> Option<&str> {
        self.last_loop_id.as_deref()
    }

    /// What the next loop runs with.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// What the next loop runs with, to be changed. A loop that runs is not affected.
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
            // The history may be from outside; what loops have left is whole.
            mend_messages(Arc::make_mut(&mut self.history), (self.equipment.clock)());
        }
        let config = self.settings.config_id();
        let loop_id = self.counts.next(&self.session_id, &config);
        let (work, events) = self.prepare(loop_id, kind, trigger);
        tokio::spawn(guarded(work, prompt));
        events
    }

    /// A loop of this name that is ready to run on this history, and the reader's end of
    /// its events. It counts as running until it has run or is dropped; any that ran before
    /// must be over.
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
        let (sender, events) = mpsc::channel(self.equipment.buffer);
        let work = AgentLoop {
            equipment: self.equipment.clone(),
            settings: self.settings.clone(),
            handle: self.handle.clone(),
            sink: EventSink::new(sender, run.cancel.clone()),
            run,
            start,
            lane: convert_to_llm(&self.history),
            before: self.history.clone(),
            added: Vec::new(),
            usage: Usage::default(),
            turn_index: 0,
        };
        (work, events)
    }

    /// Takes over what the last loop left.
    pub(super) fn settle(&mut self) {
        if let Some(outcome) = self.run.as_ref().and_then(|run| run.outcome()) {
            self.history = outcome.messages.clone();
            self.usage = self.usage.combine(&outcome.record.usage);
            self.records.push(outcome.record.clone());
            self.run = None;
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
        // The contract asks for a panic: a host that prompts a busy agent has a mistake in it.
        Err(error) => panic!("{error}"),
    }
}
