//! Builds the book in this process.

use std::fmt;
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result, ensure};
use course::repo::Repo;
use mdbook_driver::MDBook;
use mdbook_driver::config::Config;
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::layer::{self, Layer, SubscriberExt};

use crate::preprocess::{Directives, NAME};
use crate::slides;

/// Builds the book into `dest`, where it replaces an existing book. Returns mdBook's warnings.
pub fn build(repo: &Repo, dest: &Path, directives: Directives) -> Result<Vec<String>> {
    let dest = std::path::absolute(dest).context("the current folder does not exist")?;
    ensure_replaceable(&dest)?;
    let root = repo.root().join("book");
    let mut config = Config::from_disk(root.join("book.toml"))?;
    config.set("build.build-dir", &dest)?;
    // Our directives must be expanded before mdBook's own: listings escape mdBook's with a
    // backslash. `with_preprocessor` below replaces the command by `directives` and keeps its
    // place in the order.
    config.set(format!("preprocessor.{NAME}.before"), ["links"])?;

    let slides = slides::render(repo, directives.pages())?;

    let warnings = Warnings::default();
    let subscriber = tracing_subscriber::registry().with(warnings.clone());
    tracing::subscriber::with_default(subscriber, || {
        let mut book = MDBook::load_with_config(root, config)?;
        book.with_preprocessor(directives);
        book.build()
    })?;
    if let Some(slides) = slides {
        let path = dest.join(slides::FILE);
        fs::write(&path, slides).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(warnings.take())
}

/// Checks that `dest` is a book, empty or missing, since mdBook deletes its content.
fn ensure_replaceable(dest: &Path) -> Result<()> {
    let is_empty = match fs::read_dir(dest) {
        Ok(mut entries) => entries.next().is_none(),
        Err(_) => !dest.exists(),
    };
    ensure!(
        is_empty || dest.join("toc.html").is_file(),
        "{} contains files other than a book, and building a book there would delete them; choose another folder",
        dest.display()
    );
    Ok(())
}

/// Collects the log messages at the levels warning and error.
#[derive(Clone, Default)]
struct Warnings(Arc<Mutex<Vec<String>>>);

impl Warnings {
    fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl<S: Subscriber> Layer<S> for Warnings {
    fn on_event(&self, event: &Event<'_>, _: layer::Context<'_, S>) {
        // `ERROR` is the lowest level.
        if *event.metadata().level() <= Level::WARN {
            let mut message = Message::default();
            event.record(&mut message);
            self.0
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(message.0);
        }
    }
}

#[derive(Default)]
struct Message(String);

impl Visit for Message {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        if field.name() == "message" {
            self.0 = format!("{value:?}");
        }
    }
}
