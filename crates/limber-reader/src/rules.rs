//! Rules beside the model: cue words with a fixed meaning, and words between two events that tell
//! their order. Where a rule and the model disagree, the rule has the word itself as evidence.

use serde_json::Value as Json;

use crate::words::{Word, plain};

/// Light verbs, whose movement is named by the noun after them: *gives a nod, takes a bow*.
const LIGHT_VERBS: [&str; 8] =
    ["do", "give", "make", "take", "have", "perform", "deliver", "execute"];
/// Articles, possessives and similar determiners.
pub(crate) const DETERMINERS: [&str; 12] =
    ["a", "an", "the", "his", "her", "their", "its", "my", "your", "one", "some", "another"];
/// Words and signs that start a new clause or list item.
const SEPARATORS: [&str; 14] = [
    "and", "then", "while", "whilst", "before", "after", "until", "or", "but", ",", ".", ";", ":",
    "_",
];

/// Whether a span can name an event: function words alone cannot.
pub(crate) fn can_be_done(words: &[Word], span: &[usize]) -> bool {
    const NOTHING: [&str; 20] = [
        "of", "in", "on", "at", "with", "and", "to", "he", "she", "it", "they", "person", "man",
        "woman", "then", "while", "until", "before", "after", "when",
    ];
    span.iter().map(|word| plain(&words[*word].text)).any(|word| {
        word.chars().any(char::is_alphabetic)
            && !NOTHING.contains(&word.as_str())
            && !DETERMINERS.contains(&word.as_str())
    })
}

/// Whether a word means nothing on its own, such as the *and* of *back and forth*.
pub(crate) fn says_nothing(word: &str) -> bool {
    const LINKS: [&str; 5] = ["and", "then", "or", "but", "of"];
    let word = plain(word);
    LINKS.contains(&word.as_str())
        || DETERMINERS.contains(&word.as_str()) && !matches!(word.as_str(), "a" | "an" | "one")
        || !word.chars().any(char::is_alphanumeric)
}

/// Actions whose side is a direction, not a limb.
pub(crate) const TURNS: [&str; 5] =
    ["turn", "turn-on-heel", "turn-running", "look-aside", "look-over-shoulder"];

/// Whether the word after a number makes it a count of what was said before: *ten reps, four
/// rounds*.
pub(crate) fn counts_what_was_said(word: &str) -> bool {
    const COUNTED: [&str; 9] =
        ["rep", "reps", "repetition", "repetitions", "round", "rounds", "times", "time", "sets"];
    COUNTED.contains(&plain(word).as_str())
}

/// Returns the normalised words between two triggers.
fn between(words: &[Word], first: &[usize], second: &[usize]) -> Vec<String> {
    let (from, to) = (first[first.len() - 1] + 1, second[0]);
    words[from.min(to)..to].iter().map(|word| plain(&word.text)).collect()
}

/// Joins triggers that belong to one event, given the best sense of each with its probability:
/// *gives a high five* names one event twice, and the ball of *throws a ball* is none.
pub(crate) fn joined(
    words: &[Word],
    spans: &[Vec<usize>],
    senses: &[(usize, f32)],
) -> Vec<Vec<usize>> {
    let mut found: Vec<(Vec<usize>, (usize, f32))> = Vec::new();
    for (span, sense) in spans.iter().zip(senses) {
        let Some((last, last_sense)) = found.last_mut() else {
            found.push((span.clone(), *sense));
            continue;
        };
        let gap = between(words, last, span);
        let is_apart = gap.iter().any(|word| SEPARATORS.contains(&word.as_str()));
        let is_object = gap.last().is_some_and(|word| DETERMINERS.contains(&word.as_str()))
            && span.len() == 1
            && gap.len() <= 2;
        if gap.is_empty() && is_side(words, last) && !is_side(words, span) {
            (*last, *last_sense) = (span.clone(), *sense);
        } else if is_apart || gap.len() > 3 {
            found.push((span.clone(), *sense));
        } else if last_sense.0 == sense.0
            && (is_object || gap.len() <= 1 || is_light(words, last) || leads_into(&gap))
        {
            last.extend(span);
        } else if is_object && (is_light(words, last) || sense.1 > last_sense.1) {
            (*last, *last_sense) = (span.clone(), *sense);
        } else if !is_object {
            found.push((span.clone(), *sense));
        }
    }
    found.into_iter().map(|(span, _)| span).collect()
}

