//! Phrases that say how body parts are held during an action: *with her head down*, *arms out to
//! the sides*.
//!
//! Such a phrase accompanies a clause without being one. It becomes an event of its own that runs
//! alongside the event of that clause. If the phrase makes the model unsure of the rest of the
//! prompt, the rest is read again without it.

use std::{cmp::Ordering, ops::Range, sync::LazyLock};

use limber_script::Script;
use serde::Deserialize;
use serde_json::{Map, Value as Json, json};

use crate::{
    assembly::{PLACES, make_room},
    reading::{EventWords, Field, Reading, WordRange},
    rules::DETERMINERS,
    words::{Word, plain},
};

/// `assets/lexicon/carriage.toml`; that file documents its fields.
#[derive(Debug, Deserialize)]
struct File {
    carried: Vec<Row>,
}

#[derive(Debug, Deserialize)]
struct Row {
    parts: Vec<String>,
    states: Vec<String>,
    event: Map<String, Json>,
}

fn rows() -> &'static [Row] {
    static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
        let text = include_str!("../../../assets/lexicon/carriage.toml");
        toml::from_str::<File>(text).expect("a test checks it").carried
    });
    &ROWS
}

/// A phrase that says how a body part is held.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PosePhrase {
    /// Indices of all its words, including a leading *with* or comma.
    words: Range<usize>,
    /// What the phrase covers, as a byte range of the prompt.
    said: WordRange,
    /// The word that names the side.
    side: Option<WordRange>,
    event: Map<String, Json>,
}

/// Words before a body part that say which one is meant: *with both her hands*.
const WHICH: [&str; 5] = ["both", "two", "all", "left", "right"];
/// Words that only add a degree or a state.
const HOW_MUCH: [&str; 7] = ["slightly", "very", "fully", "held", "kept", "still", "straight"];
/// What may follow such a phrase. Before any other word it means something else: *head down the
/// street*.
const BEHIND: [&str; 12] =
    [",", ".", ";", "!", "and", "then", "as", "while", "but", "before", "until", "like"];

/// Finds all phrases that say how body parts are held.
pub(crate) fn pose_phrases(words: &[Word]) -> Vec<PosePhrase> {
    let plainly: Vec<String> = words.iter().map(|word| plain(&word.text)).collect();
    let mut found: Vec<PosePhrase> = Vec::new();
    let mut at = 0;
    while at < words.len() {
        match pose_phrase_at(words, &plainly, at, found.last()) {
            Some(one) => {
                at = one.words.end;
                found.push(one);
            }
            None => at += 1,
        }
    }
    found
}

/// Parses such a phrase from the word at `at`, which must follow *with*, a comma, the start of the
/// prompt, or an *and* right after another such phrase.
fn pose_phrase_at(
    words: &[Word],
    plainly: &[String],
    at: usize,
    before: Option<&PosePhrase>,
) -> Option<PosePhrase> {
    let opener = at.checked_sub(1).map(|place| plainly[place].as_str());
    let goes_on = opener == Some("and") && before.is_some_and(|one| one.words.end + 1 == at);
    let is_beside = matches!(opener, None | Some("with" | ",")) || goes_on;
    if !is_beside {
        return None;
    }
    let of_part = |place: &usize| {
        let word = plainly[*place].as_str();
        DETERMINERS.contains(&word) || WHICH.contains(&word)
    };
    let part = (at..words.len()).find(|place| !of_part(place))?;
    let (row, end) = rows()
        .iter()
        .filter_map(|row| Some((row, row.end(plainly, part)?)))
        .max_by_key(|(_, end)| *end)?;
    let next = plainly.get(end).map(String::as_str);
    // *With both arms raised he …* may be followed by anything
    let opens = at == 1 && opener == Some("with");
    if !opens && next.is_some_and(|next| !BEHIND.contains(&next)) {
        return None;
    }
    let mut event = row.event.clone();
    let side = (at..part).find(|place| matches!(&*plainly[*place], "left" | "right" | "both"));
    let is_many = plainly[part].ends_with('s') || plainly[part] == "feet";
    let has_sides = event.get("part").is_none_or(|part| {
        !matches!(part.as_str(), Some("head" | "chin" | "chest" | "back" | "upper-body"))
    });
    match side {
        Some(side) => _ = event.insert("side".to_owned(), json!(plainly[side])),
        None if is_many && has_sides && event.contains_key("move") => {
            event.insert("side".to_owned(), json!("both"));
        }
        // named actions use both hands by default, so a single part needs a side
        None if !is_many && event.contains_key("do") => {
            event.insert("side".to_owned(), json!("right"));
        }
        None => {}
    }
    let mut start = at;
    while start > 0 && matches!(plainly[start - 1].as_str(), "with" | "," | "and") {
        start -= 1;
    }
    Some(PosePhrase {
        words: start..end,
        said: words[at].place.start..words[end - 1].place.end,
        side: side.map(|place| words[place].place.clone()),
        event,
    })
}

