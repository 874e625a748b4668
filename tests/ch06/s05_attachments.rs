//! Section 6.5: Attach images

use claw_code::engine::QueryEventSender;
use claw_code::tools::*;

use super::support::*;

#[test]
fn test_ch6_the_first_bytes_give_the_media_type() {
    for (bytes, expected) in [
        (PNG, Some("image/png")),
        (b"\xff\xd8\xff\xe0....JFIF", Some("image/jpeg")),
        (b"GIF89a..", Some("image/gif")),
        (b"GIF87a..", Some("image/gif")),
        (b"RIFF\x24\0\0\0WEBPVP8 ", Some("image/webp")),
        (b"\x89PNG\r\n\x1a\n", Some("image/png")),
        (b"\xff\xd8\xff", Some("image/jpeg")),
        (b"GIF89a", Some("image/gif")),
        (b"RIFF\x24\0\0\0WEBP", Some("image/webp")),
        (b"RIFF\x24\0\0\0WAVEfmt ", None),
        (b"XXXX\x24\0\0\0WEBPVP8 ", None),
        (b"GIF is a format", None),
        (b"<svg/>", None),
        (b"%PDF-1.7", None),
        (b"GIF88a..", None),
        (b"GIF89b..", None),
        (b"\xff\xd8\xfe", None),
        (b"\x89PNG", None),
        (b"\x89PNG\r\n\x1a.", None),
        (b"", None),
    ] {
        assert_eq!(
            media_type(bytes),
            expected,
            "the media type of a file that begins with {:?}",
            String::from_utf8_lossy(bytes)
        );
    }
}

#[tokio::test]
async fn test_ch6_attach_needs_a_collector() {
    assert!(
        !attach(image("image/png")),
        "attach returns false where no collector is set"
    );
    let collector = Attachments::new();
    let attached = collector.during(async { attach(image("image/png")) });
    assert!(
        attached.await,
        "attach returns true inside `during`, which returns the output of its future"
    );
    assert!(
        !attach(image("image/png")),
        "after `during`, no collector is set any more"
    );
}

#[tokio::test]
async fn test_ch6_attachments_are_collected_in_order() {
    let (collector, inner) = (Attachments::new(), Attachments::new());
    let work = async {
        attach(image("image/png"));
        tokio::task::yield_now().await;
        inner.during(async { attach(image("image/gif")) }).await;
        attach(image("image/webp"));
    };
    collector.during(work).await;
    assert_eq!(
        media_types(&collector.clone().take()),
        ["image/png", "image/webp"],
        "attachments are collected in order, and a clone shares the collection"
    );
    assert_eq!(
        media_types(&inner.take()),
        ["image/gif"],
        "the innermost collector gets the attachment"
    );
    assert_eq!(collector.take(), [], "`take` removes what it returns");
}

#[tokio::test]
async fn test_ch6_attachments_have_the_id_of_their_call() {
    let collector = Attachments::new();
    let work = async {
        for id in ["call_1", "call_2"] {
            let reporter = QueryEventSender::none().reporter(id);
            let call = reporter.during(async { attach(image("image/png")) });
            call.await;
        }
        attach(image("image/png"));
    };
    collector.during(work).await;
    let ids: Vec<Option<String>> = collector.take().into_iter().map(|it| it.call_id).collect();
    assert_eq!(
        ids,
        [Some("call_1".into()), Some("call_2".into()), None],
        "the id is that of the current reporter; outside a call there is none"
    );
}

fn image(media_type: &str) -> Attachment {
    Attachment {
        media_type: media_type.to_string(),
        data: PNG.to_vec(),
    }
}

fn media_types(attached: &[CallAttachment]) -> Vec<&str> {
    let types = attached.iter().map(|it| it.attachment.media_type.as_str());
    types.collect()
}
