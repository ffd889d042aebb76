//! The lexicon: the meanings of words and phrases, read once from `assets/lexicon`.

mod tables;

use std::{
    collections::{BTreeMap, HashMap},
    sync::LazyLock,
};

use limber_animation::Side;

use tables::{GrammarFile, MannersFile, NeighboursFile, SensesFile};

use super::words::{self, Token};
use crate::{
    Act, Action, Direction, Manner, SideChoice,
    vocabulary::{self, Repertoire, direction},
};

/// The meaning of a phrase.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Meaning {
    /// An action, with the details that the phrase includes.
    Act(Act),
    /// Something that Limber cannot do, as an index into [`Lexicon::neighbours`].
    Neighbour(usize),
    Join(Join),
    Together,
    Negation,
    Count(u32),
    /// A number whose noun comes later, or never.
    Number(f32),
    Angle(f32),
    Amount(crate::Amount),
    Direction(Direction),
    Sideways,
    /// A share of a full circle.
    Circle(f32),
    BackAndForth,
    Clockwise(Side),
    OnTheSpot,
    /// "left" alone: a limb or a direction, depending on the action.
    Lateral(Side),
    /// "with the left hand": certainly a limb.
    Limb(SideChoice),
    /// "to the left": certainly a direction.
    Toward(Side),
    Tempo(f32),
    Manner(Manner, f32),
    Degree(f32),
    Subject,
    Determiner,
    Preposition,
    BodyPart,
    /// "while standing": a posture during another action.
    Standing,
    Filler,
}

/// How a clause is connected to the previous one, weakest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Join {
    Start,
    Comma,
    And,
    Then,
    After,
    Before,
    While,
}

/// The unit that a number counts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Unit {
    Times,
    Degrees(f32),
    Metres(f32),
    Seconds(f32),
    Steps,
}

/// A phrase in base forms; `None` stands for up to [`MAX_GAP`] optional words.
#[derive(Debug)]
struct Phrase {
    words: Vec<Option<String>>,
    meaning: Meaning,
}

/// A phrase found in a prompt.
#[derive(Debug)]
pub(super) struct Found<'a> {
    pub(super) meaning: &'a Meaning,
    /// Indices of its tokens, ascending; the optional words in its gaps are not included.
    pub(super) places: Vec<usize>,
}

const MAX_GAP: usize = 3;

/// All tables, indexed for look-up.
#[derive(Debug)]
pub(crate) struct Lexicon {
    /// The actions that phrases can mean.
    repertoire: Repertoire,
    /// The suggestions for each family of unknown actions, and for each action that cannot be
    /// performed yet.
    pub(super) neighbours: Vec<Vec<Action>>,
    phrases: Vec<Phrase>,
    by_first: HashMap<String, Vec<usize>>,
    numbers: HashMap<String, f32>,
    units: HashMap<String, Unit>,
    irregular: HashMap<String, String>,
}

/// The built-in lexicon, read on first use.
pub(super) fn lexicon() -> &'static Lexicon {
    static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| Lexicon::of(Repertoire::default()));
    &LEXICON
}

macro_rules! asset {
    ($name:literal) => {
        include_str!(concat!("../../../../assets/lexicon/", $name))
    };
}

impl Lexicon {
    /// The lexicon for these actions, with the words of the grammar.
    pub(crate) fn of(repertoire: Repertoire) -> Self {
        Self::read(repertoire).expect("the lexicon's files are well-formed; tests check them")
    }

    /// The actions that phrases can mean.
    pub(crate) const fn repertoire(&self) -> &Repertoire {
        &self.repertoire
    }

    fn read(repertoire: Repertoire) -> Result<Self, toml::de::Error> {
        let manners: MannersFile = toml::from_str(asset!("manners.toml"))?;
        let grammar: GrammarFile = toml::from_str(asset!("grammar.toml"))?;
        let neighbours: NeighboursFile = toml::from_str(asset!("neighbours.toml"))?;
        let mut lexicon = Self {
            repertoire,
            neighbours: neighbours.neighbour.iter().map(|row| known(&row.nearest)).collect(),
            phrases: Vec::new(),
            by_first: HashMap::new(),
            numbers: grammar.numbers.clone(),
            units: units(&grammar.units),
            irregular: grammar.irregular.clone(),
        };
        // of phrases of equal length, the first added wins
        lexicon.add_actions();
        for (place, row) in neighbours.neighbour.iter().enumerate() {
            lexicon.add_all(&row.words, &Meaning::Neighbour(place));
        }
        lexicon.add_senses()?;
        lexicon.add_manners(&manners);
        lexicon.add_grammar(&grammar);
        Ok(lexicon)
    }

