//! What happened to each field, over all messages.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::compare::Fate;

/// The findings by conversion, role and path.
#[derive(Default)]
pub struct Findings(BTreeMap<(String, String, String), Finding>);

/// What happened to one field of one role's messages in one conversion.
#[derive(Default)]
pub struct Finding {
    sent: usize,
    kept: usize,
    lost: usize,
    /// How often its block became one of another type.
    became: BTreeMap<String, usize>,
    /// The values that changed, as sent and as returned.
    changed: Vec<(Value, Value)>,
}

impl Findings {
    pub fn add(&mut self, conversion: &str, role: &str, path: &str, fate: &Fate) {
        let key = (conversion.to_string(), role.to_string(), path.to_string());
        let finding = self.0.entry(key).or_default();
        finding.sent += 1;
        match fate {
            Fate::Kept => finding.kept += 1,
            Fate::Lost => finding.lost += 1,
            Fate::Became(kind) => *finding.became.entry(kind.clone()).or_default() += 1,
            Fate::Changed(sent, returned) => finding.changed.push((sent.clone(), returned.clone())),
        }
    }

    pub fn get(&self, conversion: &str, role: &str, path: &str) -> Option<&Finding> {
        let key = (conversion.to_string(), role.to_string(), path.to_string());
        self.0.get(&key)
    }

    /// The path and the role of each field that was sent.
    pub fn fields(&self) -> BTreeSet<(&str, &str)> {
        let keys = self.0.keys();
        keys.map(|(_, role, path)| (path.as_str(), role.as_str()))
            .collect()
    }

    /// The role and the path of each field that was not always kept.
    pub fn lost(&self, conversion: &str) -> impl Iterator<Item = (&str, &str)> {
        let findings = self.0.iter();
        findings
            .filter(move |((name, ..), finding)| name == conversion && finding.kept < finding.sent)
            .map(|((_, role, path), _)| (role.as_str(), path.as_str()))
    }
}

impl Finding {
    /// A cell of the table, such as `kept, or lost`.
    pub fn text(&self) -> String {
        if self.kept == self.sent {
            return "kept".to_string();
        }
        let mut fates: BTreeSet<String> = BTreeSet::new();
        // Now and then a block of another type is in the place of a lost one by chance.
        match self.became.iter().max_by_key(|(_, count)| **count) {
            Some((kind, count)) if *count > self.lost && !kind.is_empty() => {
                fates.insert(format!("its block becomes `{kind}`"));
            }
            None if self.lost == 0 => {}
            _ => {
                fates.insert("lost".to_string());
            }
        }
        fates.extend(self.change());
        let fates = fates.into_iter().collect::<Vec<_>>().join("; ");
        match self.kept {
            0 => fates,
            _ => format!("kept, or {fates}"),
        }
    }

    /// What the changes have in common.
    fn change(&self) -> Option<String> {
        let (first, _) = self.changed.first()?;
        let all = |rule: fn(&Value, &Value) -> bool| {
            self.changed
                .iter()
                .all(|(sent, returned)| rule(sent, returned))
        };
        let mut kinds = self.changed.iter().map(|(sent, it)| (kind(sent), kind(it)));
        let other_kind = kinds.find(|(sent, returned)| sent != returned);
        let names = self.changed_names();
        Some(match other_kind {
            Some((sent, returned)) => format!("{sent} to {returned}"),
            None if first.is_null() => "changed".to_string(),
            None if all(|_, returned| returned == "" || *returned == 0) => "emptied".to_string(),
            None if !names.is_empty() => names.join("; "),
            None if all(is_part) => "joined with more".to_string(),
            None if all(is_time_in_milliseconds) => "cut to milliseconds".to_string(),
            None if all(is_same_json) => "formatted again".to_string(),
            None => "changed".to_string(),
        })
    }

    /// If the field holds one of a few names: which names become which.
    fn changed_names(&self) -> Vec<String> {
        let mut changes: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (sent, returned) in &self.changed {
            let (Some(sent), Some(returned)) = (name(sent), name(returned)) else {
                return Vec::new();
            };
            changes.entry(sent).or_default().insert(returned);
        }
        if changes.len() > 12 {
            return Vec::new();
        }
        let mut by_result: BTreeMap<BTreeSet<String>, Vec<String>> = BTreeMap::new();
        for (sent, returned) in changes {
            by_result.entry(returned).or_default().push(sent);
        }
        let texts = by_result.into_iter().map(|(returned, sent)| {
            let returned = Vec::from_iter(returned).join(" or ");
            format!("{} to {returned}", sent.join(", "))
        });
        texts.collect()
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "nothing",
        Value::Bool(_) => "flag",
        Value::Number(_) => "number",
        Value::String(_) => "text",
        Value::Array(_) => "list",
        Value::Object(_) => "object",
    }
}

/// A value of letters and underscores, or a flag, in backticks.
fn name(value: &Value) -> Option<String> {
    let is_letter = |it: char| it.is_ascii_alphabetic() || it == '_';
    match value {
        Value::Bool(flag) => Some(format!("`{flag}`")),
        Value::String(name) if !name.is_empty() && name.chars().all(is_letter) => {
            Some(format!("`{name}`"))
        }
        _ => None,
    }
}

fn is_part(sent: &Value, returned: &Value) -> bool {
    let texts = sent.as_str().zip(returned.as_str());
    texts.is_some_and(|(part, whole)| whole.contains(part))
}

fn is_time_in_milliseconds(sent: &Value, returned: &Value) -> bool {
    let time = |value: &Value| {
        let time = chrono::DateTime::parse_from_rfc3339(value.as_str()?);
        Some(time.ok()?.timestamp_millis())
    };
    time(sent).is_some() && time(sent) == time(returned)
}

fn is_same_json(sent: &Value, returned: &Value) -> bool {
    let json = |value: &Value| serde_json::from_str::<Value>(value.as_str()?).ok();
    json(sent).is_some() && json(sent) == json(returned)
}
