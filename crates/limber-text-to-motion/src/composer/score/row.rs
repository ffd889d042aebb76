//! Consecutive scores without returning home in between.

use super::{
    keeps,
    reading::{Footing, HandChange, Key, PoseParam, Score},
    score_of,
};
use crate::{Act, ActionKind, Amount, composer::motion_plan::Posture};

/// Whether two acts are played as one sequence of key poses: both are scores for a standing body
/// with the same direction.
pub(in crate::composer) fn follow(before: &Act, after: &Act) -> bool {
    let plain = |act: &Act| {
        matches!(act.action.kind(), ActionKind::Score | ActionKind::Body)
            && crate::composer::acts::aimed_at(act) == Posture::Standing
            && matches!(act.amount, None | Some(Amount::Seconds(_)))
    };
    plain(before) && plain(after)
}

/// The scores of a sequence of acts: each except the last stays where its last key leaves it, and
/// each except the first starts from wherever the body is.
pub(super) fn scores(acts: &[Act]) -> Vec<Score> {
    let last = acts.len() - 1;
    // number of keys that the previous act has already done
    let done = |place: usize, score: &Score| -> usize {
        let before = place.checked_sub(1).map(|before| acts[before].action.name());
        before.and_then(|before| score.after.get(before).copied()).unwrap_or(0)
    };
    let scores = acts.iter().map(|act| score_of(act).into_owned()).enumerate();
    scores
        .map(|(place, mut score)| {
            if place > 0 && keeps(&acts[place]) {
                score.keep(told_s(&acts[place]));
            } else if place > 0 {
                score.begin.drain(..done(place, &score));
                begin_anywhere(&mut score);
            }
            let next = acts.get(place + 1);
            let is_taken_up = || next.is_some_and(|next| done(place + 1, &score_of(next)) > 0);
            if !keeps(&acts[place]) && (next.is_some_and(keeps) || is_taken_up()) {
                score.end_in_its_pose();
            }
            if place < last && score.recovers && !next.is_some_and(keeps) {
                score.leave_out_recovery();
            }
            score.stays |= place < last;
            score
        })
        .collect()
}

fn told_s(act: &Act) -> Option<f32> {
    match act.amount {
        Some(Amount::Seconds(seconds)) => Some(seconds),
        _ => None,
    }
}

/// Completes the first key to specify the whole body, so that nothing of the previous action
/// remains.
fn begin_anywhere(score: &mut Score) {
    if score.begin.is_empty() {
        // the repeated keys must not specify more than before
        score.begin.extend(score.again.first().or(score.end.first()).cloned());
    }
    if let Some(first) = score.begin.first_mut() {
        tell_everything(first);
    }
}

fn tell_everything(key: &mut Key) {
    for dial in PoseParam::ALL.into_iter().filter(|dial| !dial.is_of_an_arm()) {
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