/// Whether a trigger only names a side. It is an event by itself in *steps left, right, left*, but
/// not in *left hook*.
fn is_side(words: &[Word], span: &[usize]) -> bool {
    span.iter().all(|word| ["left", "right"].contains(&plain(&words[*word].text).as_str()))
}

/// Whether the words between two triggers of the same sense make them one event: *bursts into a
/// run*, *sinks down into a squat*.
fn leads_into(gap: &[String]) -> bool {
    gap.iter().any(|word| ["into", "in", "with", "down", "up"].contains(&word.as_str()))
}

fn is_light(words: &[Word], span: &[usize]) -> bool {
    let word = plain(&words[span[0]].text);
    let bases =
        ["", "s", "es", "ing", "ed"].map(|ending| word.strip_suffix(ending).unwrap_or(&word));
    let is_light = |base: &str| {
        LIGHT_VERBS.contains(&base) || LIGHT_VERBS.contains(&format!("{base}e").as_str())
    };
    span.len() == 1 && bases.iter().any(|base| is_light(base))
}

/// The timing of two events that are neighbours in the text, according to the words around them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Relation {
    /// Both happen at once.
    Together,
    /// The second happens first.
    Swapped,
}

/// Returns the timing of the event at index `second` and the one before it; `None` if no word tells
/// it.
pub(crate) fn relation(words: &[Word], spans: &[Vec<usize>], second: usize) -> Option<Relation> {
    let (first, own) = (&spans[second - 1], &spans[second]);
    let gap = between(words, first, own);
    let has = |known: &[&str]| gap.iter().any(|word| known.contains(&word.as_str()));
    let leads = |known: &[&str]| {
        second == 1
            && words[..first[0]].iter().any(|word| known.contains(&plain(&word.text).as_str()))
            && has(&[","])
    };
    if has(&["while", "whilst", "simultaneously", "meanwhile"]) || leads(&["while", "whilst"]) {
        return Some(Relation::Together);
    }
    // *vaults out of a sprint*: the sprint comes first
    let comes_out_of = gap.windows(2).any(|pair| pair == ["out", "of"]) && gap.len() <= 3;
    let swaps = has(&["after"]) && !has(&["that", "this", ",", ".", ";"])
        || comes_out_of
        || leads(&["before"]);
    swaps.then_some(Relation::Swapped)
}

/// A word with a fixed meaning, with the fields that it may set.
pub(crate) struct Cue {
    pub(crate) fields: &'static [&'static str],
    pub(crate) value: Value,
}

/// The value that a cue sets.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Value {
    Word(&'static str),
    Factor(f64),
}

impl Value {
    /// Whether the value of a field agrees with the cue; a factor agrees if both lie on the same
    /// side of 1.
    pub(crate) fn is_in(self, held: &Json) -> bool {
        match self {
            Self::Word(word) => held == word,
            Self::Factor(factor) => {
                held.as_f64().is_some_and(|held| (held > 1.0) == (factor > 1.0))
            }
        }
    }
}

/// Whether two cues contradict each other: *forward* and *backward*, *slowly* and *fast*.
pub(crate) fn opposite(one: Value, other: Value) -> bool {
    const PAIRS: [(&str, &str); 4] = [
        ("left", "right"),
        ("forward", "backward"),
        ("up", "down"),
        ("clockwise", "counterclockwise"),
    ];
    match (one, other) {
        (Value::Word(one), Value::Word(other)) => {
            PAIRS.contains(&(one, other)) || PAIRS.contains(&(other, one))
        }
        (Value::Factor(one), Value::Factor(other)) => (one > 1.0) != (other > 1.0),
        _ => false,
    }
}

