//! What a line of the user's means.

#[cfg(feature = "ch20")]
use std::path::Path;

/// A line, by what is to be done with it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Line<'a> {
    /// Nothing is in it.
    Nothing,
    /// The conversation is to end.
    End,
    /// How `claw` is used.
    Help,
    /// A picture for the model.
    #[cfg(feature = "ch20")]
    Image(&'a Path),
    /// Words for when the turn that runs is done.
    #[cfg(feature = "ch20")]
    Then(&'a str),
    /// Words for the model.
    Say(&'a str),
}

impl<'a> Line<'a> {
    /// Reads a line.
    pub fn read(line: &'a str) -> Self {
        let line = line.trim();
        #[cfg(feature = "ch20")]
        if let Some((word, rest)) = line.split_once(char::is_whitespace) {
            match word {
                "/image" => return Self::Image(Path::new(rest.trim())),
                "/then" => return Self::Then(rest.trim()),
                _ => {}
            }
        }
        match line {
            "" => Self::Nothing,
            "/exit" | "/quit" | "exit" | "quit" => Self::End,
            "/help" => Self::Help,
            #[cfg(feature = "ch20")]
            "/image" | "/then" => Self::Help,
            words => Self::Say(words),
        }
    }
}
