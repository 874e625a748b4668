//! Serves the book on a local port with the learner's progress, and rebuilds it after changes.

mod quiz;
mod site;

use std::convert::Infallible;
use std::fs;
use std::sync::Arc;

use anyhow::{Context, Result};
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use course::file_watcher::{self, RecursiveMode};
use course::loopback;
use course::repo::Repo;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tower::ServiceExt;
use tower_http::services::{ServeDir, ServeFile};
use tower_livereload::LiveReloadLayer;

use site::Site;

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
        .route(
            "/course-quiz.json",
            get(quiz::answers).post(quiz::add_answer),
        )
        .fallback(page)
        .with_state(site)
        .layer(reload)
        .layer(from_fn_with_state(address.port(), only_loopback));
    // No graceful shutdown: an open page keeps its connection.
    tokio::select! {
        ended = axum::serve(listener, router) => ended.context("the server stopped"),
        signal = stop_signal() => signal.context("cannot wait for signals"),
    }
}

/// Answers only requests for the loopback address.
async fn only_loopback(State(port): State<u16>, request: Request, next: Next) -> Response {
    let host = request.headers().get(header::HOST);
    match host.is_some_and(|host| loopback::is_loopback_host(host.as_bytes(), port)) {
        true => next.run(request).await,
        false => (StatusCode::FORBIDDEN, loopback::NOT_LOOPBACK).into_response(),
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

/// The runner's last verdicts, for the checkpoints on the pages. A page stops asking after an error,
/// so before the first check there are no chapters.
async fn status(State(site): State<Arc<Site>>) -> Response {
    let json = fs::read(site.repo.state().join("status.json"));
    let json = json.unwrap_or_else(|_| br#"{"chapters": []}"#.to_vec());
    let kind = (header::CONTENT_TYPE, "application/json");
    ([kind, (header::CACHE_CONTROL, "no-store")], json).into_response()
}
