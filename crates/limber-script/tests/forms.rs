//! The two forms of a script say the same, and say where something is wrong.

use std::collections::BTreeMap;

use limber_script::{
    ActionName, Aim, Angle, BeatsPerMinute, BodyPart, Count, Deed, Direction, Distance, Duration,
    End, Event, EventIndex, Factor, Height, Intensity, Manner, Path, Posture, Prop, Rhythm, Script,
    Side, SizeClass, Speed, SpeedCurve, Start, Target, Timing, Verb, schema,
};
use proptest::{collection, option, prelude::*, sample::select};

fn word<T: Clone + std::fmt::Debug + 'static>(
    all: &'static [T],
) -> impl Strategy<Value = Option<T>> {
    option::weighted(0.2, select(all))
}

fn number<T: std::fmt::Debug>(
    range: std::ops::RangeInclusive<f64>,
    take: impl Fn(f64) -> T + 'static,
) -> impl Strategy<Value = Option<T>> {
    option::weighted(0.2, range.prop_map(take))
}

fn count() -> impl Strategy<Value = Option<Count>> {
    option::weighted(0.2, (1..=200_u32).prop_map(|count| Count::new(count).expect("it is allowed")))
}

fn action() -> impl Strategy<Value = ActionName> {
    "[a-z]{1,8}(-[a-z0-9]{1,5}){0,3}".prop_map(|name| name.parse().expect("it is allowed"))
}

fn deed() -> impl Strategy<Value = Deed> {
    let body = (select(Verb::ALL), select(BodyPart::ALL));
    prop_oneof![
        3 => action().prop_map(Deed::Action),
        1 => body.prop_map(|(verb, part)| Deed::Body { verb, part }),
    ]
}

fn aim() -> impl Strategy<Value = Option<Aim>> {
    let part =
        (select(BodyPart::ALL), word(Side::ALL)).prop_map(|(part, side)| Aim::Part { part, side });
    let distance = number(0.0..=200.0, |meters| Distance::new(meters).expect("it is allowed"));
    let thing = (select(Target::ALL), word(SizeClass::ALL), distance)
        .prop_map(|(thing, size, distance_m)| Aim::Thing { thing, size, distance_m });
    option::weighted(0.4, prop_oneof![part, thing])
}

/// An event that speaks of no other.
fn lone_event() -> impl Strategy<Value = Event> {
    let what = (deed(), aim(), word(Side::ALL), word(Direction::ALL), word(Prop::ALL));
    let often = (
        count(),
        number(20.0..=300.0, |bpm| BeatsPerMinute::new(bpm).expect("it is allowed")),
        word(Rhythm::ALL),
        number(0.03..=600.0, |seconds| Duration::new(seconds).expect("it is allowed")),
        number(0.0..=200.0, |meters| Distance::new(meters).expect("it is allowed")),
        count(),
        number(1.0..=3600.0, |degrees| Angle::new(degrees).expect("it is allowed")),
    );
    let much = (
        number(0.25..=2.0, |size| Factor::new(size).expect("it is allowed")),
        word(Height::ALL),
        number(0.25..=2.0, |force| Factor::new(force).expect("it is allowed")),
        number(0.25..=4.0, |speed| Speed::new(speed).expect("it is allowed")),
        word(SpeedCurve::ALL),
    );
    let manner = (
        select(Manner::ALL),
        (0.1_f64..=2.0).prop_map(|much| Intensity::new(much).expect("it is allowed")),
    );
    let how = (
        collection::btree_map(manner.0, manner.1, 0..3),
        word(Posture::ALL),
        word(Posture::ALL),
        word(Path::ALL),
        collection::vec(select(BodyPart::ALL), 0..3),
        collection::vec(action(), 0..3),
    );
    (what, often, much, how).prop_map(|(what, often, much, how)| {
        let (deed, aim, side, direction, prop) = what;
        let (count, bpm, rhythm, seconds, meters, steps, degrees) = often;
        let (size, height, force, speed, speed_curve) = much;
        let (manners, posture, posture_after, path, still, avoid) = how;
        let open = Event::new(deed);
        let manners: BTreeMap<Manner, Intensity> = manners;
        Event {
            aim,
            side,
            direction,
            prop,
            count,
            bpm,
            rhythm,
            seconds,
            meters,
            steps,
            degrees,
            size,
            height,
            force,
            speed,
            speed_curve,
            manners,
            posture,
            posture_after,
            path,
            still,
            avoid,
            ..open
        }
    })
}

fn script() -> impl Strategy<Value = Script> {
    let events = collection::vec((lone_event(), any::<[u8; 4]>(), count()), 1..8);
    let ends = (
        select(&[Start::Idle, Start::Action][..]),
        select(&[End::Idle, End::Hold, End::Action][..]),
        any::<bool>(),
    );
    (events, ends).prop_map(|(events, (start, end, is_loop))| {
        let all = events.len();
        let related = events.into_iter().enumerate().map(|(index, (event, choice, beat))| {
            let earlier = |choice: u8| EventIndex(usize::from(choice) % index.max(1));
            let timing = match choice[0] % 5 {
                _ if index == 0 => Timing::Then,
                1 => Timing::While(earlier(choice[1])),
                2 => Timing::AsSoonAs(earlier(choice[1])),
                3 => beat
                    .map_or(Timing::Then, |beat| Timing::OnBeat { of: earlier(choice[1]), beat }),
                _ => Timing::Then,
            };
            let continues = (index > 0 && choice[2] % 3 == 0).then(|| earlier(choice[2]));
            let until = (index + 1 < all && choice[3] % 3 == 0).then_some(EventIndex(all - 1));
            Event { timing, continues, until, ..event }
        });
        Script::new(related.collect())
            .expect("it is allowed")
            .with_ends(start, end)
            .with_loop(is_loop)
    })
}

