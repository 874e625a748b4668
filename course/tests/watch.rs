//! `cargo course` without a command, in a real terminal inside tmux.

#![cfg(unix)]

mod common;

use std::fs;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use common::{Fixture, RUNNER, environment, eventually};

/// The footer's text while tests run and some have finished.
const SOME_ENDED: &str = " tests done";

/// A terminal with a shell in the fixture's folder. Its server ends with it.
struct Terminal {
    fixture: Fixture,
    socket: String,
}

impl Terminal {
    /// Opens the terminal. Prints a note and returns `None` if tmux is not installed.
    fn open(fixture: Fixture) -> Option<Self> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        if Command::new("tmux").arg("-V").output().is_err() {
            eprintln!("tmux is not installed: the watch screen is not tested");
            return None;
        }
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let terminal = Self {
            socket: format!("course-{}-{number}", std::process::id()),
            fixture,
        };
        let root = terminal.fixture.root();
        let mut command = terminal.tmux();
        command
            .args([
                "-f",
                "/dev/null",
                "new-session",
                "-d",
                "-x",
                "100",
                "-y",
                "30",
                "-c",
            ])
            .arg(root)
            .args(["env", "-i", "TERM=screen", "PS1=$ "])
            .args(environment().map(|(name, value)| {
                let mut pair = std::ffi::OsString::from(name);
                pair.push("=");
                pair.push(value);
                pair
            }))
            .arg("sh");
        let status = command.status().expect("tmux starts");
        assert!(status.success(), "tmux opens a terminal");
        Some(terminal)
    }

    /// Opens the terminal and starts `cargo course` in it.
    fn watching(fixture: Fixture) -> Option<Self> {
        let terminal = Self::open(fixture)?;
        terminal.shows("$");
        terminal.keys(&[RUNNER, "Enter"]);
        terminal.shows("q quit");
        Some(terminal)
    }

    fn tmux(&self) -> Command {
        let mut command = Command::new("tmux");
        command
            .args(["-L", &self.socket])
            .env("TMUX_TMPDIR", self.fixture.root())
            .env_remove("TMUX");
        command
    }

    fn ask(&self, arguments: &[&str]) -> String {
        let output = self.tmux().args(arguments).output().expect("tmux starts");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    fn screen(&self) -> String {
        self.ask(&["capture-pane", "-p"])
    }

    fn keys(&self, keys: &[&str]) {
        self.ask(&[&["send-keys"], keys].concat());
    }

    /// Pastes `text`, in brackets if the program has asked for them.
    fn paste(&self, text: &str) {
        self.ask(&["set-buffer", text, ";", "paste-buffer", "-p"]);
    }

    /// Waits until the screen shows `text`.
    fn shows(&self, text: &str) {
        eventually(text, || self.screen().contains(text), || self.screen());
    }

    /// Waits until the screen no longer shows `text`.
    fn hides(&self, text: &str) {
        let what = format!("a screen without {text:?}");
        eventually(&what, || !self.screen().contains(text), || self.screen());
    }

    /// The process id of the shell.
    fn shell(&self) -> u32 {
        let id = self.ask(&["display-message", "-p", "#{pane_pid}"]);
        id.trim().parse().expect("a process's number")
    }

    /// Waits until only the shell runs in the fixture's folder.
    fn is_left_alone(&self) {
        let shell = self.shell();
        eventually(
            "the shell is alone",
            || self.fixture.processes().iter().all(|id| *id == shell),
            || {
                format!(
                    "{:?} beside {shell}\n{}",
                    self.fixture.processes(),
                    self.screen()
                )
            },
        );
    }

    /// Asserts that the shell is back, with a cursor and with echo.
    fn is_usable_again(&self) {
        let has_prompt = || self.screen().trim_end().ends_with("\n$");
        eventually("the shell's prompt", has_prompt, || self.screen());
        self.keys(&["echo code-$? and-usable", "Enter"]);
        self.shows("code-0 and-usable");
        self.shows("$ echo code-$?");
        let flags = self.ask(&["display-message", "-p", "#{cursor_flag}#{alternate_on}"]);
        assert_eq!(flags.trim(), "10", "cursor shown, alternate screen left");
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.ask(&["kill-server"]);
    }
}

