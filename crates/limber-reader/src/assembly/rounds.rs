//! Groups of actions that are repeated: *squat, then jump. Repeat twice*, *three rounds of: …*, *a
//! squat, then two more*.

use std::ops::Range;

use limber_script::Script;
use serde_json::json;

use super::{
    Assembly, Draft,
    constructions::{Added, What, drop_begun_in},
};
use crate::{
    numbers,
    reading::{Field, WordRange},
};

const REPEATING: [&str; 5] = ["repeat", "repeats", "repeated", "repeating", "again"];
const DOING: [&str; 5] = ["do", "does", "did", "done", "doing"];
/// Pronouns for what is repeated: *does that twice*.
const THAT: [&str; 4] = ["it", "that", "this", "same"];
const ROUNDS: [&str; 6] = ["round", "rounds", "set", "sets", "cycle", "cycles"];
const TIMES: [&str; 4] = ["time", "times", "twice", "thrice"];
/// Words for everything mentioned so far.
const ALL: [&str; 9] =
    ["all", "whole", "everything", "sequence", "combo", "combination", "routine", "top", "entire"];
/// Words that may accompany these without adding anything.
const BESIDE: [&str; 19] = [
    "the", "a", "for", "of", "in", "from", "thing", "once", "total", "more", "another", "then",
    "over", "pattern", "move", "moves", "x", "he", "she",
];

/// A clause that repeats the group before or after it.
struct Rounds {
    /// How often the group is performed in total.
    times: u64,
    group: Group,
}

enum Group {
    /// Everything mentioned so far.
    All,
    /// The sentence before, or what this sentence mentioned before.
    Sentence,
    /// The last counted event, repeated that many times: *two more*.
    Last,
}

impl Assembly<'_> {
    /// Adds the repetitions as events, and drops events and counts that were read from the words
    /// about them. Returns the added events, and the words of counts that were cut short by the
    /// limit on events.
    pub(super) fn apply_rounds(
        &self,
        spans: &[Vec<usize>],
        drafts: &mut [Option<Draft>],
        used: &mut [bool],
        pauses: &[Added],
    ) -> (Vec<Added>, Vec<(Field, WordRange)>) {
        let (mut added, mut too_many) = (Vec::new(), Vec::new());
        for stretch in self.clauses() {
            let Some(rounds) = self.rounds_in(&stretch) else { continue };
            let said = self.bytes(&stretch);
            let group = self.group(&stretch, &rounds.group, spans, drafts);
            let Some(last) = group.last().copied() else { continue };
            let behind = spans.iter().rposition(|span| span[0] < stretch.start).unwrap_or(last);
            drop_begun_in(drafts, &said);
            drafts.iter_mut().flatten().for_each(|draft| draft.take_back(&said));
            used[stretch].fill(true);
            if matches!(rounds.group, Group::Last) {
                let count = vec![("count", json!(rounds.times))];
                added.push(Added { behind: Some(behind), what: What::Again(last, count), said });
                continue;
            }
            let round = one_round(&group, drafts, pauses, &said);
            let done = drafts.iter().flatten().count() + pauses.len();
            let room = Script::MOST_EVENTS.saturating_sub(done);
            let fitting = rounds.times.min(1 + (room / round.len()) as u64);
            if fitting < rounds.times {
                too_many.push((Field::from("count"), said.clone()));
            }
            for _ in 1..fitting {
                let events = round.iter().cloned();
                added.extend(events.map(|what| Added {
                    behind: Some(behind),
                    what,
                    said: said.clone(),
                }));
            }
        }
        (added, too_many)
    }

    /// Parses a clause that only says how often something is done.
    fn rounds_in(&self, stretch: &Range<usize>) -> Option<Rounds> {
        let words = self.plain_words(stretch.clone());
        let has = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
        let known: [&[&str]; 7] = [&REPEATING, &DOING, &THAT, &ROUNDS, &TIMES, &ALL, &BESIDE];
        let is_said = |word: &String| {
            is_number(word)
                || known.iter().any(|known| known.contains(&word.as_str()))
                || !word.chars().any(char::is_alphanumeric)
        };
        if !words.iter().all(is_said) {
            return None;
        }
        let said = words.join(" ");
        let number = self.number("count", &said).and_then(Result::ok).and_then(|n| n.as_u64());
        let is_again = has(&REPEATING) && (has(&["repeat", "repeats"]) || has(&DOING));
        let is_doing = has(&DOING) && has(&THAT);
        let is_more = has(&["more", "another"]);
        let group = if has(&ALL) || has(&ROUNDS) { Group::All } else { Group::Sentence };
        let total = |times: u64| Some(Rounds { times, group });
        if has(&ROUNDS) || has(&["total"]) && is_again {
            return total(number?);
        }
        if is_more && !has(&TIMES) && !is_again && !is_doing {
            return Some(Rounds { times: number?, group: Group::Last });
        }
        if is_again || is_more && has(&TIMES) {
            // repeating twice means performing three times
            return total(1 + number.unwrap_or(1));
        }
        if is_doing && has(&TIMES) { total(number?) } else { None }
    }

    /// Returns the drafts that a stretch repeats, in the order of the text.
    fn group(
        &self,
        stretch: &Range<usize>,
        group: &Group,
        spans: &[Vec<usize>],
        drafts: &[Option<Draft>],
    ) -> Vec<usize> {
        let within = |places: Range<usize>| -> Vec<usize> {
            let here = |number: &usize| drafts[*number].is_some();
            (0..spans.len())
                .filter(here)
                .filter(|number| places.contains(&spans[*number][0]))
                .collect()
        };
        let before = within(0..stretch.start);
        if before.is_empty() {
            // *three rounds of: a squat, a jump*
            let leads = self.plain(stretch.end) == ":";
            return if leads { within(stretch.end..self.words.len()) } else { before };
        }
        match group {
            Group::All => before,
            // *ten sit-ups, a rest, eight more* repeats what was counted
            Group::Last => {
                let is_counted = |number: &&usize| {
                    drafts[**number].as_ref().is_some_and(|draft| draft.json.contains_key("count"))
                };
                let counted = before.iter().rfind(is_counted);
                counted.or(before.last()).copied().into_iter().collect()
            }
            Group::Sentence => {
                let sentences = self.sentences();
                let own = sentences.iter().rfind(|sentence| sentence.start <= stretch.start);
                let own = own.map_or_else(Vec::new, |own| within(own.start..stretch.start));
                let told = sentences.iter().rev().filter(|one| one.end <= stretch.start);
                let mut told = told.map(|one| within(one.clone())).filter(|told| !told.is_empty());
                if own.is_empty() { told.next().unwrap_or_default() } else { own }
            }
        }
    }
}

