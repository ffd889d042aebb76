//! How parts of the body are carried while something else is done: *with her head down*, *arms out to the sides*.
//!
//! Such words stand beside a sentence and are no clause of it. They become events of their own that go on with the one
//! they stand beside; where they make the reader unsure of the rest, the rest is read without them.

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

/// `assets/lexicon/carriage.toml`, where the fields are explained.
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
        toml::from_str::<File>(text).expect("a test reads it").carried
    });
    &ROWS
}

/// Words that say how a part of the body is carried.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Carried {
    /// The places of all its words, the *with* and the comma before them too.
    words: Range<usize>,
    /// What they say, in bytes of the prompt.
    said: WordRange,
    /// The word that tells the side.
    side: Option<WordRange>,
    event: Map<String, Json>,
}

/// Words that say which of them, before a part: *with both her hands*.
const WHICH: [&str; 5] = ["both", "two", "all", "left", "right"];
/// Words that say how much, and nothing else.
const HOW_MUCH: [&str; 7] = ["slightly", "very", "fully", "held", "kept", "still", "straight"];
/// What may come behind such words; before another one they mean something else: *head down the street*.
const BEHIND: [&str; 12] =
    [",", ".", ";", "!", "and", "then", "as", "while", "but", "before", "until", "like"];

/// All that is carried in some way.
pub(crate) fn carried(words: &[Word]) -> Vec<Carried> {
    let plainly: Vec<String> = words.iter().map(|word| plain(&word.text)).collect();
    let mut found: Vec<Carried> = Vec::new();
    let mut at = 0;
    while at < words.len() {
        match carried_at(words, &plainly, at, found.last()) {
            Some(one) => {
                at = one.words.end;
                found.push(one);
            }
            None => at += 1,
        }
    }
    found
}

/// What is carried from the word at a place on, which is the first behind *with*, a comma, or an *and* behind such words.
fn carried_at(
    words: &[Word],
    plainly: &[String],
    at: usize,
    before: Option<&Carried>,
) -> Option<Carried> {
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
    // *With both arms raised he …*
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
        // what has a name is done with both hands unless told
        None if !is_many && event.contains_key("do") => {
            event.insert("side".to_owned(), json!("right"));
        }
        None => {}
    }
    let mut start = at;
    while start > 0 && matches!(plainly[start - 1].as_str(), "with" | "," | "and") {
        start -= 1;
    }
    Some(Carried {
        words: start..end,
        said: words[at].place.start..words[end - 1].place.end,
        side: side.map(|place| words[place].place.clone()),
        event,
    })
}

impl Row {
    /// Where the words of this row end, whose part stands at a place.
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

/// Where words end that are these, with their gaps.
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

/// The words of a prompt without those.
pub(crate) fn without(words: &[Word], carried: &[Carried]) -> Vec<Word> {
    let is_left = |place: &usize| !carried.iter().any(|one| one.words.contains(place));
    (0..words.len()).filter(is_left).map(|place| words[place].clone()).collect()
}

/// A reading of a whole prompt with what is carried in it; where it is not sure, the reading of the rest of the prompt,
/// which such words cannot mislead.
pub(crate) fn beside(
    prompt: &str,
    whole: Reading,
    carried: Vec<Carried>,
    rest: impl FnOnce() -> Reading,
) -> Reading {
    let sureness = |reading: &Reading| {
        let outside =
            reading.events.iter().filter(|words| !carried.iter().any(|one| one.names(words)));
        outside.map(|words| words.certainty).reduce(f32::min).unwrap_or(0.0)
    };
    let sure = sureness(&whole);
    let other = (sure < SURE).then(rest).filter(|other| sureness(other) > sure);
    let base = other.as_ref().unwrap_or(&whole);
    laid_over(prompt, base.clone(), carried).or(other).unwrap_or(whole)
}

/// `None` where nothing else is done, or where there is no room for more.
fn laid_over(prompt: &str, mut reading: Reading, carried: Vec<Carried>) -> Option<Reading> {
    let mut whole = reading.script.as_ref()?.to_value();
    let mut laying = Laying {
        events: std::mem::take(whole.get_mut("events")?.as_array_mut()?),
        words: std::mem::take(&mut reading.events),
        of_carriage: Vec::new(),
    };
    for one in carried {
        laying.lay(prompt, one)?;
    }
    reading.events = laying.words;
    whole["events"] = laying.events.into();
    reading.script = Some(Script::from_value(&whole).ok()?);
    Some(reading)
}

/// Events of a script and their words, while what is carried is put in.
struct Laying {
    events: Vec<Json>,
    words: Vec<EventWords>,
    /// The places of events that say how a part is carried.
    of_carriage: Vec<usize>,
}

impl Laying {
    fn is_own(&self, place: usize) -> bool {
        !self.of_carriage.contains(&place)
    }

