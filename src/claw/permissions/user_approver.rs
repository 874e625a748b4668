//! The user's answers to the questions of the permission gate.

use std::path::Path;

use async_trait::async_trait;
use tokio::sync::{mpsc, oneshot};

use crate::claw::output::report;
use crate::claw::preview::preview;
use crate::claw::safe_text::visible;
use crate::claw::terminal::{Input, Screen};
use crate::claw::typed_line::TypedLine;
use crate::permission::{Answer, Approval, Approver, Offer, Places, Question, exact_rule};

/// Sends each question to the conversation, which alone has the terminal.
pub struct UserApprover {
    questions: mpsc::Sender<AskedQuestion>,
}

/// A question that waits for its answer.
pub struct AskedQuestion {
    /// The question.
    pub question: Question,
    reply: oneshot::Sender<Answer>,
}

impl UserApprover {
    /// An approver, and the receiver of its questions.
    pub fn new() -> (Self, mpsc::Receiver<AskedQuestion>) {
        // One is enough: calls pass the gates one at a time.
        let (questions, receiver) = mpsc::channel(1);
        (Self { questions }, receiver)
    }
}

#[async_trait]
impl Approver for UserApprover {
    async fn ask(&self, question: Question) -> Answer {
        let (reply, answer) = oneshot::channel();
        let asked = AskedQuestion { question, reply };
        // Without a conversation, no user can answer.
        if self.questions.send(asked).await.is_err() {
            return Answer::NobodyToAsk;
        }
        match answer.await {
            Ok(answer) => answer,
            // Only a stopped turn drops the question, and it drops this future, too. An answer
            // would reach the history as if nobody could be asked.
            Err(_) => std::future::pending().await,
        }
    }
}

impl AskedQuestion {
    /// Gives the answer. A cancelled question ignores it.
    pub fn answer(self, answer: Answer) {
        let _ = self.reply.send(answer);
    }
}

/// Asks the user and waits for the answer. `None` if the user presses Esc or Ctrl-C, or a signal ends
/// the program.
///
/// If standard input is not a terminal, it asks no question: a message says how to allow the
/// call.
pub async fn answer(
    question: &Question,
    folder: &Path,
    screen: &mut Screen,
    input: &mut Input,
) -> Option<Answer> {
    if !input.lines.is_terminal {
        screen.end_line();
        report(how_to_allow(question, folder));
        return Some(Answer::NobodyToAsk);
    }
    screen.preview(&preview(&question.call, folder));
    let lines: Vec<String> = question.text.lines().map(visible).collect();
    loop {
        let text = format!("{}\n{}", lines.join("\n"), choices(question));
        input.lines.ask_question(&text, screen);
        match input.next_answer().await? {
            TypedLine::Exit => return Some(Answer::No(None)),
            TypedLine::Prompt(text) => {
                if let Some(answer) = parse(&text, question) {
                    return Some(answer);
                }
            }
            _ => {}
        }
    }
}

/// The choices, with what "always" would allow, if it is offered.
fn choices(question: &Question) -> String {
    let always = |what: &str| format!("  a  always in this session: {what}\n");
    let always = match &question.offer {
        Offer::Once => String::new(),
        Offer::ThisCall => always("exactly this call"),
        Offer::ThisTool(rule) => always(&format!("calls that match {rule}")),
    };
    format!(
        "  y  yes, this once\n{always}  n  no; a reason for the model may follow: n use the other file\n"
    )
}

/// Parses an answer; `None` if it is none.
fn parse(text: &str, question: &Question) -> Option<Answer> {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    match (word.to_ascii_lowercase().as_str(), rest.trim()) {
        ("y" | "yes", "") => Some(Answer::Yes(Approval::Once)),
        ("a" | "always", "") => match question.offer {
            Offer::Once => None,
            Offer::ThisCall => Some(Answer::Yes(Approval::ThisCall)),
            Offer::ThisTool(_) => Some(Answer::Yes(Approval::ThisTool)),
        },
        ("n" | "no", "") => Some(Answer::No(None)),
        ("n" | "no", reason) => Some(Answer::No(Some(reason.to_string()))),
        _ => None,
    }
}

/// The message about a call that was refused because nobody could be asked.
fn how_to_allow(question: &Question, folder: &Path) -> String {
    let places = Places {
        workspace: folder.to_path_buf(),
        home: None,
    };
    let advice = match &question.offer {
        // A hook asks about the call whatever the rules allow.
        Offer::Once => "No rule answers this question; to be asked, run claw in a terminal".into(),
        Offer::ThisCall | Offer::ThisTool(_) => match exact_rule(&question.call, &places) {
            Some(rule) => format!("To allow it, add --allow '{rule}'"),
            None => "No rule allows only this; to be asked, run claw in a terminal".to_string(),
        },
    };
    let text = &question.text;
    let end = if text.ends_with('?') { "" } else { "." };
    format!("not run, since nobody can be asked: {text}{end} {advice}")
}
