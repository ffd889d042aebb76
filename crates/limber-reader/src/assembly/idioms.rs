//! Phrases whose verb is not performed: the *follows through* of a throw, *back to idle*, *pushes
//! off* a wall, *without breaking stride*.

use std::ops::Range;

use serde_json::{Map, Value as Json, json};

use super::{
    Assembly, Draft,
    constructions::{Added, What},
    ways::travels,
};

/// Verbs of a walk back into a stance, which is part of the action before it: *jab, back to guard*.
const RETURNS: [&str; 8] =
    ["back", "return", "returns", "returning", "recover", "recovers", "settle", "settles"];
/// Beginnings of verbs for a gait, by which a stance is carried: *walks in a fighting stance*.
const GOES: [&str; 9] =
    ["walk", "step", "mov", "advanc", "circl", "strafe", "shuffl", "approach", "creep"];
/// Words after *without* that say that a gait goes on.
const STOPPING: [&str; 7] =
    ["breaking", "stopping", "slowing", "pausing", "halting", "losing", "stop"];
/// Words of a nameless attack, which only titles the named one behind it: *heavy attack, sword
/// thrust*.
const ATTACK: [&str; 10] =
    ["light", "heavy", "quick", "fast", "basic", "medium", "charged", "attack", "melee", "strike"];
/// Parts that stand for the whole body in *steps the foot into a lunge*.
const OF_STANCE: [&str; 5] = ["foot", "leg", "knee", "upper-body", "toes"];
/// Things to sit on, which somebody who walks up to them turns their back to.
const SEATS: [&str; 4] = ["chair", "bench", "bed", "sofa"];
/// Number of jumps in *jumps up and down*.
const UP_AND_DOWN_TIMES: u32 = 3;
const UP_AND_DOWN: [&str; 3] = ["up", "and", "down"];

