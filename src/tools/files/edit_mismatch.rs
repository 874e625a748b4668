//! Why a text was not found: what nearly matched, and where.

/// How alike two lines must be for one to be shown as the closest to the other, from 0
/// for nothing in common to 1.
pub const MIN_LIKENESS: f64 = 0.5;

/// How many characters of a line a message shows.
pub const MAX_EXCERPT: usize = 160;

/// Why `wanted`, which is not in `text`, was not found, in words by which a model can
/// mend it. The first of these that applies:
///
/// 1. Read [another way](readings), `wanted` is there: the message says which way, and
///    in which line.
/// 2. But for white space, it is there: in which lines, and the first that differs.
/// 3. A line is like the longest line of `wanted`: the lines around it, and the first
///    that differs.
/// 4. Nothing is like it: read the file again.
///
/// A line that differs is shown as the file has it and as `old_string` has it, in
/// quotes, with tabs as `\t`.
pub fn explain_miss(text: &str, wanted: &str) -> String {
    todo!("6.11: write explain_miss")
}

/// The line of `lines`, counted from 0, in which `wanted` begins when all white space and
/// all line ends are taken out of both. A `wanted` of white space alone begins nowhere.
pub fn without_white_space(lines: &[&str], wanted: &[&str]) -> Option<usize> {
    todo!("6.11: write without_white_space")
}

/// The line of `lines`, counted from 0, at which `wanted` would begin if its longest line
/// stood at the line that is most like it. Of lines that are equally like it, the one
/// around which most lines of `wanted` are the same decides, and then the first. `None`
/// if no line reaches [`MIN_LIKENESS`].
pub fn closest(lines: &[&str], wanted: &[&str]) -> Option<usize> {
    todo!("6.11: write closest")
}

/// How many of the first lines are the same.
fn same_lines(lines: &[&str], wanted: &[&str]) -> usize {
    let pairs = lines.iter().zip(wanted).take(100);
    pairs
        .filter(|(line, wanted)| line.trim() == wanted.trim())
        .count()
}

/// ``is lines 4 to 6; line 5 of the file is "a", and `old_string` has "b"``, for `wanted`
/// put beside `lines` from `start` on.
fn first_difference(lines: &[&str], wanted: &[&str], start: usize) -> String {
    let end = (start + wanted.len()).min(lines.len());
    let place = match end - start {
        1 => format!("is line {end}"),
        _ => format!("is lines {} to {end}", start + 1),
    };
    let differs = (0..wanted.len()).find(|at| {
        let is_first = *at == 0;
        let is_last = at + 1 == wanted.len();
        // What is wanted may begin and end inside of a line.
        lines
            .get(start + at)
            .is_none_or(|line| match (is_first, is_last) {
                (true, true) => !line.contains(wanted[*at]),
                (true, false) => !line.ends_with(wanted[*at]),
                (false, true) => !line.starts_with(wanted[*at]),
                (false, false) => *line != wanted[*at],
            })
    });
    let Some(at) = differs else {
        return place;
    };
    let (number, wanted) = (start + at + 1, wanted[at]);
    let Some(line) = lines.get(start + at) else {
        return format!("{place}; the file ends there, and `old_string` goes on");
    };
    let same = line.chars().zip(wanted.chars());
    let same = same.take_while(|(a, b)| a == b).count();
    let (line, wanted) = (excerpt(line, same), excerpt(wanted, same));
    format!("{place}; line {number} of the file is {line}, and `old_string` has {wanted}")
}

/// A line in quotes. Of one with more than [`MAX_EXCERPT`] characters so many are shown,
/// around character `at`, and `…` where something is missing.
fn excerpt(line: &str, at: usize) -> String {
    let count = line.chars().count();
    if count <= MAX_EXCERPT {
        return format!("{line:?}");
    }
    let first = at.saturating_sub(MAX_EXCERPT / 2).min(count - MAX_EXCERPT);
    let shown: String = line.chars().skip(first).take(MAX_EXCERPT).collect();
    let before = if first > 0 { "…" } else { "" };
    let behind = if first + MAX_EXCERPT < count {
        "…"
    } else {
        ""
    };
    format!("{before}{shown:?}{behind}")
}

/// What a model may have meant by `wanted`, each with words for it:
///
/// - `without the line numbers`, if `read` put a number and a tab in front of every line;
/// - ``with its `\n`, `\t` and `\"` unescaped``, if they were escaped once too often;
/// - `without the line end behind it`, if `text` ends so.
pub fn readings(text: &str, wanted: &str) -> Vec<(&'static str, String)> {
    todo!("6.11: write readings")
}

/// The pairs of neighbouring bytes in a line, white space left out.
struct Pairs {
    /// How often each is there.
    counts: Vec<u32>,
    total: usize,
}

impl Pairs {
    fn of(line: &str) -> Self {
        let mut counts = vec![0; 1 << 16];
        let mut total = 0;
        for pair in pairs(line) {
            counts[pair] += 1;
            total += 1;
        }
        Self { counts, total }
    }

    /// How many pairs two lines share, as a part of all their pairs: Dice's coefficient.
    /// An edit distance would tell more about order, and take the square of the time.
    fn likeness(&mut self, line: &str) -> f64 {
        let mut total = 0;
        let mut shared = Vec::new();
        for pair in pairs(line) {
            total += 1;
            if self.counts[pair] > 0 {
                self.counts[pair] -= 1;
                shared.push(pair);
            }
        }
        for pair in &shared {
            self.counts[*pair] += 1;
        }
        (2 * shared.len()) as f64 / (self.total + total).max(1) as f64
    }
}

fn pairs(line: &str) -> impl Iterator<Item = usize> {
    let mut bytes = line.bytes().filter(|byte| !byte.is_ascii_whitespace());
    let mut last = bytes.next();
    bytes.map(move |byte| {
        let pair = usize::from(last.unwrap_or(0)) << 8 | usize::from(byte);
        last = Some(byte);
        pair
    })
}
