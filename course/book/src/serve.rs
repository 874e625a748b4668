//! Serves the book on a local port with the learner's progress, and rebuilds it after changes.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use anyhow::{Context, Result};
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use course::book::Pages;
use course::file_watcher::{self, RecursiveMode};
use course::loopback;
use course::manifest::SectionId;
use course::repo::{Repo, write_atomically};
use tempfile::TempDir;
use tokio::net::TcpListener;
use tower::ServiceExt;
use tower_http::services::{ServeDir, ServeFile};
use tower_livereload::LiveReloadLayer;

use crate::build;
use crate::preprocess::Directives;

const FIRST_PORT: u16 = 3000;

/// Serves the book until Ctrl-C. Listens on the loopback address only.
pub fn run(repo: &Repo, port: Option<u16>, open: bool) -> Result<()> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot start the server")?
        .block_on(serve(repo, port, open))
}

async fn serve(repo: &Repo, port: Option<u16>, open: bool) -> Result<()> {
    let listener = TcpListener::from_std(loopback::listen(port, FIRST_PORT)?)?;
    // This function owns the folder, so that it is removed at the end. The watcher's thread
    // still shares the site at that point.
    let builds = builds_folder(repo)?;
    let site = Arc::new(Site::new(repo, builds.path())?);
    let reload = LiveReloadLayer::new();
    let reloader = reload.reloader();
    let folders = [repo.root().join("book"), repo.solutions()];
    let folders = folders.map(|folder| (folder, RecursiveMode::Recursive));
    let watched = Arc::clone(&site);
    let _watcher = file_watcher::watch(
        &folders,
        |_| true,
        move || {
            watched.rebuild();
            reloader.reload();
        },
    )?;

    let address = listener.local_addr().context("the server has no address")?;
    let url = format!("http://{address}/");
    println!("The book is at {url} (stop with Ctrl-C)");
    if open && let Err(error) = opener::open(&url) {
        eprintln!("cannot open a browser ({error}); open {url} yourself");
    }
    let router = Router::new()
        .route("/course-status.json", get(status))
        .route("/course-quiz.json", get(quiz_answers).post(quiz_answer))
        .fallback(page)
        .with_state(site)
        .layer(reload);
    // No graceful shutdown: an open page keeps its connection.
    tokio::select! {
        ended = axum::serve(listener, router) => ended.context("the server stopped"),
        signal = stop_signal() => signal.context("cannot wait for signals"),
    }
}

/// Waits for Ctrl-C or, on Unix, SIGTERM.
async fn stop_signal() -> std::io::Result<()> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut terminated = signal(SignalKind::terminate())?;
        tokio::select! {
            result = tokio::signal::ctrl_c() => result,
            _ = terminated.recv() => Ok(()),
        }
    }
    #[cfg(not(unix))]
    tokio::signal::ctrl_c().await
}

/// Makes a temporary folder for the built books. It is inside `target`, so that a crash leaves
/// nothing elsewhere.
fn builds_folder(repo: &Repo) -> Result<TempDir> {
    let target = repo.root().join("target");
    let make = || {
        fs::create_dir_all(&target)?;
        tempfile::Builder::new().prefix("book-").tempdir_in(&target)
    };
    make().with_context(|| format!("cannot write to {}", target.display()))
}

/// The last good build of the book, and the error of a later build.
struct Site {
    repo: Repo,
    builds: PathBuf,
    shown: RwLock<Shown>,
}

#[derive(Clone, Default)]
struct Shown {
    /// The number of the build, and the name of its folder.
    build: u32,
    error: Option<String>,
}

impl Site {
    /// Builds the book for the first time. An error here is final.
    fn new(repo: &Repo, builds: &Path) -> Result<Self> {
        let site = Self {
            repo: repo.clone(),
            builds: builds.to_path_buf(),
            shown: RwLock::default(),
        };
        site.build(0)?;
        Ok(site)
    }