impl Assembly<'_> {
    /// Drops what these phrases do not ask for, and returns what they add.
    pub(super) fn apply_idioms(
        &self,
        spans: &[Vec<usize>],
        drafts: &mut [Option<Draft>],
    ) -> Vec<Added> {
        let only_said: Vec<usize> =
            (0..drafts.len()).filter(|number| self.is_only_said(spans, drafts, *number)).collect();
        self.drop_unless_all(drafts, &only_said);
        self.lead_into(spans, drafts);
        self.go_on_meanwhile(spans, drafts);
        for draft in drafts.iter_mut().flatten() {
            self.count_up_and_down(draft);
            self.count_doubled_words(draft);
            self.rock_sideways(draft);
            self.count_single_steps(draft);
            self.leave_the_wall(draft);
            self.catch_on_the_wall(draft);
            self.sigh(draft);
        }
        let mut added = self.carry_stances(drafts);
        added.extend(turns_before_seats(drafts));
        added
    }

    /// Whether the words of an event stand beside another one that says what is done.
    fn is_only_said(&self, spans: &[Vec<usize>], drafts: &[Option<Draft>], number: usize) -> bool {
        let Some(draft) = &drafts[number] else { return false };
        let deed = draft.text("do");
        let words = self.plain_words(spans[number][0]..spans[number][spans[number].len() - 1] + 1);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let next = (number + 1..drafts.len()).find_map(|next| drafts[next].as_ref());
        let behind = self.plain(spans[number][spans[number].len() - 1] + 1);
        let follows = words.first().is_some_and(|word| word.starts_with("follow"));
        if travels(deed) && follows && (words.contains(&"through") || behind == "through") {
            return true;
        }
        let before = (0..number).rev().find_map(|before| drafts[before].as_ref());
        // a gait stops by itself, where its path ends, and its arms swing anyway
        let is_on_a_path = before.is_some_and(|before| before.json.contains_key("path"));
        let swings = draft.text("move") == "swing"
            && draft.text("part") == "arm"
            && draft.references.contains_key("while");
        if before.is_some_and(|before| travels(before.text("do")))
            && (is_on_a_path && deed.ends_with("-stop") || swings)
        {
            return true;
        }
        let returns = travels(deed)
            && words.iter().all(|word| RETURNS.contains(word) || *word == "to")
            && next.is_some_and(|next| is_stance(next.text("do")));
        let is_first = drafts[..number].iter().flatten().next().is_none();
        let is_nameless =
            words.contains(&"attack") && words.iter().all(|word| ATTACK.contains(word));
        let is_title = is_first && is_nameless && self.is_alone(&spans[number]) && next.is_some();
        returns || is_title || self.is_purpose(spans, drafts, number)
    }

    /// Whether nothing but a number stands in the clause beside the words of an event.
    fn is_alone(&self, span: &[usize]) -> bool {
        let clauses = self.clauses();
        let Some(clause) = clauses.iter().find(|clause| clause.contains(&span[0])) else {
            return false;
        };
        let beside = clause.clone().filter(|place| !span.contains(place));
        let words: Vec<String> = beside.map(|place| self.plain(place)).collect();
        words.iter().all(|word| {
            ATTACK.contains(&word.as_str()) || word.chars().all(|sign| !sign.is_alphabetic())
        })
    }

    /// Leaves only the lunge of *steps the left foot into a lunge*, with the side and direction of
    /// the step.
    fn lead_into(&self, spans: &[Vec<usize>], drafts: &mut [Option<Draft>]) {
        for number in 1..drafts.len() {
            let between = spans[number - 1][spans[number - 1].len() - 1] + 1..spans[number][0];
            let words = self.plain_words(between.start.min(between.end)..between.end);
            let own = self.plain(spans[number][0]);
            let leads = words.iter().any(|word| word == "into") || own == "into";
            let is_apart =
                words.iter().any(|word| matches!(word.as_str(), "," | "." | "and" | "then"));
            let (before, behind) = drafts.split_at_mut(number);
            let (Some(first), Some(second)) = (&before[number - 1], &mut behind[0]) else {
                continue;
            };
            let part = first.text("part");
            if !leads || is_apart || !OF_STANCE.contains(&part) || !second.json.contains_key("do") {
                continue;
            }
            for field in ["side", "direction"] {
                let told = first.json.get(field).filter(|told| *told != "both").cloned();
                if let Some(told) = told {
                    second.json.entry(field).or_insert(told);
                }
            }
            second.words.fields.extend(first.words.fields.iter().cloned());
            second.words.fields.sort_by_key(|(_, range)| range.start);
            second.references.remove("while");
            before[number - 1] = None;
        }
    }

    /// Makes *without breaking stride* and *in a fighting stance* accompany the gait before it.
    fn go_on_meanwhile(&self, spans: &[Vec<usize>], drafts: &mut [Option<Draft>]) {
        for number in 1..drafts.len() {
            let Some(before) = (0..number).rev().find(|before| drafts[*before].is_some()) else {
                continue;
            };
            let goes = drafts[before].as_ref().is_some_and(|before| travels(before.text("do")));
            let clause =
                self.clauses().into_iter().find(|clause| clause.contains(&spans[number][0]));
            let (Some(draft), Some(clause), true) = (&mut drafts[number], clause, goes) else {
                continue;
            };
            if travels(draft.text("do")) {
                continue;
            }
            let goes_on = self.says_without(&clause, &STOPPING);
            let place = spans[number][0];
            let is_how = draft.text("do").ends_with("-stance")
                && (place.saturating_sub(2)..place).any(|place| self.plain(place) == "in")
                && clause.contains(&spans[before][0]);
            if goes_on {
                draft.json.remove("avoid");
            }
            if is_how {
                draft.json = guard();
            }
            if goes_on || is_how {
                draft.references.retain(|field, _| !super::TIMINGS.contains(field));
                draft.references.insert("while", before);
            }
        }
    }

    fn says_without(&self, clause: &Range<usize>, known: &[&str]) -> bool {
        let words = self.plain_words(clause.clone());
        words.windows(2).any(|two| two[0] == "without" && known.contains(&two[1].as_str()))
    }

    fn count_up_and_down(&self, draft: &mut Draft) {
        let start = draft.words.deed.start;
        let first = self.words.iter().position(|word| word.place.start >= start).unwrap_or(0);
        let behind = self.plain_words(first..self.words.len());
        let is_said = (behind.split(|word| word == "," || word == ".").next())
            .is_some_and(|clause| clause.windows(3).any(|three| three == UP_AND_DOWN));
        if matches!(draft.text("do"), "jump" | "hop") && is_said {
            draft.json.entry("count").or_insert(json!(UP_AND_DOWN_TIMES));
            draft.json.insert("direction".to_owned(), json!("up"));
        }
    }

    /// *Jump jump* is two jumps.
    fn count_doubled_words(&self, draft: &mut Draft) {
        let said = self.prompt[draft.words.deed.clone()].to_lowercase();
        let mut words = said.split_whitespace();
        let first = words.next();
        let more = words.clone().count();
        // two steps are two steps anyway
        let is_one_time = !travels(draft.text("do")) && draft.text("do") != "sit-down";
        if is_one_time && more > 0 && words.all(|word| Some(word) == first) {
            draft.json.entry("count").or_insert(json!(more + 1));
        }
    }

    /// *From side to side* and *up and down* name the axis of a movement there and back.
    fn rock_sideways(&self, draft: &mut Draft) {
        let is_on_the_spot = draft.text("path") == "back-and-forth" && !travels(draft.text("do"));
        if !is_on_the_spot || draft.json.contains_key("direction") {
            return;
        }
        let paths = draft.words.fields.iter().filter(|(field, _)| field.as_str() == "path");
        let said: String =
            paths.map(|(_, place)| self.prompt[place.clone()].to_lowercase()).collect();
        let axis = if said.contains("side") || said.contains("left") {
            "left"
        } else if said.contains("up") || said.contains("down") {
            "up"
        } else {
            return;
        };
        draft.json.insert("direction".to_owned(), json!(axis));
    }

    /// Whether an event is only the purpose of another in its sentence that does the same: *to tie
    /// your shoe, kneel down and tie the laces*.
    fn is_purpose(&self, spans: &[Vec<usize>], drafts: &[Option<Draft>], number: usize) -> bool {
        let verb = spans[number][0];
        let sentence = self.sentences().into_iter().find(|sentence| sentence.contains(&verb));
        let Some(sentence) = sentence.filter(|sentence| self.plain(sentence.start) == "to") else {
            return false;
        };
        let end = sentence.clone().find(|place| self.plain(*place) == ",");
        let is_in_it = end.is_some_and(|end| verb == sentence.start + 1 && verb < end);
        let deed = |draft: usize| drafts[draft].as_ref().map(|draft| draft.text("do"));
        let is_done = |other: usize| {
            end.is_some_and(|end| (end..sentence.end).contains(&spans[other][0]))
                && deed(other) == deed(number)
                && deed(number) != Some("")
        };
        is_in_it && (0..drafts.len()).any(is_done)
    }

    /// *Steps back* is a step or two, not a walk.
    fn count_single_steps(&self, draft: &mut Draft) {
        let said = self.prompt[draft.words.deed.clone()].to_lowercase();
        let steps = match draft.text("do") {
            "walk" => 2,
            // a step aside, and the other foot closes up
            "sidestep" => 1,
            _ => return,
        };
        let is_open = ["steps", "meters", "seconds", "count", "path", "target", "speed"]
            .iter()
            .all(|field| !draft.json.contains_key(*field));
        if said.starts_with("step") && is_open && draft.json.contains_key("direction") {
            draft.json.insert("steps".to_owned(), json!(steps));
        }
    }

    /// *Lets out a sigh* is that, and no boredom.
    fn sigh(&self, draft: &mut Draft) {
        let said = self.prompt[draft.words.deed.clone()].to_lowercase();
        let is_sigh = said.split(' ').any(|word| word.starts_with("sigh"));
        if is_sigh && draft.text("do") == "bored" {
            draft.json.insert("do".to_owned(), json!("sigh"));
        }
    }

    /// Who *catches himself on the wall* leans there with his hands.
    fn catch_on_the_wall(&self, draft: &mut Draft) {
        let said = self.prompt[draft.words.deed.clone()].to_lowercase();
        if draft.text("do") == "lean-on-wall" && said.starts_with("catch") {
            draft.json.insert("do".to_owned(), json!("lean-on-hands"));
        }
    }

    /// *Pushes off* the wall that somebody leans on straightens up.
    fn leave_the_wall(&self, draft: &mut Draft) {
        let said = self.prompt[draft.words.deed.clone()].to_lowercase();
        let behind = self.word_behind(draft.words.deed.end);
        let is_off = said.starts_with("push") && (said.ends_with(" off") || behind == "off");
        let leaves = draft.text("do") == "wall-kick" || draft.text("move") == "push";
        if is_off && leaves {
            draft.json = Map::from_iter([
                ("move".to_owned(), json!("straighten")),
                ("part".to_owned(), json!("back")),
            ]);
        }
    }

    /// Lets somebody who *walks in a fighting stance* walk.
    fn carry_stances(&self, drafts: &mut [Option<Draft>]) -> Vec<Added> {
        let mut added = Vec::new();
        for (number, draft) in drafts.iter_mut().enumerate() {
            let Some(draft) = draft else { continue };
            let said = self.prompt[draft.words.deed.clone()].to_lowercase();
            let goes = GOES.iter().any(|begin| said.starts_with(begin)) && said.contains(" in ");
            if !goes || !draft.text("do").ends_with("-stance") {
                continue;
            }
            let aside = matches!(draft.text("direction"), "left" | "right");
            let gait = if aside { "sidestep" } else { "walk" };
            draft.json.insert("do".to_owned(), json!(gait));
            let said = draft.words.deed.clone();
            added.push(Added { behind: Some(number), what: What::Beside(guard()), said });
        }
        added
    }
}

