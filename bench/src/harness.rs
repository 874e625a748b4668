//! Runs the contenders of a measure in turn and compares them pair by pair.
//!
//! `criterion` and `divan` finish one benchmark before they begin the next, so another
//! program on the machine slows down one contender and not the other. `tango-bench`
//! alternates, but only between two builds of one function. This file alternates between
//! any functions.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

/// How long one sample runs at least: a shorter work is repeated.
const SAMPLE: Duration = Duration::from_millis(10);

/// The part of a contender in a measure.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum Role {
    /// This project.
    Ours,
    /// Something that people would use instead.
    Peer,
    /// The cheapest program that does the same input and output.
    LowerBound,
}

/// One way to do the work of a measure.
pub struct Contender<'a> {
    role: Role,
    name: String,
    note: String,
    /// Does the work once. Returns the seconds that count, without setup, for one unit.
    run: Box<dyn FnMut() -> f64 + 'a>,
}

/// A work and everything that does it. The first contender is ours.
pub struct Measure<'a> {
    pub name: String,
    /// The largest ratio to the best peer that the project accepts.
    pub at_most: Option<f64>,
    pub contenders: Vec<Contender<'a>>,
}

impl<'a> Measure<'a> {
    /// A measure of `run`, the way of this project, which takes seconds for one unit.
    pub fn new(name: impl Into<String>, run: impl FnMut() -> f64 + 'a) -> Self {
        let measure = Self {
            name: name.into(),
            at_most: None,
            contenders: Vec::new(),
        };
        measure.contender(Role::Ours, "claw-code", "", run)
    }

    pub fn at_most(mut self, ratio: f64) -> Self {
        self.at_most = Some(ratio);
        self
    }

    /// Adds a peer. `note` says what it does less, or how it differs.
    pub fn peer(self, name: &str, note: &str, run: impl FnMut() -> f64 + 'a) -> Self {
        self.contender(Role::Peer, name, note, run)
    }

    pub fn lower_bound(self, name: &str, run: impl FnMut() -> f64 + 'a) -> Self {
        self.contender(Role::LowerBound, name, "", run)
    }

    fn contender(
        mut self,
        role: Role,
        name: &str,
        note: &str,
        run: impl FnMut() -> f64 + 'a,
    ) -> Self {
        self.contenders.push(Contender {
            role,
            name: name.to_string(),
            note: note.to_string(),
            run: Box::new(run),
        });
        self
    }
}

/// The figures of a measure.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Row {
    pub measure: String,
    pub at_most: Option<f64>,
    pub rounds: usize,
    /// Ours first.
    pub figures: Vec<Figure>,
}

/// The figures of one contender. Times are medians; a ratio is our time divided by this one.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Figure {
    pub role: Role,
    pub name: String,
    pub note: String,
    pub seconds: f64,
    /// The median of the ratios of each round.
    pub ratio: f64,
    /// The first and the third quartile of these ratios.
    pub spread: [f64; 2],
}

/// Samples every contender once a round, each round beginning with the next one. Ends after
/// `rounds`, or, from the seventh round on, when `limit` has passed.
pub fn run(measure: &mut Measure, rounds: usize, limit: Duration) -> Row {
    let contenders = &mut measure.contenders;
    // The first call also fills caches.
    let repeats: Vec<usize> = contenders
        .iter_mut()
        .map(|one| match rounds {
            1 => 1,
            _ => {
                (one.run)();
                let start = Instant::now();
                (one.run)();
                (SAMPLE.as_secs_f64() / start.elapsed().as_secs_f64()).ceil() as usize
            }
        })
        .collect();
    let mut samples = vec![Vec::new(); contenders.len()];
    let start = Instant::now();
    for round in 0..rounds {
        if round >= 7 && start.elapsed() > limit {
            break;
        }
        for turn in 0..contenders.len() {
            let at = (round + turn) % contenders.len();
            let total: f64 = (0..repeats[at]).map(|_| (contenders[at].run)()).sum();
            samples[at].push(total / repeats[at] as f64);
        }
    }
    let figures = contenders.iter().zip(&samples).map(|(one, times)| {
        let ratios: Vec<f64> = samples[0].iter().zip(times).map(|(a, b)| a / b).collect();
        Figure {
            role: one.role,
            name: one.name.clone(),
            note: one.note.clone(),
            seconds: quantile(times, 0.5),
            ratio: quantile(&ratios, 0.5),
            spread: [quantile(&ratios, 0.25), quantile(&ratios, 0.75)],
        }
    });
    Row {
        figures: figures.collect(),
        measure: measure.name.clone(),
        at_most: measure.at_most,
        rounds: samples[0].len(),
    }
}

/// The value below which this share of `values` lies, by the nearest one.
fn quantile(values: &[f64], share: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[((sorted.len() - 1) as f64 * share).round() as usize]
}

/// The seconds that `work` takes.
pub fn seconds<T>(work: impl FnOnce() -> T) -> f64 {
    let start = Instant::now();
    std::hint::black_box(work());
    start.elapsed().as_secs_f64()
}
