//! The results of all calls, for `/show`.

use super::result_rows::NO_OUTPUT;
use crate::claw::safe_text::{one_line, without_control_chars};

/// The summary and the whole result of each call, in the order of the results.
#[derive(Default)]
pub struct CallResults(Vec<(String, String)>);

impl CallResults {
    /// How many there are.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Adds the result of a call, of which `content` is the text that a model reads.
    pub fn add(&mut self, summary: &str, content: &str) {
        let content = match without_control_chars(content).trim_end() {
            "" => NO_OUTPUT.into(),
            text => text.into(),
        };
        self.0.push((one_line(summary), content));
    }

    /// Summary and result of the call with this number, counted from 1, or of the last one. The
    /// error message says why there is none.
    pub fn text(&self, number: Option<usize>) -> Result<String, String> {
        let last = self.count();
        let number = number.unwrap_or(last);
        let result = number.checked_sub(1).and_then(|at| self.0.get(at));
        match (result, last) {
            (Some((summary, content)), _) => Ok(format!("● {summary}\n{content}")),
            (None, 0) => Err("there was no call yet".to_string()),
            (None, _) => Err(format!("there is no call {number}; the last one is {last}")),
        }
    }
}