#[test]
fn it_starts_at_the_first_red_checkpoint() {
    let Some(terminal) = Terminal::watching(Fixture::new()) else {
        return;
    };
    terminal.shows("Chapter 1 · One Light  0 of 3 checkpoints green");
    terminal.shows("1.1 Green for how long · not written yet");
    terminal.shows("to write green_for  src/light.rs:4");
    terminal.shows("watching");
}

#[test]
fn a_save_shows_the_new_verdict() {
    let Some(terminal) = Terminal::watching(Fixture::new()) else {
        return;
    };
    terminal.shows("0 of 3 checkpoints green");
    let fixture = &terminal.fixture;
    fixture.fill("src/light.rs", "green-time", "green_for", "cars * 2");
    terminal.shows("1.1 Green for how long · written, but not right yet");
    terminal.shows("A common cause: Two seconds for each car is right");
    fixture.replace("src/light.rs", "cars * 2", "(cars * 2).clamp(5, 60)");
    terminal.shows("1 of 3 checkpoints green");
    terminal.shows("1.2 Colors · not written yet");
    terminal.hides("A common cause:");
}

#[test]
fn a_save_by_rename_is_noticed() {
    let Some(terminal) = Terminal::watching(Fixture::new()) else {
        return;
    };
    terminal.shows("0 of 3 checkpoints green");
    let fixture = &terminal.fixture;
    let text = fixture.read("src/light.rs");
    let solved = text.replace(
        "todo!(\"green-time: write green_for\")",
        "(cars * 2).clamp(5, 60)",
    );
    fixture.write("src/light.rs~", solved);
    std::fs::rename(fixture.path("src/light.rs~"), fixture.path("src/light.rs")).expect("a move");
    terminal.shows("1 of 3 checkpoints green");
}

#[test]
fn a_compile_error_shows_its_location() {
    let Some(terminal) = Terminal::watching(Fixture::new()) else {
        return;
    };
    terminal.shows("0 of 3 checkpoints green");
    terminal
        .fixture
        .fill("src/light.rs", "green-time", "green_for", "autos");
    terminal.shows("The code does not compile: 1 error");
    terminal.shows("at src/light.rs:5");
    terminal.shows("cannot find value `autos`");
    terminal.fixture.replace("src/light.rs", "autos", "todo!()");
    terminal.shows("0 of 3 checkpoints green");
}

#[test]
fn a_broken_cargo_toml_is_an_error_until_it_is_fixed() {
    let Some(terminal) = Terminal::watching(Fixture::new()) else {
        return;
    };
    terminal.shows("0 of 3 checkpoints green");
    let manifest = terminal.fixture.read("Cargo.toml");
    terminal.fixture.write("Cargo.toml", "[features\n");
    terminal.shows("Cargo.toml is broken");
    terminal.fixture.write("Cargo.toml", manifest);
    terminal.shows("0 of 3 checkpoints green");
}

#[test]
fn h_shows_hints_and_esc_goes_back() {
    let Some(terminal) = Terminal::watching(Fixture::new()) else {
        return;
    };
    terminal.shows("0 of 3 checkpoints green");
    terminal.keys(&["h"]);
    terminal.shows("Hint 1 of 3 for 1.1: Two for each car.");
    terminal.keys(&["h"]);
    terminal.shows("Hint 2 of 3 for 1.1");
    terminal.keys(&["Escape"]);
    terminal.hides("Hint");
    terminal.shows("not written yet");
}

#[test]
fn h_shows_the_hint_for_a_failing_test_first() {
    let fixture = Fixture::new();
    fixture.fill("src/light.rs", "green-time", "green_for", "cars * 2");
    let Some(terminal) = Terminal::watching(fixture) else {
        return;
    };
    terminal.shows("even an empty road gets five seconds");
    terminal.keys(&["h"]);
    terminal.shows("If test_ch1_green_has_limits fails: An empty road has a limit too.");
    terminal.hides("Hint 1 of 3");
    terminal.keys(&["h"]);
    terminal.shows("Hint 1 of 3 for 1.1: Two for each car.");
}

