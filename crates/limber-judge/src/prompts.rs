//! The prompts for evaluating engines, stored in `data/prompts.toml`.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::Expected;

/// A versioned set of prompts.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PromptSet {
    /// Incremented with every change; results for different versions are not comparable.
    pub version: u32,
    /// Groups of similar prompts.
    #[serde(rename = "family")]
    pub families: Vec<Family>,
}

/// A group of similar prompts.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Family {
    /// What the prompts have in common.
    pub name: String,
    /// The prompts and what must be seen.
    pub prompts: Vec<Expected>,
}

/// The built-in set.
///
/// # Panics
/// Never: a test parses the same text.
#[must_use]
pub fn prompt_set() -> &'static PromptSet {
    static SET: LazyLock<PromptSet> = LazyLock::new(|| {
        toml::from_str(include_str!("../data/prompts.toml"))
            .unwrap_or_else(|error| panic!("data/prompts.toml: {error}"))
    });
    &SET
}

impl PromptSet {
    /// All prompts, family by family.
    pub fn all(&self) -> impl Iterator<Item = &Expected> {
        self.families.iter().flat_map(|family| &family.prompts)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::DetectedAction;

    #[test]
    fn there_are_two_hundred_distinct_prompts() {
        let said: Vec<&str> = prompt_set().all().map(|expected| expected.say.as_str()).collect();
        let distinct: BTreeSet<&str> = said.iter().copied().collect();
        assert!(distinct.len() >= 200, "{}", distinct.len());
        assert_eq!(distinct.len(), said.len());
    }

    #[test]
    fn every_prompt_has_expectations() {
        for expected in prompt_set().all() {
            assert!(!expected.say.is_empty() && !expected.see.is_empty(), "{}", expected.say);
        }
    }

    #[test]
    fn most_actions_are_requested() {
        let asked = |deed| {
            prompt_set().all().any(|expected| expected.see.iter().any(|step| step.deed == deed))
        };
        let missing: Vec<&DetectedAction> =
            DetectedAction::ALL.iter().filter(|deed| !asked(**deed)).collect();
        assert!(missing.len() < 8, "{missing:?}");
    }
}
