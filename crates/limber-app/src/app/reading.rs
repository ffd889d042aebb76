//! How a prompt was understood, step by step, and steps edited by the user.

use limber_api::motion::{ClipEnds, DryRunAnswer, EventWords};
use limber_pipeline::Script;
use serde_json::{Map, Value};

use crate::{
    AppError, ErrorCode, Notice,
    views::{EventRead, EventTiming, FieldRead, PromptReading},
};

/// The service's limit, bytes.
pub(super) const LONGEST_SCRIPT: usize = 64 << 10;
/// Fields that name the action.
const DEED: [&str; 3] = ["do", "move", "part"];
/// Fields that refer to other steps by index.
const RELATIONS: [&str; 6] = ["while", "as_soon_as", "beat_of", "beat", "until", "continues"];

/// Converts the service's reading of a prompt, with the start and end that were requested beside
/// it. Returns `None` if an older service reports none, or a newer one reports a script that this
/// version cannot read.
pub(super) fn reading_of(told: &DryRunAnswer, ends: ClipEnds) -> Option<PromptReading> {
    let value = told.motion_script.as_ref()?;
    let script = Script::from_value(value)
        .inspect_err(|error| tracing::debug!(%error, "the service's script cannot be read"))
        .ok()?;
    let written = value.get("events")?.as_array()?;
    let words = told.words.as_ref();
    let events = script.events().iter().zip(written).enumerate();
    let events = events.map(|(place, (event, written))| {
        let written = written.as_object()?;
        let words = words.and_then(|words| words.events.get(place));
        let is_left_out = |field: &str| {
            told.left_out.iter().any(|left| left.event == Some(place) && left.field == field)
        };
        Some(EventRead {
            name: event.deed.to_string(),
            words: words.map(|words| words.deed.clone()).unwrap_or_default(),
            timing: timing_of(written),
            fields: fields_of(written, words, is_left_out),
            is_performed: !is_left_out("do") && !is_left_out("move"),
        })
    });
    Some(PromptReading {
        events: events.collect::<Option<_>>()?,
        scenery: words.map(|words| words.scenery.clone()).unwrap_or_default(),
        not_understood: words.map(|words| words.not_understood.clone()).unwrap_or_default(),
        script: without(ends, value.clone()).to_string(),
    })
}

/// Removes the start, end and looping that were requested beside the prompt from the script: when
/// the user clears them later, edited steps must not contain them.
fn without(ends: ClipEnds, mut script: Value) -> Value {
    if let Some(whole) = script.as_object_mut() {
        let asked = [
            ("start", ends.start.is_some()),
            ("end", ends.end.is_some()),
            ("loop", ends.loops().is_some()),
        ];
        whole.retain(|field, _| !asked.contains(&(field.as_str(), true)));
    }
    script
}

fn timing_of(event: &Map<String, Value>) -> EventTiming {
    if event.contains_key("while") {
        EventTiming::Together
    } else if event.contains_key("as_soon_as") || event.contains_key("beat_of") {
        EventTiming::OnMoment
    } else {
        EventTiming::Then
    }
}

fn fields_of(
    event: &Map<String, Value>,
    words: Option<&EventWords>,
    is_left_out: impl Fn(&str) -> bool,
) -> Vec<FieldRead> {
    let said = event
        .iter()
        .filter(|(name, _)| !DEED.contains(&name.as_str()) && !RELATIONS.contains(&name.as_str()));
    let field = |(name, value): (&String, &Value)| FieldRead {
        name: name.clone(),
        value: plain(value),
        words: words.map(|words| words_of(words, name)).unwrap_or_default(),
        // parameters of a target are left out together with it
        is_performed: !is_left_out(if name.starts_with("target") {
            "target"
        } else {
            name.as_str()
        }),
    };
    said.map(field).collect()
}

fn words_of(event: &EventWords, field: &str) -> String {
    let said = event.fields.iter().filter(|said| said.field == field);
    said.map(|said| said.words.as_str()).collect::<Vec<_>>().join(" … ")
}

