//! Tests of parsing the parameters of edits.

use limber_api::motion::ModelId;
use limber_pipeline::{ClipEnds, Script};
use serde_json::json;

use super::*;
use crate::jobs::{JobSpec, Rules};

const RID: &str = "t2m_rid=0123456789abcdef";

fn read(params: &[&str]) -> EditReading {
    let raw = RawParameters::read(&json!({ "params": params })).expect("well formed");
    assert!(raw.is_edit());
    raw.read_edit()
}

fn change(param: &str) -> RequestedChange {
    let reading = read(&[RID, param]);
    reading.requested.unwrap_or_else(|| panic!("{:?}", reading.problems)).change
}

fn complaint(params: &[&str]) -> String {
    let reading = read(params);
    assert!(reading.requested.is_none() && !reading.problems.is_empty(), "{reading:?}");
    format!("{}: {}", reading.problems[0].param, reading.problems[0].message)
}

/// Returns the job of the clip that is edited, made from a script or a prompt.
fn source(script: Option<&Script>) -> JobSpec {
    let model = ModelId::parse("default").expect("letters");
    let raw = RawParameters::read(&json!({ "params": ["prompt=walks"] })).expect("well formed");
    let rules = Rules { max_duration_s: 10.0, fresh_seed: 7 };
    let job = raw.validate(Some(&model), rules).expect("a job");
    JobSpec { script: script.cloned(), ..job.spec }
}

