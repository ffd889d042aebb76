//! Constructions that mean the same for every action: *keeps going*, *stops to look*, *left, then
//! right*, *and stays there*.

use std::collections::BTreeMap;

use limber_script::Script;
use serde_json::{Map, Value as Json};

use super::{Assembly, Draft, ways::travels};
use crate::{
    postures,
    reading::{EventWords, Field, WordRange},
    words::plain,
};

/// Fields that are not copied to an event that repeats another: its amounts, timing and posture.
const HOW_MUCH: [&str; 9] =
    ["count", "steps", "seconds", "meters", "degrees", "beat", "while", "as_soon_as", "posture"];
/// Fields that hold the index of another event.
pub(crate) const PLACES: [&str; 5] = ["while", "as_soon_as", "beat_of", "continues", "until"];

/// An event that the words imply and that is no draft.
pub(super) struct Added {
    /// The draft that it follows; `None` if it comes first.
    pub(super) behind: Option<usize>,
    pub(super) what: What,
    pub(super) said: WordRange,
}

/// What an added event does.
#[derive(Clone)]
pub(super) enum What {
    /// Repeats a draft, given by number, with these fields changed: *left, then right*.
    Again(usize, Vec<(&'static str, Json)>),
    /// An event with these fields.
    New(Map<String, Json>),
    /// An event with these fields that runs alongside the one before it.
    Beside(Map<String, Json>),
}

/// Placeholder for the index of the event before, which is not known yet.
const THE_ONE_BEFORE: Json = Json::Null;

impl Draft {
    /// Removes the fields that are set only by words in this byte range of the prompt.
    pub(super) fn take_back(&mut self, said: &WordRange) {
        let is_here = |range: &WordRange| said.contains(&range.start);
        let fields: Vec<Field> = self.words.fields.iter().map(|(field, _)| field.clone()).collect();
        for field in fields {
            let mut ranges = self.words.fields.iter().filter(|(known, _)| *known == field);
            if ranges.all(|(_, range)| is_here(range)) {
                self.json.remove(field.as_str());
            }
        }
        self.words.fields.retain(|(_, range)| !is_here(range));
    }
}

/// Drops the drafts that begin in a byte range of the prompt whose meaning a rule covers.
pub(super) fn drop_begun_in(drafts: &mut [Option<Draft>], said: &WordRange) {
    for draft in drafts {
        *draft = draft.take().filter(|draft| !said.contains(&draft.words.deed.start));
    }
}

impl Assembly<'_> {
    /// Drops the *stops* of *stops to look*, and makes *keeps going* repeat the action before the
    /// interruption.
    pub(super) fn apply_constructions(&self, spans: &[Vec<usize>], drafts: &mut [Option<Draft>]) {
        for (number, draft) in drafts.iter_mut().enumerate() {
            if self.only_leads_to(spans, number) {
                *draft = None;
            }
        }
        for number in 1..drafts.len() {
            if !self.all_in(&spans[number], &GOING_ON) {
                continue;
            }
            let Some(before) =
                drafts[number].as_ref().map(|draft| draft.references.get("continues"))
            else {
                continue;
            };
            let Some(named) = before.copied().filter(|before| *before < number) else { continue };
            let named = went_before(drafts, number).unwrap_or(named);
            let Some(other) = &drafts[named] else { continue };
            let mut json = other.json.clone();
            json.retain(|field, _| !HOW_MUCH.contains(&field.as_str()));
            if let Some(draft) = &mut drafts[number] {
                let told = std::mem::take(&mut draft.json).into_iter();
                json.extend(
                    told.filter(|(field, _)| !matches!(field.as_str(), "do" | "move" | "part")),
                );
                draft.json = json;
                draft.references.insert("continues", named);
            }
        }
        self.apply_only_how(spans, drafts);
    }

    /// Turns a phrase without a verb into a repetition of the event before, done differently:
    /// *circles both arms backward, then forward*.
    fn apply_only_how(&self, spans: &[Vec<usize>], drafts: &mut [Option<Draft>]) {
        for number in 1..drafts.len() {
            let Some(before) = (0..number).rev().find(|before| drafts[*before].is_some()) else {
                continue;
            };
            // a body part with a direction is a movement of its own
            let is_how = |draft: &&Draft| {
                !draft.json.contains_key("part") && self.all_in(&spans[number], &HOW)
            };
            let Some(draft) = drafts[number].as_ref().filter(is_how) else { continue };
            let told = draft.json.clone().into_iter();
            let told = told.filter(|(field, _)| !matches!(field.as_str(), "do" | "move" | "part"));
            let mut json =
                drafts[before].as_ref().map(|draft| draft.json.clone()).unwrap_or_default();
            json.retain(|field, _| !HOW_MUCH.contains(&field.as_str()));
            json.extend(told);
            if let Some(draft) = &mut drafts[number] {
                draft.json = json;
            }
        }
    }

    /// Returns the repetition of the first action if someone was interrupted and *keeps going*,
    /// unless an event was read from these words.
    pub(super) fn going_on(&self, drafts: &[Option<Draft>], used: &mut [bool]) -> Option<Added> {
        let is_done = |place: usize| {
            let start = self.words[place].place.start;
            drafts.iter().flatten().any(|draft| draft.words.deed.contains(&start))
        };
        let at = (1..self.words.len()).rev().find(|place| {
            let pair = [place - 1, *place].map(|place| plain(&self.words[place].text));
            let is_said = KEEPING_ON.contains(&[pair[0].as_str(), pair[1].as_str()]);
            is_said && !is_done(place - 1) && !is_done(*place)
        })?;
        let said = self.words[at - 1].place.start..self.words[at].place.end;
        let in_turn = |draft: &Draft| !draft.references.contains_key("while");
        let before: Vec<usize> = (0..drafts.len())
            .filter(|number| {
                let draft = drafts[*number].as_ref().filter(|draft| in_turn(draft));
                draft.is_some_and(|draft| draft.words.deed.end <= said.start)
            })
            .collect();
        let [.., of, behind] = before[..] else { return None };
        let of = went_before(drafts, behind).unwrap_or(of);
        used[at - 1..=at].fill(true);
        Some(Added { behind: Some(behind), what: What::Again(of, Vec::new()), said })
    }

    /// Applies a count to both of two linked events: in *crouches and stands up three times*, every
    /// standing up needs a crouch before it.
    pub(super) fn counted_together(
        &self,
        spans: &[Vec<usize>],
        drafts: &mut [Option<Draft>],
    ) -> Vec<Added> {
        let mut again = Vec::new();
        for second in 1..drafts.len() {
            let first = second - 1;
            let Some(count) = drafts[second].as_ref().and_then(|draft| draft.json.get("count"))
            else {
                continue;
            };
            let (Some(times), count) = (count.as_u64(), count.clone()) else { continue };
            let Some(draft) = &drafts[first] else { continue };
            let is_alone = draft.json.get("count").is_none_or(|other| *other == count);
            let behind = spans[first][0] + 1;
            let between = self.words.get(behind..spans[second][0]).unwrap_or_default();
            let is_joined = between.iter().any(|word| plain(&word.text) == "and")
                && !between.iter().any(|word| matches!(word.text.as_str(), "," | "." | ";"));
            let changes = [first, second].iter().all(|number| changes_posture(&drafts[*number]));
            if times < 2 || !is_alone || !is_joined || !changes {
                continue;
            }
            let said = drafts[second].as_ref().map(|draft| draft.words.deed.clone());
            for _ in 1..times.min(Script::MOST_EVENTS as u64) {
                again.extend([first, second].map(|of| Added {
                    behind: Some(second),
                    what: What::Again(of, Vec::new()),
                    said: said.clone().unwrap_or_default(),
                }));
            }
            for draft in drafts[first..=second].iter_mut().flatten() {
                draft.json.remove("count");
            }
        }
        again
    }

    fn all_in(&self, span: &[usize], known: &[&str]) -> bool {
        span.iter().all(|word| known.contains(&plain(&self.words[*word].text).as_str()))
    }

    /// Whether an event is the *stops* of *stops to scratch his head*.
    fn only_leads_to(&self, spans: &[Vec<usize>], number: usize) -> bool {
        let (span, next) = (&spans[number], spans.get(number + 1));
        let behind = span[span.len() - 1] + 1;
        let is_to = self.words.get(behind).is_some_and(|word| plain(&word.text) == "to");
        self.all_in(span, &STOPPING) && is_to && next.is_some_and(|next| next[0] == behind + 1)
    }

    /// Whether two words describe a sequence, not alternatives: *left, then right*.
    pub(super) fn are_in_turn(&self, first: usize, second: usize) -> bool {
        let between: Vec<String> =
            self.words[first + 1..second].iter().map(|word| plain(&word.text)).collect();
        let has = |known: &[&str]| between.iter().any(|word| known.contains(&word.as_str()));
        let leads_on = between.first().is_some_and(|word| word == "to" || word == "into");
        has(&["then", ",", ";", "."]) && !leads_on && !has(&["or", "no", "not", "instead"])
    }

    /// Whether the prompt ends in a state that is kept: *and stays there*, *hold the end pose*,
    /// *doesn't get up again*.
    pub(super) fn ends_held(&self) -> bool {
        let words: Vec<String> = (self.words.iter())
            .map(|word| plain(&word.text))
            .filter(|word| word.chars().any(char::is_alphanumeric))
            .collect();
        let tail = |count: usize| words[words.len().saturating_sub(count)..].join(" ");
        let ends = |endings: &[&str]| {
            endings.iter().any(|ending| tail(ending.split(' ').count()) == *ending)
        };
        let last = words.len().saturating_sub(9);
        let stays_down = words[last..].windows(2).any(|pair| {
            let gets = matches!(pair[0].as_str(), "get" | "gets" | "getting" | "got");
            gets && pair[1] == "up"
        }) && words[last..].iter().any(|word| {
            matches!(
                word.as_str(),
                "not" | "never" | "dont" | "doesnt" | "don" | "doesn" | "without"
            )
        });
        ends(&HELD) || stays_down
    }
}

/// Returns the last travelling draft before this one: going on after a stumble does not mean
/// stumbling on.
fn went_before(drafts: &[Option<Draft>], number: usize) -> Option<usize> {
    (0..number).rev().find(|before| {
        let action = drafts[*before].as_ref().and_then(|draft| draft.json.get("do")?.as_str());
        action.is_some_and(travels)
    })
}

/// Whether the action of a draft leaves the body in another posture.
fn changes_posture(draft: &Option<Draft>) -> bool {
    let action = draft.as_ref().and_then(|draft| draft.json.get("do")).and_then(Json::as_str);
    action.is_some_and(|action| postures::posture_after(action).is_some())
}

/// Shifts the references of an event to make room for an event at index `place`.
pub(crate) fn make_room(event: &mut Map<String, Json>, place: usize) {
    for field in PLACES {
        if let Some(other) = event.get_mut(field)
            && let Some(index) = other.as_u64().filter(|index| *index >= place as u64)
        {
            *other = Json::from(index + 1);
        }
    }
}

/// Inserts the added events right behind the drafts that they follow; `order` holds the numbers of
/// the drafts in order of time.
pub(super) fn put_in(
    events: &mut Vec<(Map<String, Json>, EventWords)>,
    order: &[usize],
    added: Vec<Added>,
) {
    let mut by_place: BTreeMap<usize, Vec<Added>> = BTreeMap::new();
    for added in added {
        // the draft itself may have been dropped
        let last =
            added.behind.and_then(|behind| order.iter().rposition(|number| *number <= behind));
        by_place.entry(last.map_or(0, |last| last + 1)).or_default().push(added);
    }
    for (place, all) in by_place.into_iter().rev() {
        for added in all.into_iter().rev() {
            if events.len() == Script::MOST_EVENTS {
                break;
            }
            let Some(event) = event_of(added, events, order) else { continue };
            events.iter_mut().for_each(|(json, _)| make_room(json, place));
            events.insert(place, event);
        }
    }
    for (place, (json, _)) in events.iter_mut().enumerate() {
        if let Some(other) = json.get_mut("while").filter(|other| **other == THE_ONE_BEFORE) {
            *other = Json::from(place - 1);
        }
    }
}

fn event_of(
    added: Added,
    events: &[(Map<String, Json>, EventWords)],
    order: &[usize],
) -> Option<(Map<String, Json>, EventWords)> {
    let named = |said| EventWords { deed: said, fields: Vec::new(), certainty: 1.0 };
    let (of, other) = match added.what {
        What::New(json) => return Some((json, named(added.said))),
        What::Beside(mut json) => {
            json.insert("while".to_owned(), THE_ONE_BEFORE);
            return Some((json, named(added.said)));
        }
        What::Again(of, other) => (of, other),
    };
    let (mut json, mut words) = events[order.iter().position(|number| *number == of)?].clone();
    json.retain(|field, _| !PLACES.contains(&field.as_str()) && field != "beat");
    if other.is_empty() {
        json.retain(|field, _| !HOW_MUCH.contains(&field.as_str()));
        words = EventWords { certainty: words.certainty, ..named(added.said.clone()) };
    }
    for (name, value) in other {
        json.insert(name.to_owned(), value);
        words.fields.retain(|(field, _)| field.as_str() != name);
        words.fields.push((Field(name.to_owned()), added.said.clone()));
    }
    Some((json, words))
}

const GOING_ON: [&str; 17] = [
    "keep",
    "keeps",
    "kept",
    "keeping",
    "go",
    "goes",
    "going",
    "went",
    "on",
    "carry",
    "carries",
    "continue",
    "continues",
    "continuing",
    "resume",
    "resumes",
    "again",
];
/// Words that describe how something is done, never what.
const HOW: [&str; 14] = [
    "forward",
    "forwards",
    "backward",
    "backwards",
    "left",
    "right",
    "again",
    "more",
    "slowly",
    "faster",
    "slower",
    "bigger",
    "smaller",
    "deeper",
];
const KEEPING_ON: [[&str; 2]; 8] = [
    ["keeps", "going"],
    ["keep", "going"],
    ["goes", "on"],
    ["go", "on"],
    ["carries", "on"],
    ["carry", "on"],
    ["and", "continues"],
    ["then", "continues"],
];
const STOPPING: [&str; 9] =
    ["stop", "stops", "stopped", "stopping", "pause", "pauses", "pausing", "halt", "halts"];
const HELD: [&str; 30] = [
    "stay down",
    "stays down",
    "stay there",
    "stays there",
    "stay put",
    "stays put",
    "stay low",
    "stays low",
    "stay up",
    "stays up",
    "stay like that",
    "stays like that",
    "and hold",
    "hold it",
    "holds it",
    "hold that",
    "hold the pose",
    "holds the pose",
    "hold the end pose",
    "holds the end pose",
    "hold end pose",
    "hold pose",
    "end pose",
    "final pose",
    "and stay",
    "and stays",
    "lies still",
    "lies there",
    "stay still",
    "stays still",
];

#[cfg(test)]
mod tests {
    use limber_script::{End, Script};