/// Turns around whoever walks up to a chair before sitting down on it.
fn turns_before_seats(drafts: &[Option<Draft>]) -> Vec<Added> {
    let kept: Vec<usize> = (0..drafts.len()).filter(|number| drafts[*number].is_some()).collect();
    let walks_up =
        |draft: &Draft| travels(draft.text("do")) && SEATS.contains(&draft.text("target"));
    let mut added = Vec::new();
    for pair in kept.windows(2) {
        let (Some(one), Some(other)) = (&drafts[pair[0]], &drafts[pair[1]]) else { continue };
        if walks_up(one) && other.text("do") == "sit-down" {
            let turn = [("do", json!("turn")), ("degrees", json!(180.0))];
            let turn = Map::from_iter(turn.map(|(name, value)| (name.to_owned(), value)));
            let said = other.words.deed.clone();
            added.push(Added { behind: Some(pair[0]), what: What::New(turn), said });
        }
    }
    added
}

/// What a stance leaves to the arms of somebody who walks in it.
fn guard() -> Map<String, Json> {
    let fields = [("move", "hold"), ("part", "fist"), ("side", "both")];
    Map::from_iter(fields.map(|(name, value)| (name.to_owned(), json!(value))))
}

/// Whether an action is a way to stand.
fn is_stance(action: &str) -> bool {
    action == "idle" || action.ends_with("-idle") || action.ends_with("-stance")
}

