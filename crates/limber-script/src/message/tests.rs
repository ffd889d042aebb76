//! Tests of the wording of messages and of their serialisation.

use serde_json::json;

use super::*;

#[test]
fn a_message_survives_a_round_trip_with_its_text() {
    let messages = vec![
        Message::UnknownWord { word: "juwmps".into(), nearest: vec!["jump".into()] },
        Message::OnePerson,
        Message::MostOfOne { action: "walk".into(), most: 50, measure: Measure::Metres },
        Message::OnlyBeginning { wanted_ms: 1000, whole_ms: 6300 },
        "the toes were guessed".into(),
    ];
    let told = told::to_value(&messages);
    let text = "Limber does not know \"juwmps\" yet and left it out. Nearest: jump.";
    let first =
        json!({ "code": "unknown-word", "word": "juwmps", "nearest": ["jump"], "text": text });
    assert_eq!(told[0], first);
    assert_eq!(told[1]["code"], "one-person");
    assert_eq!(told[3]["wantedMs"], 1000);
    assert_eq!(told::from_value(told), messages);
}

#[test]
fn omissions_are_reported_per_event_or_script() {
    let of = |event: Option<u32>, field: &str, action: Option<&str>| Message::LeftOut {
        event,
        field: field.into(),
        action: action.map(str::to_owned),
    };
    let messages = [of(Some(0), "prop", Some("wave")), of(None, "loop", None)];
    let told = told::to_value(&messages);
    let of_event = "events[0]: `prop` of \"wave\" is left out; Limber does not support it yet.";
    let first = json!({ "code": "left-out", "event": 0, "field": "prop", "action": "wave",
        "text": of_event });
    let of_whole = "`loop` is left out; Limber does not support it yet.";
    let second = json!({ "code": "left-out", "field": "loop", "text": of_whole });
    assert_eq!(told, json!([first, second]));
    assert_eq!(told::from_value(told), messages);
}

#[test]
fn unknown_codes_and_old_messages_become_plain_text() {
    let heard = json!([
        { "code": "seen-in-a-dream", "where": 3, "text": "It was only a dream." },
        "unknown parameter: colour",
        { "code": "unknown-word" },
    ]);
    let wanted = ["It was only a dream.", "unknown parameter: colour", ""];
    assert_eq!(told::from_value(heard), wanted.map(Message::from));
    assert_eq!(told::from_value(json!("no list")), []);
}

#[test]
fn programs_inspect_messages_by_type() {
    let unknown = |word: &str, nearest: &[&str]| Message::UnknownWord {
        word: word.into(),
        nearest: nearest.iter().map(|word| (*word).to_owned()).collect(),
    };
    let messages = [
        unknown("say \"cheese\"", &["wave", "bow"]),
        Message::MostTurns,
        unknown("wavs", &["wave"]),
        unknown("wavs", &["wave"]),
    ];
    assert_eq!(unknown_words(&messages), ["say \"cheese\"", "wavs"]);
    assert_eq!(nearest(&messages), ["wave", "bow"]);
    assert_eq!(
        sentences(&messages[1..3]),
        "A turn can go around at most ten times. Limber does not know \"wavs\" yet and left it out. \
         Nearest: wave."
    );
}

#[test]
fn a_clip_is_named_as_its_reader_knows_it() {
    let gone = Message::SourceRemoved { clip: "0123456789abcdef/2".into() };
    let known = |clip: &str| (clip == "0123456789abcdef/2").then(|| "“walks”".to_owned());
    let named = gone.clone().naming(known);
    assert_eq!(named.to_string(), "the clip “walks” that the job starts from was removed");
    assert_eq!(gone.clone().naming(|_| None), gone);
}

#[test]
fn seconds_are_written_readably() {
    let short = Message::TooShort { wanted_ms: 1000, usual_s: 5, enough_ms: 4500 };
    assert!(short.to_string().starts_with("1.0 seconds are too short"), "{short}");
    assert!(short.to_string().contains("at least 4.5 seconds"), "{short}");
    let whole = Message::TooShort { wanted_ms: 1000, usual_s: 5, enough_ms: 4000 };
    assert!(whole.to_string().contains("at least 4 seconds"), "{whole}");
}

#[test]
fn a_contradiction_says_what_is_performed_instead() {
    let of = |event: Option<u32>, kept: Kept| {
        let (first, second) = ("kneel".to_owned(), "sprint".to_owned());
        Message::Contradiction { event, first, second, kept }
    };
    let messages = [of(None, Kept::Second), of(Some(3), Kept::InTurn)];
    let told = told::to_value(&messages);
    let text = "\"kneel\" and \"sprint\" contradict each other; only \"sprint\" is done.";
    let first = json!({ "code": "contradiction", "first": "kneel", "second": "sprint", "kept": "second",
        "text": text });
    assert_eq!(told[0], first);
    assert_eq!((&told[1]["event"], &told[1]["kept"]), (&json!(3), &json!("in-turn")));
    assert_eq!(
        told[1]["text"],
        "events[3]: \"kneel\" and \"sprint\" contradict each other; one follows the other."
    );
    assert_eq!(told::from_value(told), messages);
}
