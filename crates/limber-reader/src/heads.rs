//! The output layers: classify each word in context and predict the fields of each event.

use std::collections::BTreeMap;

use ndarray::{Array1, Array2, Axis, concatenate};
use serde::Deserialize;
use serde_json::Value as Json;

use crate::{
    encoder::{WIDTH, gelu},
    weights::{Linear, Weights, WeightsError},
};

/// The meanings of the outputs, in their order, as written by training.
#[derive(Debug, Deserialize)]
pub(crate) struct Lists {
    /// Number of layers of the encoder.
    pub(crate) layers: usize,
    /// Actions; the first entry stands for body language, a movement without a name.
    pub(crate) senses: Vec<String>,
    /// Fields of an event that words can set.
    pub(crate) tags: Vec<String>,
    /// Possible values of each field.
    pub(crate) values: BTreeMap<String, Vec<Json>>,
    /// Possible members of each field that holds a list.
    pub(crate) lists: BTreeMap<String, Vec<String>>,
    /// Fields that refer to another event, and `order`.
    pub(crate) references: Vec<String>,
    /// Fields of the whole clip, with their options.
    pub(crate) clip: BTreeMap<String, Vec<Json>>,
    /// Words of the training corpus, sorted.
    pub(crate) words: Vec<String>,
}

/// Distances between words, in words, and between events, in events, are clamped to this.
const MAX_DISTANCE: usize = 8;
/// Numbers of events between a word and an event are clamped to this.
const MAX_EVENTS_BETWEEN: usize = 3;
/// Width of the space in which links are scored.
const LINKED: usize = 64;
/// Hidden width of the heads of fields.
const HIDDEN: usize = 64;

/// Predicts a field of an event from the event and the words that set the field.
struct ValueHead {
    one: Linear,
    two: Linear,
}

impl ValueHead {
    fn read(weights: &Weights<'static>, name: &str, classes: usize) -> Result<Self, WeightsError> {
        Ok(Self {
            one: weights.linear(&format!("{name}.one"), 2 * WIDTH, HIDDEN)?,
            two: weights.linear(&format!("{name}.two"), HIDDEN, classes)?,
        })
    }

    fn apply(&self, event: &Array1<f32>, words: &Array1<f32>) -> Array1<f32> {
        let both = concatenate![Axis(0), *event, *words];
        let inner = self.one.apply_one(&both.view()).mapv(gelu);
        self.two.apply_one(&inner.view())
    }
}

/// Predicts which other event an event refers to.
struct ReferenceHead {
    from: Linear,
    to: Linear,
    far: Array1<f32>,
    /// Scores that it refers to no event; absent for `order`, which always compares two events.
    none: Option<ValueHead>,
}

/// All output layers.
pub(crate) struct Heads {
    trigger: Linear,
    tags: Linear,
    link_word: Linear,
    link_event: Linear,
    link_far: Array1<f32>,
    link_between: Array1<f32>,
    sense_in: Linear,
    senses: Linear,
    values: BTreeMap<String, ValueHead>,
    lists: BTreeMap<String, ValueHead>,
    references: BTreeMap<String, ReferenceHead>,
    clip: BTreeMap<String, Linear>,
}

/// The scores of one event.
pub(crate) struct EventScores {
    /// For each word, whether it belongs to this event; positive means yes.
    pub(crate) links: Array1<f32>,
    /// Probabilities of the senses; they add up to 1.
    pub(crate) senses: Array1<f32>,
    /// Scores of the values of each field; index 0 means that the field is not set.
    pub(crate) values: BTreeMap<String, Array1<f32>>,
    /// Scores of the members of each list; positive means that the list contains it.
    pub(crate) lists: BTreeMap<String, Array1<f32>>,
    /// Scores of the event that is referred to: index 0 for none, then the events in order.
    pub(crate) references: BTreeMap<String, Array1<f32>>,
    /// For each event, positive if it happens before this one although the text mentions it later.
    pub(crate) order: Array1<f32>,
}

