//! Invalid scripts: the reader says what is wrong and where, and the schema rejects all of them
//! except those whose fault a schema cannot express.

use limber_script::Script;
use serde_json::{Value, json};

use crate::SCHEMA;

/// An invalid event or script, and the start of the error message.
type Row = (Value, &'static str);

/// Events with one invalid field.
fn events() -> Vec<Row> {
    let long = "a".repeat(49);
    let parts = vec!["head"; 11];
    vec![
        (json!({"do": "wave", "colour": "red"}), "events[1].colour: unknown field `colour`"),
        (json!({"do": "wave", "count": 0}), "events[1].count: 0 is below 1"),
        (json!({"do": "wave", "count": 1000}), "events[1].count: 1000 is above 200"),
        (json!({"do": "wave", "count": 1.5}), "events[1].count: 1.5 is not a whole number"),
        (json!({"do": "wave", "count": "two"}), "events[1].count: invalid type: string"),
        (json!({"do": "turn", "degrees": 10_000}), "events[1].degrees: 10000 is above 3600"),
        (json!({"do": "turn", "degrees": -90}), "events[1].degrees: -90 is below 1"),
        (json!({"do": "wave", "seconds": 0}), "events[1].seconds: 0 is below 0.03"),
        (json!({"do": "walk", "meters": 1e6}), "events[1].meters: 1000000 is above 200"),
        (json!({"do": "jump", "height_m": -1}), "events[1].height_m: -1 is below 0"),
        (json!({"do": "jump", "size": 9}), "events[1].size: 9 is above 2"),
        (json!({"do": "walk", "speed": 0}), "events[1].speed: 0 is below 0.25"),
        (json!({"do": "march", "bpm": 999}), "events[1].bpm: 999 is above 300"),
        (json!({"do": "wave", "side": "port"}), "events[1].side: unknown variant `port`"),
        (json!({"do": "wave", "side": {"left": null}}), "events[1].side: invalid type: map"),
        (json!({"do": "wave", "side": 1}), "events[1].side: invalid type: integer `1`"),
        (json!({"do": "wave", "prop": "saber"}), "events[1].prop: unknown variant `saber`"),
        (json!({"do": "wave", "manners": {"vast": 1}}), "events[1].manners.vast: unknown"),
        (json!({"do": "wave", "manners": {"sad": 3}}), "events[1].manners.sad: 3 is above 2"),
        (json!({"do": "wave", "manners": ["sad"]}), "events[1].manners: invalid type: seq"),
        (json!({"do": "wave", "still": "head"}), "events[1].still: invalid type: string"),
        (json!({"do": "wave", "still": ["fin"]}), "events[1].still[0]: unknown variant"),
        (json!({"do": "wave", "still": parts}), "events[1]: `still` has more than 10"),
        (json!({"do": "wave", "avoid": parts}), "events[1]: `avoid` has more than 10"),
        (json!({"do": "wave", "avoid": ["A"]}), "events[1].avoid[0]: \"A\" is not an action"),
        (json!({"do": "Walk fast"}), "events[1].do: \"Walk fast\" is not an action name"),
        (json!({"do": long}), "events[1].do: \"aaa"),
        (json!({"do": {"do": {"do": "walk"}}}), "events[1].do: invalid type: map"),
        (json!({"events": [{"do": "walk"}]}), "events[1].events: unknown field"),
        (json!("walk"), "events[1]: this is not an object"),
        (json!(["walk"]), "events[1]: this is not an object"),
        (json!(null), "events[1]: this is not an object"),
        (json!({"do": "wave", "while": 60}), "events[1].while: 60 is above 59"),
        (json!({"do": "wave", "while": -1}), "events[1].while: -1 is below 0"),
        (json!({"do": "wave", "while": 0.5}), "events[1].while: 0.5 is not a whole number"),
        (json!({"do": "wave", "while": "walk"}), "events[1].while: invalid type: string"),
    ]
}

/// Fields that cannot be combined.
fn contradictions() -> Vec<Row> {
    let both = "contradict each other";
    vec![
        (json!({"side": "left"}), "there is no action: it needs `do`"),
        (json!({"do": null}), "there is no action: it needs `do`"),
        (json!({"do": "wave", "part": "hand"}), "`do` cannot be combined with `move` or `part`"),
        (
            json!({"do": "wave", "move": "raise", "part": "hand"}),
            "`do` cannot be combined with `move`",
        ),
        (json!({"move": "raise"}), "`move` also needs `part`"),
        (json!({"part": "hand"}), "`part` also needs `move`"),
        (json!({"do": "wave", "while": 0, "as_soon_as": 0}), both),
        (json!({"do": "wave", "while": 0, "beat_of": 0, "beat": 1}), both),
        (json!({"do": "wave", "as_soon_as": 0, "beat_of": 0, "beat": 1}), both),
        (json!({"do": "wave", "beat": 3}), "`beat` also needs `beat_of`"),
        (json!({"do": "wave", "beat_of": 0}), "`beat_of` also needs `beat`"),
        (json!({"do": "kick", "target": "box", "target_part": "head"}), both),
        (json!({"do": "kick", "target_side": "left"}), "`target_side` also needs `target_part`"),
        (json!({"do": "kick", "target_size": "small"}), "`target_size` also needs `target`"),
        (json!({"do": "kick", "target_distance_m": 1}), "`target_distance_m` also needs `target`"),
        (json!({"do": "jump", "height": "hip", "height_m": 1}), both),
    ]
}

/// References to events that do not exist or are in the wrong place, which no schema can check.
fn references() -> Vec<Row> {
    vec![
        (json!({"do": "wave", "while": 1}), "events[1].while: 1 is not an earlier event"),
        (json!({"do": "wave", "as_soon_as": 7}), "events[1].as_soon_as: 7 is not an earlier event"),
        (
            json!({"do": "wave", "beat_of": 1, "beat": 1}),
            "events[1].beat_of: 1 is not an earlier event",
        ),
        (json!({"do": "wave", "continues": 1}), "events[1].continues: 1 is not an earlier event"),
        (json!({"do": "wave", "until": 0}), "events[1].until: 0 is not a later event"),
        (json!({"do": "wave", "until": 7}), "events[1].until: 7 is not an event of this script"),
    ]
}

/// Scripts that are invalid as a whole.
fn wholes() -> Vec<Row> {
    let walk = json!({"do": "walk"});
    let with = |field: &str, value: Value| {
        let mut script = json!({"version": 2, "events": [walk]});
        script[field] = value;
        script
    };
    vec![
        (with("version", json!(3)), "version: version 3 is unknown; this program reads version 2"),
        (with("version", json!(2.5)), "version: version 2.5 is unknown"),
        (with("version", json!("2")), "version: invalid type: string"),
        (json!({"version": 3, "scenes": []}), "version: version 3 is unknown"),
        (json!({"events": [walk]}), "missing field `version`"),
        (json!({"version": 2}), "missing field `events`"),
        (with("events", json!([])), "events: there are none"),
        (with("events", json!(vec![&walk; 61])), "events: 61 are more than 60"),
        (with("events", json!({"0": walk})), "events: invalid type: map"),
        (with("colour", json!("red")), "colour: unknown field `colour`"),
        (with("start", json!("late")), "start: unknown variant `late`"),
        (with("end", json!({"hold": null})), "end: invalid type: map"),
        (with("end", json!(null)), "end: invalid type: null"),
        (with("loop", json!("yes")), "loop: invalid type: string"),
        (json!([2, [walk]]), "this is not an object"),
        (json!(null), "this is not an object"),
    ]
}

/// Compares the reader's error and the schema's verdict with what is expected; returns the
/// difference, if any.
fn amiss(json: &Value, at: &str, fault: &str, has_words: bool) -> Option<String> {
    let told = Script::from_value(json).err().map(|error| error.to_string()).unwrap_or_default();
    let is_told = told.starts_with(at) && told.contains(fault);
    let is_valid = SCHEMA.is_valid(json);
    let is_right = is_told && is_valid != has_words;
    (!is_right).then(|| format!("{json}: told {told:?} for {fault:?}, valid: {is_valid}"))
}

#[test]
fn invalid_scripts_are_rejected_with_their_place_by_parser_and_schema() {
    let behind_a_walk = |event: &Value| json!({"version": 2, "events": [{"do": "walk"}, event]});
    let mut rows = 0;
    let mut found = Vec::new();
    for (list, has_words) in [(events(), true), (contradictions(), true), (references(), false)] {
        for (event, fault) in list {
            found.extend(amiss(&behind_a_walk(&event), "events[1]", fault, has_words));
            rows += 1;
        }
    }
    for (script, fault) in wholes() {
        found.extend(amiss(&script, fault, fault, true));
        rows += 1;
    }
    assert!(found.is_empty(), "{} of {rows}:\n{}", found.len(), found.join("\n"));
}

#[test]
fn an_invalid_event_is_found_among_valid_ones() {
    let walk = json!({"do": "walk"});
    let json = json!({"version": 2, "events": [walk, walk, {"do": "wave", "count": 0}]});
    let told =
        Script::from_value(&json).expect_err("a wave needs at least one repetition").to_string();
    assert_eq!(told, "events[2].count: 0 is below 1");
}
