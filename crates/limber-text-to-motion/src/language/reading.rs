//! Converts tokens to meanings, in order.

use std::ops::Range;

use super::{
    lexicon::{Join, Lexicon, Meaning, Unit},
    words::{self, Token},
};
use crate::{ActionKind, Amount};

/// A word or phrase of the prompt with its meaning.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Item {
    /// `None` for a word that the lexicon does not contain.
    pub(super) meaning: Option<Meaning>,
    /// The words as typed, in lower case.
    pub(super) text: String,
    /// Byte range in the prompt, including optional words in its gaps.
    pub(super) place: Range<usize>,
}

/// Reads a text.
pub(super) fn read_text(lexicon: &Lexicon, text: &str) -> Vec<Item> {
    let (tokens, places): (Vec<Token>, Vec<Range<usize>>) = words::tokens(text).into_iter().unzip();
    read(lexicon, &tokens, &places)
}

/// Reads all tokens; `typed_at` holds their positions in the prompt. Every word becomes part of
/// exactly one item.
pub(super) fn read(lexicon: &Lexicon, tokens: &[Token], typed_at: &[Range<usize>]) -> Vec<Item> {
    let mut used = vec![false; tokens.len()];
    let mut items: Vec<Item> = Vec::new();
    for place in 0..tokens.len() {
        if used[place] {
            continue;
        }
        let (meaning, places) = read_at(lexicon, tokens, place, &used);
        let text = places
            .iter()
            .filter_map(|place| match &tokens[*place] {
                Token::Word(word) => Some(word.as_str()),
                Token::Comma => None,
            })
            .collect::<Vec<_>>()
            .join(" ");
        let last = places.last().copied().unwrap_or(place);
        for place in places {
            used[place] = true;
        }
        items.push(Item { meaning, text, place: typed_at[place].start..typed_at[last].end });
    }
    scenery_is_no_action(&mut items);
    items
}

fn read_at(
    lexicon: &Lexicon,
    tokens: &[Token],
    place: usize,
    used: &[bool],
) -> (Option<Meaning>, Vec<usize>) {
    if tokens[place] == Token::Comma {
        return (Some(Meaning::Join(Join::Comma)), vec![place]);
    }
    let phrase = lexicon.longest(tokens, place, used);
    // "two steps", "180 degrees", "half a second"; but "half turn" is a phrase of its own
    if phrase.as_ref().is_none_or(|found| found.places.len() < 2)
        && let Some((meaning, places)) = quantity(lexicon, tokens, place)
    {
        return (Some(meaning), places);
    }
    match phrase {
        Some(found) => (Some(found.meaning.clone()), found.places),
        None => (None, vec![place]),
    }
}

fn word_at(tokens: &[Token], place: usize) -> Option<&str> {
    match tokens.get(place) {
        Some(Token::Word(word)) => Some(word),
        _ => None,
    }
}

/// A number with its unit, which may come up to three other words later: "three big steps".
fn quantity(lexicon: &Lexicon, tokens: &[Token], place: usize) -> Option<(Meaning, Vec<usize>)> {
    let (value, length) = match numeral(lexicon, tokens, place) {
        Some(found) => found,
        None => one_of_a_unit(lexicon, tokens, place)?,
    };
    let mut places: Vec<usize> = (place..place + length).collect();
    for gap in 0..=3 {
        let unit_place = place + length + gap;
        let Some(word) = word_at(tokens, unit_place) else { break };
        let abbreviation = word.len() == 1;
        let usable = gap == 0 || !abbreviation;
        if let Some(unit) = lexicon.unit(word).filter(|_| usable) {
            places.push(unit_place);
            return Some((unit.with(value), places));
        }
        if matches!(word, "feet" | "foot")
            && value > 0.0
            && gap == 0
            && value != 1.0
            && !is_limb(tokens, place)
        {
            places.push(unit_place);
            return Some((Meaning::Amount(Amount::Metres(value * 0.3048)), places));
        }
        if !lexicon.may_lie_in_gap(tokens, unit_place) {
            break;
        }
    }
    (length > 0).then_some((Meaning::Number(value), places))
}