/// Returns the events of one repetition of a group, with the pauses between them.
fn one_round(
    group: &[usize],
    drafts: &[Option<Draft>],
    pauses: &[Added],
    said: &WordRange,
) -> Vec<What> {
    let mut round = Vec::new();
    for number in group {
        let Some(draft) = &drafts[*number] else { continue };
        let is_beside = draft.references.contains_key("while") && *number != group[0];
        let json = draft.json.clone();
        round.push(if is_beside { What::Beside(json) } else { What::New(json) });
        let follows =
            |pause: &&Added| pause.behind == Some(*number) && pause.said.end <= said.start;
        round.extend(pauses.iter().filter(follows).map(|pause| pause.what.clone()));
    }
    round
}

/// Whether a word is a number, such as *two*, *3* or *3x*.
fn is_number(word: &str) -> bool {
    numbers::is_number(word) || word.trim_matches('x').parse::<u32>().is_ok()
}

#[cfg(test)]
mod tests {
    use limber_script::{Count, Script, Timing};

    use crate::Reader;

    fn script(text: &str) -> Script {
        Reader::shared().read(text).script.expect("there is an action")
    }

    fn deeds(text: &str) -> Vec<String> {
        script(text).events().iter().map(|event| event.deed.to_string()).collect()
    }

    #[test]
    fn repeating_adds_to_the_first_time() {
        let told = deeds("She salutes, then claps. Repeat twice. Then she bows.");
        let once = ["salute", "clap"];
        assert_eq!(told, [&once[..], &once[..], &once[..], &["bow"]].concat());
        assert_eq!(deeds("A man salutes and then bows. Repeat.").len(), 4);
    }

    #[test]
    fn pauses_are_repeated_with_their_group() {
        let told = deeds("Kneel down, hold for two seconds, stand up. Repeat once.");
        let once = ["kneel", "statue still", "get up from knees"];
        assert_eq!(told, [once, once].concat());
    }

    #[test]
    fn rounds_are_counted_in_total() {
        assert_eq!(deeds("Three rounds of: a squat, a lunge.").len(), 6);
        assert_eq!(deeds("She waves, then claps. She does that three times.").len(), 6);
    }

    #[test]
    fn more_of_the_last_action_repeats_only_that() {
        let told = script("He hops forward, claps, then two more.");
        let last = told.events().last().expect("there are some");
        assert_eq!(last.deed.to_string(), "clap");
        assert_eq!(last.count, Count::new(2).ok(), "{told}");
    }

    #[test]
    fn simultaneous_events_are_repeated_together() {
        let told = script("She marches while clapping. Repeat twice, then she bows.");
        let is_beside = |timing: Timing| matches!(timing, Timing::While(_));
        let beside = told.events().iter().filter(|event| is_beside(event.timing));
        assert_eq!(beside.count(), 3, "{told}");
    }

    #[test]
    fn too_many_repeats_are_reported() {
        let reading = Reader::shared().read("A squat, then a jump. Repeat 900 times.");
        assert!(!reading.out_of_range.is_empty(), "{reading:?}");
    }
}
