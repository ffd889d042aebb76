//! Carries postures over from one event to the next: *sits down, crosses her legs and reads*.

use std::{
    collections::{HashMap, HashSet},
    sync::LazyLock,
};

use limber_script::Posture;
use serde::Deserialize;
use serde_json::{Map, Value as Json, json};

/// `assets/lexicon/postures.toml`; that file documents its fields.
#[derive(Debug, Deserialize)]
struct Postures {
    anywhere: HashSet<String>,
    leaves: HashMap<String, Posture>,
    done_in: HashMap<String, Posture>,
    elsewhere: HashMap<String, Map<String, Json>>,
    get_up: HashMap<Posture, String>,
}

fn postures() -> &'static Postures {
    static POSTURES: LazyLock<Postures> = LazyLock::new(|| {
        let text = include_str!("../../../assets/lexicon/postures.toml");
        toml::from_str(text).expect("a test checks it")
    });
    &POSTURES
}

/// Returns the posture that an action leaves the body in, if it changes the posture.
#[must_use]
pub fn posture_after(action: &str) -> Option<Posture> {
    postures().leaves.get(action).copied()
}

/// Returns the posture that an action is performed in by default. `None` for actions performed
/// standing, and for those that work in any posture.
#[must_use]
pub fn posture_during(action: &str) -> Option<Posture> {
    let known = postures();
    let goes_on = known.anywhere.contains(action);
    known.done_in.get(action).copied().filter(|_| !goes_on)
}

/// Ends of a gait. Whoever goes in a crouch stays there.
const STOPS: [&str; 2] = ["walk-stop", "run-stop"];

/// Adds the lasting posture to events, given as JSON in order of time, that set no posture and can
/// be performed in it. An event that cannot be performed in it ends that posture.
pub(crate) fn carry_over<'a>(events: impl Iterator<Item = &'a mut Map<String, Json>>) {
    let known = postures();
    let mut lasting: Option<Posture> = None;
    for (number, event) in events.enumerate() {
        if number > 0 {
            fit(event, lasting.unwrap_or(Posture::Standing));
        }
        if lasting.is_some()
            && event.get("do").is_some_and(|action| STOPS.iter().any(|stop| action == stop))
        {
            event.insert("do".to_owned(), json!("statue-still"));
        }
        let told = |field: &str| {
            event.get(field).and_then(|value| serde_json::from_value::<Posture>(value.clone()).ok())
        };
        let action = event.get("do").and_then(Json::as_str);
        let (posture, after) = (told("posture"), told("posture_after"));
        // a movement of a body part works in any posture
        let goes_on = action.is_none_or(|action| known.anywhere.contains(action));
        let own = action.and_then(|action| known.done_in.get(action)).copied();
        let left = after.or_else(|| action.and_then(|action| known.leaves.get(action)).copied());
        let here = match (posture, lasting) {
            (Some(posture), _) => Some(posture),
            (None, Some(lasting)) if goes_on => {
                event.insert("posture".to_owned(), json!(lasting));
                Some(lasting)
            }
            _ => own,
        };
        lasting = left.or(here).filter(|posture| *posture != Posture::Standing);
    }
}

/// Replaces the action of an event that does not fit the posture before it: after *kneels*, *leans
/// back* is no leaning back on a chair, and *gets up* starts from the knees.
fn fit(event: &mut Map<String, Json>, before: Posture) {
    let known = postures();
    let Some(action) = event.get("do").and_then(Json::as_str) else { return };
    if let Some(lying) = rolls_to(event, before).filter(|_| action == "roll-to-side") {
        event.insert("do".to_owned(), json!(lying));
        return;
    }
    let own = known.done_in.get(action).copied();
    let is_said = ["posture", "target"].iter().any(|field| event.contains_key(*field));
    if is_said || own == Some(before) {
        return;
    }
    let gets_up = known.get_up.values().any(|other| other == action);
    if gets_up {
        let fitting = known.get_up.get(&before).cloned().unwrap_or_else(|| "stand-up".to_owned());
        event.insert("do".to_owned(), json!(fitting));
    } else if let Some(instead) = known.elsewhere.get(action) {
        event.remove("do");
        event.extend(instead.clone());
    }
}

