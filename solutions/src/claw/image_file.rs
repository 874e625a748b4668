//! Image files that the user attaches to a prompt.

use std::env;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::agent::Content;
use crate::tools::{MAX_IMAGE_BYTES, media_type};

/// The path in `text`, which may use shell quotes, backslashes and `~`, as terminals write
/// the name of a file that is dropped on them. Unquoted spaces belong to the name.
pub fn parse_path(text: &str) -> PathBuf {
    // shlex takes a word that begins with `#` for a comment. During the split, a NUL replaces
    // each `#`: no path contains one.
    let name = match shlex::split(&text.replace('#', "\0")).as_deref() {
        Some([name]) => name.replace('\0', "#"),
        _ => text.to_string(),
    };
    match (text.starts_with("~/"), env::home_dir()) {
        (true, Some(home)) => home.join(&name["~/".len()..]),
        _ => name.into(),
    }
}

/// Reads a PNG, JPEG, GIF or WebP file of at most [`MAX_IMAGE_BYTES`]. The format is
/// recognized by the file's first bytes; its name does not matter.
pub fn read(path: &Path) -> Result<Content> {
    let name = path.display();
    let metadata = fs::metadata(path).with_context(|| format!("cannot attach {name}"))?;
    // Checked before the file is opened: opening a named pipe would wait for a writer.
    if !metadata.is_file() {
        bail!("cannot attach {name}: it is not a file");
    }
    let file = File::open(path).with_context(|| format!("cannot attach {name}"))?;
    let mut bytes = Vec::new();
    file.take(MAX_IMAGE_BYTES as u64 + 1)
        .read_to_end(&mut bytes)
        .with_context(|| format!("cannot attach {name}"))?;
    if bytes.len() > MAX_IMAGE_BYTES {
        let limit = MAX_IMAGE_BYTES / (1024 * 1024);
        bail!("cannot attach {name}: it is larger than {limit} MiB; make it smaller");
    }
    let Some(mime_type) = media_type(&bytes) else {
        bail!("cannot attach {name}: it is not a PNG, JPEG, GIF or WebP image");
    };
    Ok(Content::Image {
        data: STANDARD.encode(&bytes),
        mime_type: mime_type.to_string(),
    })
}
