//! Records from which words of the prompt each act and its details were read.

use std::ops::Range;

use limber_reader::{EventWords, Field};
use limber_script::{Event, Message, message::Kept};

use super::{lexicon::Meaning, modifiers, reading::Item};
use crate::{Act, performable::event_of};

/// A description with its words.
#[derive(Debug, Clone)]
pub(super) struct Description {
    pub(super) meaning: Meaning,
    /// The words as typed, in lower case.
    pub(super) text: String,
    /// Byte range in the prompt.
    pub(super) place: Range<usize>,
}

impl Description {
    /// The words of an item with this meaning.
    pub(super) fn new(item: &Item, meaning: Meaning) -> Self {
        Self { meaning, text: item.text.clone(), place: item.place.clone() }
    }

    /// The message about a description that contradicts this one and is dropped.
    pub(super) fn contradiction_message(&self, dropped: &Self) -> Message {
        if self.place.start < dropped.place.start {
            self.beside(dropped, Kept::First)
        } else {
            dropped.beside(self, Kept::Second)
        }
    }

    /// The message about a description that contradicts this one and is applied after it.
    pub(super) fn in_turn(&self, other: &Self) -> Message {
        self.beside(other, Kept::InTurn)
    }

    fn beside(&self, second: &Self, kept: Kept) -> Message {
        let (first, second) = (self.text.clone(), second.text.clone());
        Message::Contradiction { event: None, first, second, kept }
    }
}

/// The words from which an act was read.
#[derive(Debug, Clone)]
pub(super) struct Words {
    /// The words that name it. If they are an action, its meaning is that of the phrase alone.
    deed: Description,
    /// The words that describe it.
    more: Vec<Description>,
}

impl Words {
    pub(super) const fn new(deed: Description) -> Self {
        Self { deed, more: Vec::new() }
    }

    /// Adds a description.
    pub(super) fn add(&mut self, said: Description) {
        self.more.push(said);
    }

    /// The message about a description that contradicts the act and is dropped.
    pub(super) fn contradiction_message(&self, dropped: &Description) -> Message {
        self.deed.contradiction_message(dropped)
    }

    /// The message about an act that contradicts this one and is performed after it.
    pub(super) fn in_turn(&self, other: &Self) -> Message {
        self.deed.in_turn(&other.deed)
    }

    /// An earlier description of the act that contradicts this one.
    pub(super) fn rival(&self, act: &Act, said: &Description) -> Option<&Description> {
        self.more.iter().find(|other| modifiers::oppose(act, other, said))
    }

    /// Applies a description to the act. If it contradicts an earlier one, it is ignored with a
    /// warning.
    pub(super) fn apply(&mut self, act: &mut Act, said: Description, warnings: &mut Vec<Message>) {
        if let Some(rival) = self.rival(act, &said) {
            warnings.push(rival.contradiction_message(&said));
            return;
        }
        modifiers::apply(act, &said.meaning);
        self.add(said);
    }

    /// Forgets earlier descriptions that this one contradicts, so that it can be applied.
    pub(super) fn forget_rivals(&mut self, act: &Act, said: &Description) {
        self.more.retain(|other| !modifiers::oppose(act, other, said));
    }

    /// Adds the words of a turn that bends the path of this walk.
    pub(super) fn bend(&mut self, turn: Self) {
        let Self { deed, more } = turn;
        self.more.push(Description { meaning: Meaning::Circle(1.0), ..deed });
        self.more.extend(more);
    }

    /// Takes over the duration of the standing that this act replaces.
    pub(super) fn last_as_long(&mut self, standing: Self) {
        let lasts = |said: &Description| matches!(said.meaning, Meaning::Amount(_));
        self.more.extend(standing.more.into_iter().filter(lasts));
    }

    /// The words of an event, by field.
    pub(super) fn of_event(&self, event: &Event) -> EventWords {
        let all = std::iter::once(&self.deed).chain(&self.more);
        let mut fields: Vec<(Field, Range<usize>)> = all
            .flat_map(|said| {
                let fields = fields_of(&said.meaning, event).into_iter();
                fields.map(move |field| (Field::from(field), said.place.clone()))
            })
            .collect();
        fields.sort_by_key(|(_, place)| place.start);
        // phrases are certain
        EventWords { deed: self.deed.place.clone(), fields, certainty: 1.0 }
    }
}

/// Fields of an event that phrases can set.
const FIELDS: [&str; 10] = [
    "count",
    "side",
    "direction",
    "degrees",
    "path",
    "steps",
    "meters",
    "seconds",
    "speed",
    "manners",
];

/// The fields of an event that a meaning sets.
fn fields_of(meaning: &Meaning, event: &Event) -> Vec<&'static str> {
    match meaning {
        Meaning::Act(act) => {
            let alone = event_of(act);
            there(&FIELDS, event).into_iter().filter(|field| has(&alone, field)).collect()
        }
        // for circles and turns, a count multiplies the angle
        Meaning::Count(_) | Meaning::Number(_) => first(&["count", "degrees"], event),
        Meaning::Angle(_) | Meaning::Circle(_) => there(&["degrees", "path"], event),
        Meaning::Amount(_) => there(&["steps", "meters", "seconds"], event),
        Meaning::Direction(_) | Meaning::Sideways => there(&["direction"], event),
        Meaning::BackAndForth => there(&["path"], event),
        Meaning::Clockwise(_) => there(&["side", "path"], event),
        Meaning::Lateral(_) | Meaning::Limb(_) => first(&["side", "direction"], event),
        Meaning::Toward(_) => first(&["direction", "side"], event),
        Meaning::Tempo(_) => there(&["speed"], event),
        Meaning::Manner(..) => there(&["manners", "speed"], event),
        _ => Vec::new(),
    }
}