/// "two feet" after "on" or "with" are limbs, not a length.
fn is_limb(tokens: &[Token], place: usize) -> bool {
    place > 0 && matches!(word_at(tokens, place - 1), Some("on" | "with" | "both" | "using"))
}

/// An article in place of a number: "for a second".
fn one_of_a_unit(lexicon: &Lexicon, tokens: &[Token], place: usize) -> Option<(f32, usize)> {
    let article = matches!(word_at(tokens, place), Some("a" | "an"));
    let unit = lexicon.unit(word_at(tokens, place + 1)?);
    let fits = matches!(unit, Some(Unit::Metres(_) | Unit::Seconds(_)));
    (article && fits).then_some((1.0, 1))
}

impl Unit {
    fn with(self, value: f32) -> Meaning {
        // half a step counts as one, zero steps as none
        let whole = || if value > 0.0 { value.round().max(1.0) as u32 } else { 0 };
        match self {
            Self::Times => Meaning::Count(whole()),
            Self::Degrees(size) => Meaning::Angle((value * size).to_radians()),
            Self::Metres(size) => Meaning::Amount(Amount::Metres(value * size)),
            Self::Seconds(size) => Meaning::Amount(Amount::Seconds(value * size)),
            Self::Steps => Meaning::Amount(Amount::Steps(whole())),
        }
    }
}

/// A number in digits or words ("one hundred and eighty", "a few", "half"), and its number of
/// tokens.
fn numeral(lexicon: &Lexicon, tokens: &[Token], place: usize) -> Option<(f32, usize)> {
    let word = word_at(tokens, place)?;
    if let Ok(value) = word.parse::<f32>() {
        return value.is_finite().then_some((value, 1));
    }
    if matches!(word, "a" | "an") {
        let next = word_at(tokens, place + 1)?;
        let vague = matches!(next, "few" | "couple" | "hundred" | "half" | "single");
        let (value, length) = vague.then(|| numeral(lexicon, tokens, place + 1)).flatten()?;
        return Some((value, length + 1));
    }
    let small = lexicon.number(word);
    if small.is_none() && word != "hundred" {
        return None;
    }
    let mut value = small.unwrap_or(100.0);
    let mut length = 1;
    if small.is_some() && word_at(tokens, place + 1) == Some("hundred") {
        value *= 100.0;
        length += 1;
    }
    // "twenty five", "hundred and eighty"
    let and = usize::from(value >= 100.0 && word_at(tokens, place + length) == Some("and"));
    if value >= 20.0
        && let Some(rest) =
            word_at(tokens, place + length + and).and_then(|word| lexicon.number(word))
        && rest < if value >= 100.0 { 100.0 } else { 10.0 }
        && rest >= 1.0
    {
        value += rest;
        length += 1 + and;
        if let Some(ones) = word_at(tokens, place + length).and_then(|word| lexicon.number(word))
            && rest >= 20.0
            && (1.0..10.0).contains(&ones)
        {
            value += ones;
            length += 1;
        }
    }
    let of = usize::from(matches!(word_at(tokens, place + length), Some("of" | "a" | "an")));
    Some((value, length + of))
}

/// Ignores words in scenery that only look like actions: "on the dance floor", "with a walking
/// stick".
fn scenery_is_no_action(items: &mut [Item]) {
    for place in 2..items.len() {
        let before = |back: usize| items[place - back].meaning.as_ref();
        let in_phrase = before(1) == Some(&Meaning::Determiner)
            && before(2) == Some(&Meaning::Preposition)
            && !matches!(items[place - 2].text.as_str(), "for" | "like" | "with");
        let stick = before(1) == Some(&Meaning::Determiner)
            && before(2) == Some(&Meaning::Preposition)
            && items.get(place + 1).is_some_and(|next| next.meaning.is_none());
        let the = items[place - 1].text == "the";
        let single = !items[place].text.contains(' ');
        if let Some(Meaning::Act(_) | Meaning::Neighbour(_)) = &items[place].meaning
            && single
            && ((in_phrase && the) || stick || is_an_object(items, place))
        {
            items[place].meaning = None;
        }
    }
    posture_of_a_subject(items);
}

