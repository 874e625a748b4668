//! What the user reads first when a session is resumed.

use super::event_printer::message_row;
use crate::claw::sessions::{ResumedSession, message_count, short_id};

/// Which session it is, how many results it lost, and the last prompt and reply.
pub fn resume_summary(resumed: &ResumedSession) -> String {
    let mut text = format!(
        "Resuming {}, {} since {}.",
        short_id(&resumed.session_id),
        message_count(resumed.messages.len()),
        resumed.started_at.format("%Y-%m-%d %H:%M UTC"),
    );
    match resumed.lost_results {
        0 => {}
        1 => text += " It was interrupted: 1 tool result was lost.",
        count => text += &format!(" It was interrupted: {count} tool results were lost."),
    }
    for (mark, role) in [("> ", "user"), ("", "assistant")] {
        let messages = resumed.messages.iter().rev();
        let mut rows = messages.filter(|it| it.role() == role).map(message_row);
        if let Some(row) = rows.find(|row| !row.is_empty()) {
            text += &format!("\n{mark}{row}");
        }
    }
    text
}
