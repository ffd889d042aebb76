//! The heads: what each word in context is for, and what is said about each event.

use std::collections::BTreeMap;

use ndarray::{Array1, Array2, Axis, concatenate};
use serde::Deserialize;
use serde_json::Value as Json;

use crate::{
    encoder::{WIDTH, gelu},
    weights::{Linear, Weights, WeightsError},
};

/// What the numbers of the heads stand for, as training wrote it.
#[derive(Debug, Deserialize)]
pub(crate) struct Lists {
    /// Layers of the encoder.
    pub(crate) layers: usize,
    /// Actions; the first is body language.
    pub(crate) senses: Vec<String>,
    /// Fields that words say.
    pub(crate) tags: Vec<String>,
    /// What a field may be.
    pub(crate) values: BTreeMap<String, Vec<Json>>,
    /// What a field may hold several of.
    pub(crate) lists: BTreeMap<String, Vec<String>>,
    /// Fields that name another event, and `order`.
    pub(crate) references: Vec<String>,
    /// Fields of the whole clip.
    pub(crate) clip: BTreeMap<String, Vec<Json>>,
    /// Words that occur in what was learned, in order.
    pub(crate) words: Vec<String>,
}

/// Words further apart than this are as far as this.
const FAR: usize = 8;
/// So many events between a word and its event are told apart.
const BETWEEN: usize = 3;
/// Width of what links are computed in.
const LINKED: usize = 64;
/// Width within the heads of fields.
const HIDDEN: usize = 64;

/// Tells what a field of an event is, from the event and the words that say it.
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

/// Tells which other event one names.
struct ReferenceHead {
    from: Linear,
    to: Linear,
    far: Array1<f32>,
    /// Whether it names none; `order` always compares.
    none: Option<ValueHead>,
}

/// All heads.
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

/// What the heads say about one event.
pub(crate) struct EventScores {
    /// For each word whether it speaks of this event; above 0 it does.
    pub(crate) links: Array1<f32>,
    /// Shares of the senses; they add up to 1.
    pub(crate) senses: Array1<f32>,
    /// Scores of what each field is; the first is that it is left open.
    pub(crate) values: BTreeMap<String, Array1<f32>>,
    /// Scores of the members of lists; above 0 they are in it.
    pub(crate) lists: BTreeMap<String, Array1<f32>>,
    /// Scores of the event that is named: none, the first, the second …
    pub(crate) references: BTreeMap<String, Array1<f32>>,
    /// For each event above 0 when that one comes before this one, although it is told later.
    pub(crate) order: Array1<f32>,
}

impl Heads {
    pub(crate) fn read(weights: &Weights<'static>, lists: &Lists) -> Result<Self, WeightsError> {
        let reference = |name: &String| {
            let none = (name != "order")
                .then(|| ValueHead::read(weights, &format!("refer_none.{name}"), 1))
                .transpose()?;
            let far = embedding(weights, &format!("refer_far.{name}.weight"), FAR)?;
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
            link_far: embedding(weights, "link_far.weight", FAR)?,
            link_between: embedding(weights, "link_between.weight", BETWEEN)?,
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

    /// For each word: scores that it is outside of what names an event, its first word, or a further one.
    pub(crate) fn triggers(&self, words: &Array2<f32>) -> Array2<f32> {
        self.trigger.apply(words)
    }

    /// For each word and field: above 0 when the word says something about that field of an event.
    pub(crate) fn tags(&self, words: &Array2<f32>) -> Array2<f32> {
        self.tags.apply(words)
    }

    /// For each field of the clip, which of its options it is.
    pub(crate) fn clip(&self, whole: &Array1<f32>) -> BTreeMap<&str, usize> {
        let best = |head: &Linear| best(&head.apply_one(&whole.view()));
        self.clip.iter().map(|(name, head)| (name.as_str(), best(head))).collect()
    }

    /// Shares of the senses that these words may have.
    pub(crate) fn senses(&self, words: &Array2<f32>, places: &[usize]) -> Array1<f32> {
        let mean = words.select(Axis(0), places).mean_axis(Axis(0));
        self.senses_of(&mean.unwrap_or_default())
    }

    fn senses_of(&self, event: &Array1<f32>) -> Array1<f32> {
        let inner = self.sense_in.apply_one(&event.view()).mapv(gelu);
        shares(&self.senses.apply_one(&inner.view()))
    }

    /// What is said about events, whose words `spans` holds in the order of the text.
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
            let apart = (other + FAR).saturating_sub(number).min(2 * FAR);
            let score = from.dot(&self.to.apply_one(&event.view())) / (LINKED as f32).sqrt();
            // nothing names itself
            if other == number && self.none.is_some() { f32::MIN } else { score + self.far[apart] }
        });
        let none = self.none.as_ref().map(|head| head.apply(&events[number], words)[0]);
        none.into_iter().chain(others).collect()
    }
}