/// Those of the fields that the event has.
fn there(fields: &[&'static str], event: &Event) -> Vec<&'static str> {
    fields.iter().copied().filter(|field| has(event, field)).collect()
}

fn first(fields: &[&'static str], event: &Event) -> Vec<&'static str> {
    there(fields, event).into_iter().take(1).collect()
}

fn has(event: &Event, field: &str) -> bool {
    match field {
        "count" => event.count.is_some(),
        "side" => event.side.is_some(),
        "direction" => event.direction.is_some(),
        "degrees" => event.degrees.is_some(),
        "path" => event.path.is_some(),
        "steps" => event.steps.is_some(),
        "meters" => event.meters.is_some(),
        "seconds" => event.seconds.is_some(),
        "speed" => event.speed.is_some(),
        "manners" => !event.manners.is_empty(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Prompt, Understood,
        language::{by_phrases, lexicon::lexicon},
    };

    /// Reads a prompt that consists of words of the lexicon only.
    fn understood(text: &str) -> Understood {
        let prompt = Prompt::parse(text).expect("the test's prompt is valid");
        by_phrases(lexicon(), &prompt).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    /// The words of each event's action and of its fields.
    fn words(text: &str) -> Vec<(&str, Vec<(String, &str)>)> {
        let reading = understood(text).reading;
        let count = reading.script.as_ref().map(|script| script.events().len());
        assert_eq!(count, Some(reading.events.len()), "{text}");
        let events = reading.events.iter().map(|event| {
            let fields = event.fields.iter();
            let fields =
                fields.map(|(field, place)| (field.as_str().to_owned(), &text[place.clone()]));
            (&text[event.deed.clone()], fields.collect())
        });
        events.collect()
    }

    fn fields(said: &[(&str, &'static str)]) -> Vec<(String, &'static str)> {
        said.iter().map(|(field, words)| ((*field).to_owned(), *words)).collect()
    }

    #[test]
    fn each_event_has_the_words_it_came_from() {
        assert_eq!(
            words("She slowly waves with her left hand, then WALKS two steps backward."),
            [
                ("waves", fields(&[("speed", "slowly"), ("side", "with her left")])),
                ("WALKS", fields(&[("steps", "two steps"), ("direction", "backward")])),
            ]
        );
        let tired = [("manners", "tired"), ("speed", "tired")];
        let turned = [("degrees", "turns around"), ("degrees", "twice")];
        assert_eq!(
            words("a tired man turns around twice and nods"),
            [("turns around", fields(&[tired, turned].concat())), ("nods", fields(&tired))]
        );
    }

    #[test]
    fn implied_and_simultaneous_events_keep_their_words() {
        let strolls = fields(&[("speed", "strolls"), ("manners", "strolls")]);
        assert_eq!(words("somebody strolls"), [("strolls", strolls)]);
        let carried = ("carrying something", vec![]);
        assert_eq!(words("he is carrying something"), [carried.clone(), carried]);
        assert_eq!(words("waves while walking"), [("walking", vec![]), ("waves", vec![])]);
        assert_eq!(words("stands and waves"), [("waves", vec![])]);
        let bent = fields(&[("degrees", "turning"), ("path", "turning"), ("side", "left")]);
        assert_eq!(words("walks while turning left"), [("walks", bent)]);
        assert_eq!(words("turning left while walking").len(), 1);
        let back = fields(&[("steps", "two steps"), ("direction", "back")]);
        assert_eq!(words("waves, then two steps back"), [("waves", vec![]), ("two steps", back)]);
    }

    fn contradiction(first: &str, second: &str, kept: Kept) -> Message {
        let (first, second) = (first.to_owned(), second.to_owned());
        Message::Contradiction { event: None, first, second, kept }
    }

    #[test]
    fn contradictory_events_are_reported_with_the_outcome() {
        let rows = [
            ("a man stands still and runs", "idle > run", "stands still", "runs", Kept::InTurn),
            ("someone walks while running", "walk > run", "walks", "running", Kept::InTurn),
            ("he hops while sitting", "hop > sit-down", "hops", "sitting", Kept::InTurn),
            ("she runs while standing still", "run", "runs", "while standing still", Kept::First),
            ("while standing, he marches", "march", "while standing", "marches", Kept::Second),
            (
                "a man walks quickly and slowly",
                "walk tempo:1.4 > walk tempo:0.6",
                "quickly",
                "slowly",
                Kept::InTurn,
            ),
            ("he quickly walks slowly", "walk tempo:1.4", "quickly", "slowly", Kept::First),
            (
                "a happy girl walks sadly",
                "walk tempo:0.8 manner:sad",
                "happy",
                "sadly",
                Kept::Second,
            ),
        ];
        for (text, done, first, second, kept) in rows {
            let understood = understood(text);
            assert_eq!(understood.script.to_string(), done, "{text}");
            assert_eq!(understood.warnings, [contradiction(first, second, kept)], "{text}");
        }
    }

    #[test]
    fn sequential_and_compatible_events_are_no_contradiction() {
        for (text, done) in [
            ("walks forward and waits", "walk dir:forward > idle"),
            ("she waves while standing still", "wave"),
            ("walks slowly, then quickly", "walk tempo:0.6 > walk tempo:1.4"),
            ("sneaks quickly", "sneak tempo:1.4"),
        ] {
            let understood = understood(text);
            assert_eq!(understood.script.to_string(), done, "{text}");
            assert_eq!(understood.warnings, [], "{text}");
        }
    }
}
