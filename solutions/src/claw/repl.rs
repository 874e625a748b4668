//! A single prompt, or a loop that reads a line, runs it and reads the next one.

use std::io;
use std::process::ExitCode;

use anyhow::{Result, bail};

use super::conversation::Conversation;
#[cfg(feature = "ch20")]
use super::conversation::attached_note;
use super::options::Options;
use super::output::report;
use super::repl_command::{ReplCommand, help};
use super::terminal::Input;

/// Runs a conversation to its end and returns the exit code of [`main`](super::main). The
/// error says why it could not start.
pub async fn run(options: Options) -> Result<ExitCode> {
    match &options.prompt {
        Some(prompt) if prompt.trim().is_empty() => bail!(
            "the prompt after -p is empty; say what to do, such as: -p \"list the files here\""
        ),
        Some(prompt) => run_prompt(prompt, &options).await,
        None => {
            let conversation = Conversation::open(&options).await?;
            let mut repl = Repl::new(conversation, Input::interactive());
            repl.start().await;
            repl.read_lines().await;
            Ok(repl.end().await)
        }
    }
}

/// Runs a single prompt, with the piped input after it.
async fn run_prompt(prompt: &str, options: &Options) -> Result<ExitCode> {
    let mut input = Input::signals_only();
    let Some(piped) = input.piped().await? else {
        return Ok(ExitCode::from(input.interrupts.exit_code().unwrap_or(1)));
    };
    let prompt = match piped.trim() {
        "" => prompt.to_string(),
        _ => format!("{prompt}\n\n{piped}"),
    };
    let mut repl = Repl::new(Conversation::open(options).await?, input);
    match repl.start().await {
        true => repl.turn(&prompt).await,
        false => repl.has_failed = true,
    }
    Ok(repl.end().await)
}

struct Repl {
    conversation: Conversation,
    input: Input,
    has_failed: bool,
    /// Whether an image for the next prompt failed to load, outside a terminal.
    lacks_image: bool,
}

impl Repl {
    fn new(conversation: Conversation, input: Input) -> Self {
        Self {
            conversation,
            input,
            has_failed: false,
            lacks_image: false,
        }
    }

    /// Runs the hooks of the session's start. Returns false if Ctrl-C or a signal stops them.
    async fn start(&mut self) -> bool {
        #[cfg(feature = "ch12")]
        return self.conversation.hooks().start(&mut self.input).await;
        #[cfg(not(feature = "ch12"))]
        true
    }

    /// Greets the user and runs line after line, up to the end of the input or `/exit`.
    async fn read_lines(&mut self) {
        let model = self.conversation.description();
        let greeting = format!("claw {} · {model}\n{GREETING}", env!("CARGO_PKG_VERSION"));
        self.conversation.screen().message(&greeting);
        let mut is_unfinished = false;
        while !self.must_end() {
            match (self.input.lines.is_terminal, is_unfinished) {
                (true, true) => self.conversation.screen().continuation_prompt(),
                (true, false) => self.conversation.screen().prompt(),
                (false, _) => {}
            }
            is_unfinished = false;
            tokio::select! {
                command = self.input.lines.next() => match command {
                    None if self.input.lines.is_terminal => {
                        return self.conversation.screen().message("");
                    }
                    None | Some(ReplCommand::Exit) => return,
                    Some(ReplCommand::Unfinished) => is_unfinished = true,
                    Some(command) => self.on_command(command).await,
                },
                () = self.input.interrupts.next() => {
                    self.input.lines.discard_pending();
                    let is_signal = self.input.interrupts.exit_code().is_some();
                    let note = if is_signal { "" } else { "\n(Ctrl-D ends claw)" };
                    self.conversation.screen().message(note);
                }
            }
        }
    }