impl Row {
    /// Returns the index after the phrase of this row whose body part starts at `part`.
    fn end(&self, plainly: &[String], part: usize) -> Option<usize> {
        let behind = self.parts.iter().filter_map(|name| matched(name, plainly, part)).max()?;
        let state =
            |at: usize| self.states.iter().filter_map(|state| matched(state, plainly, at)).max();
        state(behind).or_else(|| {
            let is_small =
                plainly.get(behind).is_some_and(|word| HOW_MUCH.contains(&word.as_str()));
            is_small.then(|| state(behind + 1)).flatten()
        })
    }
}

/// Returns the index after `phrase` if the words at `at` match it; `~` in the phrase stands for an
/// optional determiner.
fn matched(phrase: &str, plainly: &[String], at: usize) -> Option<usize> {
    let mut place = at;
    for word in phrase.split(' ') {
        let here = plainly.get(place).map(String::as_str);
        if word == "~" {
            place += usize::from(here.is_some_and(|here| DETERMINERS.contains(&here)));
        } else if here == Some(word) {
            place += 1;
        } else {
            return None;
        }
    }
    Some(place)
}

/// Returns the words of a prompt without those phrases.
pub(crate) fn without(words: &[Word], phrases: &[PosePhrase]) -> Vec<Word> {
    let is_left = |place: &usize| !phrases.iter().any(|one| one.words.contains(place));
    (0..words.len()).filter(is_left).map(|place| words[place].clone()).collect()
}

/// Adds the events of those phrases to the reading of the whole prompt. If the whole was read with
/// low certainty, uses the reading of the prompt without the phrases if that is more certain.
pub(crate) fn add_pose_events(
    prompt: &str,
    whole: Reading,
    phrases: Vec<PosePhrase>,
    rest: impl FnOnce() -> Reading,
) -> Reading {
    let sureness = |reading: &Reading| {
        let outside =
            reading.events.iter().filter(|words| !phrases.iter().any(|one| one.names(words)));
        outside.map(|words| words.certainty).reduce(f32::min).unwrap_or(0.0)
    };
    let sure = sureness(&whole);
    let other = (sure < SURE).then(rest).filter(|other| sureness(other) > sure);
    let base = other.as_ref().unwrap_or(&whole);
    insert_events(prompt, base.clone(), phrases).or(other).unwrap_or(whole)
}

/// Adds the events of the phrases; `None` if the prompt has no other event or the script would
/// exceed its limits.
fn insert_events(prompt: &str, mut reading: Reading, phrases: Vec<PosePhrase>) -> Option<Reading> {
    let mut whole = reading.script.as_ref()?.to_value();
    let mut inserter = EventInserter {
        events: std::mem::take(whole.get_mut("events")?.as_array_mut()?),
        words: std::mem::take(&mut reading.events),
        pose_events: Vec::new(),
    };
    for one in phrases {
        inserter.add_phrase(prompt, one)?;
    }
    reading.events = inserter.words;
    whole["events"] = inserter.events.into();
    reading.script = Some(Script::from_value(&whole).ok()?);
    Some(reading)
}

/// Events of a script with their words, while events of held body parts are inserted.
struct EventInserter {
    events: Vec<Json>,
    words: Vec<EventWords>,
    /// Indices of the events that say how a body part is held.
    pose_events: Vec<usize>,
}

