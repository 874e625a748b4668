//! One prompt and out, or line after line.

use std::io;
use std::process::ExitCode;

use anyhow::{Result, bail};

use super::line::Line;
use super::out::say;
use super::{Conversation, Input, Options};

/// Runs `claw` to its end.
pub async fn run(options: Options) -> Result<ExitCode> {
    match &options.prompt {
        Some(prompt) if prompt.trim().is_empty() => bail!(
            "there are no words behind -p; say what to do, such as: -p \"list the files here\""
        ),
        Some(prompt) => once(prompt, &options).await,
        None => {
            let conversation = Conversation::open(&options).await?;
            let mut repl = Repl::new(conversation, Input::of_user());
            repl.lines().await;
            Ok(repl.end().await)
        }
    }
}

/// One prompt, with what is piped in behind it.
async fn once(prompt: &str, options: &Options) -> Result<ExitCode> {
    let mut input = Input::without_lines();
    let Some(piped) = input.piped().await? else {
        return Ok(ExitCode::from(input.interrupts.ended().unwrap_or(1)));
    };
    let words = match piped.trim() {
        "" => prompt.to_string(),
        _ => format!("{prompt}\n\n{piped}"),
    };
    let mut repl = Repl::new(Conversation::open(options).await?, input);
    repl.turn(&words).await;
    Ok(repl.end().await)
}

/// A conversation and who has it.
struct Repl {
    conversation: Conversation,
    input: Input,
    all_well: bool,
    /// Whether the next words miss the picture that they are about.
    is_blind: bool,
}

impl Repl {
    fn new(conversation: Conversation, input: Input) -> Self {
        Self {
            conversation,
            input,
            all_well: true,
            is_blind: false,
        }
    }

    /// Line after line, up to the end.
    async fn lines(&mut self) {
        let about = self.conversation.about();
        let greeting = format!("claw {} · {about}\n{GREETING}", env!("CARGO_PKG_VERSION"));
        self.conversation.screen().say(&greeting);
        let mut is_begun = false;
        while !self.is_over() {
            match (self.input.lines.is_terminal, is_begun) {
                (true, true) => self.conversation.screen().prompt_on(),
                (true, false) => self.conversation.screen().prompt(),
                (false, _) => {}
            }
            is_begun = false;
            tokio::select! {
                line = self.input.lines.next() => match line {
                    None if self.input.lines.is_terminal => {
                        return self.conversation.screen().say("");
                    }
                    None | Some(Line::End) => return,
                    Some(Line::Begun) => is_begun = true,
                    Some(line) => self.hear(line).await,
                },
                () = self.input.interrupts.next() => {
                    self.input.lines.forget();
                    let is_over = self.input.interrupts.ended().is_some();
                    let note = if is_over { "" } else { "\n(Ctrl-D ends claw)" };
                    self.conversation.screen().say(note);
                }
            }
        }
    }

    async fn hear(&mut self, line: Line) {
        match line {
            Line::Nothing | Line::Begun | Line::End => {}
            Line::Help => self.conversation.screen().say(HELP),
            #[cfg(feature = "ch20")]
            Line::Image(path) => match self.conversation.attach(&path) {
                Ok(()) => {
                    let note = format!("({} goes with your next words)", path.display());
                    self.conversation.screen().note(&note);
                }
                Err(error) => {
                    self.fail(format!("{error:#}"));
                    // Nobody is there to look for it before the words are said.
                    self.is_blind = !self.input.lines.is_terminal;
                }
            },
            Line::Wrong(why) => self.fail(why),
            #[cfg(feature = "ch20")]
            Line::Then(words) => self.turn(&words).await,
            Line::Say(words) => self.turn(&words).await,
        }
    }

    async fn turn(&mut self, words: &str) {
        if std::mem::take(&mut self.is_blind) {
            return self.fail(format!("not said, for want of its picture: {words}"));
        }
        let is_well = self.conversation.turn(words, &mut self.input).await;
        self.all_well &= is_well || self.is_over();
    }

    fn fail(&mut self, why: String) {
        say(why);
        self.all_well = false;
    }

    /// Whether it has been ended from outside, or nobody reads it any more.
    fn is_over(&mut self) -> bool {
        self.input.interrupts.ended().is_some() || self.conversation.screen().trouble().is_some()
    }

    async fn end(mut self) -> ExitCode {
        match self.conversation.end().await {
            Ok(Some(how)) if self.input.lines.is_terminal => self.conversation.screen().say(&how),
            Ok(_) => {}
            Err(error) => self.fail(format!("{error:#}")),
        }
        let is_terminal = self.input.lines.is_terminal;
        match (
            self.input.interrupts.ended(),
            self.conversation.screen().trouble(),
        ) {
            (Some(code), _) => ExitCode::from(code),
            (None, Some(error)) if error.kind() != io::ErrorKind::BrokenPipe => {
                say(format!("what it says cannot be written: {error}"));
                ExitCode::FAILURE
            }
            _ => ExitCode::from(u8::from(!self.all_well && !is_terminal)),
        }
    }
}

/// What is said first.
const GREETING: &str = "\
Ask for something, such as: list the files here.
Ctrl-C stops a reply, Ctrl-D ends claw, /help says what else there is.";

/// How to talk to it.
pub const HELP: &str = if cfg!(feature = "ch20") {
    "\
Ask for something, such as: list the files here. Lines pasted together are
one prompt, and a line that ends in \\ goes on in the next. While claw is at
work, what you type redirects it.
  /image FILE  shows the model a picture, together with your next words
  /then WORDS  says the words when claw has done what it is at
  /help        shows this
  /exit        ends claw, and so does Ctrl-D; Ctrl-C stops a reply
`claw -p PROMPT < FILE` asks about a file. What the model thinks is shown in a
terminal that can dim it."
} else {
    "\
Ask for something, such as: list the files here. Lines pasted together are
one prompt, and a line that ends in \\ goes on in the next.
  /help        shows this
  /exit        ends claw, and so does Ctrl-D; Ctrl-C stops a reply
`claw -p PROMPT < FILE` asks about a file."
};
