//! The rules of all layers, and the one that decides about a call.

use anyhow::Result;

use super::{CallPattern, Certainty, Places};
use crate::types::{PermissionBehavior, PermissionRule, ToolCall};

/// Where rules come from, from the strongest layer to the weakest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RuleLayer {
    /// The command line of this session.
    Flags,
    /// The user's settings for this project, which are not shared.
    Local,
    /// The project's settings, which all of its users share.
    Project,
    /// The user's settings for all projects.
    User,
}

/// The rules of all layers.
#[derive(Debug, Clone)]
pub struct Rules {
    /// The folders from which the paths of patterns start.
    places: Places,
    /// Sorted by layer. Inside a layer, rules keep the order in which they were added.
    rules: Vec<LayerRule>,
}

/// A rule with its layer and its pattern, read once.
#[derive(Debug, Clone)]
struct LayerRule {
    layer: RuleLayer,
    pattern: CallPattern,
    rule: PermissionRule,
}

impl Rules {
    /// No rules.
    pub fn new(places: Places) -> Self {
        Self {
            places,
            rules: Vec::new(),
        }
    }

    /// The folders from which the paths of patterns start.
    pub fn places(&self) -> &Places {
        &self.places
    }

    /// Adds a rule at the end of its layer. A pattern that can't be read is an error, and
    /// nothing is added.
    pub fn add(&mut self, layer: RuleLayer, rule: PermissionRule) -> Result<()> {
        let pattern = CallPattern::parse(&rule.tool_pattern, &self.places)?;
        let place = self.rules.partition_point(|it| it.layer <= layer);
        let added = LayerRule {
            layer,
            pattern,
            rule,
        };
        self.rules.insert(place, added);
        Ok(())
    }

    /// The rule that decides about a call, if any matches: the first one that denies, in
    /// whatever layer it is; otherwise the first one that allows or asks, the strongest layer
    /// first.
    ///
    /// A rule that allows matches only with [`Certainty::Certain`], any other one with
    /// [`Certainty::Possible`].
    pub fn decide(&self, call: &ToolCall) -> Option<&PermissionRule> {
        let mut matching = self.rules.iter().filter(|it| it.matches(call)).peekable();
        let first = matching.peek().copied();
        let denying = matching.find(|it| it.rule.behavior == PermissionBehavior::Deny);
        denying.or(first).map(|it| &it.rule)
    }
}

impl LayerRule {
    /// Whether the rule's pattern matches the call, with the certainty that its behavior needs.
    fn matches(&self, call: &ToolCall) -> bool {
        let certainty = match self.rule.behavior {
            PermissionBehavior::Allow => Certainty::Certain,
            PermissionBehavior::Deny | PermissionBehavior::Ask => Certainty::Possible,
        };
        self.pattern.matches(call, certainty)
    }
}
