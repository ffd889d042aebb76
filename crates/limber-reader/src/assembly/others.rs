//! What others do: the camera, the weather, whoever the prompt is not about. The body does none of it.

use std::ops::Range;

use serde_json::{Value as Json, json};

use super::{Assembly, Draft, receiving::reaction_to};
use crate::rules::DETERMINERS;

/// Who and what acts in prompts and is not the one who is animated. People are none: prompts are about them.
const SCENE: [&str; 57] = [
    "camera",
    "thunder",
    "lightning",
    "rain",
    "storm",
    "wind",
    "gust",
    "wave",
    "sun",
    "light",
    "lights",
    "fire",
    "explosion",
    "bomb",
    "grenade",
    "shell",
    "rocket",
    "gunshot",
    "bullet",
    "arrow",
    "car",
    "truck",
    "bus",
    "train",
    "tram",
    "plane",
    "helicopter",
    "door",
    "window",
    "gate",
    "alarm",
    "bell",
    "phone",
    "telephone",
    "siren",
    "whistle",
    "music",
    "crowd",
    "audience",
    "house",
    "building",
    "ground",
    "ceiling",
    "boat",
    "ship",
    "elevator",
    "floor",
    "roof",
    "branch",
    "ice",
    "engine",
    "horn",
    "clock",
    "curtain",
    "glass",
    "radio",
    "television",
];
/// Animals act for themselves where somebody else is spoken of, too.
const ANIMALS: [&str; 12] = [
    "dog", "cat", "horse", "bird", "bull", "snake", "spider", "wasp", "bee", "bear", "wolf", "rat",
];
/// Things that move by themselves only behind an article: *the ball rolls*, but *ball slams*.
const THINGS: [&str; 34] = [
    "ball",
    "balloon",
    "puck",
    "frisbee",
    "snowball",
    "rock",
    "boulder",
    "stone",
    "brick",
    "log",
    "tree",
    "rope",
    "ladder",
    "bridge",
    "platform",
    "wall",
    "lid",
    "drawer",
    "chair",
    "table",
    "shelf",
    "box",
    "crate",
    "barrel",
    "net",
    "blade",
    "spell",
    "fireball",
    "laser",
    "beam",
    "lift",
    "escalator",
    "swing",
    "hammer",
];
/// People who are always seen from another one.
const OPPOSITES: [&str; 8] =
    ["opponent", "partner", "attacker", "enemy", "opponents", "enemies", "attackers", "teammate"];
/// Whom somebody else does something to.
const OBJECTS: [(&str, &str); 3] = [("him", "he"), ("her", "she"), ("them", "they")];
/// What may follow an object; before another word *her* says whose something is.
const BEHIND_OBJECTS: [&str; 20] = [
    "in", "on", "to", "from", "at", "off", "with", "by", "over", "down", "away", "into", "onto",
    "back", "hard", "across", "against", "around", "out", "up",
];
/// Who acts in a clause that is about the one who is animated.
const ONESELF: [&str; 7] = ["he", "she", "they", "you", "i", "we", "it"];