    fn add(&mut self, phrase: &str, meaning: Meaning) {
        let words: Vec<_> =
            phrase.split_whitespace().map(|word| (word != "~").then(|| word.to_owned())).collect();
        let Some(Some(first)) = words.first().cloned() else { return };
        self.by_first.entry(first).or_default().push(self.phrases.len());
        self.phrases.push(Phrase { words, meaning });
    }

    fn add_all(&mut self, phrases: &[String], meaning: &Meaning) {
        for phrase in phrases {
            self.add(phrase, meaning.clone());
        }
    }

    fn add_actions(&mut self) {
        let all: Vec<Action> = self.repertoire.all().collect();
        for action in all {
            // add senses first, because of two equal phrases the more specific one should win
            for sense in action.senses() {
                self.add_all(&sense.phrases, &Meaning::Act(sense.act(action)));
            }
            self.add_all(action.phrases(), &Meaning::Act(Act::new(action)));
        }
    }

    /// Adds actions that are understood but cannot be performed yet. They are reported with
    /// suggestions, instead of being taken for a shorter phrase with another meaning: "hits the
    /// deck" hits nothing.
    fn add_senses(&mut self) -> Result<(), toml::de::Error> {
        for (_, text) in vocabulary::senses() {
            let file: SensesFile = toml::from_str(text)?;
            for row in file.senses {
                let Some(nearest) = Action::named(&row.nearest) else { continue };
                let relatives = nearest.nearest().iter().copied();
                self.add_all(&row.phrases, &Meaning::Neighbour(self.neighbours.len()));
                self.neighbours.push(std::iter::once(nearest).chain(relatives).collect());
            }
        }
        Ok(())
    }

    fn add_manners(&mut self, file: &MannersFile) {
        for row in &file.tempo {
            self.add_all(&row.words, &Meaning::Tempo(row.factor));
        }
        for row in &file.degree {
            self.add_all(&row.words, &Meaning::Degree(row.power));
        }
        for row in &file.manner {
            self.add_all(&row.words, &Meaning::Manner(row.manner, row.tempo));
        }
    }

    fn add_grammar(&mut self, file: &GrammarFile) {
        self.add_limbs(&file.words["body-parts"]);
        let lists = [&file.joins, &file.together, &file.directions, &file.paths, &file.sides];
        for (name, phrases) in lists.into_iter().flatten().chain(&file.words) {
            let meaning = small_word(name).expect("every list of the grammar has a meaning");
            self.add_all(phrases, &meaning);
        }
        for (count, phrases) in &file.counts {
            let count = count.parse().expect("counts are whole numbers");
            self.add_all(phrases, &Meaning::Count(count));
        }
    }

    /// Adds the phrases for limbs: "left hand", "with her right", "both arms" are limbs, not
    /// directions.
    fn add_limbs(&mut self, parts: &[String]) {
        let sides = [
            ("left", SideChoice::Left),
            ("right", SideChoice::Right),
            ("both", SideChoice::Both),
            ("two", SideChoice::Both),
        ];
        for (word, side) in sides {
            for part in parts {
                self.add(&format!("{word} ~ {part}"), Meaning::Limb(side));
            }
            for before in ["with", "on", "using", "by"] {
                self.add(&format!("{before} ~ {word}"), Meaning::Limb(side));
            }
        }
    }

    /// All phrases with their actions, for spelling suggestions.
    pub(super) fn spellings(&self) -> impl Iterator<Item = (Action, &'static str)> {
        self.repertoire.all().flat_map(|action| {
            let senses = action.senses().iter().flat_map(|sense| &sense.phrases);
            action.phrases().iter().chain(senses).map(move |phrase| (action, phrase.as_str()))
        })
    }

    /// All base forms that a word may have.
    pub(super) fn forms(&self, word: &str) -> Vec<String> {
        words::base_forms(word, &self.irregular)
    }

    /// The value of a number word.
    pub(super) fn number(&self, word: &str) -> Option<f32> {
        self.numbers.get(word).copied()
    }

    /// The unit that a word stands for.
    pub(super) fn unit(&self, word: &str) -> Option<Unit> {
        self.forms(word).iter().find_map(|form| self.units.get(form).copied())
    }

