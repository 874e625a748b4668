//! Content of a reply

use claw_code::chat::*;
use serde_json::json;

use super::support::*;

#[test]
fn unified_blocks_become_content() {
    let blocks: Vec<UnifiedContentBlock> = from_json(json!([
        text("Hi."), signed("t", "c2ln"), png(), tool_use(json!({ "a": 1 })), text(""),
        { "type": "document", "source": { "type": "url_pdf", "url": "https://x/a.pdf" } },
        { "type": "image", "source": { "type": "url", "url": "https://x/a.png" } },
        tool_result(json!("x")), { "type": "compaction", "content": "s" },
    ]));
    assert_json(
        "each block of a model becomes content of the same kind, in order; a document, a result, an image by its URL and a block of an unknown type become nothing",
        &to_json(&to_content(blocks)),
        &json!([
            { "type": "text", "text": "Hi." },
            { "type": "thinking", "thinking": "t", "signature": "c2ln" },
            { "type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png" },
            { "type": "toolCall", "id": "call_1", "name": "bash", "arguments": { "a": 1 } },
            { "type": "text", "text": "" },
        ]),
    );
}