impl Heads {
    pub(crate) fn read(weights: &Weights<'static>, lists: &Lists) -> Result<Self, WeightsError> {
        let reference = |name: &String| {
            let none = (name != "order")
                .then(|| ValueHead::read(weights, &format!("refer_none.{name}"), 1))
                .transpose()?;
            let far = embedding(weights, &format!("refer_far.{name}.weight"), MAX_DISTANCE)?;
            let from = weights.linear(&format!("refer_from.{name}"), WIDTH, LINKED)?;
            let to = weights.linear(&format!("refer_to.{name}"), WIDTH, LINKED)?;
            Ok((name.clone(), ReferenceHead { from, to, far, none }))
        };
        let value = |group: &str, name: &String, classes| {
            Ok((name.clone(), ValueHead::read(weights, &format!("{group}.{name}"), classes)?))
        };
        let clip = |(name, options): (&String, &Vec<Json>)| {
            Ok((name.clone(), weights.linear(&format!("clip.{name}"), WIDTH, options.len())?))
        };
        Ok(Self {
            trigger: weights.linear("trigger", WIDTH, 3)?,
            tags: weights.linear("tags", WIDTH, lists.tags.len())?,
            link_word: weights.linear("link_word", WIDTH, LINKED)?,
            link_event: weights.linear("link_event", WIDTH, LINKED)?,
            link_far: embedding(weights, "link_far.weight", MAX_DISTANCE)?,
            link_between: embedding(weights, "link_between.weight", MAX_EVENTS_BETWEEN)?,
            sense_in: weights.linear("sense_in", WIDTH, WIDTH)?,
            senses: weights.linear("senses", WIDTH, lists.senses.len())?,
            values: (lists.values.iter())
                .map(|(name, known)| value("values", name, known.len() + 1))
                .collect::<Result<_, _>>()?,
            lists: (lists.lists.iter())
                .map(|(name, known)| value("lists", name, known.len()))
                .collect::<Result<_, _>>()?,
            references: lists.references.iter().map(reference).collect::<Result<_, _>>()?,
            clip: lists.clip.iter().map(clip).collect::<Result<_, _>>()?,
        })
    }

    /// Returns scores per word for three classes: outside of an event trigger, its first word, or a
    /// further word of it.
    pub(crate) fn triggers(&self, words: &Array2<f32>) -> Array2<f32> {
        self.trigger.apply(words)
    }

    /// Returns scores per word and field, positive if the word sets that field of an event.
    pub(crate) fn tags(&self, words: &Array2<f32>) -> Array2<f32> {
        self.tags.apply(words)
    }

    /// Returns the index of the best option for each field of the clip.
    pub(crate) fn clip(&self, whole: &Array1<f32>) -> BTreeMap<&str, usize> {
        let best = |head: &Linear| best(&head.apply_one(&whole.view()));
        self.clip.iter().map(|(name, head)| (name.as_str(), best(head))).collect()
    }

    /// Returns the probabilities of the senses for the mean of these words.
    pub(crate) fn senses(&self, words: &Array2<f32>, places: &[usize]) -> Array1<f32> {
        let mean = words.select(Axis(0), places).mean_axis(Axis(0));
        self.senses_of(&mean.unwrap_or_default())
    }

    fn senses_of(&self, event: &Array1<f32>) -> Array1<f32> {
        let inner = self.sense_in.apply_one(&event.view()).mapv(gelu);
        softmax(&self.senses.apply_one(&inner.view()))
    }

    /// Returns the scores of all events, whose words `spans` holds in the order of the text.
    pub(crate) fn events(
        &self,
        names: &[String],
        words: &Array2<f32>,
        tags: &Array2<f32>,
        spans: &[Vec<usize>],
    ) -> Vec<EventScores> {
        let events: Vec<Array1<f32>> = (spans.iter())
            .map(|span| words.select(Axis(0), span).mean_axis(Axis(0)).unwrap_or_default())
            .collect();
        let linked = self.link_word.apply(words);
        (0..spans.len())
            .map(|number| self.event(number, names, words, tags, spans, &events, &linked))
            .collect()
    }

    #[expect(clippy::too_many_arguments, reason = "what all events share is computed once")]
    fn event(
        &self,
        number: usize,
        names: &[String],
        words: &Array2<f32>,
        tags: &Array2<f32>,
        spans: &[Vec<usize>],
        events: &[Array1<f32>],
        linked: &Array2<f32>,
    ) -> EventScores {
        let event = &events[number];
        let own = self.link_event.apply_one(&event.view());
        let mut links = linked.dot(&own) / (LINKED as f32).sqrt();
        for (word, link) in links.iter_mut().enumerate() {
            *link += self.link_far[distance(word, &spans[number])]
                + self.link_between[events_between(word, number, spans)];
        }
        let said: BTreeMap<&str, Array1<f32>> = (names.iter().enumerate())
            .map(|(tag, name)| (name.as_str(), words_of(tag, words, tags, &links)))
            .collect();
        let nothing = Array1::zeros(WIDTH);
        let of = |name: &str| said.get(name).unwrap_or(&nothing);
        let references = self.references.iter().map(|(name, head)| {
            let scores = head.scores(number, events, of(name));
            (name.clone(), scores)
        });
        let mut references: BTreeMap<_, _> = references.collect();
        EventScores {
            senses: self.senses_of(event),
            values: (self.values.iter())
                .map(|(name, head)| (name.clone(), head.apply(event, of(name))))
                .collect(),
            lists: (self.lists.iter())
                .map(|(name, head)| (name.clone(), head.apply(event, of(name))))
                .collect(),
            order: references.remove("order").unwrap_or_default(),
            references,
            links,
        }
    }
}