    fn lay(&mut self, prompt: &str, one: Carried) -> Option<()> {
        let is_before = |place: &usize| self.words[*place].deed.end <= one.said.start;
        let mut own = (0..self.events.len()).filter(|place| self.is_own(*place));
        let before = own.rfind(is_before);
        let mut named = self.words.iter().position(|words| one.names(words));
        // it is told before what it goes on with, and put behind that
        if before.is_none() && self.events.len() > 1 + self.of_carriage.len() {
            named.take().into_iter().for_each(|place| self.take_out(place));
        }
        if named.is_none() && self.words.iter().any(|words| one.says_more(words)) {
            return Some(());
        }
        for place in (0..self.events.len()).filter(|place| Some(*place) != named) {
            if self.is_own(place) {
                one.take_back(self.events[place].as_object_mut()?, &mut self.words[place]);
            }
        }
        match named {
            Some(place) => {
                one.say_again(self.events[place].as_object_mut()?, before);
                self.words[place].certainty = 1.0;
                self.of_carriage.push(place);
            }
            None => self.put_in(prompt, one, before.unwrap_or(0))?,
        }
        Some(())
    }

    /// Puts in what goes on with the event at a place, behind all that does so already.
    fn put_in(&mut self, prompt: &str, one: Carried, host: usize) -> Option<()> {
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
        self.of_carriage.iter_mut().filter(|other| **other >= place).for_each(|other| *other += 1);
        self.of_carriage.push(place);
        Some(())
    }

    /// Takes an event out; others then name it no more.
    fn take_out(&mut self, place: usize) {
        self.events.remove(place);
        self.words.remove(place);
        self.of_carriage.iter_mut().filter(|other| **other > place).for_each(|other| *other -= 1);
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

impl Carried {
    fn holds(&self, place: &WordRange) -> bool {
        self.said.start <= place.start && place.end <= self.said.end
    }

    /// Whether an event was read from these very words.
    fn names(&self, words: &EventWords) -> bool {
        self.holds(&words.deed)
    }

    /// Whether an event takes more from these words than a side and a direction: *a heart with both hands above her head*.
    fn says_more(&self, words: &EventWords) -> bool {
        let more = |field: &Field| !OF_THE_PART.contains(&field.as_str());
        words.fields.iter().any(|(field, place)| more(field) && self.holds(place))
    }

    /// Takes a side and a direction away from an event that is said of the part alone.
    fn take_back(&self, event: &mut Map<String, Json>, words: &mut EventWords) {
        for field in OF_THE_PART {
            let said = words.fields.iter().filter(|(name, _)| name.as_str() == field);
            let mut places = said.map(|(_, place)| self.holds(place)).peekable();
            if places.peek().is_some() && places.all(|holds| holds) {
                event.remove(field);
                words.fields.retain(|(name, _)| name.as_str() != field);
            }
        }
    }

    /// Tells an event that was read from these words what they say; it goes on with what is done before, where no other
    /// time was read.
    fn say_again(&self, event: &mut Map<String, Json>, before: Option<usize>) {
        event.retain(|field, _| !OF_A_MOVEMENT.contains(&field.as_str()));
        event.extend(self.event.clone());
        let is_timed =
            ["while", "as_soon_as", "beat"].iter().any(|field| event.contains_key(*field));
        if let Some(before) = before.filter(|_| !is_timed) {
            event.insert("while".to_owned(), json!(before));
        }
    }
}

/// A reading is this sure of every action where it counts although parts are carried in some way.
const SURE: f32 = 0.55;
/// What such words say to whom they are not the name of an event.
const OF_THE_PART: [&str; 3] = ["side", "direction", "part"];
/// What an event tells of the movement itself.
const OF_A_MOVEMENT: [&str; 7] =
    ["do", "move", "part", "direction", "height", "target_part", "target_side"];

/// Whether somebody stands there: *stands with his feet apart* is no getting up.
fn is_standing(words: &EventWords, prompt: &str) -> bool {
    matches!(&*plain(&prompt[words.deed.clone()]), "stand" | "stands" | "standing" | "stood")
}

#[cfg(test)]
mod tests {
    use limber_script::{EventIndex, Timing};

    use super::*;
    use crate::{Reader, words::words};

    fn told(text: &str) -> Vec<String> {
        let script = Reader::shared().read(text).script.expect("something is done");
        script.events().iter().map(|event| event.deed.to_string()).collect()
    }

    #[test]
    fn what_is_carried_goes_on_with_what_is_done() {
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
        let with_the_first = Timing::While(EventIndex(0));
        assert_eq!(together, [Timing::Then, with_the_first, with_the_first, Timing::Then]);
    }

    #[test]
    fn the_same_words_mean_other_things_elsewhere() {
        for text in
            ["they head down the street", "with one hand on the rail", "raises his left arm up"]
        {
            assert_eq!(carried(&words(text)), [], "{text}");
        }
    }

    #[test]
    fn sides_are_those_that_are_said() {
        let side = |text: &str| {
            let told = carried(&words(text));
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
