//! What a tool hands over that is no text: images.
//!
//! A `ToolResult` is text. An attachment goes beside it by a task-local, in the manner
//! of progress: who can pass images on to a model collects them around the call, and
//! [`attach`] finds the collector.

use std::sync::{Arc, Mutex, PoisonError};

use crate::engine::Reporter;

tokio::task_local! {
    static CURRENT: Attachments;
}

/// How large an image may be that is attached.
pub const MAX_IMAGE_BYTES: usize = 5 * 1024 * 1024;

/// Something that is not text, for a model to look at.
#[derive(Debug, Clone, PartialEq)]
pub struct Attachment {
    /// Such as `image/png`.
    pub media_type: String,
    /// The file's bytes. APIs want them in base64; that is the connection's business.
    pub data: Vec<u8>,
}

/// An attachment, and the call that it came from.
#[derive(Debug, Clone, PartialEq)]
pub struct Attached {
    /// The id of the call; `None` if a tool was called outside of a loop.
    pub call_id: Option<String>,
    /// What was attached.
    pub attachment: Attachment,
}

/// Collects attachments. Copies collect into the same place.
#[derive(Debug, Clone, Default)]
pub struct Attachments(Arc<Mutex<Vec<Attached>>>);

impl Attachments {
    /// A collector with nothing in it.
    pub fn new() -> Self {
        Self::default()
    }

    /// Does `work`, and collects what is attached in it. A task that is spawned in it is
    /// outside.
    pub async fn during<F: Future>(&self, work: F) -> F::Output {
        todo!("6.5: write Attachments::during")
    }

    /// What was collected since this was asked last, in the order in which it came.
    pub fn take(&self) -> Vec<Attached> {
        todo!("6.5: write Attachments::take")
    }
}

/// Attaches something to the call that is running here, and says whether anybody
/// collects it. If nobody does, it is dropped.
pub fn attach(attachment: Attachment) -> bool {
    todo!("6.5: write attach")
}

/// The media type of an image that models can look at: PNG, JPEG, GIF or WebP. It is
/// told by the first bytes, whatever the file is called; `None` for anything else.
pub fn media_type(bytes: &[u8]) -> Option<&'static str> {
    todo!("6.5: write media_type")
}
