//! What others do: the camera, the weather, people whom the prompt is not about. None of it is
//! performed.

use std::ops::Range;

use serde_json::{Value as Json, json};

use super::{Assembly, Draft, receiving::reaction_to};
use crate::rules::DETERMINERS;

/// Subjects that are not the animated person. Nouns for people are absent because prompts are about
/// people.
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
/// Animals, which act for themselves if the prompt also mentions a person.
const ANIMALS: [&str; 12] = [
    "dog", "cat", "horse", "bird", "bull", "snake", "spider", "wasp", "bee", "bear", "wolf", "rat",
];
/// Things that are a subject only after an article: *the ball rolls*, but *ball slams*.
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
/// Nouns that describe a person relative to the animated one.
const OPPOSITES: [&str; 8] =
    ["opponent", "partner", "attacker", "enemy", "opponents", "enemies", "attackers", "teammate"];
/// Object pronouns with their subject pronouns.
const OBJECTS: [(&str, &str); 3] = [("him", "he"), ("her", "she"), ("them", "they")];
/// Words that may follow an object pronoun; before any other word, *her* is a possessive.
const BEHIND_OBJECTS: [&str; 20] = [
    "in", "on", "to", "from", "at", "off", "with", "by", "over", "down", "away", "into", "onto",
    "back", "hard", "across", "against", "around", "out", "up",
];
/// Subject pronouns of clauses about the animated person.
const ONESELF: [&str; 7] = ["he", "she", "they", "you", "i", "we", "it"];

impl Assembly<'_> {
    /// Drops what others do. What they do to the animated person becomes that person's reaction.
    pub(super) fn apply_others(&self, spans: &[Vec<usize>], drafts: &mut [Option<Draft>]) {
        let by_others: Vec<usize> = (0..spans.len())
            .filter(|number| {
                let first = spans[*number][0];
                // *an arrow flies* may be read as one action
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
                // something thrown *at him* may miss
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

    /// Drops these drafts, unless no other would be left.
    pub(super) fn drop_unless_all(&self, drafts: &mut [Option<Draft>], dropped: &[usize]) {
        let kept = (0..drafts.len()).filter(|number| drafts[*number].is_some());
        if kept.filter(|number| !dropped.contains(number)).count() > 0 {
            dropped.iter().for_each(|number| drafts[*number] = None);
        }
    }

    /// Whether a verb at the start of a clause has part of the scene as its subject: *the camera
    /// pans*.
    fn is_by_scene(&self, verb: usize) -> bool {
        let Some(noun) = verb.checked_sub(1) else { return false };
        let word = self.plain(noun);
        let is_animal = ANIMALS.contains(&word.as_str()) || OPPOSITES.contains(&word.as_str());
        let is_thing = THINGS.contains(&word.as_str());
        // *door kick* and *light jog* name actions of the body
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
        // a prompt about an animal starts with it and mentions no person
        begins && (!is_animal || first > 0 || self.speaks_of_a_person())
    }

    /// Whether a verb follows *who* and describes someone in an earlier action: *nods at those who
    /// pass*.
    fn is_relative(&self, verb: usize, spans: &[Vec<usize>]) -> bool {
        let before = verb.checked_sub(1).map(|place| self.plain(place));
        before.is_some_and(|word| word == "who") && spans.iter().any(|span| span[0] + 1 < verb)
    }

    fn speaks_of_a_person(&self) -> bool {
        let words = self.plain_words(0..self.words.len());
        words.iter().any(|word| ["he", "she", "they", "him"].contains(&word.as_str()))
    }

    /// Returns the clauses in which a noun acts on *him* if *he* is the subject of a later clause:
    /// that noun is not the animated person.
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
        let script = Reader::shared().read(text).script.expect("there is an action");
        script.events().iter().map(|event| event.deed.to_string()).collect()
    }

    #[test]
    fn words_about_the_scene_are_kept() {
        let text = "the bell rings and he waves";
        let reading = Reader::shared().read(text);
        let flagged = reading.not_understood.iter().map(|words| &words.place);
        let mut told = reading.scenery.iter().chain(flagged);
        assert!(told.any(|range| text[range.clone()].contains("rings")), "{reading:?}");
    }

    #[test]
    fn events_of_the_scene_are_not_the_persons() {
        assert_eq!(deeds("The camera rises. She waves."), ["wave"]);
        assert_eq!(deeds("a tram passes and he waves"), ["wave"]);
        assert_eq!(deeds("The ball rolls away. She shrugs."), ["shrug"]);
        assert_eq!(deeds("his opponent bows and he salutes"), ["salute"]);
        assert_eq!(deeds("a light jog, then a wave").len(), 2);
        // the dog itself may be the character
        assert!(!deeds("a dog scratches itself").is_empty());
    }

    #[test]
    fn actions_on_the_person_are_by_someone_else() {
        let told = deeds("a guard throws a net at him and he dodges");
        assert_eq!(told, ["dodge"]);
        assert_eq!(deeds("a guard throws a net at her"), ["throw"]);
    }
}
