//! Explains why the text of an edit was not found, and what comes closest to it.

use memchr::memmem;

/// The similarity, from 0 to 1, that a line must have to count as the closest match.
pub const MIN_SIMILARITY: f64 = 0.5;

/// The number of characters of a line that a message shows.
pub const MAX_EXCERPT: usize = 160;

/// Error text for a model whose `wanted` does not occur in `text`. It uses the first of
/// these explanations that applies:
///
/// 1. One of the [`corrections`] of `wanted` occurs: which one, and on which line.
/// 2. `wanted` occurs if white space is ignored: on which lines, and the first difference.
/// 3. A line is similar to the longest line of `wanted`: the lines around it, and the
///    first difference.
/// 4. No line is similar: read the file again.
///
/// A difference shows the line of the file and the line of `old_string`, both in quotes,
/// with tabs as `\t`.
pub fn explain_mismatch(text: &str, wanted: &str) -> String {
    for (description, corrected) in corrections(text, wanted) {
        if let Some(at) = text.find(&corrected).filter(|_| !corrected.is_empty()) {
            let line = 1 + text[..at].matches('\n').count();
            return format!(
                "`old_string` is not in the file, but {description} it matches line {line}"
            );
        }
    }
    let wanted: Vec<&str> = wanted.lines().collect();
    let lines: Vec<&str> = text.lines().collect();
    let compact = CompactLines::of(&lines);
    if let Some(start) = find_ignoring_white_space(&compact, &CompactLines::of(&wanted)) {
        let difference = first_difference(&lines, &wanted, start);
        return format!(
            "`old_string` is not in the file, but ignoring white space it matches {difference}"
        );
    }
    match closest_match(&lines, &compact, &wanted) {
        Some(start) => {
            let difference = first_difference(&lines, &wanted, start);
            format!("`old_string` is not in the file; the closest match is {difference}")
        }
        None => "`old_string` is not in the file, and no line is similar; read the file again"
            .to_string(),
    }
}

/// Lines without white space and line ends, one after the other.
pub struct CompactLines {
    bytes: Vec<u8>,
    /// The offset in `bytes` at which each line ends.
    ends: Vec<usize>,
}

impl CompactLines {
    /// These lines without white space.
    pub fn of(lines: &[&str]) -> Self {
        let mut bytes = Vec::with_capacity(lines.iter().map(|line| line.len()).sum());
        let mut ends = Vec::with_capacity(lines.len());
        for line in lines {
            push_compact(&mut bytes, line);
            ends.push(bytes.len());
        }
        Self { bytes, ends }
    }

    /// The bytes of the line with this index.
    fn line(&self, at: usize) -> &[u8] {
        let start = match at {
            0 => 0,
            _ => self.ends[at - 1],
        };
        &self.bytes[start..self.ends[at]]
    }
}

/// The index of the line of `lines` on which `wanted` begins. A `wanted` of nothing but white
/// space has no match.
pub fn find_ignoring_white_space(lines: &CompactLines, wanted: &CompactLines) -> Option<usize> {
    if wanted.bytes.is_empty() {
        return None;
    }
    let at = memmem::find(&lines.bytes, &wanted.bytes)?;
    Some(lines.ends.partition_point(|end| *end <= at))
}

/// Appends `line` without white space. In an ASCII line, as most lines are, each byte is written,
/// and the next one replaces it if it was white space. This takes half as long as appending each
/// byte that is kept, since the buffer is enlarged once.
fn push_compact(compact: &mut Vec<u8>, line: &str) {
    if !line.is_ascii() {
        return line
            .split_whitespace()
            .for_each(|word| compact.extend_from_slice(word.as_bytes()));
    }
    let mut end = compact.len();
    compact.resize(end + line.len(), 0);
    for byte in line.bytes() {
        compact[end] = byte;
        end += usize::from(!byte.is_ascii_whitespace());
    }
    compact.truncate(end);
}

/// The index of the line of `lines` at which `wanted` begins if its longest line is aligned
/// with the most similar line. Its longest line is the one with the most bytes, white space at
/// both ends not counted; of several, the first. Of lines with the same similarity, the one with
/// the most equal lines around it wins, and then the first. `None` if no line reaches
/// [`MIN_SIMILARITY`]. `compact` is `lines` without white space.
pub fn closest_match(lines: &[&str], compact: &CompactLines, wanted: &[&str]) -> Option<usize> {
    let longest = (0..wanted.len())
        .rev()
        .max_by_key(|at| wanted[*at].trim().len())?;
    let mut bigrams = BigramCounts::of(wanted[longest]);
    let mut best: Option<(f64, usize, usize)> = None;
    for at in 0..lines.len() {
        let least = best.map_or(MIN_SIMILARITY, |(highest, ..)| highest);
        let similarity = bigrams.similarity(compact.line(at), least);
        if similarity < least {
            continue;
        }
        let start = at.saturating_sub(longest);
        let equal = count_equal_lines(&lines[start..], wanted);
        if best.is_none_or(|(highest, lines, _)| (similarity, equal) > (highest, lines)) {
            best = Some((similarity, equal, start));
        }
    }
    best.map(|(.., start)| start)
}

/// How many of the first 100 lines of both are equal but for white space at their ends.
fn count_equal_lines(lines: &[&str], wanted: &[&str]) -> usize {
    let pairs = lines.iter().zip(wanted).take(100);
    pairs
        .filter(|(line, wanted)| line.trim() == wanted.trim())
        .count()
}

