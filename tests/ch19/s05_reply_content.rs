//! Section 19.5: Content of a reply

use claw_code::chat::*;
use serde_json::json;

use super::support::*;

#[test]
fn test_ch19_unified_blocks_become_content() {
    let blocks: Vec<UnifiedContentBlock> = from_json(json!([
        signed("t", "c2ln"), text("Hi."), png(), tool_use(json!({ "a": 1 })),
        { "type": "document", "source": { "type": "url_pdf", "url": "https://x/a.pdf" } },
    ]));
    assert_json(
        "each block of a model becomes content of the same kind, in order",
        &to_json(&to_content(blocks)),
        &json!([
            { "type": "thinking", "thinking": "t", "signature": "c2ln" },
            { "type": "text", "text": "Hi." },
            { "type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png" },
            { "type": "toolCall", "id": "call_1", "name": "bash", "arguments": { "a": 1 } },
        ]),
    );
}
