//! Pictures for the model to look at.

use std::env;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::agent::Content;
use crate::tools::{MAX_IMAGE_BYTES, media_type};

/// The file that is named as in a shell: with quotes, backslashes and `~`, as terminals name
/// a file that is dropped on them. Several words are one name with spaces.
pub fn named(words: &str) -> PathBuf {
    let name = match shlex::split(words).as_deref() {
        Some([name]) => name.clone(),
        _ => words.to_string(),
    };
    match (words.starts_with("~/"), env::home_dir()) {
        (true, Some(home)) => home.join(&name["~/".len()..]),
        _ => name.into(),
    }
}

/// Reads a picture. What it is, its first bytes say, whatever it is called.
pub fn read(path: &Path) -> Result<Content> {
    let name = path.display();
    let about = fs::metadata(path).with_context(|| format!("cannot show {name}"))?;
    // Before it is opened: to open a pipe would wait for somebody who writes.
    if !about.is_file() {
        bail!("cannot show {name}: it is no file");
    }
    let file = File::open(path).with_context(|| format!("cannot show {name}"))?;
    let mut bytes = Vec::new();
    file.take(MAX_IMAGE_BYTES as u64 + 1)
        .read_to_end(&mut bytes)
        .with_context(|| format!("cannot show {name}"))?;
    if bytes.len() > MAX_IMAGE_BYTES {
        let limit = MAX_IMAGE_BYTES / (1024 * 1024);
        bail!("cannot show {name}: it is larger than {limit} MiB; make it smaller");
    }
    let Some(mime_type) = media_type(&bytes) else {
        bail!("cannot show {name}: it is no PNG, JPEG, GIF or WebP image");
    };
    Ok(Content::Image {
        data: STANDARD.encode(&bytes),
        mime_type: mime_type.to_string(),
    })
}