impl ReferenceHead {
    fn scores(&self, number: usize, events: &[Array1<f32>], words: &Array1<f32>) -> Array1<f32> {
        let from = self.from.apply_one(&events[number].view());
        let others = events.iter().enumerate().map(|(other, event)| {
            let apart = (other + MAX_DISTANCE).saturating_sub(number).min(2 * MAX_DISTANCE);
            let score = from.dot(&self.to.apply_one(&event.view())) / (LINKED as f32).sqrt();
            // an event cannot refer to itself
            if other == number && self.none.is_some() { f32::MIN } else { score + self.far[apart] }
        });
        let none = self.none.as_ref().map(|head| head.apply(&events[number], words)[0]);
        none.into_iter().chain(others).collect()
    }
}

/// Reads one learned bias per distance from `-most` to `most`.
fn embedding(
    weights: &Weights<'static>,
    name: &str,
    most: usize,
) -> Result<Array1<f32>, WeightsError> {
    let found = weights.numbers(name)?;
    let fits = found.len() == 2 * most + 1;
    fits.then_some(found).ok_or(WeightsError::OtherVersion("distances"))
}

/// Returns the index of the bias for the distance of a word to an event's own words:
/// `MAX_DISTANCE` if it is one of them.
fn distance(word: usize, span: &[usize]) -> usize {
    let (first, last) = (span[0], span[span.len() - 1]);
    let before = first.saturating_sub(word).min(MAX_DISTANCE);
    let after = word.saturating_sub(last).min(MAX_DISTANCE);
    MAX_DISTANCE + after - before
}

/// Returns the index of the bias for the number of events between a word and an event:
/// `MAX_EVENTS_BETWEEN` if there are none.
fn events_between(word: usize, number: usize, spans: &[Vec<usize>]) -> usize {
    let before = spans[..number].iter().filter(|span| word <= span[span.len() - 1]).count();
    let after = spans[number + 1..].iter().filter(|span| word >= span[0]).count();
    MAX_EVENTS_BETWEEN + after.min(MAX_EVENTS_BETWEEN) - before.min(MAX_EVENTS_BETWEEN)
}

/// Returns the mean of the words that set a field of an event, weighted by probability.
fn words_of(
    tag: usize,
    words: &Array2<f32>,
    tags: &Array2<f32>,
    links: &Array1<f32>,
) -> Array1<f32> {
    let weights: Array1<f32> = (tags.column(tag).iter().zip(links))
        .map(|(says, speaks)| sigmoid(*says) * sigmoid(*speaks))
        .collect();
    // weights below a sum of 1 scale the mean down; weights above it are normalised
    weights.dot(words) / weights.sum().max(1.0)
}

fn sigmoid(score: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-score))
}

fn softmax(scores: &Array1<f32>) -> Array1<f32> {
    let most = scores.fold(f32::NEG_INFINITY, |most, score| most.max(*score));
    let powers = scores.mapv(|score| libm::expf(score - most));
    let sum = powers.sum();
    powers / sum
}

/// Returns the index of the highest score, the first if several are equal. Scores are compared to
/// three decimal places, because processors differ in the last bits.
pub(crate) fn best(scores: &Array1<f32>) -> usize {
    let mut best = 0;
    for (number, score) in scores.iter().enumerate() {
        if rounded(*score) > rounded(scores[best]) {
            best = number;
        }
    }
    best
}

/// Rounds a score to three decimal places.
pub(crate) fn rounded(score: f32) -> f32 {
    (score * 1000.0).round() / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_buckets_match_training() {
        let spans = [vec![1], vec![4, 5], vec![9]];
        assert_eq!(distance(4, &spans[1]), MAX_DISTANCE);
        assert_eq!(distance(2, &spans[1]), MAX_DISTANCE - 2);
        assert_eq!(distance(7, &spans[1]), MAX_DISTANCE + 2);
        assert_eq!(distance(90, &spans[1]), 2 * MAX_DISTANCE);
        assert_eq!(events_between(7, 1, &spans), MAX_EVENTS_BETWEEN);
        assert_eq!(events_between(0, 1, &spans), MAX_EVENTS_BETWEEN - 1);
        assert_eq!(events_between(9, 0, &spans), MAX_EVENTS_BETWEEN + 2);
    }

    #[test]
    fn rounding_errors_do_not_change_decisions() {
        assert_eq!(best(&Array1::from(vec![0.1, 0.30001, 0.30002])), 1);
    }
}
