//! Checks that no two actions look the same, by comparing every pair after aligning it in space and
//! time.

#[path = "../examples/alike/measure.rs"]
mod measure;

use limber_text_to_motion::Action;

/// Intended minimum distance between two actions, metres; a hand held differently is enough. A
/// larger distance would make plain gestures theatrical, because trunk and feet would have to
/// differ where only the hands should.
const APART_M: f32 = 0.05;
/// Minimum distance that no pair may fall below; pairs in between are counted.
const NEAREST_M: f32 = 0.04;
/// One in this many pairs may be in between.
const PAIRS_A_NEAR_ONE: usize = 10_000;

#[test]
fn only_synonyms_look_the_same() {
    let all: Vec<measure::Seen> = Action::all().map(measure::seen).collect();
    let pairs = measure::pairs(&all, APART_M);
    for (metres, first, second) in pairs.near.iter().take(20) {
        println!("{:4.1} cm {first:?} {second:?}", 100.0 * metres);
    }
    println!("{} of {} pairs are nearer than 5 cm", pairs.near.len(), pairs.count);
    let few = pairs.near.len() * PAIRS_A_NEAR_ONE <= pairs.count;
    let none_too_near = pairs.near.first().is_none_or(|(metres, ..)| *metres > NEAREST_M);
    assert!(none_too_near && few, "indistinguishable: {:?}", pairs.near);
}
