//! Section 0.5: Talk to it

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

use claw_code::first::talk;
use claw_offline::Reply;

use super::support::*;

/// The lines of a user.
fn typed<'a>(lines: &'a [&'a str]) -> impl Iterator<Item = io::Result<String>> + 'a {
    lines.iter().map(|line| Ok(line.to_string()))
}

/// Talks to `model` and returns the output.
fn talk_to(model: &mut RecordingModel, lines: &[&str]) -> String {
    let mut output = Vec::new();
    let talked = talk(model, typed(lines), &mut output);
    talked.unwrap_or_else(|error| panic!("the conversation goes to its end: {error}"));
    String::from_utf8(output).expect("the output is text")
}

#[test]
fn test_ch0_each_line_gets_an_answer() {
    let mut model = RecordingModel::with([Reply::text("Hello."), Reply::text("Bye.")]);
    let output = talk_to(&mut model, &["hi", "bye"]);
    assert_eq!(
        output, "Hello.\nBye.\n",
        "each answer is a line of the output"
    );
}

#[test]
fn test_ch0_lines_are_one_conversation() {
    let mut model = RecordingModel::with([Reply::text("Hello."), Reply::text("Bye.")]);
    talk_to(&mut model, &["hi", "bye"]);
    let last = model.requests.last().expect("talk() asks the model");
    let messages = last["messages"].as_array().expect("a list of messages");
    assert_eq!(
        each(messages, "content"),
        ["hi", "Hello.", "bye"],
        "the model has no memory: the second request contains the first exchange"
    );
}

#[test]
fn test_ch0_agent_runs_commands() {
    let output = talk_to(&mut RecordingModel::with([]), &["run echo $((40 + 2))"]);
    assert!(
        output.contains("42"),
        "the model reports the output of the command that it asked for:\n{output}"
    );
}

/// An output that both the test and `talk` can use.
#[derive(Clone, Default)]
struct SharedOutput(Rc<RefCell<Vec<u8>>>);

impl Write for SharedOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn test_ch0_answer_is_written_before_the_next_line_is_read() {
    let output = SharedOutput::default();
    let mut seen = Vec::new();
    let mut left = vec!["bye", "hi"];
    let lines = std::iter::from_fn(|| {
        seen.push(output.0.borrow().len());
        left.pop().map(|line| Ok(line.to_string()))
    });
    let mut model = RecordingModel::with([Reply::text("Hello."), Reply::text("Bye.")]);
    talk(&mut model, lines, output.clone()).expect("the conversation goes to its end");
    assert_eq!(
        seen,
        [0, "Hello.\n".len(), "Hello.\nBye.\n".len()],
        "bytes of output each time that talk() asks for a line"
    );
}
