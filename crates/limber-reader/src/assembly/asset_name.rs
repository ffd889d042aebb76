//! A prompt that starts with the name of an asset: *npc_greet_02: turns, waves*. The name sums up
//! what the description spells out.

use serde_json::Value as Json;

use super::{Assembly, Draft};

/// A description with at least this many actions spells out the whole name.
const LIST: usize = 3;
/// What may stand between the name and the description.
const BEHIND: [char; 6] = [':', ',', '-', '–', '—', '('];

impl Assembly<'_> {
    /// Drops the actions read from the name if the description is a list or repeats them.
    pub(super) fn apply_asset_name(&self, drafts: &mut [Option<Draft>]) {
        let Some(end) = self.end_of_asset_name() else { return };
        let is_named = |draft: &Draft| draft.words.deed.start < end;
        let below = drafts.iter().flatten().filter(|draft| !is_named(draft));
        let below: Vec<Json> = below.filter_map(|draft| draft.json.get("do")).cloned().collect();
        for draft in drafts.iter_mut() {
            let is_told = |draft: &Draft| {
                let is_same = draft.json.get("do").is_some_and(|action| below.contains(action));
                is_named(draft) && (is_same || below.len() >= LIST)
            };
            *draft = draft.take().filter(|draft| !is_told(draft));
        }
    }

    /// Returns the end, in bytes, of the asset name at the start of the prompt.
    fn end_of_asset_name(&self) -> Option<usize> {
        let begin = self.prompt.len() - self.prompt.trim_start().len();
        let name = self.prompt[begin..].split([' ', ':', ',', '(']).next()?;
        let end = begin + name.len();
        let behind = self.prompt[end..].trim_start();
        let is_above = behind.starts_with(BEHIND) && behind.contains(char::is_alphabetic);
        (name.contains('_') && is_above).then_some(end)
    }
}

#[cfg(test)]
mod tests {
    use crate::Reader;

    fn deeds(text: &str) -> Vec<String> {
        let script = Reader::shared().read(text).script.expect("there is an action");
        script.events().iter().map(|event| event.deed.to_string()).collect()
    }

    #[test]
    fn an_asset_name_is_the_title_of_what_follows() {
        assert_eq!(deeds("emote_bow_03: bows, then waves"), ["bow", "wave"]);
        assert_eq!(deeds("emote_greet_03: bows, waves, claps").len(), 3);
        assert_eq!(deeds("jump_forward_high").len(), 1);
    }
}