#[test]
fn l_shows_the_whole_list() {
    let Some(terminal) = Terminal::watching(Fixture::new()) else {
        return;
    };
    terminal.shows("0 of 3 checkpoints green");
    terminal.hides("Lights in the rain");
    let last = "– 1.4   Lights in the rain";
    for key in ["l", "Escape"] {
        terminal.keys(&["l"]);
        terminal.shows(last);
        terminal.keys(&[key]);
        terminal.hides(last);
    }
    // Their output has the list's place.
    for (key, output) in [("h", "Hint 1 of 3 for 1.1"), ("s", "Press s again")] {
        terminal.keys(&["l"]);
        terminal.shows(last);
        terminal.keys(&[key]);
        terminal.shows(output);
        terminal.hides(last);
    }
}

#[test]
fn the_list_has_one_row_for_each_section_in_a_narrow_terminal() {
    let Some(terminal) = Terminal::watching(Fixture::new()) else {
        return;
    };
    terminal.shows("watching");
    terminal.keys(&["l"]);
    for (width, row) in [
        ("40", "  · 1.3   Lamps               10 min"),
        ("30", "  ▸ 1.1   Green for h…  10 min"),
    ] {
        terminal.ask(&["resize-window", "-x", width, "-y", "24"]);
        terminal.shows(row);
    }
}

#[test]
fn a_chapter_that_becomes_current_gets_its_depth_sections() {
    let Some(terminal) = Terminal::watching(Fixture::with_depth_in_chapter_2()) else {
        return;
    };
    terminal.shows("0 of 3 checkpoints green");
    terminal.hides("are given");
    terminal.fixture.run("solution 1 --apply").exits(0);
    terminal.shows("These depth sections are given");
    terminal.shows("2.1   Two lamps");
    terminal.shows("Chapter 2 is done: every checkpoint is green.");
}

#[test]
fn s_and_a_apply_the_solution_and_u_undoes_it() {
    let Some(terminal) = Terminal::watching(Fixture::new()) else {
        return;
    };
    terminal.shows("0 of 3 checkpoints green");
    let stubs = terminal.fixture.work();
    terminal.keys(&["a"]);
    terminal.keys(&["s"]);
    terminal.shows("Press s again");
    terminal.hides("(cars * 2).clamp(5, 60)");
    terminal.keys(&["s"]);
    terminal.shows("(cars * 2).clamp(5, 60)");
    terminal.shows("a write it into src/");
    common::assert_same_files(&terminal.fixture.work(), &stubs, "after it was only shown");
    terminal.keys(&["a"]);
    terminal.shows("1.1 is written.");
    terminal.shows("1 of 3 checkpoints green");
    terminal.shows("1.1 is written.");
    terminal.keys(&["u"]);
    terminal.shows("Undid `cargo course solution 1.1 --apply`");
    terminal.shows("0 of 3 checkpoints green");
    common::assert_same_files(&terminal.fixture.work(), &stubs, "after undo");
}

#[test]
fn n_opens_the_next_chapter() {
    let Some(terminal) = Terminal::watching(Fixture::after_chapter_1()) else {
        return;
    };
    terminal.shows("Chapter 1 is done: every checkpoint is green.");
    terminal.shows("Press n for what comes next.");
    terminal.keys(&["h"]);
    terminal.shows("Press n for what comes next");
    terminal.keys(&["n"]);
    terminal.shows("Opened chapter 2, The Crossing.");
    terminal.shows("Chapter 2 · The Crossing  0 of 1 checkpoints green");
    terminal.keys(&["Escape"]);
    terminal.shows("2.1 Two lamps · not written yet");
}

#[test]
fn n_opens_nothing_while_a_checkpoint_is_red() {
    let Some(terminal) = Terminal::watching(Fixture::new()) else {
        return;
    };
    terminal.shows("watching");
    terminal.keys(&["n"]);
    terminal.shows("Chapter 1 is not done yet. This comes first:");
    let verdict = "1.1 Green for how long · not written yet";
    let screen = terminal.screen();
    assert_eq!(screen.matches(verdict).count(), 1, "once:\n{screen}");
    let manifest = terminal.fixture.read("Cargo.toml");
    assert!(
        manifest.contains("default = [\"ch1\"]"),
        "nothing was opened:\n{manifest}"
    );
}