/// Formats a value without quotes and brackets; styles are reduced to their names.
fn plain(value: &Value) -> String {
    match value {
        Value::String(word) => word.clone(),
        Value::Array(several) => several.iter().map(plain).collect::<Vec<_>>().join(", "),
        Value::Object(named) => named.keys().cloned().collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}

/// Parses steps edited by the user for submission.
///
/// # Errors
/// If the text is not a valid motion script.
pub(super) fn script_of(text: &str) -> Result<Value, AppError> {
    let refused = |why: String| AppError::new(ErrorCode::BadInput, Notice::ChangedSteps { why });
    if text.len() > LONGEST_SCRIPT {
        return Err(refused(format!("{} bytes, {LONGEST_SCRIPT} at most", text.len())));
    }
    let script = Script::from_json(text).map_err(|error| refused(error.to_string()))?;
    Ok(script.to_value())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const OPEN: ClipEnds = ClipEnds { start: None, end: None, is_loop: None };

    fn told(events: &Value, more: &Value) -> DryRunAnswer {
        let mut answer =
            json!({ "motionScript": { "version": 2, "events": events }, "price": 0.0 });
        let known = answer.as_object_mut().expect("an object");
        known.extend(more.as_object().expect("an object").clone());
        serde_json::from_value(answer).expect("an answer")
    }

    #[test]
    fn a_reading_lists_every_step_with_its_words() {
        let events = json!([
            { "do": "sit-down", "side": "left", "manners": { "happy": 1.0, "tired": 0.5 } },
            { "move": "raise", "part": "elbow", "count": 2, "while": 0 },
        ]);
        let said = json!({
            "words": {
                "events": [
                    { "deed": "sits", "fields": [{ "field": "manners", "words": "happily" }] },
                    { "deed": "elbow up", "fields": [{ "field": "count", "words": "twice" }] },
                ],
                "scenery": ["in a park"],
                "notUnderstood": ["glorps"],
            },
            "leftOut": [{ "event": 0, "field": "side" }, { "event": 1, "field": "move" }],
        });
        let reading = reading_of(&told(&events, &said), OPEN).expect("a reading");
        let [sits, raises] = &reading.events[..] else { panic!("{reading:?}") };
        assert_eq!((sits.name.as_str(), sits.words.as_str()), ("sit down", "sits"));
        assert_eq!((raises.name.as_str(), raises.words.as_str()), ("raise elbow", "elbow up"));
        assert_eq!([sits.timing, raises.timing], [EventTiming::Then, EventTiming::Together]);
        assert_eq!([sits.is_performed, raises.is_performed], [true, false]);
        let field = |name: &str, value: &str, words: &str, is_performed| FieldRead {
            name: name.into(),
            value: value.into(),
            words: words.into(),
            is_performed,
        };
        assert_eq!(raises.fields, [field("count", "2", "twice", true)]);
        assert!(sits.fields.contains(&field("side", "left", "", false)), "{sits:?}");
        assert!(sits.fields.contains(&field("manners", "happy, tired", "happily", true)));
        assert_eq!(reading.scenery, ["in a park"]);
        assert_eq!(reading.not_understood, ["glorps"]);
        assert!(script_of(&reading.script).is_ok(), "it can be submitted: {}", reading.script);
    }

    #[test]
    fn scripts_have_readings_without_words_and_older_services_none() {
        let wave = told(&json!([{ "do": "wave" }]), &json!({}));
        let reading = reading_of(&wave, OPEN).expect("a reading");
        assert_eq!(
            (reading.events[0].name.as_str(), reading.events[0].words.as_str()),
            ("wave", "")
        );
        let older: DryRunAnswer =
            serde_json::from_value(json!({ "script": "wave", "price": 0.0 })).expect("an answer");
        assert_eq!(reading_of(&older, OPEN), None);
        let newer = told(&json!([{ "do": "wave", "dream": 1 }]), &json!({}));
        assert_eq!(reading_of(&newer, OPEN), None, "unsupported readings are not shown partly");
    }

    #[test]
    fn requested_ends_are_not_part_of_the_steps() {
        let script = json!({
            "version": 2, "events": [{ "do": "walk" }],
            "start": "action", "end": "hold", "loop": true,
        });
        let told: DryRunAnswer =
            serde_json::from_value(json!({ "motionScript": script, "price": 0.0 }))
                .expect("an answer");
        let read = |ends: ClipEnds| {
            let reading = reading_of(&told, ends).expect("a reading");
            let read: Value = serde_json::from_str(&reading.script).expect("JSON");
            ["start", "end", "loop"].map(|field| read.get(field).is_some())
        };
        assert_eq!(read(OPEN), [true, true, true], "so the words say");
        assert_eq!(read(ClipEnds { is_loop: Some(true), ..OPEN }), [true, true, false]);
        let start = Some(limber_api::motion::Start::Action);
        assert_eq!(read(ClipEnds { start, ..OPEN }), [false, true, true]);
    }

    #[test]
    fn changed_steps_that_are_too_long_are_rejected_unparsed() {
        let error = script_of(&" ".repeat(LONGEST_SCRIPT + 1)).expect_err("too long");
        assert_eq!(error.code, ErrorCode::BadInput);
        assert!(error.message.text.contains("65536 at most"), "{error}");
    }
}
