//! The reader and its result.

use std::{collections::BTreeMap, ops::Range, sync::LazyLock};

use limber_script::{EventIndex, Script};

use crate::{
    assembly::Assembly,
    body_pose,
    encoder::{Encoder, MOST_PIECES, WIDTH},
    english,
    heads::{EventScores, Heads, Lists, best, rounded},
    pieces::Pieces,
    rules,
    spelling::{self, Familiarity},
    triggers,
    weights::{Weights, WeightsError},
    words::{Word, words},
};
use ndarray::{Array2, Axis, s};

/// A byte range of the prompt.
pub type WordRange = Range<usize>;

/// The name of a field of an event as in the script's JSON: `side`, `target_part`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Field(pub(crate) String);

impl Field {
    /// Returns the name as in the script's JSON.
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
    /// The words that name the action.
    pub deed: WordRange,
    /// The words that set fields of the event.
    pub fields: Vec<(Field, WordRange)>,
    /// Confidence in the action, 0 to 1.
    pub certainty: f32,
}

/// A typo that was corrected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Corrected {
    /// Where the word stands in the prompt.
    pub place: WordRange,
    /// The word that was read instead.
    pub read_as: String,
}

/// Words that seem to matter and were not understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotUnderstood {
    /// Where they stand in the prompt.
    pub place: WordRange,
    /// The most probable actions, best first; empty for letters outside the training data.
    pub nearest: Vec<String>,
}

/// Words that contradict each other within one event, which keeps one of them: *quickly and
/// slowly*.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opposed {
    /// The words that the event keeps.
    pub kept: WordRange,
    /// The words that it drops.
    pub dropped: WordRange,
}

/// The meaning of a prompt.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Reading {
    /// What to perform; `None` if the prompt names nothing that a body does.
    pub script: Option<Script>,
    /// For each event of the script, the words it came from.
    pub events: Vec<EventWords>,
    /// Typos that were corrected.
    pub corrected: Vec<Corrected>,
    /// Words that were taken for scenery and have no effect.
    pub scenery: Vec<WordRange>,
    /// Words that were not understood.
    pub not_understood: Vec<NotUnderstood>,
    /// Fields with a value out of range, with their words: *a thousand times*.
    pub out_of_range: Vec<(Field, WordRange)>,
    /// Actions beyond [`Script::MOST_EVENTS`], which were left out.
    pub too_many: Vec<WordRange>,
    /// The words that say that several people are meant, of whom one is animated: *two dancers*.
    pub several_people: Option<WordRange>,
    /// Words that contradict each other.
    pub opposed: Vec<Opposed>,
}

impl EventWords {
    /// All its words: those of the action and those of its fields.
    pub fn places(&self) -> impl Iterator<Item = &WordRange> {
        std::iter::once(&self.deed).chain(self.fields.iter().map(|(_, place)| place))
    }
}

impl Reading {
    /// Removes events that others include, given as [`Script::without`] takes them. Returns their
    /// words; nothing changes, and it returns none, if the script cannot do without them.
    pub fn take_out(&mut self, included: &BTreeMap<EventIndex, EventIndex>) -> Vec<EventWords> {
        let shorter = self.script.clone().and_then(|script| script.without(included).ok());
        let Some(shorter) = shorter else { return Vec::new() };
        self.script = Some(shorter);
        let mut taken = Vec::new();
        for (index, words) in std::mem::take(&mut self.events).into_iter().enumerate() {
            let is_included = included.contains_key(&EventIndex(index));
            if is_included { &mut taken } else { &mut self.events }.push(words);
        }
        taken
    }

    /// Adds words to the scenery.
    pub fn pass_over(&mut self, words: impl IntoIterator<Item = WordRange>) {
        self.scenery.extend(words);
        self.scenery.sort_by_key(|place| (place.start, std::cmp::Reverse(place.end)));
        // words within others are not named twice
        let mut end = 0;
        self.scenery.retain(|place| {
            let is_new = place.end > end;
            end = end.max(place.end);
            is_new
        });
    }
}

/// The trained reader. It keeps no state between prompts, so that all threads can share one.
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
    /// Returns the reader with the embedded weights, loaded at the first call.
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

    /// Whether a prompt seems to be English, the only language of the training data. Readings of
    /// prompts in other languages are meaningless.
    #[must_use]
    pub fn is_english(&self, prompt: &str) -> bool {
        english::is_english(&words(prompt), &self.lists.words, &self.pieces)
    }

    /// Whether the reader has learned an action from sentences or phrases. It cannot name others.
    #[must_use]
    pub fn is_trained_on(&self, action: &str) -> bool {
        self.lists.senses.iter().any(|sense| sense == action)
    }

    /// Reads a prompt. Never fails: what cannot be read is reported in the [`Reading`].
    #[must_use]
    pub fn read(&self, prompt: &str) -> Reading {
        let mut words = words(prompt);
        let mut corrected = Vec::new();
        for word in &mut words {
            if let Some(correction) =
                spelling::corrected_spelling(&word.text, &self.lists.words, &self.pieces)
            {
                corrected
                    .push(Corrected { place: word.place.clone(), read_as: correction.to_owned() });
                correction.clone_into(&mut word.text);
            }
        }
        let pose_phrases = body_pose::pose_phrases(&words);
        let whole = self.read_words(prompt, &words, corrected.clone());
        if pose_phrases.is_empty() {
            return whole;
        }
        let rest = body_pose::without(&words, &pose_phrases);
        body_pose::add_pose_events(prompt, whole, pose_phrases, || {
            self.read_words(prompt, &rest, corrected)
        })
    }

    fn read_words(&self, prompt: &str, words: &[Word], corrected: Vec<Corrected>) -> Reading {
        let (in_context, whole) = self.in_context(words);
        let triggers = self.heads.triggers(&in_context);
        let tags = self.heads.tags(&in_context);
        let mut spans = triggers::spans(&triggers);
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
        let known: Vec<Familiarity> = (words.iter())
            .map(|word| spelling::familiarity(&word.text, &self.lists.words, &self.pieces))
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

    /// Returns the vector of each word in context, one row per word, and that of the whole prompt.
    /// Words beyond the length limit of the encoder get rows of zeros.
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
