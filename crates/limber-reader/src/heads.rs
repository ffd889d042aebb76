//! The output layers: classify each word in context and predict the fields of each event.

use std::collections::BTreeMap;

use ndarray::{Array1, Array2, ArrayViewMut1, Axis, concatenate};
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

    /// Returns the scores of the classes, one row per event.
    fn apply(&self, events: &Array2<f32>, words: &Array2<f32>) -> Array2<f32> {
        let both = concatenate![Axis(1), *events, *words];
        self.two.apply(&self.one.apply(&both).mapv(gelu))
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
        let event = means(words, std::slice::from_ref(&places));
        self.senses_of(&event).row(0).to_owned()
    }

    fn senses_of(&self, events: &Array2<f32>) -> Array2<f32> {
        let mut scores = self.senses.apply(&self.sense_in.apply(events).mapv(gelu));
        scores.rows_mut().into_iter().for_each(softmax);
        scores
    }

    /// Returns the scores of all events, whose words `spans` holds in the order of the text.
    pub(crate) fn events(
        &self,
        names: &[String],
        words: &Array2<f32>,
        tags: &Array2<f32>,
        spans: &[Vec<usize>],
    ) -> Vec<EventScores> {
        let events = means(words, spans);
        let links = self.links(words, &events, spans);
        let (says, speaks) = (tags.mapv(sigmoid), links.mapv(sigmoid));
        let said: BTreeMap<&str, Array2<f32>> = (names.iter().zip(says.columns()))
            .map(|(name, says)| (name.as_str(), words_of(words, &(&speaks * &says))))
            .collect();
        let nothing = Array2::zeros(events.raw_dim());
        let of = |name: &str| said.get(name).unwrap_or(&nothing);
        let of_values = |heads: &BTreeMap<String, ValueHead>| {
            let scores =
                |(name, head): (&String, &ValueHead)| (name.clone(), head.apply(&events, of(name)));
            heads.iter().map(scores).collect::<BTreeMap<_, _>>()
        };
        let (values, lists) = (of_values(&self.values), of_values(&self.lists));
        let mut references: BTreeMap<_, _> = (self.references.iter())
            .map(|(name, head)| (name.clone(), head.scores(&events, of(name))))
            .collect();
        let order = references.remove("order").unwrap_or_else(|| Array2::zeros((spans.len(), 0)));
        let senses = self.senses_of(&events);
        let row = |scores: &Array2<f32>, number: usize| scores.row(number).to_owned();
        let rows = |scores: &BTreeMap<String, Array2<f32>>, number: usize| {
            scores.iter().map(|(name, scores)| (name.clone(), row(scores, number))).collect()
        };
        let scores = |number| EventScores {
            links: row(&links, number),
            senses: row(&senses, number),
            values: rows(&values, number),
            lists: rows(&lists, number),
            references: rows(&references, number),
            order: row(&order, number),
        };
        (0..spans.len()).map(scores).collect()
    }

    /// Returns for each event, one row each, how much each word belongs to it.
    fn links(
        &self,
        words: &Array2<f32>,
        events: &Array2<f32>,
        spans: &[Vec<usize>],
    ) -> Array2<f32> {
        let own = self.link_event.apply(events);
        let mut links = own.dot(&self.link_word.apply(words).t()) / (LINKED as f32).sqrt();
        for ((number, word), link) in links.indexed_iter_mut() {
            *link += self.link_far[distance(word, &spans[number])]
                + self.link_between[events_between(word, number, spans)];
        }
        links
    }
}

impl ReferenceHead {
    /// Returns a row of scores per event: first that it refers to none, unless it always does, then
    /// one per event that it could refer to.
    fn scores(&self, events: &Array2<f32>, words: &Array2<f32>) -> Array2<f32> {
        let from = self.from.apply(events);
        let mut scores = from.dot(&self.to.apply(events).t()) / (LINKED as f32).sqrt();
        for ((number, other), score) in scores.indexed_iter_mut() {
            let apart = (other + MAX_DISTANCE).saturating_sub(number).min(2 * MAX_DISTANCE);
            // an event cannot refer to itself
            let is_impossible = other == number && self.none.is_some();
            *score = if is_impossible { f32::MIN } else { *score + self.far[apart] };
        }
        match &self.none {
            Some(none) => concatenate![Axis(1), none.apply(events, words), scores],
            None => scores,
        }
    }
}

/// Returns the mean of the words at each of these places, one row per event.
fn means(words: &Array2<f32>, events: &[impl AsRef<[usize]>]) -> Array2<f32> {
    let mut means = Array2::zeros((events.len(), WIDTH));
    for (places, mut row) in events.iter().zip(means.rows_mut()) {
        let mean = words.select(Axis(0), places.as_ref()).mean_axis(Axis(0));
        row.assign(&mean.unwrap_or_default());
    }
    means
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

/// Returns the mean of the words that set a field of each event, one row per event, from the
/// probabilities that they do (events × words).
fn words_of(words: &Array2<f32>, weights: &Array2<f32>) -> Array2<f32> {
    // weights below a sum of 1 scale the mean down; weights above it are normalised
    let sums = weights.sum_axis(Axis(1)).mapv(|sum| sum.max(1.0));
    weights.dot(words) / sums.insert_axis(Axis(1))
}

fn sigmoid(score: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-score))
}

/// Turns scores into probabilities.
fn softmax(mut scores: ArrayViewMut1<f32>) {
    let most = scores.fold(f32::NEG_INFINITY, |most, score| most.max(*score));
    scores.mapv_inplace(|score| libm::expf(score - most));
    let sum = scores.sum();
    scores /= sum;
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
