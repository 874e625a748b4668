//! The table, as text for the terminal, as JSON, and as a page of the book.

use std::fmt::Write;
use std::fs;
use std::process::Command;

use anyhow::Context;
use claw_code_solutions::agent::{event_time, now_ms};
use serde::{Deserialize, Serialize};

use crate::harness::{Figure, Role, Row};

/// The results of the last complete run.
const RESULTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/results.json");

/// The page of the book.
pub const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../book/src/benchmarks.md");

/// The crates whose versions a report names.
const CRATES: [&str; 7] = [
    "clark-agent",
    "eventsource-stream",
    "phi-core",
    "rusqlite",
    "sse-stream",
    "sseer",
    "yoagent",
];

/// The rows of a run, and where it ran.
#[derive(Debug, Serialize, Deserialize)]
pub struct Report {
    /// The day, in UTC.
    pub date: String,
    /// Names and values: the machine and the versions.
    pub about: Vec<(String, String)>,
    pub rows: Vec<Row>,
}

impl Report {
    /// A report without rows of this machine, now.
    pub fn new() -> Self {
        let file = |path: &str| fs::read_to_string(path).unwrap_or_default();
        let after = |text: String, start: &str| {
            let line = text
                .lines()
                .find_map(|line| Some(line.strip_prefix(start)?.to_string()));
            let line = line.unwrap_or_else(|| "unknown".to_string());
            line.trim_matches(|it: char| it == ':' || it == '"' || it.is_whitespace())
                .to_string()
        };
        let cores = std::thread::available_parallelism().map_or(0, usize::from);
        let load = file("/proc/loadavg");
        let lock = include_str!("../Cargo.lock");
        let version = |name: &str| {
            let start = format!("name = \"{name}\"\nversion = ");
            let rest = lock.split_once(&start).map_or("", |(_, rest)| rest);
            format!(
                "{name} {}",
                rest.lines().next().unwrap_or_default().trim_matches('"')
            )
        };
        let about = [
            ("processor", after(file("/proc/cpuinfo"), "model name")),
            ("cores", cores.to_string()),
            ("system", after(file("/etc/os-release"), "PRETTY_NAME=")),
            (
                "kernel",
                format!("Linux {}", file("/proc/sys/kernel/osrelease").trim()),
            ),
            (
                "load at the start",
                load.split(' ').next().unwrap_or_default().to_string(),
            ),
            ("compiler", first_line("rustc")),
            (
                "programs",
                format!("{}; {}", first_line("rg"), first_line("sed")),
            ),
            ("crates", CRATES.map(version).join(", ")),
        ];
        Self {
            date: event_time(now_ms()).date_naive().to_string(),
            about: about.map(|(name, value)| (name.to_string(), value)).into(),
            rows: Vec::new(),
        }
    }

    /// The report of the last complete run.
    pub fn load() -> anyhow::Result<Self> {
        let json = fs::read_to_string(RESULTS).context("cannot read bench/results.json")?;
        Ok(serde_json::from_str(&json)?)
    }

    /// Writes `results.json` and the page.
    pub fn write(&self) -> anyhow::Result<()> {
        fs::write(RESULTS, serde_json::to_string_pretty(self)? + "\n")?;
        self.write_page()
    }

    pub fn write_page(&self) -> anyhow::Result<()> {
        Ok(fs::write(PAGE, self.page())?)
    }