/// Returns the cue of a word, which holds whatever the context.
pub(crate) fn cue(word: &str) -> Option<Cue> {
    const SIDED: &[&str] = &["side", "direction", "target_side"];
    let (fields, value): (&'static [&'static str], Value) = match plain(word).as_str() {
        "left" | "leftward" | "leftwards" => (SIDED, Value::Word("left")),
        "right" | "rightward" | "rightwards" => (SIDED, Value::Word("right")),
        "both" => (&["side"], Value::Word("both")),
        "alternating" | "alternately" => (&["side"], Value::Word("alternating")),
        "forward" | "forwards" | "ahead" | "fwd" => (&["direction"], Value::Word("forward")),
        "backward" | "backwards" | "bwd" => (&["direction"], Value::Word("backward")),
        "upward" | "upwards" => (&["direction"], Value::Word("up")),
        "downward" | "downwards" => (&["direction"], Value::Word("down")),
        "clockwise" => (&["direction"], Value::Word("clockwise")),
        "counterclockwise" | "anticlockwise" => (&["direction"], Value::Word("counterclockwise")),
        "slowly" | "slow" => (&["speed"], Value::Factor(0.6)),
        "quickly" | "fast" | "rapidly" | "quick" | "swiftly" => (&["speed"], Value::Factor(1.5)),
        "huge" | "enormous" | "giant" | "massive" => (&["size"], Value::Factor(2.0)),
        "big" | "large" | "wide" | "deep" | "deeply" => (&["size"], Value::Factor(1.5)),
        "small" | "tiny" | "little" | "slight" | "slightly" => (&["size"], Value::Factor(0.5)),
        "overhead" => (&["height"], Value::Word("overhead")),
        "crouched" | "crouching" => (&["posture"], Value::Word("crouched")),
        _ => return None,
    };
    Some(Cue { fields, value })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::words;

    #[test]
    fn objects_and_light_verbs_are_not_separate_events() {
        let joined = |text: &str, spans: &[&[usize]], senses: &[usize]| {
            let spans: Vec<Vec<usize>> = spans.iter().map(|span| span.to_vec()).collect();
            let senses: Vec<(usize, f32)> = senses.iter().map(|sense| (*sense, 0.5)).collect();
            super::joined(&words(text), &spans, &senses)
        };
        assert_eq!(joined("gives a high five", &[&[0], &[3]], &[7, 7]), [vec![0, 3]]);
        assert_eq!(joined("throws a ball", &[&[0], &[2]], &[1, 2]), [vec![0]]);
        assert_eq!(joined("gives a nod", &[&[0], &[2]], &[1, 2]), [vec![2]]);
        assert_eq!(joined("a left hook", &[&[1], &[2]], &[1, 2]), [vec![2]]);
        assert_eq!(joined("walks and waves", &[&[0], &[2]], &[1, 2]), [vec![0], vec![2]]);
        assert_eq!(joined("jumps, jumps", &[&[0], &[2]], &[1, 1]), [vec![0], vec![2]]);
    }

    #[test]
    fn cues_are_grouped_by_meaning_and_opposites_known() {
        let value = |word: &str| cue(word).unwrap().value;
        assert!(opposite(value("forwards"), value("backward")));
        assert!(opposite(value("right"), value("leftward")));
        assert!(opposite(value("slowly"), value("rapidly")));
        assert!(!opposite(value("slow"), value("slowly")));
        assert!(!opposite(value("forward"), value("left")));
        assert!(!opposite(value("slowly"), value("left")));
        assert!(value("quick").is_in(&serde_json::json!(1.8)));
        assert!(!value("quick").is_in(&serde_json::json!(0.5)));
        assert!(value("ahead").is_in(&serde_json::json!("forward")));
    }

    #[test]
    fn conjunctions_give_simultaneity_and_order() {
        let relation = |text: &str, first: usize, second: usize| {
            super::relation(&words(text), &[vec![first], vec![second]], 1)
        };
        assert_eq!(relation("walks while waving", 0, 2), Some(Relation::Together));
        assert_eq!(relation("while walking, he waves", 1, 4), Some(Relation::Together));
        assert_eq!(relation("waves after clapping", 0, 2), Some(Relation::Swapped));
        assert_eq!(relation("before sitting, he waves", 1, 4), Some(Relation::Swapped));
        assert_eq!(relation("after clapping, he waves", 1, 4), None);
        assert_eq!(relation("claps, after that he waves", 0, 5), None);
    }
}