#[test]
fn the_current_chapter_runs_first() {
    let fixture = in_chapter_2();
    fixture.replace(
        "tests/ch01/s03_lamps.rs",
        "assert_eq!(Lamp::green(4).to_string(), \"Green for 8 s\");",
        "while Lamp::green(4).to_string() == \"Green for 8 s\" {}",
    );
    let Some(terminal) = Terminal::watching(fixture) else {
        return;
    };
    terminal.shows("2.1 Two lamps · not written yet");
    terminal.shows(SOME_ENDED);
    let fixture = &terminal.fixture;
    fixture.fill("src/lamp.rs", "crossing", "Lamp::opposite", "self.clone()");
    let letting =
        "let open = Lamp::green(cars);\nlet closed = open.opposite();\nSelf { open, closed }";
    fixture.fill("src/crossing.rs", "crossing", "Crossing::letting", letting);
    terminal.shows("A common cause: A copy shows the same color.");
    terminal.shows(SOME_ENDED);
}

#[test]
fn a_finished_chapter_that_breaks_becomes_current() {
    let Some(terminal) = Terminal::watching(in_chapter_2()) else {
        return;
    };
    terminal.shows("2.1 Two lamps · not written yet");
    let fixture = &terminal.fixture;
    fixture.replace("src/light.rs", "clamp(5, 60)", "clamp(4, 60)");
    terminal.shows("1.1 Green for how long · written, but not right yet");
    fixture.replace("src/light.rs", "clamp(4, 60)", "clamp(5, 60)");
    terminal.shows("2.1 Two lamps · not written yet");
}

#[test]
fn a_chapter_that_turns_green_is_marked_until_the_next_save() {
    let fixture = Fixture::new();
    fixture.run("open 2").exits(0);
    fixture.run("solution 1 --apply").exits(0);
    fixture.replace("src/light.rs", "clamp(5, 60)", "clamp(4, 60)");
    let Some(terminal) = Terminal::watching(fixture) else {
        return;
    };
    terminal.shows("1.1 Green for how long · written, but not right yet");
    let fixture = &terminal.fixture;
    fixture.replace("src/light.rs", "clamp(4, 60)", "clamp(5, 60)");
    terminal.shows("Chapter 1 is done.");
    terminal.shows("2.1 Two lamps · not written yet");
    terminal.shows("Chapter 1 is done.");
    fixture.append("src/crossing.rs", "// A save.\n");
    terminal.hides("Chapter 1 is done.");
}

#[test]
fn r_runs_the_tests_again() {
    let Some(terminal) = Terminal::watching(Fixture::new()) else {
        return;
    };
    terminal.shows("watching");
    let memory = terminal.fixture.path(".course/results.json");
    std::fs::remove_file(&memory).expect("the last run is cached");
    terminal.keys(&["r"]);
    eventually("another run", || memory.exists(), || terminal.screen());
    terminal.shows("0 of 3 checkpoints green");
}

#[test]
fn q_restores_the_terminal() {
    let Some(terminal) = Terminal::watching(Fixture::new()) else {
        return;
    };
    terminal.shows("0 of 3 checkpoints green");
    terminal.keys(&["q"]);
    terminal.is_left_alone();
    terminal.is_usable_again();
}

#[test]
fn control_c_kills_running_tests() {
    let Some(terminal) = Terminal::watching(endless()) else {
        return;
    };
    terminal.shows(SOME_ENDED);
    terminal.keys(&["C-c"]);
    terminal.is_left_alone();
    terminal.is_usable_again();
    assert!(
        !terminal.fixture.path(".course/results.json").exists(),
        "an interrupted run is not cached"
    );
}

#[test]
fn a_save_during_a_run_starts_another() {
    let Some(terminal) = Terminal::watching(endless()) else {
        return;
    };
    terminal.shows(SOME_ENDED);
    let fixture = &terminal.fixture;
    fixture.replace("src/light.rs", "loop { std::thread::park() }", "Vec::new()");
    terminal.shows("1 of 3 checkpoints green");
    terminal.shows("watching");
}

#[test]
fn a_run_that_stalls_shows_how_long_it_has_waited() {
    let Some(terminal) = Terminal::watching(endless()) else {
        return;
    };
    terminal.shows(" tests done, none for 2 s; limit 600 s …");
}

