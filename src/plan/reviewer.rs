//! Reviews of plans: by a user at a terminal, by a script, or by nobody.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;

/// The outcome of a review.
#[derive(Debug, Clone, PartialEq)]
pub enum PlanReview {
    /// Carry out the plan.
    Approved,
    /// Carry out this plan instead, which the user made of the proposed one.
    Edited(String),
    /// Do not carry out the plan. The model reads the reason, if there is one.
    Rejected(Option<String>),
    /// No user can review the plan.
    NobodyToAsk,
}

/// Reviews plans.
#[async_trait]
pub trait PlanReviewer: Send + Sync {
    /// Shows a plan, and waits for the review without a time limit. When the turn is cancelled,
    /// the future is dropped, and the plan is not approved.
    async fn review(&self, plan: &str) -> PlanReview;
}

/// A reviewer for a session without a user.
pub struct NoReviewer;

#[async_trait]
impl PlanReviewer for NoReviewer {
    async fn review(&self, _plan: &str) -> PlanReview {
        PlanReview::NobodyToAsk
    }
}

/// Takes reviews from a list, for tests. It rejects plans when the list is used up.
#[derive(Debug, Default)]
pub struct ScriptedReviewer {
    reviews: Mutex<VecDeque<PlanReview>>,
    plans: Mutex<Vec<String>>,
}

impl ScriptedReviewer {
    /// A reviewer that gives these reviews in order.
    pub fn new(reviews: impl IntoIterator<Item = PlanReview>) -> Self {
        Self {
            reviews: Mutex::new(reviews.into_iter().collect()),
            plans: Mutex::default(),
        }
    }

    /// The plans so far.
    pub fn plans(&self) -> Vec<String> {
        let plans = self.plans.lock().unwrap_or_else(PoisonError::into_inner);
        plans.clone()
    }
}

#[async_trait]
impl PlanReviewer for ScriptedReviewer {
    async fn review(&self, plan: &str) -> PlanReview {
        let mut plans = self.plans.lock().unwrap_or_else(PoisonError::into_inner);
        plans.push(plan.to_string());
        let mut reviews = self.reviews.lock().unwrap_or_else(PoisonError::into_inner);
        reviews.pop_front().unwrap_or(PlanReview::Rejected(None))
    }
}
