//! Conversations that `claw` saves as sessions.

mod concurrency;
mod interruption;
mod listing;
mod old_database;
#[cfg(unix)]
mod plans;
mod resume;
mod show;
mod storage;
mod unusable_history;
