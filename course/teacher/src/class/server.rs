//! Serves the page on the loopback address.
//!
//! The server is axum, as for the book: it is in the lock file already. `tiny_http` would be less
//! to build, but had its last release in 2022.

use std::net::TcpListener;
use std::sync::Arc;

use anyhow::{Context, Result};
use axum::Router;
use axum::extract::{Request, State};
use axum::http::{Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use course::journal::now;
use course::loopback;

use super::page;
use super::source::Source;

/// Serves the page until the process ends.
pub(super) fn serve(listener: TcpListener, source: Source) -> Result<()> {
    let port = listener.local_addr()?.port();
    let site = Arc::new(Site { source, port });
    let router = Router::new().fallback(respond).with_state(site);
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?
        .block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            println!("The class is at http://127.0.0.1:{port}/ (stop with Ctrl-C)");
            axum::serve(listener, router).await
        })
        .context("the server stopped")
}

struct Site {
    source: Source,
    port: u16,
}

async fn respond(State(site): State<Arc<Site>>, request: Request) -> Response {
    let host = request.headers().get(header::HOST);
    if !host.is_some_and(|host| loopback::is_loopback_host(host.as_bytes(), site.port)) {
        return (StatusCode::FORBIDDEN, loopback::NOT_LOOPBACK).into_response();
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return StatusCode::METHOD_NOT_ALLOWED.into_response();
    }
    let (kind, body) = match request.uri().path() {
        "/" => ("text/html; charset=utf-8", page::page(&main(&site.source))),
        "/main" => ("text/html; charset=utf-8", main(&site.source)),
        "/class.css" => ("text/css", include_str!("class.css").to_string()),
        "/class.js" => ("text/javascript", include_str!("class.js").to_string()),
        _ => return (StatusCode::NOT_FOUND, "There is no such page.").into_response(),
    };
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::CACHE_CONTROL, "no-store"),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    (headers, body).into_response()
}

/// The files are read for each request, so no watcher is needed, which many shared folders do not
/// support.
fn main(source: &Source) -> String {
    page::main(
        &source.name,
        &source.read(),
        source.problem().as_deref(),
        now(),
    )
}

/// Only the page's own script, styles and connections are allowed.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