/// ``lines 4 to 6; line 5 of the file is "a", and `old_string` has "b"``, for `wanted`
/// compared with `lines` from the index `start`.
fn first_difference(lines: &[&str], wanted: &[&str], start: usize) -> String {
    let end = (start + wanted.len()).min(lines.len());
    let range = match end - start {
        1 => format!("line {end}"),
        _ => format!("lines {} to {end}", start + 1),
    };
    let differs = (0..wanted.len()).find(|at| {
        // `wanted` may begin inside a line. If it ends inside a line, an earlier line differs:
        // otherwise, `old_string` would have been found.
        lines.get(start + at).is_none_or(|line| match at {
            0 => !line.ends_with(wanted[0]),
            _ => *line != wanted[*at],
        })
    });
    let Some(at) = differs else {
        return range;
    };
    let (number, wanted) = (start + at + 1, wanted[at]);
    let Some(line) = lines.get(start + at) else {
        return format!("{range}; the file ends there, but `old_string` continues");
    };
    let equal = line.chars().zip(wanted.chars());
    let equal = equal.take_while(|(a, b)| a == b).count();
    let (line, wanted) = (excerpt(line, equal), excerpt(wanted, equal));
    format!("{range}; line {number} of the file is {line}, and `old_string` has {wanted}")
}

/// A line in quotes. Of a line with more than [`MAX_EXCERPT`] characters, that many are
/// shown, around the character with the index `at`; `…` marks each cut end.
fn excerpt(line: &str, at: usize) -> String {
    let count = line.chars().count();
    if count <= MAX_EXCERPT {
        return format!("{line:?}");
    }
    let first = at.saturating_sub(MAX_EXCERPT / 2).min(count - MAX_EXCERPT);
    let shown: String = line.chars().skip(first).take(MAX_EXCERPT).collect();
    let before = if first > 0 { "…" } else { "" };
    let after = if first + MAX_EXCERPT < count {
        "…"
    } else {
        ""
    };
    format!("{before}{shown:?}{after}")
}

/// Texts that a model may have meant by `wanted`, each with a description:
///
/// - `without the line numbers`, if `read` put a number and a tab before every line;
/// - ``with its `\n`, `\t` and `\"` unescaped``, if they were escaped once too often;
/// - `without its final line end`, if `text` ends that way.
pub fn corrections(text: &str, wanted: &str) -> Vec<(&'static str, String)> {
    let mut found = Vec::new();
    let unnumbered = wanted.lines().map(|line| {
        let (number, line) = line.split_once('\t')?;
        number.trim_start().parse::<usize>().ok().map(|_| line)
    });
    if let Some(lines) = unnumbered.collect::<Option<Vec<&str>>>() {
        found.push(("without the line numbers", lines.join("\n")));
    }
    let unescaped = wanted.replace("\\n", "\n").replace("\\t", "\t");
    let unescaped = unescaped.replace("\\\"", "\"");
    if unescaped != wanted {
        found.push(("with its `\\n`, `\\t` and `\\\"` unescaped", unescaped));
    }
    if let Some(rest) = wanted.strip_suffix('\n')
        && text.ends_with(rest)
    {
        found.push(("without its final line end", rest.to_string()));
    }
    found
}

/// How often each pair of neighboring bytes occurs in a line, white space left out.
struct BigramCounts {
    /// By the pair's two bytes.
    counts: Vec<u32>,
    total: usize,
    /// The pairs that the line which is compared has in common with this one. All lines share this
    /// buffer, since an allocation takes longer than the comparison of a line.
    shared: Vec<usize>,
}

impl BigramCounts {
    fn of(line: &str) -> Self {
        let compact = CompactLines::of(&[line]).bytes;
        let mut counts = vec![0; 1 << 16];
        for bigram in bigrams(&compact) {
            counts[bigram] += 1;
        }
        Self {
            counts,
            total: compact.len().saturating_sub(1),
            shared: Vec::new(),
        }
    }

    /// The share of pairs that this line and another one, without white space, have in common, from
    /// 0 to 1: Dice's coefficient. For a line that can't reach `least`, any smaller number.
    ///
    /// An edit distance would respect their order too, but takes quadratic time.
    fn similarity(&mut self, compact: &[u8], least: f64) -> f64 {
        let total = compact.len().saturating_sub(1);
        let all = self.total + total;
        self.shared.clear();
        // Most lines can't reach `least`, by their length or by their first pairs.
        if dice(self.total.min(total), all) < least {
            return 0.0;
        }
        let mut missing = 0;
        for bigram in bigrams(compact) {
            if self.counts[bigram] > 0 {
                self.counts[bigram] -= 1;
                self.shared.push(bigram);
                continue;
            }
            missing += 1;
            // At best, the lines have all other pairs of `compact` in common.
            if dice(total - missing, all) < least {
                break;
            }
        }
        for bigram in &self.shared {
            self.counts[*bigram] += 1;
        }
        dice(self.shared.len(), all)
    }
}

/// Dice's coefficient of two lines with `shared` common pairs and `total` pairs together.
fn dice(shared: usize, total: usize) -> f64 {
    (2 * shared) as f64 / total.max(1) as f64
}

/// The pairs of neighboring bytes, each as one number.
fn bigrams(compact: &[u8]) -> impl Iterator<Item = usize> {
    let pairs = compact.windows(2);
    pairs.map(|pair| usize::from(pair[0]) << 8 | usize::from(pair[1]))
}