/// A number for each distance from -`most` to `most`.
fn embedding(
    weights: &Weights<'static>,
    name: &str,
    most: usize,
) -> Result<Array1<f32>, WeightsError> {
    let found = weights.numbers(name)?;
    let fits = found.len() == 2 * most + 1;
    fits.then_some(found).ok_or(WeightsError::OtherVersion("distances"))
}

/// How far a word stands from an event's own words: `FAR` when it is one of them.
fn distance(word: usize, span: &[usize]) -> usize {
    let (first, last) = (span[0], span[span.len() - 1]);
    let before = first.saturating_sub(word).min(FAR);
    let after = word.saturating_sub(last).min(FAR);
    FAR + after - before
}

/// How many events stand between a word and this one: `BETWEEN` when none does.
fn events_between(word: usize, number: usize, spans: &[Vec<usize>]) -> usize {
    let before = spans[..number].iter().filter(|span| word <= span[span.len() - 1]).count();
    let after = spans[number + 1..].iter().filter(|span| word >= span[0]).count();
    BETWEEN + after.min(BETWEEN) - before.min(BETWEEN)
}

/// The mean of the words that say a field of an event, each by how surely it does.
fn words_of(
    tag: usize,
    words: &Array2<f32>,
    tags: &Array2<f32>,
    links: &Array1<f32>,
) -> Array1<f32> {
    let weights: Array1<f32> = (tags.column(tag).iter().zip(links))
        .map(|(says, speaks)| share(*says) * share(*speaks))
        .collect();
    // what is said by halves counts by halves; what is said twice counts once
    weights.dot(words) / weights.sum().max(1.0)
}

fn share(score: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-score))
}

fn shares(scores: &Array1<f32>) -> Array1<f32> {
    let most = scores.fold(f32::NEG_INFINITY, |most, score| most.max(*score));
    let powers = scores.mapv(|score| libm::expf(score - most));
    let sum = powers.sum();
    powers / sum
}

/// The first of the highest scores, to three digits: processors differ in the last ones.
pub(crate) fn best(scores: &Array1<f32>) -> usize {
    let mut best = 0;
    for (number, score) in scores.iter().enumerate() {
        if rounded(*score) > rounded(scores[best]) {
            best = number;
        }
    }
    best
}

/// A score to three digits.
pub(crate) fn rounded(score: f32) -> f32 {
    (score * 1000.0).round() / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_those_of_training() {
        let spans = [vec![1], vec![4, 5], vec![9]];
        assert_eq!(distance(4, &spans[1]), FAR);
        assert_eq!(distance(2, &spans[1]), FAR - 2);
        assert_eq!(distance(7, &spans[1]), FAR + 2);
        assert_eq!(distance(90, &spans[1]), 2 * FAR);
        assert_eq!(events_between(7, 1, &spans), BETWEEN);
        assert_eq!(events_between(0, 1, &spans), BETWEEN - 1);
        assert_eq!(events_between(9, 0, &spans), BETWEEN + 2);
    }

    #[test]
    fn the_last_digits_decide_nothing() {
        assert_eq!(best(&Array1::from(vec![0.1, 0.30001, 0.30002])), 1);
    }
}