#[cfg(test)]
mod tests {
    use crate::Reader;

    fn script(prompt: &str) -> String {
        Reader::shared().read(prompt).script.expect("it has events").to_string()
    }

    #[test]
    fn verbs_that_only_lead_to_another_are_not_performed() {
        for (prompt, left_out) in [
            ("throws the dart and follows through", "walk"),
            ("uppercut, then back to combat idle", "walk"),
            ("heavy attack 2, spinning sword slash", "sword-slash "),
            ("steps the left foot back into a deep lunge", "place"),
            ("leans on the wall, then pushes off", "kick"),
        ] {
            let script = script(prompt);
            assert!(!script.contains(left_out), "{prompt}: {script}");
        }
        assert!(script("he throws the ball and walks back to the door").contains("walk"));
        assert!(script("steps the left foot back into a deep lunge").contains("side:left"));
    }

    #[test]
    fn purposes_are_not_performed() {
        let told = script("To wave to the crowd, step forward and wave with the left hand.");
        assert_eq!(told.matches("wave").count(), 1, "{told}");
        let told = script("To sit down, she walks to the chair.");
        assert!(told.contains("sit-down"), "{told}");
        assert!(script("To the left, wave.").contains("wave"));
    }

    #[test]
    fn whoever_walks_to_a_chair_turns_before_sitting_down() {
        let told = script("She walks to the chair and sits down.");
        assert!(told.contains("walk target:chair > turn degrees:180"), "{told}");
        assert!(!script("She stands up and sits down on the chair.").contains("turn"));
    }

    #[test]
    fn what_is_done_in_a_gait_does_not_stop_it() {
        for prompt in
            ["runs, glancing back without breaking stride", "walks forward in a fighting stance"]
        {
            let script = script(prompt);
            assert!(script.contains("while:0"), "{prompt}: {script}");
        }
    }

    #[test]
    fn repeated_words_and_rounds_are_counted() {
        assert_eq!(script("jab, jab, cross").matches("jab").count(), 2);
        assert!(script("jab jab cross, then duck").contains("jab count:2"));
        assert!(script("hop hop and wave").contains("hop count:2"));
        assert!(script("sways the hips from side to side").contains("direction:left"));
        assert!(script("she spins once to the right").contains("degrees:360"));
        assert!(script("jumps up and down").contains("count:3"));
        assert!(script("steps back and raises both fists").contains("steps:2"));
    }
}