/// The action of somebody who rolls from one way to lie to the other: *rolls over onto the back*.
fn rolls_to(event: &Map<String, Json>, before: Posture) -> Option<&'static str> {
    use Posture::{AllFours, LyingOnBack, LyingOnFront, LyingOnSide};
    let after = serde_json::from_value(event.get("posture_after")?.clone()).ok()?;
    match (before, after) {
        (AllFours | LyingOnFront | LyingOnSide, LyingOnBack) => Some("lie-down"),
        (LyingOnBack | LyingOnSide, LyingOnFront) => Some("lie-on-front"),
        _ => None,
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    fn carried(events: &[Json]) -> Vec<Option<String>> {
        let mut events: Vec<Map<String, Json>> =
            events.iter().map(|event| event.as_object().unwrap().clone()).collect();
        carry_over(events.iter_mut());
        let posture = |event: &Map<String, Json>| Some(event.get("posture")?.as_str()?.to_owned());
        events.iter().map(posture).collect()
    }

    #[test]
    fn rolling_over_leads_to_the_posture_that_is_said() {
        let roll = json!({"do": "roll-to-side", "posture_after": "lying-on-back"});
        let mut events = [json!({"do": "crawl"}), roll.clone(), json!({"do": "walk"}), roll]
            .map(|event| event.as_object().unwrap().clone());
        carry_over(events.iter_mut());
        let deeds = events.each_ref().map(|event| event["do"].as_str().unwrap_or_default());
        assert_eq!(deeds, ["crawl", "lie-down", "walk", "roll-to-side"]);
    }

    #[test]
    fn a_posture_lasts_until_the_person_gets_up() {
        let seated = Some("seated-on-chair".to_owned());
        assert_eq!(
            carried(&[
                json!({"do": "sit-down"}),
                json!({"do": "nod"}),
                json!({"move": "raise", "part": "hand"}),
                json!({"do": "walk"}),
                json!({"do": "nod"}),
            ]),
            [None, seated.clone(), seated, None, None]
        );
        let kneeling = json!({"do": "wave", "posture": "kneeling-on-both"});
        let carried = carried(&[kneeling, json!({"do": "point"}), json!({"do": "stand-up"})]);
        assert_eq!(carried[1].as_deref(), Some("kneeling-on-both"));
        assert_eq!(carried[2], None);
    }

    #[test]
    fn an_action_fits_the_posture_before_it() {
        let done = |events: &[Json]| -> Vec<String> {
            let mut events: Vec<Map<String, Json>> =
                events.iter().map(|event| event.as_object().unwrap().clone()).collect();
            carry_over(events.iter_mut());
            let name = |event: &Map<String, Json>| {
                let named = event.get("do").or_else(|| event.get("move"));
                named.unwrap().as_str().unwrap().to_owned()
            };
            events.iter().map(name).collect()
        };
        let [kneel, lean] = [json!({"do": "kneel"}), json!({"do": "sit-lean-back"})];
        let [sit, rise] = [json!({"do": "sit-down"}), json!({"do": "get-up-from-back"})];
        assert_eq!(done(&[kneel.clone(), lean.clone()]), ["kneel", "lean"]);
        assert_eq!(done(&[sit, lean.clone()]), ["sit-down", "sit-lean-back"]);
        assert_eq!(done(&[lean]), ["sit-lean-back"]);
        assert_eq!(done(&[kneel, rise.clone()]), ["kneel", "get-up-from-knees"]);
        assert_eq!(done(&[json!({"do": "walk"}), rise]), ["walk", "stand-up"]);
    }

    /// All actions of the lexicon, whether they can be performed or are only understood.
    pub(crate) fn all_actions() -> HashSet<String> {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/lexicon");
        let named = |sub: &str, table: &str, field: &str| -> Vec<String> {
            let files = std::fs::read_dir(folder.join(sub)).into_iter().flatten();
            let texts = files.map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap());
            let rows = texts.flat_map(|text| {
                let file: toml::Table = toml::from_str(&text).unwrap();
                file[table].as_array().unwrap().clone()
            });
            rows.map(|row| row[field].as_str().unwrap().to_owned()).collect()
        };
        let mut all: HashSet<String> = named("actions", "action", "action").into_iter().collect();
        all.extend(named("senses", "senses", "sense"));
        all
    }

    #[test]
    fn every_action_in_the_table_exists() {
        let all = all_actions();
        let known = postures();
        let named = known.elsewhere.keys().chain(known.get_up.values());
        let told = known.anywhere.iter().chain(known.leaves.keys()).chain(known.done_in.keys());
        let told = told.chain(named);
        let unknown: Vec<&String> = told.filter(|action| !all.contains(*action)).collect();
        assert_eq!(unknown, Vec::<&String>::new());
    }
}
