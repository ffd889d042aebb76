//! The name of an asset above what is told: *npc_greet_02: turns, waves*. It names what the rest tells.

use super::{Assembly, Draft};

/// What may stand between a name and what is told.
const BEHIND: [char; 6] = [':', ',', '-', '–', '—', '('];

impl Assembly<'_> {
    /// Actions of the name are those that are told below, if any are.
    pub(super) fn apply_asset_name(&self, drafts: &mut [Option<Draft>]) {
        let Some(end) = self.end_of_asset_name() else { return };
        let is_named = |draft: &Draft| draft.words.deed.start < end;
        let is_action = |draft: &Draft| draft.json.contains_key("do");
        if drafts.iter().flatten().any(|draft| !is_named(draft) && is_action(draft)) {
            for draft in drafts.iter_mut() {
                *draft = draft.take().filter(|draft| !is_named(draft));
            }
        }
    }

    /// Where the name ends that a prompt begins with, bytes.
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
        let script = Reader::shared().read(text).script.expect("something is done");
        script.events().iter().map(|event| event.deed.to_string()).collect()
    }

    #[test]
    fn the_name_of_an_asset_names_what_is_told_below() {
        assert_eq!(deeds("emote_salute_03: bows, then waves"), ["bow", "wave"]);
        assert_eq!(deeds("jump_forward_high").len(), 1);
    }
}
