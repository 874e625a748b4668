//! Chapter 0: a turn of the first agent, with one call.

use anyhow::Result;
use claw_code::first::{Model, OfflineModel, bash, run_call, run_turn, user_message};
use serde_json::Value;

use super::json::shortened;
use super::trace::{Recorded, Step, Trace};

/// The offline model, and the requests that it has received with its replies.
#[derive(Default)]
struct RecordedModel {
    model: OfflineModel,
    requests: Vec<Value>,
    replies: Vec<Value>,
}

impl Model for RecordedModel {
    fn complete(&mut self, request: &Value) -> Result<Value> {
        let response = self.model.complete(request)?;
        self.requests.push(request.clone());
        self.replies.push(response["choices"][0]["message"].clone());
        Ok(response)
    }
}

#[test]
fn the_first_agent() {
    let mut model = RecordedModel::default();
    let question = user_message("run echo hi");
    let mut messages = vec![question.clone()];
    let answer = run_turn(&mut model, &mut messages).expect("the turn ends with an answer");
    let [first_request, second_request] = &model.requests[..] else {
        panic!("the turn makes two requests: {:?}", model.requests);
    };
    let [asks, answers] = &model.replies[..] else {
        panic!("each request has a reply: {:?}", model.replies);
    };
    let output = bash("echo hi").expect("the command runs");
    let result = run_call(&asks["tool_calls"][0]).expect("the call runs");
    assert_eq!(
        messages,
        [&question, asks, &result, answers].map(Value::clone)
    );
    assert_eq!(result["content"], output);

    let mut trace = Trace::new("a turn with one call");
    trace.add(Step {
        lane: "You",
        title: "You type a line",
        value: Recorded::json(&question),
        code: "first::agent::user_message",
        about: "The line becomes a message with the role `user`. The conversation is a list with this one message.",
    });
    trace.add(Step {
        lane: "Agent",
        title: "The first request",
        value: Recorded::json(&shortened(first_request.clone(), &["/tools/0"])),
        code: "first::agent::ask",
        about: "The request has the whole conversation and the definition of the tool `bash`, which is shortened here.",
    });
    trace.add(Step {
        lane: "Model",
        title: "The reply asks for a call",
        value: Recorded::json(asks),
        code: "first::agent::ask",
        about: "Nothing has run yet. The model has written a command, as JSON inside a string, and an id for the call.",
    });
    trace.add(Step {
        lane: "Shell",
        title: "Your code runs the command",
        value: Recorded::text(&output),
        code: "first::agent::bash",
        about: "The reply has `tool_calls`, so the turn continues. This is what the command printed.",
    });
    trace.add(Step {
        lane: "Agent",
        title: "The output becomes a result",
        value: Recorded::json(&result),
        code: "first::agent::run_call",
        about: "A message with the role `tool` carries the output. It repeats the id, so the model knows which call it answers.",
    });
    trace.add(Step {
        lane: "Agent",
        title: "The second request",
        value: Recorded::json(&shortened(
            second_request.clone(),
            &["/messages/1/tool_calls/0/function", "/tools/0"],
        )),
        code: "first::agent::run_turn",
        about: "The loop goes round. The same list goes out again, now with the reply and the result: the model keeps nothing between two requests.",
    });
    trace.add(Step {
        lane: "Model",
        title: "The reply asks for nothing",
        value: Recorded::json(answers),
        code: "first::agent::ask",
        about: "This reply has no `tool_calls`. That, and nothing else, ends the turn.",
    });
    trace.add(Step {
        lane: "You",
        title: "You read the answer",
        value: Recorded::text(&answer),
        code: "first::agent::run_turn",
        about: "The text of the last reply is the answer. The four messages stay in the conversation for your next line.",
    });
    trace.check("first-agent");
}
