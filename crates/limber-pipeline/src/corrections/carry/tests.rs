//! Which corrections are where after an edit.

use serde_json::json;

use super::*;

const NO_TRIM: Trim = Trim { left: 0, right: 0 };

/// Keys that pull the left hand up: frame, height, fade.
fn pulls(keys: &[(u32, f32, u32)]) -> Corrections {
    let key = |(frame, height, fade): &(u32, f32, u32)| {
        json!({
            "frame": frame, "before": fade, "after": fade,
            "what": { "pull": { "limb": "leftHand", "offset": [0.0, height, 0.0] } },
        })
    };
    let keys: Vec<_> = keys.iter().map(key).collect();
    let layers = json!({ "layers": [{ "name": "Higher", "keys": keys }] });
    Corrections::from_value(&layers).expect("they are sound")
}

fn part(corrections: &Corrections, frames: usize, trim: Trim) -> CarriedPart<'_> {
    CarriedPart { corrections, fps: 30, frames, trim }
}

/// Frame and height of each key.
fn heights(corrections: &Corrections) -> Vec<(u32, f32)> {
    let keys = corrections.layers().iter().flat_map(|layer| &layer.keys);
    keys.map(|key| match &key.what {
        Correction::Pull { offset, .. } => (key.frame, (offset.get()[1] * 1000.0).round() / 1000.0),
        Correction::Rotate { .. } => panic!("none turns"),
    })
    .collect()
}

fn alone(keys: &[(u32, f32, u32)], trim: Trim) -> Vec<(u32, f32)> {
    let corrections = pulls(keys);
    let kept = 100 - trim.left - trim.right;
    heights(&carried(part(&corrections, 100, trim), Join::Alone, kept, 30).expect("few"))
}

#[test]
fn what_is_made_anew_in_place_keeps_every_key() {
    let keys = [(10, 0.1, 5), (40, 0.2, 5)];
    assert_eq!(alone(&keys, NO_TRIM), [(10, 0.1), (40, 0.2)]);
}

#[test]
fn a_cut_moves_keys_and_leaves_what_reaches_in() {
    let trim = Trim { left: 20, right: 30 };
    // far outside, inside, far outside
    assert_eq!(alone(&[(2, 0.1, 5), (30, 0.2, 5), (90, 0.1, 5)], trim), [(10, 0.2)]);
    // half gone where the clip begins and ends now
    assert_eq!(alone(&[(15, 0.1, 10), (74, 0.2, 10)], trim), [(0, 0.05), (49, 0.1)]);
    // on the way from one to the other, all of them cut away
    assert_eq!(alone(&[(10, 0.2, 60), (80, 0.2, 60)], trim), [(0, 0.2), (49, 0.2)]);
}

#[test]
fn what_is_left_at_an_edge_goes_over_into_the_next_key() {
    let corrections = pulls(&[(10, 0.2, 10), (40, 0.2, 25)]);
    let trim = Trim { left: 20, right: 0 };
    let cut = carried(part(&corrections, 100, trim), Join::Alone, 80, 30).expect("few");
    let keys = &cut.layers()[0].keys;
    assert_eq!(heights(&cut), [(0, 0.2), (20, 0.2)]);
    assert!(keys[0].after + keys[1].before > 20);
}

#[test]
fn frames_are_counted_at_the_rate_of_the_result() {
    let corrections = pulls(&[(30, 0.1, 12)]);
    let first = CarriedPart { fps: 60, ..part(&corrections, 100, Trim { left: 5, right: 0 }) };
    let cut = carried(first, Join::Alone, 95, 24).expect("few");
    let key = &cut.layers()[0].keys[0];
    // half a second, less five frames at 30
    assert_eq!((key.frame, key.before, key.after), (8, 5, 5));
}

#[test]
fn both_parts_bring_theirs_and_each_round_has_its_own() {
    let (first, second) = (pulls(&[(10, 0.1, 5)]), pulls(&[(20, 0.2, 5)]));
    let join = Join::With(part(&second, 60, Trim { left: 10, right: 0 }));
    // 100 frames, 15 new ones, 50 frames
    let both = carried(part(&first, 100, NO_TRIM), join, 165, 30).expect("few");
    assert_eq!(heights(&both), [(10, 0.1), (125, 0.2)]);
    assert_eq!(both.layers().len(), 2);
    let round = carried(part(&first, 100, NO_TRIM), Join::Rounds(3), 330, 30).expect("few");
    assert_eq!(heights(&round), [(10, 0.1), (120, 0.1), (230, 0.1)]);
    let many = carried(part(&first, 100, NO_TRIM), Join::Rounds(600), 66_000, 30);
    assert!(many.expect_err("too many").to_string().contains("more than 500"));
}