    /// The table in Markdown: a row for each peer of each measure.
    pub fn table(&self) -> String {
        let mut text = "| measure | ours | peer | its time | ratio | at most | lower bound |\n| --- | --- | --- | --- | --- | --- | --- |\n".to_string();
        for row in &self.rows {
            let bound = row
                .figures
                .iter()
                .find(|figure| figure.role == Role::LowerBound);
            let bound = bound.map_or(String::new(), |bound| {
                format!("{} ({})", time(bound.seconds), bound.name)
            });
            let at_most = row
                .at_most
                .map_or(String::new(), |ratio| format!("{ratio}"));
            let peers = row
                .figures
                .iter()
                .filter(|figure| figure.role == Role::Peer);
            for (number, peer) in peers.enumerate() {
                let [measure, ours, at_most, bound] = match number {
                    0 => [
                        row.measure.as_str(),
                        &time(row.figures[0].seconds),
                        &at_most,
                        &bound,
                    ],
                    _ => [""; 4],
                };
                let name = match peer.note.as_str() {
                    "" => peer.name.clone(),
                    note => format!("{} ({note})", peer.name),
                };
                writeln!(
                    text,
                    "| {measure} | {ours} | {name} | {} | {} | {at_most} | {bound} |",
                    time(peer.seconds),
                    ratio(peer)
                )
                .expect("a string takes any text");
            }
        }
        text
    }

    /// The page of the book.
    pub fn page(&self) -> String {
        let about: String = self
            .about
            .iter()
            .map(|(name, value)| format!("- {name}: {value}\n"))
            .collect();
        format!(
            "{INTRODUCTION}\n## The last run\n\n{}\n\n{about}\n{}",
            self.date,
            self.table()
        )
    }
}

impl Row {
    /// The measure on one line of the terminal.
    pub fn line(&self) -> String {
        let figures = self.figures.iter().map(|figure| match figure.role {
            Role::Ours => time(figure.seconds),
            _ => format!("{} {} {}", figure.name, time(figure.seconds), ratio(figure)),
        });
        format!(
            "{}: {}",
            self.measure,
            figures.collect::<Vec<_>>().join(" | ")
        )
    }
}

/// `0.87 (0.85–0.90)`.
fn ratio(figure: &Figure) -> String {
    let [low, high] = figure.spread;
    format!("{:.2} ({low:.2}–{high:.2})", figure.ratio)
}

/// A time with three digits.
fn time(seconds: f64) -> String {
    let (value, unit) = match seconds {
        1.0.. => (seconds, "s"),
        1e-3.. => (seconds * 1e3, "ms"),
        1e-6.. => (seconds * 1e6, "µs"),
        _ => (seconds * 1e9, "ns"),
    };
    let digits = 2 - (value.log10().floor() as usize).min(2);
    format!("{value:.digits$} {unit}")
}

/// The first line that a program prints about its version.
fn first_line(program: &str) -> String {
    let output = Command::new(program).arg("--version").output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let text = text.unwrap_or_else(|_| format!("no {program}"));
    text.lines().next().unwrap_or_default().to_string()
}

const INTRODUCTION: &str = "\
# Benchmarks

This page compares claw-code with the crates and programs that people would use instead. It \
is generated: a run writes `bench/results.json`, and the page comes from that file. A test \
fails if the two differ. This command repeats the run. On two cores, the first build takes \
twelve minutes, and the run five:

```console
$ cargo run --release --manifest-path bench/Cargo.toml
```

It needs `rg` for the searches, which run in the sources that cargo has downloaded; without it, the \
page lacks them. With words as arguments, the program runs only the measures whose names contain one of them, such as `SSE` \
or `grep`, and writes no file.

All contenders of a measure run in one process, in turn: ours, the first peer, the next one, \
and again. Each round begins with another contender. So whatever else the machine does, it \
slows down all of them. A *ratio* is our time divided by the peer's time in the same round: \
below 1, claw-code is faster. The table shows the median of the ratios and, in parentheses, their \
first and third quartile. Times are medians. *At most* is the project's goal for the ratio to the \
first peer; a larger ratio misses it. The *lower bound* is the time of the cheapest program that \
does the same input and output.

A note in parentheses says what a peer does less, or how it differs. Where the peer is claw-code \
with a smaller input, a ratio of 1 means that the time does not grow with the input. Where a peer \
skips work, such as the validation of arguments, the order of results or a check for other \
writers, another row shows one that does the work. All writers of files and databases wait for the disk with the same calls, \
except where a note says so. `rg`, `sed` and `sh` are processes, and their times include the start \
of a process; one row of `sed` leaves it out.
";