impl EventInserter {
    fn is_own(&self, place: usize) -> bool {
        !self.pose_events.contains(&place)
    }

    fn add_phrase(&mut self, prompt: &str, one: PosePhrase) -> Option<()> {
        let is_before = |place: &usize| self.words[*place].deed.end <= one.said.start;
        let mut own = (0..self.events.len()).filter(|place| self.is_own(*place));
        let before = own.rfind(is_before);
        let mut named = self.words.iter().position(|words| one.names(words));
        // the phrase precedes the event that it accompanies, so its own event moves behind that one
        if before.is_none() && self.events.len() > 1 + self.pose_events.len() {
            named.take().into_iter().for_each(|place| self.remove_event(place));
        }
        if named.is_none() && self.words.iter().any(|words| one.says_more(words)) {
            return Some(());
        }
        for place in (0..self.events.len()).filter(|place| Some(*place) != named) {
            if self.is_own(place) {
                one.remove_part_fields(self.events[place].as_object_mut()?, &mut self.words[place]);
            }
        }
        match named {
            Some(place) => {
                one.overwrite(self.events[place].as_object_mut()?, before);
                self.words[place].certainty = 1.0;
                self.pose_events.push(place);
            }
            None => self.insert_beside(prompt, one, before.unwrap_or(0))?,
        }
        Some(())
    }

    /// Inserts an event that accompanies the event at `host`, after all that already do.
    fn insert_beside(&mut self, prompt: &str, one: PosePhrase, host: usize) -> Option<()> {
        let place = (host + 1..).find(|place| self.is_own(*place)).unwrap_or(host + 1);
        let main = self.events.get_mut(host)?;
        if is_standing(&self.words[host], prompt) && main["do"] == "stand-up" {
            main["do"] = json!("idle");
        }
        let posture = main.get("posture").cloned();
        let mut event = one.event;
        event.insert("while".to_owned(), json!(host));
        event.extend(posture.map(|posture| ("posture".to_owned(), posture)));
        for other in self.events.iter_mut().filter_map(Json::as_object_mut) {
            make_room(other, place);
        }
        self.events.insert(place, Json::Object(event));
        let fields = one.side.map(|place| (Field("side".to_owned()), place));
        let words =
            EventWords { deed: one.said, fields: fields.into_iter().collect(), certainty: 1.0 };
        self.words.insert(place, words);
        self.pose_events.iter_mut().filter(|other| **other >= place).for_each(|other| *other += 1);
        self.pose_events.push(place);
        Some(())
    }

    /// Removes an event, together with the references of other events to it.
    fn remove_event(&mut self, place: usize) {
        self.events.remove(place);
        self.words.remove(place);
        self.pose_events.iter_mut().filter(|other| **other > place).for_each(|other| *other -= 1);
        for event in self.events.iter_mut().filter_map(Json::as_object_mut) {
            for field in PLACES {
                let named = event.get(field).and_then(Json::as_u64);
                match named.map(|other| other.cmp(&(place as u64))) {
                    Some(Ordering::Equal) => _ = event.remove(field),
                    Some(Ordering::Greater) => {
                        event.insert(field.to_owned(), json!(named.unwrap_or(1) - 1));
                    }
                    _ => {}
                }
            }
            if !event.contains_key("beat_of") {
                event.remove("beat");
            }
        }
    }
}

impl PosePhrase {
    fn holds(&self, place: &WordRange) -> bool {
        self.said.start <= place.start && place.end <= self.said.end
    }

    /// Whether the words that name an event lie within this phrase.
    fn names(&self, words: &EventWords) -> bool {
        self.holds(&words.deed)
    }

    /// Whether an event takes more from this phrase than a side and a direction: *a heart with both
    /// hands above her head*.
    fn says_more(&self, words: &EventWords) -> bool {
        let more = |field: &Field| !OF_THE_PART.contains(&field.as_str());
        words.fields.iter().any(|(field, place)| more(field) && self.holds(place))
    }