proptest! {
    #[test]
    fn both_forms_read_back_and_the_schema_takes_them(script in script()) {
        let json = script.to_value();
        let read = Script::from_json(&json.to_string());
        prop_assert_eq!(read.as_ref(), Ok(&script), "{}", json);
        let line = script.to_string();
        let read: Result<Script, _> = line.parse();
        prop_assert_eq!(read.as_ref(), Ok(&script), "{}", line);
        // another program's reading of the schema
        let validator = jsonschema::validator_for(schema().as_value()).expect("the schema is one");
        let faults: Vec<String> = validator.iter_errors(&json).map(|fault| fault.to_string()).collect();
        prop_assert!(faults.is_empty(), "{faults:?}\n{json}");
    }
}

#[test]
fn a_fault_is_told_with_its_place() {
    let told = |json: serde_json::Value| Script::from_value(&json).unwrap_err().to_string();
    let script = |events: serde_json::Value| serde_json::json!({ "version": 2, "events": events });
    let walk = serde_json::json!({ "do": "walk" });
    for (event, fault) in [
        (serde_json::json!({ "do": "wave", "count": 0 }), "events[1].count: 0 is below 1"),
        (
            serde_json::json!({ "do": "wave", "degrees": 10_000 }),
            "events[1].degrees: 10000 is above 3600",
        ),
        (serde_json::json!({ "do": "wave", "while": 1 }), "events[1].while: 1 is no earlier event"),
        (serde_json::json!({ "do": "wave", "until": 0 }), "events[1].until: 0 is no later event"),
        (
            serde_json::json!({ "do": "wave", "until": 7 }),
            "events[1].until: 7 is no event of this script",
        ),
        (
            serde_json::json!({ "side": "left" }),
            "events[1]: nothing is done: it needs `do`, or `move` with `part`",
        ),
        (
            serde_json::json!({ "do": "wave", "part": "hand" }),
            "events[1]: `do` stands beside `move` or `part`; take one of them",
        ),
        (
            serde_json::json!({ "do": "wave", "beat": 3 }),
            "events[1]: `beat` needs `beat_of` beside it",
        ),
        (
            serde_json::json!({ "do": "jump", "height": "hip", "height_m": 1.0 }),
            "events[1]: `height` and `height_m` contradict each other; take one of them",
        ),
    ] {
        assert_eq!(told(script(serde_json::json!([walk, event]))), fault);
    }
    assert_eq!(told(script(serde_json::json!([]))), "events: there are none");
    let many: Vec<_> = std::iter::repeat_n(&walk, 61).collect();
    assert_eq!(told(script(serde_json::json!(many))), "events: 61 are more than 60");
    let newer = serde_json::json!({ "version": 3, "events": [walk] });
    assert_eq!(told(newer), "version: version 3 is unknown; this program reads version 2");
    let unknown = told(script(serde_json::json!([{ "do": "walk", "colour": "red" }])));
    assert!(unknown.starts_with("events[0].colour: unknown field `colour`"), "{unknown}");
    let side = told(script(serde_json::json!([{ "do": "walk", "side": "port" }])));
    assert!(side.starts_with("events[0].side: unknown variant `port`"), "{side}");
}

#[test]
fn hostile_json_ends_in_an_error() {
    let deep = "[".repeat(100_000);
    let wide = format!(r#"{{"version":2,"events":[{}]}}"#, r#"{"do":"walk"},"#.repeat(100_000));
    for bad in [
        "",
        "{",
        "[]",
        "null",
        "2",
        r#""walk""#,
        &deep,
        &wide,
        r#"{"version":2,"events":[{"do":"walk"}]} x"#,
    ] {
        assert!(Script::from_json(bad).is_err(), "{}", bad.chars().take(40).collect::<String>());
    }
}

#[test]
fn scripts_of_version_1_read() {
    let script: Script =
        "walk dir:backward path:left-circle:2 tempo:0.6 for:3m manner:sad + wave x3 \
                          side:left > turn angle:90deg side:right for:2s > jump for:4steps"
            .parse()
            .unwrap();
    assert_eq!(
        script.to_string(),
        "v2 walk degrees:720.0 direction:backward manners:sad=1.0 meters:3.0 path:circle side:left \
         speed:0.6 > wave count:3 side:left while:0 > turn degrees:90.0 seconds:2.0 side:right > jump \
         steps:4"
    );
    assert_eq!(script.to_string().parse::<Script>(), Ok(script));
    let fault = "walk pace:9".parse::<Script>().unwrap_err().to_string();
    assert_eq!(fault, "events[0]: `pace:9` is not part of a script");
}

#[test]
fn a_line_is_read_as_people_write_it() {
    let script: Script =
        "v2 raise.elbow side:left height:head > walk steps:3 still:arm,head | loop:true end:hold"
            .parse()
            .unwrap();
    assert!(script.is_loop());
    assert_eq!(script.end(), End::Hold);
    assert_eq!(script.events()[0].deed, Deed::Body { verb: Verb::Raise, part: BodyPart::Elbow });
    assert_eq!(script.events()[1].still, [BodyPart::Arm, BodyPart::Head]);
    for (line, fault) in [
        ("v2 walk direction", "events[0]: `direction` is no field with a value"),
        ("v2 walk count:2 count:3", "events[0]: `count` is said twice"),
        ("v2 ", "events[0]: nothing is done: it needs `do`, or `move` with `part`"),
    ] {
        assert_eq!(line.parse::<Script>().unwrap_err().to_string(), fault);
    }
}
