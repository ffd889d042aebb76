//! Scores that follow each other: nobody goes home between two of them.

use super::{
    reading::{Dial, Footing, HandChange, Key, Score},
    score_of,
};
use crate::{Act, Way, composer::stage::Posture};

/// Whether two acts are played as one row of key poses: both are scores that somebody plays who stands, and aim
/// the same way.
pub(in crate::composer) fn follow(before: &Act, after: &Act) -> bool {
    let plain = |act: &Act| {
        matches!(act.action.way(), Way::Score | Way::Body)
            && crate::composer::acts::aimed_at(act) == Posture::Standing
            && act.amount.is_none()
    };
    plain(before) && plain(after) && before.direction == after.direction
}

/// The scores of a row of acts: each but the last stays where its last key leaves it, and each but the first
/// begins from wherever the body is.
pub(super) fn scores(acts: &[Act]) -> Vec<Score> {
    let last = acts.len() - 1;
    let scores = acts.iter().map(|act| score_of(act).into_owned()).enumerate();
    scores
        .map(|(place, mut score)| {
            if place > 0 {
                begin_anywhere(&mut score);
            }
            score.stays |= place < last;
            score
        })
        .collect()
}

/// Lets the first key tell the whole body, so that nothing is left over from what was done before.
fn begin_anywhere(score: &mut Score) {
    if score.begin.is_empty() {
        // what is repeated must not tell more each time
        score.begin.extend(score.again.first().or(score.end.first()).cloned());
    }
    if let Some(first) = score.begin.first_mut() {
        tell_everything(first);
    }
}

fn tell_everything(key: &mut Key) {
    for dial in Dial::ALL.into_iter().filter(|dial| !dial.is_of_an_arm()) {
        if key.dials.iter().all(|(told, _)| *told != dial) {
            key.dials.push((dial, 0.0));
        }
    }
    for role in 0..2 {
        key.shoulders[role] = key.shoulders[role].or(Some(0.0));
        key.grips[role] = key.grips[role].or(Some(0.0));
        key.feet[role] = key.feet[role].or(Some(Footing::HOME));
        key.hands[role] = match &key.hands[role] {
            Some(HandChange::Goes(words)) => {
                words.after(None).map(|hand| HandChange::Goes(hand.into()))
            }
            _ => Some(HandChange::Free),
        };
    }
}
