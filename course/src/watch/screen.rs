//! A terminal screen with a header, a body that scrolls, and a footer. The terminal is restored
//! however the program ends.

use std::io::{self, Write};

use anyhow::{Context, Result};
use crossterm::cursor::{Hide, MoveTo, Show};
use crossterm::event::{DisableBracketedPaste, EnableBracketedPaste};
use crossterm::terminal::{
    self, BeginSynchronizedUpdate, Clear, ClearType, DisableLineWrap, EnableLineWrap,
    EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen,
};
use crossterm::{execute, queue};
use textwrap::core::display_width;

use crate::messages::{NO_WRAP, Style};

/// A space at which no line is wrapped. It is shown as a plain space.
pub const NO_BREAK: &str = "\u{a0}";

/// The terminal in raw mode, until this is dropped.
pub struct Screen(());

impl Screen {
    /// Switches the terminal to raw mode and to its alternate screen.
    pub fn enter() -> Result<Self> {
        terminal::enable_raw_mode().context("this terminal cannot be switched to single keys")?;
        let screen = Self(());
        execute!(io::stdout(), EnterAlternateScreen, Hide, DisableLineWrap)
            .context("cannot draw on the terminal")?;
        // A paste is one event then, and its letters are no keys. Old consoles of Windows cannot.
        let _ = execute!(io::stdout(), EnableBracketedPaste);
        let default_hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            leave();
            default_hook(panic);
        }));
        Ok(screen)
    }

    /// Draws the whole screen. Wraps long lines, and shows a body that is too tall from row
    /// `scroll` on, or from the nearest one that shows the line `in_sight`. Returns the scroll
    /// position that was possible.
    pub fn draw(
        &self,
        style: &Style,
        head: &[String],
        body: &[String],
        foot: &str,
        scroll: usize,
        in_sight: Option<usize>,
    ) -> Result<usize> {
        let (width, height) = size();
        let head = wrap(head, width);
        let mut foot = wrap(&[foot.to_string()], width);
        // In a tiny window, one row above the foot remains.
        foot.truncate(height - 1);
        let in_sight = in_sight.and_then(|line| Some(wrap(body.get(..line)?, width).len()));
        let body = wrap(body, width);
        let room = height.saturating_sub(head.len() + foot.len() + 2).max(1);
        let scroll = in_sight.map_or(scroll, |row| {
            scroll.clamp((row + 1).saturating_sub(room), row)
        });
        let scroll = scroll.min(body.len().saturating_sub(room));
        let mut lines = head;
        lines.push(String::new());
        lines.extend(body.iter().skip(scroll).take(room).cloned());
        lines.truncate(height - foot.len());
        let mut out = io::stdout().lock();
        queue!(out, BeginSynchronizedUpdate)?;
        for (row, line) in (0..).zip(&lines) {
            draw_line(&mut out, style, row, line)?;
        }
        queue!(
            out,
            MoveTo(0, to_row(lines.len())),
            Clear(ClearType::FromCursorDown)
        )?;
        let hidden = body.len().saturating_sub(scroll + room);
        if hidden > 0 {
            let line = style.dim(&format!("  ↓ {hidden} more lines: page down"));
            draw_line(&mut out, style, to_row(height - foot.len() - 1), &line)?;
        }
        for (row, line) in (height - foot.len()..).zip(&foot) {
            draw_line(&mut out, style, to_row(row), line)?;
        }
        queue!(out, EndSynchronizedUpdate)?;
        out.flush().context("cannot draw on the terminal")?;
        Ok(scroll)
    }
}

/// The columns and rows of the terminal.
pub fn size() -> (usize, usize) {
    let (width, height) = terminal::size().unwrap_or((80, 24));
    (usize::from(width).max(20), usize::from(height).max(6))
}

impl Drop for Screen {
    fn drop(&mut self) {
        leave();
    }
}

/// Restores the terminal. Does nothing if it is not in raw mode.
pub fn leave() {
    if terminal::is_raw_mode_enabled().unwrap_or(false) {
        let _ = execute!(io::stdout(), DisableBracketedPaste);
        let _ = execute!(io::stdout(), EnableLineWrap, LeaveAlternateScreen, Show);
        let _ = terminal::disable_raw_mode();
    }
}

/// Draws one line. The row is cleared first: to clear what follows a line of full width would
/// clear its last column.
fn draw_line(out: &mut impl Write, style: &Style, row: u16, line: &str) -> io::Result<()> {
    queue!(out, MoveTo(0, row), Clear(ClearType::CurrentLine))?;
    let reset = if style.color { "\x1b[0m" } else { "" };
    write!(out, "{line}{reset}")
}

fn to_row(row: usize) -> u16 {
    u16::try_from(row).unwrap_or(u16::MAX)
}

/// Wraps lines between words and indents the continuation like the first line, except that of a
/// compiler message. Colors and links have no width.
fn wrap(lines: &[String], width: usize) -> Vec<String> {
    let mut wrapped = Vec::new();
    for line in lines {
        let indent = match line.starts_with(NO_WRAP) {
            true if display_width(line) <= width => {
                wrapped.push(line.clone());
                continue;
            }
            true => "",
            false => &line[..line.len() - line.trim_start_matches(' ').len()],
        };
        let options = textwrap::Options::new(width)
            .subsequent_indent(indent)
            .word_splitter(textwrap::WordSplitter::NoHyphenation)
            .word_separator(textwrap::WordSeparator::AsciiSpace);
        wrapped.extend(
            textwrap::wrap(line, options)
                .into_iter()
                .map(|line| line.replace(NO_BREAK, " ")),
        );
    }
    wrapped
}