#[test]
fn a_check_that_stalls_shows_how_long_it_has_waited() {
    let Some(terminal) = Terminal::open(endless()) else {
        return;
    };
    terminal.shows("$");
    terminal.keys(&[&format!("{RUNNER} check 1"), "Enter"]);
    terminal.shows(" tests done, none for 2 s; limit 600 s …");
    terminal.keys(&["C-c"]);
    terminal.hides("limit 600 s");
    terminal.keys(&["echo code-$?", "Enter"]);
    terminal.shows("code-130");
}

#[test]
fn keys_work_while_tests_run() {
    let Some(terminal) = Terminal::watching(endless()) else {
        return;
    };
    terminal.shows(SOME_ENDED);
    terminal.keys(&["h"]);
    terminal.shows("Try again when they have finished");
    terminal.keys(&["n"]);
    terminal.keys(&["Escape"]);
    terminal.hides("Try again");
}

#[test]
fn the_screen_is_redrawn_after_a_resize() {
    let Some(terminal) = Terminal::watching(Fixture::new()) else {
        return;
    };
    terminal.shows("watching");
    for (width, height) in [(60, 16), (40, 10), (120, 40), (12, 4), (100, 30)] {
        let (wide, high) = (width.to_string(), height.to_string());
        terminal.ask(&["resize-window", "-x", &wide, "-y", &high]);
        let is_filled = || {
            let screen = terminal.screen();
            let lines: Vec<&str> = screen.lines().collect();
            lines.len() == height
                && lines.iter().all(|line| line.chars().count() <= width)
                && (width < 40 || lines[0].starts_with("Chapter 1"))
                && (width < 40 || lines[height - 1].contains("quit"))
        };
        let what = format!("head and foot at {width} by {height}");
        eventually(&what, is_filled, || terminal.screen());
    }
}

/// While tests run, the foot has more rows than so small a screen.
#[test]
fn a_tiny_window_is_drawn_while_tests_run() {
    let Some(terminal) = Terminal::watching(endless()) else {
        return;
    };
    terminal.shows("none for ");
    terminal.keys(&["l"]);
    terminal.shows("choose");
    terminal.ask(&["resize-window", "-x", "12", "-y", "4"]);
    // Only a redraw puts the foot into the second row.
    let is_redrawn = || {
        let screen = terminal.screen();
        screen
            .lines()
            .nth(1)
            .is_some_and(|row| row.contains("test"))
    };
    eventually("the foot in the second row", is_redrawn, || {
        terminal.screen()
    });
    terminal.ask(&["resize-window", "-x", "100", "-y", "30"]);
    terminal.shows("choose");
}

/// In other programs, Ctrl-U scrolls.
#[test]
fn a_chord_is_no_command() {
    let fixture = Fixture::new();
    fixture.run("solution 1.1 --apply").exits(0);
    let Some(terminal) = Terminal::watching(fixture) else {
        return;
    };
    terminal.shows("1 of 3 checkpoints green");
    let work = terminal.fixture.work();
    terminal.keys(&["C-u", "l"]);
    terminal.shows("choose");
    common::assert_same_files(&terminal.fixture.work(), &work, "after Ctrl-U");
}

#[test]
fn pasted_text_is_no_command() {
    let fixture = Fixture::new();
    fixture.run("solution 1.1 --apply").exits(0);
    let Some(terminal) = Terminal::watching(fixture) else {
        return;
    };
    terminal.shows("1 of 3 checkpoints green");
    let work = terminal.fixture.work();
    terminal.paste("u");
    terminal.keys(&["l"]);
    terminal.shows("choose");
    common::assert_same_files(&terminal.fixture.work(), &work, "after a paste");
    terminal.keys(&["q"]);
    terminal.is_usable_again();
    terminal.paste("echo plain-$((40 + 2))");
    terminal.keys(&["Enter"]);
    terminal.shows("\nplain-42");
}

#[test]
fn long_text_can_be_scrolled() {
    let Some(terminal) = Terminal::watching(Fixture::new()) else {
        return;
    };
    terminal.ask(&["resize-window", "-x", "100", "-y", "8"]);
    terminal.shows("more lines");
    terminal.hides("Read: section 1.1");
    for _ in 0..10 {
        terminal.keys(&["Down"]);
    }
    terminal.shows("Read: section 1.1");
    terminal.hides("more lines");
    terminal.keys(&["Home"]);
    terminal.shows("more lines");
}

