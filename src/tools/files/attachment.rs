//! Images that a tool returns besides its text.
//!
//! A `ToolResult` is text. An attachment travels through a task-local, like progress: a
//! caller that can pass images to a model collects them around the call, and [`attach`]
//! finds the collector.

use std::sync::{Arc, Mutex, PoisonError};

use crate::tools::Reporter;

tokio::task_local! {
    static CURRENT: Attachments;
}

/// The size limit of an attached image, in bytes.
pub const MAX_IMAGE_BYTES: usize = 5 * 1024 * 1024;

/// An image for a model to look at.
#[derive(Debug, Clone, PartialEq)]
pub struct Attachment {
    /// The media type, such as `image/png`.
    pub media_type: String,
    /// The file's bytes. The code that builds a request encodes them in base64.
    pub data: Vec<u8>,
}

/// An attachment, and the call that attached it.
#[derive(Debug, Clone, PartialEq)]
pub struct CallAttachment {
    /// The id of the call; `None` if the tool was called outside a loop.
    pub call_id: Option<String>,
    /// The attachment.
    pub attachment: Attachment,
}

/// Collects attachments. Clones share one collection.
#[derive(Debug, Clone, Default)]
pub struct Attachments(Arc<Mutex<Vec<CallAttachment>>>);

impl Attachments {
    /// An empty collector.
    pub fn new() -> Self {
        Self::default()
    }

    /// Runs `work`, and collects what it attaches. A task that `work` spawns attaches
    /// nothing here.
    pub async fn during<F: Future>(&self, work: F) -> F::Output {
        todo!("attach-images: write Attachments::during")
    }

    /// Removes and returns what was collected since the last call, in order.
    pub fn take(&self) -> Vec<CallAttachment> {
        todo!("attach-images: write Attachments::take")
    }
}

/// Attaches `attachment` to the call that this task runs. Returns whether there is a
/// collector; without one, the attachment is dropped.
pub fn attach(attachment: Attachment) -> bool {
    todo!("attach-images: write attach")
}

/// The media type of an image that models can look at: PNG, JPEG, GIF or WebP. The first
/// bytes decide, not the file's name. `None` for anything else.
pub fn media_type(bytes: &[u8]) -> Option<&'static str> {
    todo!("attach-images: write media_type")
}