/// Whether the item is the object of an action: "picks up a box".
fn is_an_object(items: &[Item], place: usize) -> bool {
    matches!(
        items[place].text.as_str(),
        "box" | "drum" | "guard" | "drink" | "call" | "club" | "bat"
    ) && items[place - 1].meaning == Some(Meaning::Determiner)
        && matches!(items[place - 2].meaning, Some(Meaning::Act(_)))
}

/// Reads a posture in front of a person as a description, not an action: "a standing person waves".
fn posture_of_a_subject(items: &mut [Item]) {
    for place in 1..items.len().saturating_sub(1) {
        let idle = matches!(&items[place].meaning, Some(Meaning::Act(act)) if act.action.kind() == ActionKind::Idle);
        if idle
            && items[place - 1].meaning == Some(Meaning::Determiner)
            && items[place + 1].meaning == Some(Meaning::Subject)
        {
            items[place].meaning = Some(Meaning::Filler);
        }
    }
}

/// Unknown words that look like an action and are reported to the user. Scenery ("through the
/// woods") is not.
pub(super) fn passed_over(items: &[Item]) -> Vec<&Item> {
    let mut found: Vec<usize> = Vec::new();
    let mut scene = Scene::None;
    for (place, item) in items.iter().enumerate() {
        match &item.meaning {
            Some(Meaning::Neighbour(_)) if !is_a_thing(items, place, scene) => found.push(place),
            // the object of an unknown verb is not reported separately
            None if is_left_out(items, place, scene)
                && (place == 0 || !found.contains(&(place - 1)) || is_adverb(&item.text)) =>
            {
                found.push(place);
            }
            Some(Meaning::Preposition) => scene = Scene::opened_by(&item.text),
            Some(Meaning::Join(_) | Meaning::Act(_) | Meaning::Subject | Meaning::Together) => {
                scene = Scene::None;
            }
            _ => {}
        }
    }
    found.into_iter().map(|place| &items[place]).collect()
}

/// What the words after a preposition describe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scene {
    None,
    /// A place: "through the woods".
    Place,
    /// A comparison, "like a zombie", whose style is unknown.
    Likeness,
}

impl Scene {
    fn opened_by(preposition: &str) -> Self {
        match preposition {
            "to" => Self::None,
            "like" => Self::Likeness,
            _ => Self::Place,
        }
    }
}

/// Whether a known word for an unknown action is used as a noun: "with a bat", "the phone". "Does a
/// cartwheel" is an action.
fn is_a_thing(items: &[Item], place: usize, scene: Scene) -> bool {
    let article = place > 0 && items[place - 1].meaning == Some(Meaning::Determiner);
    scene == Scene::Place || (article && clause_has_action(items, place))
}

fn is_adverb(text: &str) -> bool {
    text.ends_with("ly") && text.len() > 4
}

fn is_left_out(items: &[Item], place: usize, scene: Scene) -> bool {
    is_adverb(&items[place].text)
        || scene == Scene::Likeness
        || (scene == Scene::None && looks_like_a_verb(items, place))
}

fn looks_like_a_verb(items: &[Item], place: usize) -> bool {
    let start = Some(&Meaning::Join(Join::Start));
    let previous = if place == 0 { start } else { items[place - 1].meaning.as_ref() };
    let text = items[place].text.as_str();
    if text.chars().all(|c| c.is_ascii_digit() || c == '.' || c == '°') {
        return false;
    }
    let inflected = ["s", "ed", "ing"].iter().any(|ending| text.ends_with(ending));
    match previous {
        Some(Meaning::Determiner | Meaning::Number(_)) => false,
        Some(Meaning::Subject) => true,
        Some(Meaning::Join(_)) => inflected || !clause_has_action(items, place),
        _ => inflected,
    }
}

/// Whether the clause around an item contains an action.
fn clause_has_action(items: &[Item], place: usize) -> bool {
    let ends = |item: &&Item| !matches!(item.meaning, Some(Meaning::Join(_)));
    let acts = |item: &Item| matches!(item.meaning, Some(Meaning::Act(_)));
    items[place..].iter().take_while(ends).any(acts)
        || items[..place].iter().rev().take_while(ends).any(acts)
}