    use crate::Reader;

    fn script(text: &str) -> Script {
        Reader::shared().read(text).script.expect("there is an action")
    }

    fn deeds(text: &str) -> Vec<String> {
        script(text).events().iter().map(|event| event.deed.to_string()).collect()
    }

    #[test]
    fn stopping_to_act_and_keeping_going_are_read() {
        assert_eq!(deeds("she marches, salutes, and keeps going"), ["march", "salute", "march"]);
        assert_eq!(
            deeds("a nurse pushes a trolley, stops to sneeze, and goes on"),
            ["push shopping cart", "sneeze", "push shopping cart"]
        );
    }

    #[test]
    fn repeated_reversible_actions_alternate_with_their_opposite() {
        let told = deeds("she crouches and stands up twice, then waves");
        assert_eq!(told, ["crouch", "stand up", "crouch", "stand up", "wave"]);
        assert!(deeds("a man waves and claps twice.").len() <= 2);
    }

    #[test]
    fn both_of_two_successive_directions_are_taken() {
        let directions = |text: &str| -> Vec<String> {
            let told = script(text);
            let told = told.events().iter().filter_map(|event| event.direction);
            told.map(|direction| direction.to_string()).collect()
        };
        assert_eq!(directions("sidesteps left, then right"), ["left", "right"]);
    }

    #[test]
    fn staying_down_ends_the_clip_down() {
        assert_eq!(script("a soldier falls on his back and stays down").end(), End::Hold);
        assert_eq!(script("a soldier falls and does not get up").end(), End::Hold);
        assert_eq!(script("a soldier falls on his back").end(), End::Idle);
    }
}
