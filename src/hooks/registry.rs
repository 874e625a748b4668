//! The hooks of a session.

use std::sync::Arc;

use futures_util::future::join_all;
use tokio::sync::mpsc;

use super::{Hook, HookAnswer, HookEvent, HookInput, HookSession, Matcher, ask_hook};

/// What a hook has for the program that runs the agent.
#[derive(Debug, Clone, PartialEq)]
pub enum HookNotice {
    /// A text to show to the user.
    Message(String),
    /// A hook wants the agent to stop, for this reason.
    Stop(String),
}

/// The hooks of a session, in the order of the settings.
pub struct Hooks {
    session: HookSession,
    entries: Vec<HookEntry>,
    notices: mpsc::UnboundedSender<HookNotice>,
}

/// A hook with the events for which it runs.
struct HookEntry {
    event: String,
    matcher: Matcher,
    hook: Arc<dyn Hook>,
}

impl Hooks {
    /// No hooks yet, and the receiver of their notices.
    pub fn new(session: HookSession) -> (Self, mpsc::UnboundedReceiver<HookNotice>) {
        let (notices, receiver) = mpsc::unbounded_channel();
        let hooks = Self {
            session,
            entries: Vec::new(),
            notices,
        };
        (hooks, receiver)
    }

    /// Adds a hook for the events with this name whose subject matches.
    pub fn add(&mut self, event: &str, matcher: Matcher, hook: impl Hook + 'static) {
        self.entries.push(HookEntry {
            event: event.to_string(),
            matcher,
            hook: Arc::new(hook),
        });
    }

    /// The session.
    pub fn session(&self) -> &HookSession {
        &self.session
    }

    /// Runs the hooks of the event, all at the same time, and [combines](HookAnswer::combine)
    /// their answers. They are the hooks that were added for the event's name and whose matcher
    /// matches its [subject](HookEvent::subject). An event without a subject has no use for
    /// matchers: all of its hooks run.
    ///
    /// The messages and the reason to stop are also sent as notices.
    pub async fn raise(&self, event: HookEvent) -> HookAnswer {
        todo!("raise-events: write Hooks::raise")
    }

    /// Sends the messages of an answer, and its reason to stop.
    fn send_notices(&self, answer: &HookAnswer) {
        let messages = answer.messages.iter().cloned().map(HookNotice::Message);
        for notice in messages.chain(answer.stop.clone().map(HookNotice::Stop)) {
            // An error means that the receiver was dropped; the session continues without it.
            let _ = self.notices.send(notice);
        }
    }
}
