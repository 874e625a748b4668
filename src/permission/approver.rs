//! Answers to questions about calls: from a user at a terminal, from a script, or from nobody.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;

use super::Approval;
use crate::types::ToolCall;

/// A question about one call.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// The call as it would run.
    pub call: ToolCall,
    /// The question, such as `Allow [bash: cargo test]?`
    pub text: String,
    /// What the user can allow at most.
    pub offer: Offer,
}

/// The widest approval that fits a [`Question`].
#[derive(Debug, Clone, PartialEq)]
pub enum Offer {
    /// [`Approval::Once`]: the caller does not remember approvals.
    Once,
    /// [`Approval::ThisCall`].
    ThisCall,
    /// [`Approval::ThisTool`], which allows the calls that this pattern matches.
    ThisTool(String),
}

/// The answer to a [`Question`].
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// Run the call. The approval should be one that the question offers, since the gate does not
    /// compare them.
    Yes(Approval),
    /// Do not run it. The model reads the reason, if there is one.
    No(Option<String>),
    /// No user can answer.
    NobodyToAsk,
}

/// Answers questions about calls.
#[async_trait]
pub trait Approver: Send + Sync {
    /// Asks, and waits for the answer without a time limit. When the turn is cancelled, the
    /// future is dropped, and the call does not run.
    async fn ask(&self, question: Question) -> Answer;
}

/// An approver for a session without a user.
pub struct NoApprover;

#[async_trait]
impl Approver for NoApprover {
    async fn ask(&self, _question: Question) -> Answer {
        Answer::NobodyToAsk
    }
}

/// Answers from a list, for tests. It refuses when the list is used up.
#[derive(Debug, Default)]
pub struct ScriptedApprover {
    answers: Mutex<VecDeque<Answer>>,
    questions: Mutex<Vec<Question>>,
}

impl ScriptedApprover {
    /// An approver that gives these answers in order.
    pub fn new(answers: impl IntoIterator<Item = Answer>) -> Self {
        Self {
            answers: Mutex::new(answers.into_iter().collect()),
            questions: Mutex::default(),
        }
    }

    /// The questions so far.
    pub fn questions(&self) -> Vec<Question> {
        self.questions
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

#[async_trait]
impl Approver for ScriptedApprover {
    async fn ask(&self, question: Question) -> Answer {
        let mut questions = self
            .questions
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        questions.push(question);
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        answers.pop_front().unwrap_or(Answer::No(None))
    }
}
