//! List items that share the verb of the first one: *steps left, right, left*, *rolls the shoulders
//! back five times, forwards five*.

use std::ops::Range;

use serde_json::Value as Json;

use super::{
    Assembly, Draft,
    constructions::{Added, What, drop_begun_in},
    cues::as_json,
};
use crate::{
    numbers,
    rules::{self, Cue},
};

/// Body parts that have a side.
const LIMBS: [&str; 10] =
    ["foot", "leg", "knee", "hand", "arm", "fist", "elbow", "shoulder", "side", "hip"];
/// Words that may accompany a side or a direction without adding anything.
const BESIDE: [&str; 12] =
    ["the", "his", "her", "to", "with", "on", "over", "again", "x", "times", "one", "a"];

/// A list item that gives only a direction or a side.
struct Member {
    cue: Cue,
    /// The limb that has the side.
    limb: Option<String>,
    number: Option<Json>,
}

impl Assembly<'_> {
    /// Adds an event per item that repeats the first one with another side or direction. Also
    /// returns the word ranges of these items.
    pub(super) fn apply_ellipsis(
        &self,
        spans: &[Vec<usize>],
        drafts: &mut [Option<Draft>],
        used: &mut [bool],
    ) -> (Vec<Added>, Vec<Range<usize>>) {
        let (mut added, mut told) = (Vec::new(), Vec::new());
        for stretch in self.clauses() {
            let Some(member) = self.member(&stretch) else { continue };
            let said = self.bytes(&stretch);
            let Some((of, first)) = self.begins_list(&stretch, &member, spans, drafts) else {
                continue;
            };
            drop_begun_in(drafts, &said);
            let Some(draft) = &mut drafts[of] else { continue };
            draft.take_back(&said);
            let field = field_of(draft, &member, self.says_limb(first));
            if let Some(cue) = rules::cue(&self.words[first].text) {
                draft.json.insert(field.to_owned(), as_json(cue.value));
            }
            if draft.json.get("side").is_some_and(|side| side == "alternating") {
                draft.json.remove("side");
            }
            let mut other = vec![(field, as_json(member.cue.value))];
            let counted = if draft.json.contains_key("degrees") { "degrees" } else { "count" };
            other.extend(member.number.map(|number| (counted, number)));
            used[stretch.clone()].fill(true);
            let behind = spans.iter().rposition(|span| span[0] < stretch.start);
            added.push(Added { behind, what: What::Again(of, other), said });
            told.push(stretch);
        }
        (added, told)
    }

    /// Parses a clause after a comma, *then* or *and* that gives a direction or side and nothing
    /// else.
    fn member(&self, stretch: &Range<usize>) -> Option<Member> {
        let before = stretch.start.checked_sub(1).map(|place| self.plain(place))?;
        if ![",", "then", "and"].contains(&before.as_str()) {
            return None;
        }
        let (mut cue, mut limb, mut number) = (None, None, None);
        for place in stretch.clone() {
            let word = self.plain(place);
            let way = rules::cue(&word).filter(|cue| cue.fields.contains(&"direction"));
            if let Some(way) = way {
                if cue.replace(way).is_some() {
                    return None;
                }
            } else if LIMBS.contains(&word.as_str()) {
                // *knee left* is a strike with the knee
                cue.as_ref()?;
                limb = Some(word);
            } else if word != "one"
                && word != "a"
                && (numbers::is_number(&word) || word.parse::<u32>().is_ok())
            {
                number = self.number("count", &word)?.ok();
            } else if !BESIDE.contains(&word.as_str()) {
                return None;
            }
        }
        Some(Member { cue: cue?, limb, number })
    }

    /// Returns the draft of this sentence whose verb a list item shares, and the word index at
    /// which that draft gives its own side or direction.
    fn begins_list(
        &self,
        stretch: &Range<usize>,
        member: &Member,
        spans: &[Vec<usize>],
        drafts: &[Option<Draft>],
    ) -> Option<(usize, usize)> {
        let sentences = self.sentences();
        let sentence = sentences.iter().find(|sentence| sentence.contains(&stretch.start))?;
        let clauses = self.clauses();
        let is_member = |place: usize| {
            let own = clauses.iter().find(|clause| clause.contains(&place));
            own.is_some_and(|own| self.member(own).is_some())
        };
        let of = (0..spans.len()).rev().find(|number| {
            let first = spans[*number][0];
            drafts[*number].is_some()
                && (sentence.start..stretch.start).contains(&first)
                && !is_member(first)
        })?;
        let own = clauses.iter().find(|clause| clause.contains(&spans[of][0]))?;
        let says = |place: &usize| {
            rules::cue(&self.words[*place].text).is_some_and(|cue| cue.fields == member.cue.fields)
        };
        let first = own.clone().find(says)?;
        // *raises the right hand, the left knee*: the items are about different limbs
        let names = |limb: &String| own.clone().any(|place| self.plain(place).starts_with(limb));
        if !member.limb.as_ref().is_none_or(names) {
            return None;
        }
        // nothing but list items may stand in between
        let between =
            clauses.iter().filter(|one| one.start > own.start && one.end <= stretch.start);
        let is_list = between.clone().all(|one| self.member(one).is_some());
        is_list.then_some((of, first))
    }

    /// Whether the word after a side is a limb: *left hand*.
    fn says_limb(&self, place: usize) -> bool {
        LIMBS.contains(&self.plain(place + 1).as_str())
    }
}

/// Returns whether *left* is a side or a direction in this list.
fn field_of(draft: &Draft, member: &Member, says_limb: bool) -> &'static str {
    let is_way = |field: &str| {
        let value = draft.json.get(field).and_then(Json::as_str);
        value.is_some_and(|value| value == "left" || value == "right")
    };
    let only_direction = !member.cue.fields.contains(&"side");
    let is_limb = member.limb.is_some() || says_limb || is_way("side") && !is_way("direction");
    if only_direction || !is_limb { "direction" } else { "side" }
}

#[cfg(test)]
mod tests {
    use limber_script::Script;

    use crate::Reader;

    fn script(text: &str) -> Script {
        Reader::shared().read(text).script.expect("there is an action")
    }

    fn directions(text: &str) -> Vec<String> {
        let told = script(text);
        let told = told.events().iter().filter_map(|event| event.direction);
        told.map(|direction| direction.to_string()).collect()
    }

    #[test]
    fn the_members_of_a_list_share_its_verb() {
        assert_eq!(directions("she sidesteps left, right, left"), ["left", "right", "left"]);
        assert_eq!(directions("He leans forward, then backward."), ["forward", "backward"]);
    }

    #[test]
    fn a_later_side_refers_to_the_same_limb() {
        let told = script("she raises the right hand, then the left hand");
        let sides: Vec<String> =
            told.events().iter().filter_map(|event| event.side).map(|s| s.to_string()).collect();
        assert_eq!(sides, ["right", "left"], "{told}");
    }

    #[test]
    fn a_new_side_with_an_action_is_a_new_event() {
        let told = script("she steps left, right hand on her hip, and waves");
        assert!(told.events().len() <= 3, "{told}");
        let told = script("elbow strike right, knee left");
        let strikes = told.events().iter().filter(|event| event.deed.to_string().contains("elbow"));
        assert_eq!(strikes.count(), 1, "{told}");
    }
}
