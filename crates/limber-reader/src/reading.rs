//! The reader, and what it found.

use std::{ops::Range, sync::LazyLock};

use limber_script::Script;

use crate::{
    assembly::Assembly,
    carriage,
    encoder::{Encoder, MOST_PIECES, WIDTH},
    english,
    heads::{EventScores, Heads, Lists, best, rounded},
    pieces::Pieces,
    rules,
    slips::{self, Known},
    weights::{Weights, WeightsError},
    words::{Word, words},
};
use ndarray::{Array2, Axis, s};

/// A part of a prompt, in bytes.
pub type WordRange = Range<usize>;

/// The name of a field of an event as the script's JSON writes it: `side`, `target_part`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Field(pub(crate) String);

impl Field {
    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&'static str> for Field {
    fn from(name: &'static str) -> Self {
        Self(name.to_owned())
    }
}

/// The words that an event of the script came from.
#[derive(Debug, Clone, PartialEq)]
pub struct EventWords {
    /// What names what is done.
    pub deed: WordRange,
    /// What says something about it.
    pub fields: Vec<(Field, WordRange)>,
    /// How sure the reader is of the action, 0 to 1.
    pub certainty: f32,
}

/// A slip of the fingers that was mended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Corrected {
    /// Where.
    pub place: WordRange,
    /// What was read instead.
    pub read_as: String,
}

/// Words that seem to matter and that nobody understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotUnderstood {
    /// Where.
    pub place: WordRange,
    /// Actions that come nearest, best first.
    pub nearest: Vec<String>,
}

/// Words that say opposite things of one event, of which it holds one: *quickly and slowly*.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opposed {
    /// What it holds.
    pub kept: WordRange,
    /// What it does not.
    pub dropped: WordRange,
}

/// A prompt's meaning.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Reading {
    /// What is to be done; `None` when the prompt names nothing that a body does.
    pub script: Option<Script>,
    /// For each event of the script the words it came from.
    pub events: Vec<EventWords>,
    /// Slips that were mended.
    pub corrected: Vec<Corrected>,
    /// Words that were taken for scenery: they change nothing.
    pub scenery: Vec<WordRange>,
    /// Words that were not understood.
    pub not_understood: Vec<NotUnderstood>,
    /// Fields that were said and cannot be, with their words: *a thousand times*.
    pub out_of_range: Vec<(Field, WordRange)>,
    /// Words that contradict others.
    pub opposed: Vec<Opposed>,
}

/// The learned reader. Reading needs no memory of what was read before; one reader serves all threads.
pub struct Reader {
    pub(crate) lists: Lists,
    pieces: Pieces,
    encoder: Encoder,
    heads: Heads,
}

impl std::fmt::Debug for Reader {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Reader").field("senses", &self.lists.senses.len()).finish()
    }
}