fn paint(intervals: &str, more: &str) -> String {
    format!(r#"inPaintingRequest={{"prompt":"waves","intervals":{intervals}{more}}}"#)
}

#[test]
fn whole_numbers_may_be_frames_or_seconds_and_fractions_are_seconds() {
    let unit_of = |intervals: &str, more: &str| match change(&paint(intervals, more)) {
        RequestedChange::Inpaint { unit, .. } => unit,
        other => panic!("{other:?}"),
    };
    let unsaid = Unit::Unsaid { seconds_first: false };
    assert_eq!(unit_of(r#"[{"start":10,"end":"40"}]"#, ""), unsaid);
    assert_eq!(unit_of(r#"[{"start":0,"end":4},{"start":5,"end":7.5}]"#, ""), Unit::Seconds);
    assert_eq!(unit_of(r#"[{"start":0,"end":4e0}]"#, ""), Unit::Seconds);
    assert_eq!(unit_of(r#"[{"start":1,"end":2}]"#, r#","unit":"seconds""#), Unit::Seconds);
    let wrong = complaint(&[RID, &paint(r#"[{"start":1,"end":2.5}]"#, r#","unit":"frames""#)]);
    assert!(wrong.contains("whole numbers"), "{wrong}");
}

#[test]
fn the_unit_may_be_a_parameter_and_other_seconds_are_a_hint() {
    let unit_of = |beside: &str, more: &str| {
        let reading = read(&[RID, &paint(r#"[{"start":1,"end":2}]"#, more), beside]);
        match reading.requested.map(|requested| requested.change) {
            Some(RequestedChange::Inpaint { unit, .. }) => Ok(unit),
            _ => Err(reading.problems[0].message.clone()),
        }
    };
    assert_eq!(unit_of("unit=seconds", ""), Ok(Unit::Seconds));
    assert_eq!(unit_of("unit=frames", r#","unit":"frames""#), Ok(Unit::Frames));
    let seconds = unit_of("requestedAnimationDuration=4", "");
    assert_eq!(seconds, Ok(Unit::Unsaid { seconds_first: true }));
    let nothing = unit_of("requestedAnimationDuration=0", "");
    assert_eq!(nothing, Ok(Unit::Unsaid { seconds_first: false }));
    for (beside, more, said) in [
        ("unit=hours", "", "must be frames or seconds"),
        ("unit=seconds", r#","unit":"frames""#, "contradict"),
    ] {
        let refused = unit_of(beside, more).expect_err(beside);
        assert!(refused.contains(said), "{refused}");
    }
}

/// Returns a merge request that overlaps this many frames.
fn lap(frames: u32, more: &str) -> String {
    format!(r#"mergingRequest={{"t2m_rid":"fedcba9876543210","overlapFrames":{frames}{more}}}"#)
}

#[test]
fn an_overlap_is_a_merge_without_frames_in_between() {
    assert_eq!(change(&lap(20, "")), RequestedChange::Overlap { frames: 20 });
    assert_eq!(change(&lap(20, r#","prompt":"""#)), RequestedChange::Overlap { frames: 20 });
}

#[test]
fn omitted_parameters_have_defaults() {
    let reading = read(&[RID, r#"mergingRequest={"t2m_rid":"fedcba9876543210"}"#]);
    let requested = reading.requested.expect("a merge");
    assert_eq!(requested.change, RequestedChange::Merge { prompt: None, bridge_frames: 15 });
    assert_eq!(requested.second.expect("a second clip").variant, VariantId::FIRST);
    let RequestedChange::Loop(round) = change("loopRequest={}") else { panic!("a loop") };
    assert_eq!((round.repetitions, round.blend_frames, round.locked), (1, 15, false));
    assert_eq!(change("rerunRequest={\"rerun\":0}"), RequestedChange::Rerun);
    assert_eq!(change("editRequest={\"numTrimLeft\":\"3\"}"), RequestedChange::Rerun);
}

#[test]
fn every_error_names_its_parameter() {
    let cases = [
        (complaint(&["loopRequest={}"]), "t2m_rid: t2m_rid is missing"),
        (complaint(&[RID, "mergingRequest={}"]), "mergingRequest.t2m_rid is missing"),
        (complaint(&[RID, "loopRequest={}", "mergingRequest={}"]), "at most one"),
        (complaint(&[RID, "loopRequest={"]), "loopRequest is not JSON"),
        (complaint(&[RID, r#"loopRequest={"numReps":0}"#]), "numReps must be a whole number"),
        (complaint(&[RID, r#"loopRequest={"fixRootMode":"no"}"#]), "INTERPOLATION or LOCKED"),
        (complaint(&[RID, r#"refineRequest={"creativity":1.5}"#]), "from 0 to 1"),
        (complaint(&[RID, &lap(1, "")]), "overlapFrames must be a whole number"),
        (
            complaint(&[RID, &lap(10, r#","prompt":"a person turns""#)]),
            "leaves no frames in between",
        ),
        (complaint(&[RID, &lap(10, r#","blendDuration":0.5"#)]), "leaves no frames in between"),
        (complaint(&[RID, &lap(10, r#","blendFrames":9"#)]), "leaves no frames in between"),
        (complaint(&[RID, r#"editRequest={"numTrimLeft":-1}"#]), "numTrimLeft must be"),
        (complaint(&[RID, "variant_id=0", "loopRequest={}"]), "variant_id: "),
        (complaint(&[RID, &paint("[]", "")]), "1 to 16 intervals"),
        (complaint(&[RID, &paint(r#"[{"start":1}]"#, "")]), "intervals[0].end is missing"),
        (complaint(&[RID, r#"inPaintingRequest={"intervals":[]}"#]), "prompt is empty"),
        (
            complaint(&[RID, r#"loopRequest={"script":{"version":2,"events":[]}}"#]),
            "loopRequest: loopRequest.script.events: there are none",
        ),
        (
            complaint(&[RID, "loopRequest={}", r#"script={"version":2,"events":[7]}"#]),
            "script: script.events[0]: ",
        ),
        (complaint(&[RID, &lap(10, ""), &beside("walk")]), "leaves no frames in between"),
        (
            complaint(&[RID, &inside("wave"), &beside("walk")]),
            "loopRequest.script and script contradict",
        ),
    ];
    for (said, expected) in cases {
        assert!(said.contains(expected), "{said} lacks {expected}");
    }
}

fn script(action: &str) -> String {
    format!(r#"{{"version":2,"events":[{{"do":"{action}"}}]}}"#)
}

fn beside(action: &str) -> String {
    format!("script={}", script(action))
}

fn inside(action: &str) -> String {
    format!(r#"loopRequest={{"script":{}}}"#, script(action))
}

#[test]
fn a_script_in_the_object_or_as_parameter_titles_new_frames() {
    let requested = |params: &[&str]| {
        let reading = read(params);
        reading.requested.unwrap_or_else(|| panic!("{:?}", reading.problems))
    };
    for (params, param) in [
        (vec![RID.to_owned(), inside("wave")], LOOP),
        (vec![RID.to_owned(), "loopRequest={}".to_owned(), beside("wave")], SCRIPT),
        (vec![RID.to_owned(), inside("wave"), beside("wave")], LOOP),
    ] {
        let params: Vec<&str> = params.iter().map(String::as_str).collect();
        let edit = requested(&params);
        let said = edit.script.as_ref().expect("a script");
        assert_eq!((said.param, said.script.title().as_str()), (param, "wave"));
        assert_eq!(edit.prompt(), Some("wave"));
        assert_eq!(edit.performed(&source(None)).0, Some(said.script.clone()));
    }
    let named = paint(r#"[{"start":1,"end":9}]"#, "");
    let edit = requested(&[RID, &named, &beside("nod")]);
    assert_eq!(edit.prompt(), Some("waves"), "a prompt beside a script is its name");
    let again = requested(&[RID, "rerunRequest={}", &beside("nod")]);
    assert_eq!(again.script, None, "nothing is invented");
    let nod = edit.script.expect("a script").script;
    assert_eq!(again.performed(&source(Some(&nod))).0, Some(nod.clone()));
    let joined = requested(&[RID, r#"mergingRequest={"t2m_rid":"fedcba9876543210"}"#]);
    let nothing = joined.performed(&source(Some(&nod)));
    assert_eq!(nothing, (None, ClipEnds::default()), "it is more than its first part");
}

#[test]
fn source_jobs_are_returned_even_with_other_errors() {
    let reading = read(&["t2m_rid=nobody", r#"mergingRequest={"t2m_rid":"x","blendFrames":1}"#]);
    assert_eq!(
        reading.named,
        [("t2m_rid", "nobody".to_owned()), ("mergingRequest", "x".to_owned())]
    );
}