#[test]
fn the_list_scrolls_on_a_small_screen() {
    let Some(terminal) = Terminal::watching(Fixture::new()) else {
        return;
    };
    terminal.shows("watching");
    terminal.ask(&["resize-window", "-x", "100", "-y", "6"]);
    terminal.keys(&["l"]);
    terminal.shows("1.1   Green for how long");
    terminal.hides("1.4   Lights in the rain");
    terminal.keys(&["Down", "Down", "Down"]);
    terminal.shows("1.4   Lights in the rain");
}

#[test]
fn a_key_pressed_while_the_window_is_resized_arrives() {
    let Some(terminal) = Terminal::watching(Fixture::new()) else {
        return;
    };
    terminal.shows("1.1 Green for how long · not written yet");
    for width in 60..120 {
        let width = width.to_string();
        terminal.ask(&["resize-window", "-x", &width, ";", "send-keys", "l"]);
        terminal.shows("choose");
        terminal.keys(&["l"]);
        terminal.hides("choose");
    }
}

#[test]
fn the_arrow_keys_choose_a_section_in_the_list() {
    let Some(terminal) = Terminal::watching(Fixture::new()) else {
        return;
    };
    terminal.shows("1.1 Green for how long · not written yet");
    terminal.keys(&["l"]);
    terminal.shows("choose");
    terminal.keys(&["Down", "Down"]);
    terminal.shows("› · 1.3   Lamps");
    terminal.shows("1.3 Lamps · not written yet");
    terminal.keys(&["Enter"]);
    terminal.hides("1.4   Lights in the rain");
    terminal.keys(&["h"]);
    terminal.shows("Hint 1 of 3 for 1.3: A field first.");
    terminal.keys(&["Escape", "s"]);
    terminal.shows("the solution of 1.3");
    terminal.keys(&["Escape"]);
    terminal.shows("1.3 Lamps · not written yet");
    let fixture = &terminal.fixture;
    fixture.fill(
        "src/light.rs",
        "green-time",
        "green_for",
        "(cars * 2).clamp(5, 60)",
    );
    terminal.shows("1 of 3 checkpoints green");
    terminal.shows("1.3 Lamps · not written yet");
    terminal.keys(&["Escape"]);
    terminal.shows("1.2 Colors · not written yet");
}

/// So its crates are built while the learner reads.
#[test]
fn a_chapter_that_is_opened_elsewhere_is_built_at_once() {
    let Some(terminal) = Terminal::watching(Fixture::after_chapter_1()) else {
        return;
    };
    terminal.shows("Chapter 1 is done: every checkpoint is green.");
    terminal.fixture.run("next").exits(0);
    terminal.shows("2.1 Two lamps · not written yet");
}

#[test]
fn the_crates_of_the_next_chapter_are_built_while_nothing_runs() {
    let fixture = Fixture::new();
    fixture.write(
        "extra/Cargo.toml",
        "[package]\nname = \"extra\"\nedition = \"2024\"\n",
    );
    fixture.write("extra/src/lib.rs", "//! A crate that chapter 2 needs.\n");
    fixture.replace(
        "Cargo.toml",
        "[dependencies]\n",
        "[dependencies]\nextra = { path = \"extra\", optional = true }\n",
    );
    fixture.replace(
        "Cargo.toml",
        "crates2 = [\"crates1\"]",
        "crates2 = [\"crates1\", \"dep:extra\"]",
    );
    let manifest = "book/src/ch02-the-crossing.toml";
    let text = fixture.read(manifest);
    fixture.write(manifest, format!("features = [\"dep:extra\"]\n{text}"));
    let Some(terminal) = Terminal::watching(fixture) else {
        return;
    };
    terminal.shows("watching");
    // Only names are read: cargo removes files while the test looks.
    let is_built = || {
        let built = fs::read_dir(terminal.fixture.path("target/debug/deps"));
        let mut files = built.into_iter().flatten().flatten();
        files.any(|file| file.file_name().to_string_lossy().contains("libextra"))
    };
    eventually("the crate is built", is_built, || terminal.screen());
    terminal.shows("watching");
    terminal.keys(&["q"]);
    terminal.is_left_alone();
}

