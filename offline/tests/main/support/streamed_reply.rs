//! The reply in a stream of Responses or Messages.

use serde_json::Value;

use super::{Answer, MESSAGES, joined};

/// The text of a streamed reply, and its calls: the names of the tools, and the arguments. The
/// arguments are text if the tool takes text.
pub fn reply_of(path: &str, answer: &Answer) -> (String, Vec<(String, Value)>) {
    let events = answer.data();
    match path {
        MESSAGES => reply_of_messages(&events),
        _ => reply_of_responses(&events),
    }
}

fn reply_of_responses(events: &[Value]) -> (String, Vec<(String, Value)>) {
    let response = &events.last().expect("events")["response"];
    let items = response["output"].as_array().expect("items");
    let texts = items.iter().map(|it| it["content"][0]["text"].as_str());
    let calls = items.iter().filter_map(|item| {
        let arguments = match item["arguments"].as_str() {
            Some(json) => serde_json::from_str(json).expect("JSON"),
            None => item.get("input")?.clone(),
        };
        Some((item["name"].as_str()?.to_string(), arguments))
    });
    (texts.flatten().collect(), calls.collect())
}

fn reply_of_messages(events: &[Value]) -> (String, Vec<(String, Value)>) {
    let text = joined(events, |it| it["delta"]["text"].as_str());
    let starts = events
        .iter()
        .filter(|it| it["type"] == "content_block_start");
    let calls = starts.filter_map(|start| {
        let name = start["content_block"]["name"].as_str()?;
        let json = joined(events, |it| {
            (it["index"] == start["index"]).then(|| it["delta"]["partial_json"].as_str())?
        });
        let arguments = serde_json::from_str(&json).expect("JSON");
        Some((name.to_string(), arguments))
    });
    (text, calls.collect())
}
