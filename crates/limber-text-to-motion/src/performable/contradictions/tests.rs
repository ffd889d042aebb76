//! Tests of contradictory scripts: the messages, and what is done instead.

use limber_script::{Message, Script, message::Kept};

use crate::{ClipEnds, performable, performable::set_ends};

/// The steps of a script, and the messages about it.
fn told(line: &str) -> (String, Vec<Message>) {
    let script: Script = line.parse().unwrap_or_else(|error| panic!("{line}: {error}"));
    let (steps, left_out) = performable(&script);
    (steps.to_string(), left_out.iter().map(|left| left.message(&script)).collect())
}

fn contradiction(event: Option<u32>, first: &str, second: &str, kept: Kept) -> Message {
    Message::Contradiction { event, first: first.to_owned(), second: second.to_owned(), kept }
}

#[test]
fn contradictory_simultaneous_events_are_sequenced() {
    for (line, done, first, second) in [
        ("v2 idle > run while:0", "idle > run", "idle", "run"),
        ("v2 crawl > idle while:0", "crawl > idle", "crawl", "idle"),
        ("v2 march > sit-down while:0", "march > sit-down", "march", "sit down"),
        ("v2 lie-down > strut while:0", "lie-down > strut", "lie down", "strut"),
        ("v2 sit-down > hop while:0", "sit-down > hop", "sit down", "hop"),
        (
            "v2 sit-down > lie-on-front while:0",
            "sit-down > lie-on-front",
            "sit down",
            "lie on front",
        ),
        ("v2 walk > jog while:0", "walk > jog", "walk", "jog"),
        ("v2 crawl > run while:0", "crawl > run", "crawl", "run"),
        (
            "v2 climb-stairs > descend-stairs while:0",
            "climb-stairs > descend-stairs",
            "climb stairs",
            "descend stairs",
        ),
        (
            "v2 walk direction:forward > walk direction:backward while:0",
            "walk dir:forward > walk dir:backward",
            "walk",
            "walk",
        ),
    ] {
        let (steps, messages) = told(line);
        assert_eq!(steps, done, "{line}");
        assert_eq!(messages, [contradiction(Some(1), first, second, Kept::InTurn)], "{line}");
    }
}

#[test]
fn the_event_that_is_contradicted_is_named_and_not_the_one_beside_it() {
    let (steps, messages) = told("v2 run > wave while:0 > kneel while:1 > nod while:0");
    assert_eq!(steps, "run + wave + nod > kneel");
    assert_eq!(messages, [contradiction(Some(2), "run", "kneel", Kept::InTurn)]);
}

#[test]
fn nothing_follows_in_a_loop() {
    let (steps, messages) = told("v2 walk > run while:0 | loop:true");
    assert_eq!(steps, "walk loop:true");
    assert_eq!(messages, [contradiction(Some(1), "walk", "run", Kept::First)]);
}

#[test]
fn compatible_simultaneous_events_are_no_contradiction() {
    for line in [
        "v2 walk > wave while:0",
        "v2 walk > turn while:0",
        "v2 idle > wave while:0",
        "v2 idle > jump while:0",
        "v2 idle > sit-down while:0",
        "v2 walk > type while:0",
        "v2 sit-down > nod while:0 posture:seated-on-chair",
        "v2 lie-down > raise.leg side:left while:0 posture:lying-on-back",
    ] {
        let contradicts = |message: &Message| matches!(message, Message::Contradiction { .. });
        let (steps, messages) = told(line);
        assert!(!messages.iter().any(contradicts), "{line} → {steps}: {messages:?}");
    }
    // the composer needs the legs for one of them; a body could do both
    for line in ["v2 walk > limp while:0", "v2 walk > crouch while:0", "v2 jump > kick while:0"] {
        let (steps, messages) = told(line);
        assert!(steps.contains(" > "), "{line} → {steps}");
        assert!(matches!(messages[..], [Message::SameBodyPart { .. }]), "{line}: {messages:?}");
    }
}

