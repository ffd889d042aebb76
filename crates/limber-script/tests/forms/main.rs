//! Checks that the JSON and text forms agree, that the schema describes what is read, and that
//! errors name their place.

mod generated;
mod refused;

use std::sync::LazyLock;

use jsonschema::Validator;
use limber_script::{BodyPart, End, EventAction, EventIndex, Script, Verb, schema};
use proptest::{prelude::*, sample::select};
use serde_json::{Value, json};

/// The schema, as read by an independent validator.
static SCHEMA: LazyLock<Validator> =
    LazyLock::new(|| jsonschema::validator_for(schema().as_value()).expect("the schema is valid"));

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    #[test]
    fn both_forms_survive_a_round_trip_and_match_the_schema(script in generated::script()) {
        let json = script.to_value();
        let read = Script::from_json(&json.to_string());
        prop_assert_eq!(read.as_ref(), Ok(&script), "{}", json);
        let line = script.to_string();
        let read: Result<Script, _> = line.parse();
        prop_assert_eq!(read.as_ref(), Ok(&script), "{}", line);
        let fault = SCHEMA.validate(&json).err().map(|fault| fault.to_string());
        prop_assert_eq!(fault, None, "{}", json);
    }
}

/// Fields whose values can be valid for the schema but not for the script, because a schema cannot
/// look at other events.
const REFERENCES: [&str; 5] = ["while", "as_soon_as", "beat_of", "until", "continues"];

/// A field with a value that is often invalid for it.
fn slip() -> impl Strategy<Value = (String, Value)> {
    let schema = schema();
    let event = &schema.as_value()["$defs"]["Event"]["properties"];
    let mut fields: Vec<String> = event.as_object().expect("fields").keys().cloned().collect();
    fields.push("colour".to_owned());
    let values = json!([
        null, true, -1, 0, 1, 2.0, 1.5, 60, 1000, 1e9, "", "left", "head", "box", "idle", "Walk", [],
        ["head"], {}, {"left": null}, {"tired": 1}, {"tired": 3}
    ]);
    (select(fields), select(values.as_array().expect("a list").clone()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn parser_and_schema_agree_on_every_error(
        script in generated::script(),
        (field, value) in slip(),
        place in any::<prop::sample::Index>(),
        of_whole in prop::bool::weighted(0.1),
    ) {
        let is_place = |number: f64| number.fract() == 0.0 && (0.0..60.0).contains(&number);
        let names_an_event = REFERENCES.contains(&field.as_str()) && value.as_f64().is_some_and(is_place);
        prop_assume!(of_whole || !names_an_event);
        let mut json = script.to_value();
        if of_whole {
            let fields = ["version", "events", "start", "end", "loop", "colour"];
            json[*place.get(&fields)] = value;
        } else {
            let events = json["events"].as_array_mut().expect("events");
            let place = place.index(events.len());
            events[place][field.as_str()] = value;
        }
        let read = Script::from_value(&json);
        let fault = SCHEMA.validate(&json).err().map(|fault| fault.to_string());
        prop_assert_eq!(read.is_ok(), fault.is_none(), "{:?}, {:?}: {}", read.err(), fault, json);
    }
}

#[test]
fn the_schema_is_valid() {
    let schema = schema();
    assert_eq!(schema.as_value()["$schema"], "https://json-schema.org/draft/2020-12/schema");
    let fault = jsonschema::meta::validate(schema.as_value()).err().map(|fault| fault.to_string());
    assert_eq!(fault, None);
}

#[test]
fn numbers_are_read_as_json_and_null_means_absent() {
    let event = json!({ "do": "wave", "count": 3.0, "while": 0.0, "move": null, "side": null });
    let json = json!({ "version": 2.0, "events": [{ "do": "walk" }, event] });
    assert!(SCHEMA.is_valid(&json));
    let script = Script::from_value(&json).expect("it is one");
    assert_eq!(script.to_string(), "v2 walk > wave count:3 while:0");
    assert_eq!(script.events()[1].timing, limber_script::Timing::While(EventIndex(0)));
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
    let told = |json: &str| Script::from_json(json).unwrap_err().to_string();
    let (open, close) = ("[".repeat(200), "]".repeat(200));
    let nested = format!(r#"{{"version":2,"events":[{{"do":{open}{close}}}]}}"#);
    assert!(told(&nested).starts_with("recursion limit exceeded at line 1"), "{}", told(&nested));
    let long = " ".repeat(128 * 1024 + 1);
    assert_eq!(told(&long), "131073 bytes are more than a script can have, 131072");
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
fn the_text_form_allows_common_variations() {
    let script: Script =
        "v2 raise.elbow side:left height:head > walk steps:3 still:arm,head | loop:true end:hold"
            .parse()
            .unwrap();
    assert!(script.is_loop());
    assert_eq!(script.end(), End::Hold);
    assert_eq!(
        script.events()[0].deed,
        EventAction::Body { verb: Verb::Raise, part: BodyPart::Elbow }
    );
    assert_eq!(script.events()[1].still, [BodyPart::Arm, BodyPart::Head]);
    for (line, fault) in [
        ("v2 walk direction", "events[0]: `direction` is not a field with a value"),
        ("v2 walk count:2 count:3", "events[0]: `count` is given twice"),
        ("v2 ", "events[0]: there is no action: it needs `do`, or `move` with `part`"),
    ] {
        assert_eq!(line.parse::<Script>().unwrap_err().to_string(), fault);
    }
}