    /// The longest phrase that starts at this token and uses only unused tokens.
    pub(super) fn longest(
        &self,
        tokens: &[Token],
        start: usize,
        used: &[bool],
    ) -> Option<Found<'_>> {
        let mut best: Option<Found<'_>> = None;
        for index in self.candidates(tokens, start) {
            let phrase = &self.phrases[index];
            let Some(places) = self.places(&phrase.words, tokens, start) else { continue };
            if places.iter().any(|place| used[*place]) {
                continue;
            }
            if best.as_ref().is_none_or(|found| places.len() > found.places.len()) {
                best = Some(Found { meaning: &phrase.meaning, places });
            }
        }
        best
    }

    fn candidates(&self, tokens: &[Token], start: usize) -> Vec<usize> {
        let Some(Token::Word(word)) = tokens.get(start) else { return Vec::new() };
        let mut found: Vec<usize> = self
            .forms(word)
            .iter()
            .filter_map(|form| self.by_first.get(form))
            .flatten()
            .copied()
            .collect();
        found.sort_unstable();
        found
    }

    fn places(
        &self,
        pattern: &[Option<String>],
        tokens: &[Token],
        start: usize,
    ) -> Option<Vec<usize>> {
        let Some((first, rest)) = pattern.split_first() else { return Some(Vec::new()) };
        if let Some(wanted) = first {
            let Some(Token::Word(word)) = tokens.get(start) else { return None };
            if !self.forms(word).contains(wanted) {
                return None;
            }
            let mut places = self.places(rest, tokens, start + 1)?;
            places.insert(0, start);
            return Some(places);
        }
        (0..=MAX_GAP)
            .take_while(|gap| *gap == 0 || self.may_lie_in_gap(tokens, start + gap - 1))
            .find_map(|gap| self.places(rest, tokens, start + gap))
    }

    /// Whether a word may stand in a gap of a phrase: articles, sides, adverbs, adjectives.
    pub(super) fn may_lie_in_gap(&self, tokens: &[Token], place: usize) -> bool {
        let Some(Token::Word(word)) = tokens.get(place) else { return false };
        let meanings = self
            .candidates(tokens, place)
            .into_iter()
            .map(|index| &self.phrases[index])
            .filter(|phrase| phrase.words.len() == 1)
            .map(|phrase| &phrase.meaning);
        let mut known = false;
        for meaning in meanings {
            known = true;
            if matches!(
                meaning,
                Meaning::Determiner
                    | Meaning::Filler
                    | Meaning::Tempo(_)
                    | Meaning::Manner(..)
                    | Meaning::Degree(_)
                    | Meaning::Lateral(_)
                    | Meaning::Limb(_)
                    | Meaning::Direction(_)
                    | Meaning::Clockwise(_)
            ) {
                return true;
            }
        }
        self.number(word).is_some() || (!known && (word.ends_with("ly") || word.len() <= 5))
    }
}

fn known(names: &[String]) -> Vec<Action> {
    names
        .iter()
        .map(|name| Action::named(name).expect("neighbours suggest known actions"))
        .collect()
}

/// The meaning of the words in one of the grammar's lists.
fn small_word(list: &str) -> Option<Meaning> {
    Some(match list {
        "then" => Meaning::Join(Join::Then),
        "and" => Meaning::Join(Join::And),
        "while" => Meaning::Join(Join::While),
        "before" => Meaning::Join(Join::Before),
        "after" => Meaning::Join(Join::After),
        "words" => Meaning::Together,
        "forward" | "backward" | "up" | "down" => Meaning::Direction(direction(list)?),
        "sideways" => Meaning::Sideways,
        "circle" => Meaning::Circle(1.0),
        "half-circle" => Meaning::Circle(0.5),
        "back-and-forth" => Meaning::BackAndForth,
        "clockwise" => Meaning::Clockwise(Side::Right),
        "counterclockwise" => Meaning::Clockwise(Side::Left),
        "on-the-spot" => Meaning::OnTheSpot,
        "both" => Meaning::Limb(SideChoice::Both),
        "left" => Meaning::Lateral(Side::Left),
        "right" => Meaning::Lateral(Side::Right),
        "to-left" => Meaning::Toward(Side::Left),
        "to-right" => Meaning::Toward(Side::Right),
        "subjects" => Meaning::Subject,
        "determiners" => Meaning::Determiner,
        "prepositions" => Meaning::Preposition,
        "body-parts" => Meaning::BodyPart,
        "standing" => Meaning::Standing,
        "fillers" => Meaning::Filler,
        "negations" => Meaning::Negation,
        _ => return None,
    })
}

fn units(file: &BTreeMap<String, HashMap<String, f32>>) -> HashMap<String, Unit> {
    type Make = fn(f32) -> Unit;
    let make: [(&str, Make); 5] = [
        ("times", |_| Unit::Times),
        ("degrees", Unit::Degrees),
        ("metres", Unit::Metres),
        ("seconds", Unit::Seconds),
        ("steps", |_| Unit::Steps),
    ];
    make.into_iter()
        .flat_map(|(kind, make)| {
            file.get(kind)
                .into_iter()
                .flatten()
                .map(move |(word, size)| (word.clone(), make(*size)))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_phrase_wins_and_gap_words_stay_free() {
        let tokens = words::tokens("raises both of his arms up");
        let tokens: Vec<Token> = tokens.into_iter().map(|(token, _)| token).collect();
        let found = lexicon().longest(&tokens, 0, &[false; 6]).expect("it is in the lexicon");
        assert!(matches!(found.meaning, Meaning::Act(act) if act.action.name() == "raise-arms"));
        assert_eq!(found.places, [0, 4]);
    }
}
