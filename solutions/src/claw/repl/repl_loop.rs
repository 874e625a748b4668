//! The loop of a conversation.

use std::io;
use std::process::ExitCode;

use crate::claw::conversation::Conversation;
use crate::claw::options::Options;
use crate::claw::output::report;
use crate::claw::terminal::Input;
use crate::claw::typed_line::TypedLine;

/// A conversation, and the lines that the user writes.
pub struct Repl {
    pub conversation: Conversation,
    pub input: Input,
    #[cfg(feature = "ch10")]
    pub options: Options,
    /// Whether a call was refused in an earlier conversation because nobody could be asked.
    #[cfg(feature = "ch20")]
    pub lacked_permission: bool,
    pub has_failed: bool,
    /// Whether an image for the next prompt failed to load, outside a terminal.
    pub lacks_image: bool,
}

impl Repl {
    /// Reads from `input`.
    pub fn new(conversation: Conversation, input: Input, options: &Options) -> Self {
        #[cfg(not(feature = "ch10"))]
        let _ = options;
        Self {
            conversation,
            input,
            #[cfg(feature = "ch10")]
            options: options.clone(),
            #[cfg(feature = "ch20")]
            lacked_permission: false,
            has_failed: false,
            lacks_image: false,
        }
    }

    /// Runs the hooks of the session's start. Returns false if Ctrl-C or a signal stops them.
    pub async fn start(&mut self) -> bool {
        #[cfg(all(unix, feature = "ch12"))]
        return self.conversation.hooks().start(&mut self.input).await;
        #[cfg(not(all(unix, feature = "ch12")))]
        true
    }

    /// Greets the user and runs line after line, up to the end of the input or `/exit`.
    pub async fn read_lines(&mut self) {
        self.greet();
        let mut is_unfinished = false;
        while !self.must_end() {
            let screen = self.conversation.screen();
            match is_unfinished {
                true => self.input.lines.ask_for_more(screen),
                false => self.input.lines.ask_for_prompt(screen),
            }
            is_unfinished = false;
            tokio::select! {
                command = self.input.lines.next() => match command {
                    None if self.input.lines.is_terminal && !self.input.lines.has_editor() => {
                        return self.conversation.screen().blank_line();
                    }
                    None | Some(TypedLine::Exit) => return,
                    Some(TypedLine::Unfinished) => is_unfinished = true,
                    Some(command) => self.on_command(command).await,
                },
                () = self.input.interrupts.next() => {
                    self.input.lines.discard_pending();
                    let is_signal = self.input.interrupts.exit_code().is_some();
                    if is_signal || !self.input.lines.has_editor() {
                        self.conversation.screen().blank_line();
                    }
                    if !is_signal {
                        self.conversation.screen().message("(Ctrl-D ends claw)");
                    }
                }
            }
        }
    }

    /// Greets the user with a line about the model.
    pub fn greet(&mut self) {
        let model = self.conversation.description();
        let greeting = format!("claw {} · {model}\n{GREETING}", env!("CARGO_PKG_VERSION"));
        self.conversation.screen().message(&greeting);
    }

    /// Runs the hooks of the session's end, and shows how to resume it and what it has used.
    pub async fn end_conversation(&mut self) {
        let is_terminal = self.input.lines.is_terminal;
        #[cfg(all(unix, feature = "ch12"))]
        self.conversation
            .hooks()
            .end(is_terminal, &mut self.input)
            .await;
        match self.conversation.end().await {
            Ok(Some(how_to_resume)) if is_terminal => {
                self.conversation.screen().message(&how_to_resume);
            }
            Ok(_) => {}
            Err(error) => self.fail(format!("{error:#}")),
        }
    }

    /// Reports an error, which sets the exit code.
    pub fn fail(&mut self, message: String) {
        report(message);
        self.has_failed = true;
    }

    /// Whether a signal has ended the program, or its output cannot be written.
    pub fn must_end(&mut self) -> bool {
        let is_signal = self.input.interrupts.exit_code().is_some();
        is_signal || self.conversation.screen().write_error().is_some()
    }

    /// Ends the conversation and returns the exit code.
    pub async fn end(mut self) -> ExitCode {
        let is_terminal = self.input.lines.is_terminal;
        #[cfg(feature = "ch10")]
        let lacked_permission = self.conversation.lacked_permission();
        #[cfg(not(feature = "ch10"))]
        let lacked_permission = false;
        #[cfg(feature = "ch20")]
        let lacked_permission = lacked_permission || self.lacked_permission;
        self.end_conversation().await;
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
