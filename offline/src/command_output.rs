//! The results of shell tools. Agents write the exit code of a command in different places.

/// What a command printed, and how it ended.
#[derive(Debug, PartialEq)]
pub(crate) struct CommandOutput<'a> {
    pub(crate) text: &'a str,
    /// The exit code, possibly with an explanation: `139: killed by SIGSEGV`. `None` if it
    /// is 0, or if the result has none: it may not be the output of a command.
    pub(crate) exit_code: Option<&'a str>,
}

impl<'a> CommandOutput<'a> {
    /// Reads a result in one of these forms:
    /// - The output, then a line such as `[exit code 1]` if the code is not 0.
    /// - `Exit code 1`, then the output.
    /// - Lines with the code, the time and more, then the line `Output:` and the output.
    pub(crate) fn parse(result: &'a str) -> Self {
        if let Some((header, text)) = result.split_once("Output:\n")
            && let Some(code) = header.lines().find_map(code_in_header)
        {
            let exit_code = Some(code).filter(|code| *code != "0");
            return Self { text, exit_code };
        }
        if let Some(rest) = result.strip_prefix("Exit code ") {
            let (code, text) = rest.split_once('\n').unwrap_or((rest, ""));
            if code.parse::<i32>().is_ok() {
                return Self {
                    text,
                    exit_code: Some(code),
                };
            }
        }
        let last = result.lines().next_back().unwrap_or_default();
        let code = last.strip_prefix("[exit code ");
        match code.and_then(|it| it.strip_suffix(']')) {
            Some(code) => Self {
                text: &result[..result.len() - trailing_len(result, last)],
                exit_code: Some(code),
            },
            None => Self {
                text: result,
                exit_code: None,
            },
        }
    }
}

/// The exit code in a line before the output.
fn code_in_header(line: &str) -> Option<&str> {
    ["Process exited with code ", "Exit code: "]
        .iter()
        .find_map(|prefix| line.strip_prefix(prefix))
}

/// The length of the last line with the line end after it, if there is one.
fn trailing_len(text: &str, last_line: &str) -> usize {
    text.len() - text.rfind(last_line).unwrap_or(text.len())
}