    /// Removes a side and a direction from an event if they come from this phrase alone.
    fn remove_part_fields(&self, event: &mut Map<String, Json>, words: &mut EventWords) {
        for field in OF_THE_PART {
            let said = words.fields.iter().filter(|(name, _)| name.as_str() == field);
            let mut places = said.map(|(_, place)| self.holds(place)).peekable();
            if places.peek().is_some() && places.all(|holds| holds) {
                event.remove(field);
                words.fields.retain(|(name, _)| name.as_str() != field);
            }
        }
    }

    /// Overwrites an event that was read from this phrase with the event of the phrase. It
    /// accompanies the event before it if the model read no other timing.
    fn overwrite(&self, event: &mut Map<String, Json>, before: Option<usize>) {
        event.retain(|field, _| !OF_A_MOVEMENT.contains(&field.as_str()));
        event.extend(self.event.clone());
        let is_timed =
            ["while", "as_soon_as", "beat"].iter().any(|field| event.contains_key(*field));
        if let Some(before) = before.filter(|_| !is_timed) {
            event.insert("while".to_owned(), json!(before));
        }
    }
}

/// Least certainty of every action for the reading of the whole prompt to be kept despite such
/// phrases.
const SURE: f32 = 0.55;
/// Fields that other events may wrongly take from such a phrase.
const OF_THE_PART: [&str; 3] = ["side", "direction", "part"];
/// Fields of an event that describe the movement itself.
const OF_A_MOVEMENT: [&str; 7] =
    ["do", "move", "part", "direction", "height", "target_part", "target_side"];

/// Whether the word is a form of *stand*: *stands with his feet apart* does not mean getting up.
fn is_standing(words: &EventWords, prompt: &str) -> bool {
    matches!(&*plain(&prompt[words.deed.clone()]), "stand" | "stands" | "standing" | "stood")
}

#[cfg(test)]
mod tests {
    use limber_script::Timing;

    use super::*;
    use crate::{Reader, words::words};

    fn told(text: &str) -> Vec<String> {
        let script = Reader::shared().read(text).script.expect("there is an action");
        script.events().iter().map(|event| event.deed.to_string()).collect()
    }

    #[test]
    fn a_pose_phrase_accompanies_an_action() {
        assert_eq!(told("a nun walks with her head down"), ["walk", "lower head"]);
        assert_eq!(
            told("she jogs, arms out and chin up, then sits down")[1..3],
            ["spread arm", "raise chin"]
        );
        assert_eq!(told("with both arms raised he runs"), ["run", "raise arm"]);
        assert_eq!(told("chin up, she marches ahead"), ["march", "raise chin"]);
        assert_eq!(told("stands with his feet apart"), ["idle", "spread leg"]);
        let script = Reader::shared().read("walks, chin up, chest out, then waves").script.unwrap();
        let together: Vec<_> = script.events().iter().map(|event| event.timing).collect();
        // what begins with an event that begins with the first one begins with the first one, too
        assert!(
            matches!(
                together[..],
                [Timing::Then, Timing::While(_), Timing::While(_), Timing::Then]
            ),
            "{together:?}"
        );
    }

    #[test]
    fn the_same_words_mean_different_things_elsewhere() {
        for text in
            ["they head down the street", "with one hand on the rail", "raises his left arm up"]
        {
            assert_eq!(pose_phrases(&words(text)), [], "{text}");
        }
    }

    #[test]
    fn sides_are_as_stated() {
        let side = |text: &str| {
            let told = pose_phrases(&words(text));
            told[0].event.get("side").and_then(Json::as_str).map(str::to_owned)
        };
        assert_eq!(side("walks with her left arm raised").as_deref(), Some("left"));
        assert_eq!(side("walks with her arms raised").as_deref(), Some("both"));
        assert_eq!(side("walks with one arm raised"), None);
        assert_eq!(side("walks with a hand on her hip").as_deref(), Some("right"));
        assert_eq!(side("walks, head down"), None);
    }

    #[test]
    fn every_row_is_an_event() {
        for row in rows() {
            let script = json!({"version": 2, "events": [row.event]});
            assert!(Script::from_value(&script).is_ok(), "{row:?}");
        }
    }
}