impl Reader {
    /// The reader that comes with the program; made at the first call.
    #[must_use]
    pub fn shared() -> &'static Self {
        static SHARED: LazyLock<Reader> = LazyLock::new(|| {
            Reader::read_from(
                include_bytes!("../../../assets/reader/weights/reader.safetensors"),
                include_str!("../../../assets/reader/weights/reader.json"),
                include_str!("../../../assets/reader/weights/pieces.txt"),
            )
            .expect("the weights are those this program was built with")
        });
        &SHARED
    }

    fn read_from(
        weights: &'static [u8],
        lists: &str,
        pieces: &'static str,
    ) -> Result<Self, WeightsError> {
        let lists: Lists = serde_json::from_str(lists)
            .map_err(|error| WeightsError::Unreadable(error.to_string()))?;
        let pieces = Pieces::of(pieces)?;
        let weights = Weights::read(weights)?;
        let encoder = Encoder::read(&weights, lists.layers, pieces.len())?;
        let heads = Heads::read(&weights, &lists)?;
        Ok(Self { lists, pieces, encoder, heads })
    }

    /// Whether a prompt is in the one language that was learned, as far as its words tell: of one that is not,
    /// [`Self::read`] finds nothing that is meant.
    #[must_use]
    pub fn is_english(&self, prompt: &str) -> bool {
        english::is_english(&words(prompt), &self.lists.words, &self.pieces)
    }

    /// Reads a prompt.
    #[must_use]
    pub fn read(&self, prompt: &str) -> Reading {
        let mut words = words(prompt);
        let mut corrected = Vec::new();
        for word in &mut words {
            if let Some(meant) = slips::meant(&word.text, &self.lists.words, &self.pieces) {
                corrected.push(Corrected { place: word.place.clone(), read_as: meant.to_owned() });
                meant.clone_into(&mut word.text);
            }
        }
        let carried = carriage::carried(&words);
        let whole = self.read_words(prompt, &words, corrected.clone());
        if carried.is_empty() {
            return whole;
        }
        let rest = carriage::without(&words, &carried);
        carriage::beside(prompt, whole, carried, || self.read_words(prompt, &rest, corrected))
    }

    fn read_words(&self, prompt: &str, words: &[Word], corrected: Vec<Corrected>) -> Reading {
        let (in_context, whole) = self.in_context(words);
        let triggers = self.heads.triggers(&in_context);
        let tags = self.heads.tags(&in_context);
        let mut spans = spans(&triggers);
        spans.retain(|span| rules::can_be_done(words, span));
        let mut events = self.heads.events(&self.lists.tags, &in_context, &tags, &spans);
        let sense = |event: &EventScores| {
            let sense = best(&event.senses);
            (sense, rounded(event.senses[sense]))
        };
        let senses: Vec<(usize, f32)> = events.iter().map(sense).collect();
        let joined = rules::joined(words, &spans, &senses);
        if joined.len() < spans.len() {
            events = self.heads.events(&self.lists.tags, &in_context, &tags, &joined);
            spans = joined;
        }
        let clip = self.heads.clip(&whole);
        let known: Vec<Known> = (words.iter())
            .map(|word| slips::known(&word.text, &self.lists.words, &self.pieces))
            .collect();
        let assembly = Assembly {
            known: &known,
            lists: &self.lists,
            prompt,
            words,
            tags: &tags,
            triggers: &triggers,
            senses_of: &|places| self.heads.senses(&in_context, places),
            senses_alone: &|places| {
                let own: Vec<Word> = places.iter().map(|place| words[*place].clone()).collect();
                let (rows, _) = self.in_context(&own);
                self.heads.senses(&rows, &(0..own.len()).collect::<Vec<_>>())
            },
        };
        assembly.reading(&spans, &events, &clip, corrected)
    }

    /// Each word in the context of the others, and the prompt as a whole. Words beyond what can be read
    /// together are nothing.
    fn in_context(&self, words: &[Word]) -> (Array2<f32>, ndarray::Array1<f32>) {
        let mut pieces = vec![self.pieces.first()];
        let mut places: Vec<Range<usize>> = Vec::new();
        for word in words {
            let own = self.pieces.of_word(&word.text);
            if pieces.len() + own.len() >= MOST_PIECES {
                break;
            }
            places.push(pieces.len()..pieces.len() + own.len());
            pieces.extend(own);
        }
        pieces.push(self.pieces.last());
        let encoded = self.encoder.encode(&pieces);
        let mut in_context = Array2::zeros((words.len(), WIDTH));
        for (mut row, place) in in_context.rows_mut().into_iter().zip(places) {
            let mean = encoded.slice(s![place, ..]).mean_axis(Axis(0));
            row.assign(&mean.unwrap_or_default());
        }
        (in_context, encoded.row(0).to_owned())
    }
}

/// Words that name an event, event by event.
fn spans(triggers: &Array2<f32>) -> Vec<Vec<usize>> {
    let mut found: Vec<Vec<usize>> = Vec::new();
    for (word, scores) in triggers.rows().into_iter().enumerate() {
        let scores = scores.mapv(rounded);
        let kind = best(&scores);
        match found.last_mut() {
            Some(open) if kind == 2 && open.last() == Some(&(word.wrapping_sub(1))) => {
                open.push(word);
            }
            _ if kind > 0 => found.push(vec![word]),
            _ => {}
        }
    }
    found
}