impl Assembly<'_> {
    /// Takes away what others do. What they do to the one whom the prompt is about is how that one reacts.
    pub(super) fn apply_others(&self, spans: &[Vec<usize>], drafts: &mut [Option<Draft>]) {
        let by_others: Vec<usize> = (0..spans.len())
            .filter(|number| {
                let first = spans[*number][0];
                // *an arrow flies* may be read as one deed
                self.is_by_scene(first)
                    || self.is_by_scene(first + 1)
                    || self.is_relative(first, spans)
            })
            .collect();
        self.drop_unless_all(drafts, &by_others);
        let mut dropped = Vec::new();
        for clause in self.clauses_of_another() {
            for (number, span) in spans.iter().enumerate() {
                let Some(draft) = drafts[number].as_mut().filter(|_| clause.contains(&span[0]))
                else {
                    continue;
                };
                let dealt = draft.json.get("do").and_then(Json::as_str);
                // what is thrown *at him* may miss
                let behind = self.word_behind(draft.words.deed.end);
                let said = self.plain_words(span[0]..span[span.len() - 1] + 1);
                let is_object = |word: &str| OBJECTS.iter().any(|(object, _)| *object == word);
                let is_met = is_object(&behind) || said.iter().any(|word| is_object(word));
                if let Some(reaction) = dealt.and_then(reaction_to).filter(|_| is_met) {
                    draft.json.insert("do".to_owned(), json!(reaction));
                } else if !dealt.is_some_and(is_reaction) {
                    dropped.push(number);
                }
            }
        }
        self.drop_unless_all(drafts, &dropped);
    }

    /// Takes drafts away, unless nothing would be left to do.
    pub(super) fn drop_unless_all(&self, drafts: &mut [Option<Draft>], dropped: &[usize]) {
        let kept = (0..drafts.len()).filter(|number| drafts[*number].is_some());
        if kept.filter(|number| !dropped.contains(number)).count() > 0 {
            dropped.iter().for_each(|number| drafts[*number] = None);
        }
    }

    /// Whether the subject of a verb is the scene: *the camera pans*, at the beginning of a clause.
    fn is_by_scene(&self, verb: usize) -> bool {
        let Some(noun) = verb.checked_sub(1) else { return false };
        let word = self.plain(noun);
        let is_animal = ANIMALS.contains(&word.as_str()) || OPPOSITES.contains(&word.as_str());
        let is_thing = THINGS.contains(&word.as_str());
        // *door kick* and *light jog* are names of what the body does
        let verb = self.plain(verb);
        let is_predicate = ["s", "ed", "ing"].iter().any(|ending| verb.ends_with(ending));
        if !is_predicate || !SCENE.contains(&word.as_str()) && !is_animal && !is_thing {
            return false;
        }
        let article = noun.checked_sub(1).map(|place| self.plain(place));
        let is_determined = article.is_some_and(|word| DETERMINERS.contains(&word.as_str()));
        if is_thing && !is_determined {
            return false;
        }
        let first = noun - usize::from(is_determined);
        let begins = self.clauses().iter().any(|clause| clause.start == first);
        // who animates an animal says so at once
        begins && (!is_animal || first > 0 || self.speaks_of_a_person())
    }

    /// Whether a verb stands behind *who* and tells of somebody whom an earlier one was about: *nods at those who pass*.
    fn is_relative(&self, verb: usize, spans: &[Vec<usize>]) -> bool {
        let before = verb.checked_sub(1).map(|place| self.plain(place));
        before.is_some_and(|word| word == "who") && spans.iter().any(|span| span[0] + 1 < verb)
    }

    fn speaks_of_a_person(&self) -> bool {
        let words = self.plain_words(0..self.words.len());
        words.iter().any(|word| ["he", "she", "they", "him"].contains(&word.as_str()))
    }

    /// Clauses in which a noun does something to *him*, and *he* does something later: the noun is not the one whom
    /// the prompt is about.
    fn clauses_of_another(&self) -> Vec<Range<usize>> {
        let clauses = self.clauses();
        let of_another = |clause: &&Range<usize>| {
            let words = self.plain_words((*clause).clone());
            let begins_with_oneself = ONESELF.contains(&words[0].as_str());
            let object = OBJECTS.iter().find_map(|(object, subject)| {
                let place = words.iter().position(|word| word == object).filter(|at| *at > 0)?;
                let next = words.get(place + 1);
                let stands_alone = next.is_none_or(|next| BEHIND_OBJECTS.contains(&next.as_str()));
                (*object != "her" || stands_alone).then_some(*subject)
            });
            let later = |subject: &str| {
                clauses
                    .iter()
                    .any(|other| other.start > clause.start && self.plain(other.start) == subject)
            };
            let earlier = |subject: &str| {
                clauses
                    .iter()
                    .any(|other| other.start < clause.start && self.plain(other.start) == subject)
            };
            let is_named = ["a", "an", "the", "somebody", "someone", "something", "another"]
                .contains(&words[0].as_str());
            !begins_with_oneself
                && object.is_some_and(|subject| is_named && (later(subject) || earlier(subject)))
        };
        clauses.iter().filter(of_another).cloned().collect()
    }
}

fn is_reaction(action: &str) -> bool {
    ["react-", "knock-", "flinch", "recoil", "brace", "dragged", "be-", "fall", "stumble"]
        .iter()
        .any(|begin| action.starts_with(begin))
}

#[cfg(test)]
mod tests {
    use crate::Reader;

    fn deeds(text: &str) -> Vec<String> {
        let script = Reader::shared().read(text).script.expect("something is done");
        script.events().iter().map(|event| event.deed.to_string()).collect()
    }

    #[test]
    fn no_word_of_what_the_scene_does_is_lost() {
        let text = "the bell rings and he waves";
        let reading = Reader::shared().read(text);
        let flagged = reading.not_understood.iter().map(|words| &words.place);
        let mut told = reading.scenery.iter().chain(flagged);
        assert!(told.any(|range| text[range.clone()].contains("rings")), "{reading:?}");
    }

    #[test]
    fn the_scene_does_what_it_does() {
        assert_eq!(deeds("The camera rises. She waves."), ["wave"]);
        assert_eq!(deeds("a tram passes and he waves"), ["wave"]);
        assert_eq!(deeds("The ball rolls away. She shrugs."), ["shrug"]);
        assert_eq!(deeds("his opponent bows and he salutes"), ["salute"]);
        assert_eq!(deeds("a light jog, then a wave").len(), 2);
        // whoever animates a dog
        assert!(!deeds("a dog scratches itself").is_empty());
    }

    #[test]
    fn who_does_something_to_him_is_another() {
        let told = deeds("a guard throws a net at him and he ducks");
        assert_eq!(told, ["duck"]);
        assert_eq!(deeds("a guard throws a net at her"), ["throw"]);
    }
}