#[test]
fn self_contradictory_details_are_dropped() {
    for (line, done, first, second) in [
        ("v2 jump posture:seated-on-chair", "jump", "jump", "posture:seated-on-chair"),
        ("v2 sprint-start > run posture:lying-on-back", "", "run", "posture:lying-on-back"),
        ("v2 push-up posture:seated-on-floor", "push-up", "push up", "posture:seated-on-floor"),
        ("v2 walk still:foot", "walk", "walk", "still:foot"),
        ("v2 march still:whole-body", "march", "march", "still:whole-body"),
        ("v2 clap still:hand", "clap", "clap", "still:hand"),
        ("v2 tilt.head still:head", "tilt.head", "tilt head", "still:head"),
        ("v2 nod avoid:nod", "nod", "nod", "avoid:nod"),
        ("v2 jog avoid:run", "jog", "jog", "avoid:run"),
    ] {
        let (steps, messages) = told(line);
        let Some(Message::Contradiction { event: Some(_), first: a, second: b, kept: Kept::First }) =
            messages.last()
        else {
            panic!("{line}: {messages:?}")
        };
        assert_eq!((a.as_str(), b.as_str()), (first, second), "{line}");
        assert!(done.is_empty() || steps == done, "{line} → {steps}");
    }
}

#[test]
fn unsupported_details_are_no_contradiction() {
    for (line, field) in [
        ("v2 walk posture:all-fours", "posture"),
        ("v2 walk still:head", "still"),
        // the other hand is meant
        ("v2 wave side:left still:hand", "still"),
        // nothing else moves
        ("v2 tilt.head still:whole-body", "still"),
    ] {
        let (_, messages) = told(line);
        let [Message::LeftOut { field: told, .. }] = &messages[..] else {
            panic!("{line}: {messages:?}")
        };
        assert_eq!(told, field, "{line}");
    }
}

#[test]
fn one_of_two_exclusive_manners_is_kept() {
    for (line, done, kept, left) in [
        ("v2 walk manners:happy=1,sad=1", "walk manner:happy", "happy", "sad"),
        ("v2 walk manners:happy=0.5,sad=1", "walk manner:sad", "sad", "happy"),
        ("v2 walk manners:heavy=1,light=2", "walk manner:light=2", "light", "heavy"),
    ] {
        let (steps, messages) = told(line);
        assert_eq!(steps, done, "{line}");
        assert_eq!(messages, [contradiction(Some(0), kept, left, Kept::First)], "{line}");
    }
    let (steps, messages) = told("v2 run manners:energetic=1 speed:0.4");
    assert_eq!(steps, "run tempo:0.4");
    let kept = contradiction(Some(0), "energetic", "speed:0.4", Kept::Second);
    assert_eq!(messages, [kept]);
    assert_eq!(told("v2 run manners:tired=1 speed:1.4").1, []);
}

#[test]
fn a_turn_has_one_direction() {
    let (steps, messages) = told("v2 turn side:left direction:clockwise");
    assert_eq!(steps, "turn side:right");
    let kept = contradiction(Some(0), "side:left", "direction:clockwise", Kept::Second);
    assert_eq!(messages, [kept]);
    assert_eq!(told("v2 turn side:left direction:counterclockwise").1, []);
}

#[test]
fn loops_have_no_end_and_no_one_time_events() {
    let (steps, messages) = told("v2 salute | loop:true end:hold");
    assert_eq!(steps, "salute loop:true");
    assert_eq!(messages, [contradiction(None, "loop", "hold", Kept::First)]);
    for (line, done, once) in [
        ("v2 die | loop:true", "die", "die"),
        ("v2 walk > faint | loop:true", "walk > faint", "faint"),
        ("v2 stand-up | loop:true", "stand-up", "stand up"),
    ] {
        let (steps, messages) = told(line);
        assert_eq!(steps, done, "{line}");
        assert_eq!(messages, [contradiction(None, once, "loop", Kept::First)], "{line}");
    }
    for line in ["v2 kneel | loop:true", "v2 fall > get-up-from-front | loop:true"] {
        assert_eq!(told(line).1, [], "{line}");
    }
}

#[test]
fn later_contradictions_of_a_clip_are_reported_too() {
    let held: Script = "v2 salute | end:hold".parse().unwrap();
    let (mut steps, _) = performable(&held);
    let ends = ClipEnds { is_loop: Some(true), ..ClipEnds::default() };
    let left_out = set_ends(&mut steps, ends);
    let messages: Vec<Message> = left_out.iter().map(|left| left.clip_message()).collect();
    assert_eq!(messages, [contradiction(None, "loop", "hold", Kept::First)]);
    assert_eq!(steps.to_string(), "salute loop:true");
    // what has been applied stays
    assert_eq!(set_ends(&mut steps, ClipEnds::default()), []);
    assert_eq!(steps.to_string(), "salute loop:true");
}