    /// Builds the book into another folder. Until that has succeeded, readers get the old one.
    fn rebuild(&self) {
        let Shown { build: old, .. } = self.shown();
        let now = match self.build(old + 1) {
            Ok(()) => Shown {
                build: old + 1,
                error: None,
            },
            Err(error) => {
                let error = format!("{error:#}");
                eprintln!("The book cannot be built, so the last good one is shown: {error}");
                Shown {
                    build: old,
                    error: Some(error),
                }
            }
        };
        if now.build != old && old > 0 {
            // A page may still load from the old build, but not from the one before it.
            let _ = fs::remove_dir_all(self.folder(old - 1));
        }
        *self.shown.write().unwrap_or_else(PoisonError::into_inner) = now;
    }

    fn build(&self, number: u32) -> Result<()> {
        let directives = Directives::new(Pages::load(&self.repo)?);
        for warning in build::build(&self.repo, &self.folder(number), directives)? {
            eprintln!("warning: {warning}");
        }
        Ok(())
    }

    fn folder(&self, build: u32) -> PathBuf {
        self.builds.join(build.to_string())
    }

    fn shown(&self) -> Shown {
        self.shown
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

/// A file of the book. Adds the error of a later build to each page.
async fn page(State(site): State<Arc<Site>>, mut request: Request) -> Response {
    let shown = site.shown();
    let folder = site.folder(shown.build);
    // The modification time alone does not tell whether a cached copy is valid.
    request.headers_mut().remove(header::IF_MODIFIED_SINCE);
    let files = ServeDir::new(&folder).not_found_service(ServeFile::new(folder.join("404.html")));
    let Ok(response) = files
        .oneshot(request)
        .await
        .map_err(|never: Infallible| never);
    let mut response = response.map(Body::new);
    response
        .headers_mut()
        .insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    match shown.error {
        Some(error) if is_html(&response) => with_error(response, &error).await,
        _ => response,
    }
}

fn is_html(response: &Response) -> bool {
    let kind = response.headers().get(header::CONTENT_TYPE);
    kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"))
}

async fn with_error(response: Response, error: &str) -> Response {
    let (mut parts, body) = response.into_parts();
    let Ok(body) = to_bytes(body, usize::MAX).await else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let error = error.replace('&', "&amp;").replace('<', "&lt;");
    let note = format!(
        "<main><div class=\"build-error\" role=\"alert\"><p>This is the last good build. The book cannot be built now:</p><pre>{error}</pre></div>"
    );
    let page = String::from_utf8_lossy(&body).replacen("<main>", &note, 1);
    parts.headers.remove(header::CONTENT_LENGTH);
    Response::from_parts(parts, Body::from(page))
}

/// The reader's first answer to each question of the quizzes, such as `{"4.1": true}`: whether it
/// was right.
async fn quiz_answers(State(site): State<Arc<Site>>) -> Response {
    Json(read_quiz_answers(&site.repo)).into_response()
}

/// Adds an answer. The first answer to a question stays. A browser sends JSON to another origin
/// only after asking, and this server does not allow it, so other sites cannot write here.
async fn quiz_answer(
    State(site): State<Arc<Site>>,
    Json(new): Json<BTreeMap<SectionId, bool>>,
) -> Response {
    let mut answers = read_quiz_answers(&site.repo);
    for (question, right) in new {
        answers.entry(question.to_string()).or_insert(right);
    }
    let json = serde_json::to_vec(&answers).unwrap_or_default();
    match write_atomically(&quiz_file(&site.repo), &json) {
        Ok(()) => StatusCode::NO_CONTENT.into_response(),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, format!("{error:#}")).into_response(),
    }
}

/// A file that cannot be read counts as no answers.
fn read_quiz_answers(repo: &Repo) -> BTreeMap<String, bool> {
    let json = fs::read(quiz_file(repo)).unwrap_or_default();
    serde_json::from_slice(&json).unwrap_or_default()
}

fn quiz_file(repo: &Repo) -> PathBuf {
    repo.state().join("quiz.json")
}

/// The runner's last verdicts, for the checkpoints on the pages.
async fn status(State(site): State<Arc<Site>>) -> Response {
    match fs::read(site.repo.state().join("status.json")) {
        Ok(json) => {
            let kind = (header::CONTENT_TYPE, "application/json");
            ([kind, (header::CACHE_CONTROL, "no-store")], json).into_response()
        }
        Err(_) => StatusCode::NOT_FOUND.into_response(),
    }
}
