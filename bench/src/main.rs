//! Measures claw-code beside the crates and programs that people would use instead.
//!
//! ```console
//! $ cargo run --release --manifest-path bench/Cargo.toml
//! ```
//!
//! This runs everything, prints the table, and writes `bench/results.json` and the book's page
//! `benchmarks.md`. With words as arguments, it runs the measures whose names contain one of
//! them, and writes nothing. `page` writes the page again from `results.json`.

mod agents;
mod files;
mod harness;
#[cfg(feature = "agents")]
mod peers;
mod report;
mod search;
mod session;
mod shell;
mod sse;

use std::time::Duration;

use harness::Measure;
use report::Report;

/// The most rounds of a measure, and the time after which it ends early.
const ROUNDS: usize = 25;
const LIMIT: Duration = Duration::from_secs(25);

fn main() -> anyhow::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words == ["page"] {
        return Report::load()?.write_page();
    }
    let mut report = Report::new();
    for mut measure in measures(1) {
        if words.is_empty() || words.iter().any(|word| measure.name.contains(word)) {
            let row = harness::run(&mut measure, ROUNDS, LIMIT);
            eprintln!("{}", row.line());
            report.rows.push(row);
        }
    }
    println!("{}", report.table());
    match words.is_empty() {
        true => report.write(),
        false => Ok(()),
    }
}

/// All measures, with work that is `scale` times smaller.
fn measures(scale: usize) -> Vec<Measure<'static>> {
    let mut all = sse::measures(scale);
    all.extend(agents::measures(scale));
    all.extend(shell::measures(scale));
    all.extend(files::measures(scale));
    all.extend(search::measures(scale));
    all.extend(session::measures());
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_measure_runs() {
        for mut measure in measures(100) {
            let row = harness::run(&mut measure, 1, LIMIT);
            let is_time = |figure: &harness::Figure| figure.seconds > 0.0;
            assert!(row.figures.iter().all(is_time), "{}", row.line());
        }
    }

    #[test]
    fn the_page_shows_the_results() {
        let page = Report::load().expect("results").page();
        let committed = std::fs::read_to_string(report::PAGE).unwrap_or_default();
        assert!(
            page == committed,
            "benchmarks.md differs from results.json; write it again with: cargo run --manifest-path bench/Cargo.toml page"
        );
    }
}