    async fn on_command(&mut self, command: ReplCommand) {
        match command {
            ReplCommand::Empty | ReplCommand::Unfinished | ReplCommand::Exit => {}
            ReplCommand::Help => self.conversation.screen().message(&help()),
            #[cfg(feature = "ch13")]
            ReplCommand::Plan(is_on) => {
                let note = self.conversation.plan().switch(is_on);
                self.conversation.screen().note(note);
            }
            #[cfg(feature = "ch13")]
            ReplCommand::Todos => {
                let list = self.conversation.todos().to_string();
                self.conversation.screen().todos(&list);
            }
            #[cfg(feature = "ch20")]
            ReplCommand::Image(path) => match self.conversation.attach(&path) {
                Ok(()) => self.conversation.screen().note(&attached_note(&path)),
                Err(error) => {
                    self.fail(format!("{error:#}"));
                    // In a terminal, the user can attach another image first.
                    self.lacks_image = !self.input.lines.is_terminal;
                }
            },
            ReplCommand::Invalid(message) => self.fail(message),
            #[cfg(feature = "ch20")]
            ReplCommand::Then(prompt) => self.turn(&prompt).await,
            ReplCommand::Prompt(prompt) => self.turn(&prompt).await,
        }
    }

    async fn turn(&mut self, prompt: &str) {
        if std::mem::take(&mut self.lacks_image) {
            return self.fail(format!(
                "not sent, since its image failed to load: {prompt}"
            ));
        }
        #[cfg(feature = "ch12")]
        let is_complete = self.turn_with_hooks(prompt).await;
        #[cfg(not(feature = "ch12"))]
        let is_complete = self.conversation.turn(prompt, &mut self.input).await;
        self.has_failed |= !is_complete && !self.must_end();
    }

    /// Runs a turn that hooks can block, and continue when it has ended. Returns whether it
    /// completed.
    #[cfg(feature = "ch12")]
    async fn turn_with_hooks(&mut self, prompt: &str) -> bool {
        let hooks = self.conversation.hooks();
        let Some(prompt) = hooks.submit_prompt(prompt, &mut self.input).await else {
            return false;
        };
        let mut is_complete = self.conversation.turn(&prompt, &mut self.input).await;
        let mut continuations = 0;
        while is_complete && !self.must_end() {
            let reply = self.conversation.last_reply();
            let hooks = self.conversation.hooks();
            let next = hooks.end_turn(&reply, continuations, &mut self.input);
            let Some(text) = next.await else {
                break;
            };
            continuations += 1;
            let note = format!("(a hook continues the turn: {text})");
            self.conversation.screen().note(&note);
            is_complete = self.conversation.turn(&text, &mut self.input).await;
        }
        is_complete
    }

    fn fail(&mut self, message: String) {
        report(message);
        self.has_failed = true;
    }

    /// Whether a signal has ended the program, or its output cannot be written.
    fn must_end(&mut self) -> bool {
        let is_signal = self.input.interrupts.exit_code().is_some();
        is_signal || self.conversation.screen().write_error().is_some()
    }

    async fn end(mut self) -> ExitCode {
        let is_terminal = self.input.lines.is_terminal;
        #[cfg(feature = "ch10")]
        let lacked_permission = self.conversation.lacked_permission();
        #[cfg(not(feature = "ch10"))]
        let lacked_permission = false;
        #[cfg(feature = "ch12")]
        self.conversation.hooks().end(is_terminal).await;
        match self.conversation.end().await {
            Ok(Some(how_to_resume)) if is_terminal => {
                self.conversation.screen().message(&how_to_resume);
            }
            Ok(_) => {}
            Err(error) => self.fail(format!("{error:#}")),
        }
        match (
            self.input.interrupts.exit_code(),
            self.conversation.screen().write_error(),
        ) {
            (Some(code), _) => ExitCode::from(code),
            (None, Some(error)) if error.kind() != io::ErrorKind::BrokenPipe => {
                report(format!("cannot write to standard output: {error}"));
                ExitCode::FAILURE
            }
            _ if is_terminal => ExitCode::SUCCESS,
            _ if !self.has_failed && lacked_permission => ExitCode::from(3),
            _ => ExitCode::from(u8::from(self.has_failed)),
        }
    }
}

/// Follows the line about the model.
const GREETING: &str = "\
Ask for something, such as: list the files here.
Ctrl-C stops a reply, Ctrl-D ends claw, /help lists the commands.";
