//! Section 6.5: Pictures

use claw_code::engine::Events;
use claw_code::tools::*;

use super::support::*;

#[test]
fn test_ch6_media_types() {
    for (bytes, media_type_of_it) in [
        (PNG, Some("image/png")),
        (b"\xff\xd8\xff\xe0....JFIF", Some("image/jpeg")),
        (b"GIF89a..", Some("image/gif")),
        (b"GIF87a..", Some("image/gif")),
        (b"RIFF\x24\0\0\0WEBPVP8 ", Some("image/webp")),
        (b"RIFF\x24\0\0\0WAVEfmt ", None),
        (b"GIF is a format", None),
        (b"<svg/>", None),
        (b"%PDF-1.7", None),
        (b"\x89PNG", None),
        (b"", None),
    ] {
        assert_eq!(
            media_type(bytes),
            media_type_of_it,
            "by its first bytes, {:?}",
            String::from_utf8_lossy(bytes)
        );
    }
}

#[tokio::test]
async fn test_ch6_attachments_are_collected() {
    assert!(
        !attach(image("image/png")),
        "where nobody collects, attach says so"
    );
    let collector = Attachments::new();
    let inner = Attachments::new();
    let taken = collector
        .during(async {
            assert!(attach(image("image/png")), "here somebody collects");
            tokio::task::yield_now().await;
            inner.during(async { attach(image("image/gif")) }).await;
            attach(image("image/webp"))
        })
        .await;
    assert!(taken, "`during` returns what the work returns");
    assert_eq!(
        kinds(&collector.clone().take()),
        ["image/png", "image/webp"],
        "what was attached comes in order, and a copy collects into the same place"
    );
    assert_eq!(
        kinds(&inner.take()),
        ["image/gif"],
        "the nearest collector gets it"
    );
    assert_eq!(collector.take(), [], "what was taken is gone");
    assert!(
        !attach(image("image/png")),
        "the work is over, and so is the collecting"
    );
}

#[tokio::test]
async fn test_ch6_attachments_know_their_call() {
    let collector = Attachments::new();
    let one = |id: &str| Events::nowhere().reporter(id);
    collector
        .during(async {
            let calls = [one("call_1"), one("call_2")];
            for call in calls {
                call.during(async { attach(image("image/png")) }).await;
            }
            attach(image("image/png"))
        })
        .await;
    let ids: Vec<Option<String>> = collector.take().into_iter().map(|it| it.call_id).collect();
    assert_eq!(
        ids,
        [Some("call_1".into()), Some("call_2".into()), None],
        "the reporter of the running call knows its id; outside of a loop there is none"
    );
}

fn image(media_type: &str) -> Attachment {
    Attachment {
        media_type: media_type.to_string(),
        data: PNG.to_vec(),
    }
}

fn kinds(attached: &[Attached]) -> Vec<&str> {
    let kinds = attached.iter().map(|it| it.attachment.media_type.as_str());
    kinds.collect()
}