/// In a window that is narrower than what a test has printed.
#[test]
fn long_lines_can_be_read_to_their_end() {
    let fixture = Fixture::new();
    let body = "println!(\"{}the end\", \"x\".repeat(90)); cars";
    fixture.fill("src/light.rs", "green-time", "green_for", body);
    let Some(terminal) = Terminal::watching(fixture) else {
        return;
    };
    terminal.ask(&["resize-window", "-x", "60", "-y", "40"]);
    let joined = || terminal.screen().replace('\n', "");
    eventually(
        "the end of the line",
        || joined().contains("xxthe end"),
        || terminal.screen(),
    );
}

/// A line that is as wide as the screen.
#[test]
fn the_last_column_is_drawn() {
    let fixture = Fixture::new();
    let body = "println!(\"{}!\", \"x\".repeat(95)); cars";
    fixture.fill("src/light.rs", "green-time", "green_for", body);
    let Some(terminal) = Terminal::watching(fixture) else {
        return;
    };
    terminal.shows(&format!("{}!", "x".repeat(95)));
}

/// In the footer, which is too long for this terminal.
#[test]
fn a_key_stays_on_one_line_with_what_it_does() {
    let Some(terminal) = Terminal::watching(Fixture::new()) else {
        return;
    };
    terminal.shows("watching");
    for width in ["60", "80", "81"] {
        terminal.ask(&["resize-window", "-x", width, "-y", "24"]);
        eventually(
            "each key with what it does",
            || {
                let screen = terminal.screen();
                let keys = ["h hint", "s solution", "u undo", "r run", "q quit"];
                keys.iter().all(|key| screen.contains(key))
            },
            || terminal.screen(),
        );
    }
}

#[test]
fn a_note_leaves_the_verdict_in_sight() {
    let Some(terminal) = Terminal::watching(Fixture::after_chapter_1()) else {
        return;
    };
    terminal.shows("Press n for what comes next.");
    terminal.keys(&["n"]);
    terminal.shows("Opened chapter 2, The Crossing.");
    terminal.shows("2.1 Two lamps · not written yet");
}

#[test]
fn a_dumb_terminal_gets_the_status_without_escapes() {
    let Some(terminal) = Terminal::open(Fixture::new()) else {
        return;
    };
    terminal.shows("$");
    terminal.keys(&[
        &format!("TERM=dumb {RUNNER} > seen 2>&1; TERM=dumb {RUNNER}; echo code-$?"),
        "Enter",
    ]);
    terminal.shows("code-0");
    terminal.shows("0 of 3 checkpoints green");
    assert!(!terminal.fixture.read("seen").contains('\x1b'));
}

#[test]
fn closing_the_terminal_ends_all_processes() {
    let Some(terminal) = Terminal::watching(endless()) else {
        return;
    };
    terminal.shows(SOME_ENDED);
    assert!(
        !cfg!(target_os = "linux") || terminal.fixture.processes().len() >= 3,
        "shell, runner and tests are running: {:?}",
        terminal.fixture.processes()
    );
    terminal.ask(&["kill-server"]);
    eventually(
        "no process is left",
        || terminal.fixture.processes().is_empty(),
        || format!("{:?}", terminal.fixture.processes()),
    );
}

/// A fixture with chapter 1 done, chapter 2 red and a long timeout.
fn in_chapter_2() -> Fixture {
    let fixture = Fixture::after_chapter_1();
    fixture.run("next").exits(0);
    for page in ["ch01-one-light", "ch02-the-crossing"] {
        let manifest = format!("book/src/{page}.toml");
        fixture.replace(&manifest, "timeout_seconds = 2", "timeout_seconds = 600");
    }
    fixture.run("check").exits(1);
    fixture
}

/// A fixture with an endless loop in section 1.2 and a long timeout.
fn endless() -> Fixture {
    let fixture = Fixture::new();
    fixture.replace(
        "book/src/ch01-one-light.toml",
        "timeout_seconds = 2",
        "timeout_seconds = 600",
    );
    fixture.fill(
        "src/light.rs",
        "green-time",
        "green_for",
        "(cars * 2).clamp(5, 60)",
    );
    fixture.fill(
        "src/light.rs",
        "colors",
        "Color::all",
        "loop { std::thread::park() }",
    );
    fixture
}
