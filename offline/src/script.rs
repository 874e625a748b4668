//! What a server answers before its rules take over.

use std::collections::VecDeque;

use crate::fault::Fault;
use crate::reply::Reply;

/// The answers of a server: one step for each valid request, in order. After the last step,
/// the rule model answers. A scripted reply is sent as it is, whatever limits the request sets.
#[derive(Debug, Clone, Default)]
pub struct Script {
    pub(crate) steps: VecDeque<ScriptStep>,
    pub(crate) chunk: Option<usize>,
    pub(crate) has_no_log: bool,
}

/// The answer to one request.
#[derive(Debug, Clone)]
pub(crate) struct ScriptStep {
    pub(crate) reply: Reply,
    pub(crate) fault: Option<Fault>,
}

impl Script {
    /// A script without steps.
    pub fn new() -> Self {
        Self::default()
    }

    /// Answers the next request with this reply.
    pub fn reply(mut self, reply: Reply) -> Self {
        self.steps.push_back(ScriptStep { reply, fault: None });
        self
    }

    /// Answers the next request with [`Reply::default`], damaged by this fault.
    ///
    /// # Panics
    /// As [`fault_in`](Self::fault_in).
    pub fn fault(self, fault: Fault) -> Self {
        self.fault_in(fault, Reply::default())
    }

    /// Answers the next request with this reply, damaged by this fault.
    ///
    /// # Panics
    /// If the fault has a status or a header that an HTTP response cannot have.
    pub fn fault_in(mut self, fault: Fault, reply: Reply) -> Self {
        fault.assert_valid();
        self.steps.push_back(ScriptStep {
            reply,
            fault: Some(fault),
        });
        self
    }

    /// Keeps no log of requests. For a program that serves for long and never reads the log,
    /// which may take 32 MiB.
    pub fn without_log(mut self) -> Self {
        self.has_no_log = true;
        self
    }

    /// Sends every body `bytes` bytes at a time, each as an HTTP chunk of its own: with 1,
    /// the body is split between any two bytes. 0 counts as 1.
    pub fn chunk(mut self, bytes: usize) -> Self {
        self.chunk = Some(bytes.max(1));
        self
    }
}
