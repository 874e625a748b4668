//! The reader's answers to the quizzes.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use course::manifest::SectionId;
use course::repo::{Repo, write_atomically};

use super::site::Site;

/// The reader's first answer to each question of the quizzes, such as `{"4.1": true}`: whether it
/// was right.
pub(super) async fn answers(State(site): State<Arc<Site>>) -> Response {
    Json(read_answers(&site.repo)).into_response()
}

/// Adds an answer. The first answer to a question stays. A browser sends JSON to another origin
/// only after asking, and this server does not allow it, so other sites cannot write here.
pub(super) async fn add_answer(
    State(site): State<Arc<Site>>,
    Json(new): Json<BTreeMap<SectionId, bool>>,
) -> Response {
    let mut answers = read_answers(&site.repo);
    for (question, right) in new {
        answers.entry(question.to_string()).or_insert(right);
    }
    let json = serde_json::to_vec(&answers).unwrap_or_default();
    match write_atomically(&file(&site.repo), &json) {
        Ok(()) => StatusCode::NO_CONTENT.into_response(),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, format!("{error:#}")).into_response(),
    }
}

/// A file that cannot be read counts as no answers.
fn read_answers(repo: &Repo) -> BTreeMap<String, bool> {
    let json = fs::read(file(repo)).unwrap_or_default();
    serde_json::from_slice(&json).unwrap_or_default()
}

fn file(repo: &Repo) -> PathBuf {
    repo.state().join("quiz.json")
}
