//! Tests of valid corrections and of the errors for invalid ones.

use serde_json::{Value, json};

use super::*;

#[expect(clippy::needless_pass_by_value, reason = "callers construct it in place")]
fn key(frame: u32, what: Value) -> Value {
    json!({ "frame": frame, "what": what, "before": 5, "after": 8 })
}

fn turned(joint: &str) -> Value {
    json!({ "rotate": { "joint": joint, "rotation": [0.0, 0.0, 0.2, 1.0] } })
}

fn pulled(offset: &Value) -> Value {
    json!({ "pull": { "limb": "leftHand", "offset": offset } })
}

fn layer(keys: &[Value]) -> Value {
    json!({ "name": "Hand higher", "keys": keys })
}

fn read(layers: &[Value]) -> Result<Corrections, CorrectionsError> {
    Corrections::from_value(&json!({ "layers": layers }))
}

fn fault(layers: &[Value]) -> String {
    read(layers).expect_err("it is wrong").to_string()
}

#[test]
fn corrections_survive_a_round_trip_and_match_the_schema() {
    let keys = [key(3, turned("leftUpperArm")), key(9, pulled(&json!([0.0, 0.1, -0.05])))];
    let read = read(&[layer(&keys), json!({ "muted": true, "keys": [] })]).expect("it is valid");
    assert_eq!(Corrections::from_json(&read.to_value().to_string()), Ok(read.clone()));
    let validator = jsonschema::validator_for(schema().as_value()).expect("the schema is valid");
    assert!(validator.is_valid(&read.to_value()), "{}", read.to_value());
    let Correction::Rotate { rotation, .. } = read.layers()[0].keys[0].what else {
        panic!("it turns")
    };
    let length: f32 = rotation.get().iter().map(|part| part * part).sum();
    assert!((length - 1.0).abs() < 1e-6, "the quaternion has unit length");
    assert!(!read.change_nothing() && !read.is_empty());
}

#[test]
fn errors_are_reported_with_their_place() {
    let sound = key(3, turned("hips"));
    for (layers, told) in [
        (vec![json!([])], "layers[0]: this is not an object"),
        (vec![layer(&[json!([3])])], "layers[0].keys[0]: this is not an object"),
        (vec![layer(&[sound.clone(), key(4, turned(""))])], "layers[0].keys[1].what.rotate.joint"),
        (vec![layer(&[key(4, turned("left hand"))])], "no spaces"),
        (vec![layer(&[key(4, pulled(&json!([0, 9, 0])))])], "layers[0].keys[0].what.pull.offset"),
        (vec![layer(&[key(4, pulled(&json!([0, 1])))])], "layers[0].keys[0].what.pull.offset"),
        (vec![layer(&[key(4, json!({ "push": {} }))])], "unknown variant `push`"),
        (vec![layer(&[json!({ "frame": -1, "what": turned("hips") })])], "layers[0].keys[0].frame"),
        (vec![json!({ "keys": [], "mute": true })], "layers[0].mute"),
        (vec![json!({ "name": "a\nb", "keys": [] })], "layers[0].name: a name is one line"),
        (vec![json!({ "name": "é".repeat(121), "keys": [] })], "layers[0].name: 121 characters"),
        (
            vec![layer(&[]), layer(&[sound.clone(), key(3, turned("hips"))])],
            "layers[1].keys[1]: keys[0] of this layer also changes hips at frame 3",
        ),
    ] {
        let found = fault(&layers);
        assert!(found.contains(told), "{found}");
    }
    let still = json!({ "rotate": { "joint": "hips", "rotation": [0, 0, 0, 0] } });
    assert!(fault(&[layer(&[key(0, still)])]).contains("what.rotate.rotation: a rotation is four"));
    assert!(Corrections::from_json("{").is_err());
    let long = Corrections::from_json(&" ".repeat(Corrections::LONGEST_JSON + 1));
    assert!(long.expect_err("it is long").to_string().contains("bytes"));
}

#[test]
fn one_frame_may_have_a_turn_and_a_pull_of_one_limb() {
    let keys = [key(3, turned("leftHand")), key(3, pulled(&json!([0, 0, 0])))];
    assert!(read(&[layer(&keys), layer(&keys)]).is_ok());
}

#[test]
fn there_are_at_most_a_hundred_layers_and_five_hundred_keys() {
    let keys: Vec<Value> = (0..500).map(|frame| key(frame, turned("hips"))).collect();
    assert!(read(&[layer(&keys)]).is_ok());
    assert!(read(&[layer(&keys), layer(&keys[..1])]).is_err());
    assert!(read(&vec![layer(&[]); 100]).is_ok());
    assert_eq!(fault(&vec![layer(&[]); 101]), "layers: 101 layers are more than 100");
}

#[test]
fn keys_and_fades_must_lie_within_the_clip() {
    let keys: Vec<Value> = [1, 2, 3, 400].map(|frame| key(frame, turned("hips"))).to_vec();
    let read = read(&[layer(&keys)]).expect("it is valid");
    let told = read.check_within(180).expect_err("it is beyond").to_string();
    assert_eq!(told, "layers[0].keys[3].frame: 400 is past the clip's last frame 179");
    assert_eq!(read.check_within(401), Ok(()));
    let told = self::read(&[layer(&keys[..1])]).expect("it is valid").check_within(6);
    let told = told.expect_err("it fades for longer").to_string();
    assert_eq!(told, "layers[0].keys[0].after: 8 frames are more than the clip has, 6");
}
