//! Scores during locomotion: out of a stride, and on into the next, without a stop.

use limber_animation::Side;

use super::{
    reading::{Footing, Key, PoseParam, Score},
    score_of,
    timing::Moment,
};
use crate::{
    Act, ActionKind, Direction, SideChoice,
    composer::{
        acts::aimed_at,
        motion_plan::{Posture, Stride},
        style::Style,
    },
};

/// Minimum travel of a key that goes with a stride, metres.
const GOES_M: f32 = 0.12;
/// Maximum time for getting ready while still running, seconds.
const READY_S: f32 = 1.2;
/// A body that is lower than standing by more than this does not continue running, metres.
const LOW_M: f32 = 0.35;
/// Maximum time for getting back to standing, to continue running, seconds.
const BACK_S: f32 = 1.5;

/// Number of steps to slow down from the speed of a stride.
const SLOWING: usize = 4;
/// Steps that take longer carry no additional speed, seconds.
const QUICK_S: f32 = 0.4;

/// Maximum travel over a planted foot, metres.
const REACH_M: f32 = 0.75;

/// A first step that takes longer starts from standing: a running body would leave the other foot
/// too far behind, seconds.
const LONG_STEP_S: f32 = 0.8;

/// How an act starts out of a stride.
#[derive(Debug, Clone, Copy)]
pub(in crate::composer) struct RunUp {
    /// The foot that steps first.
    pub(in crate::composer) first: Side,
    /// Time for hands and trunk to get ready before that step, seconds.
    pub(in crate::composer) ready_s: f32,
}

/// How an act starts out of a stride; `None` if it cannot.
pub(in crate::composer) fn run_up(act: &Act, style: &Style) -> Option<RunUp> {
    let score = upright(act)?;
    let mut ready_s = 0.0;
    for key in score.begin.iter().chain(&score.again) {
        if key.leap {
            return None;
        }
        if goes(key) {
            let lead = match act.side {
                Some(SideChoice::Left) => Side::Left,
                _ => Side::Right,
            };
            let first = match key.feet {
                [Some(_), _] => lead,
                [None, Some(_)] => lead.opposite(),
                [None, None] => return None,
            };
            let is_soon = ready_s <= READY_S && key.takes_s <= LONG_STEP_S;
            return is_soon.then_some(RunUp { first, ready_s });
        }
        ready_s += (key.takes_s + key.hold_s) / style.tempo;
    }
    None
}

/// How long an act that leads into locomotion is still busy with arms and trunk when its feet are
/// free, seconds; `None` if it does not lead into locomotion.
pub(in crate::composer) fn run_out_s(act: &Act, style: &Style) -> Option<f32> {
    let score = upright(act).filter(|score| !score.stays)?;
    let keys = keys_once(&score);
    let last = keys_of_the_way(&keys)?;
    let back_s: f32 = keys[last..].iter().skip(1).map(|key| key.takes_s + key.hold_s).sum();
    (back_s <= BACK_S).then(|| (back_s + score.home_s) / style.tempo)
}

/// Number of moments at the end of an act that leave the feet alone because they are already
/// running on.
pub(in crate::composer) fn keys_of_arms(act: &Act) -> usize {
    let Some(score) = upright(act) else { return 0 };
    let keys = keys_once(&score);
    // after the last key the body returns home
    keys_of_the_way(&keys).map_or(0, |last| keys.len() - last)
}

/// Whether an act ends with both feet on the floor, so that they are free while arms and trunk
/// return home. `is_cut` leaves out its recovery.
pub(in crate::composer) fn frees_feet(act: &Act, is_cut: bool) -> bool {
    let stands = matches!(act.action.kind(), ActionKind::Score | ActionKind::Body);
    if !stands || aimed_at(act) != Posture::Standing {
        return false;
    }
    let score = score_of(act);
    let mut feet = [true; 2];
    let recovery = if is_cut { score.end.len() } else { 0 };
    let keys = keys_once(&score);
    for key in &keys[..keys.len() - recovery] {
        for (stands, told) in feet.iter_mut().zip(key.feet) {
            *stands = told.map_or(*stands, |told| matches!(told, Footing::Step(..)));
        }
    }
    !score.stays && feet == [true; 2]
}

/// Lets a sequence of moments continue from a stride: the first step is that of the foot in the
/// air, and the movement slows down from the speed of the stride.
pub(super) fn go_on_from(moments: &mut [Moment<'_>], stride: &Stride) {
    let is_going = |moment: &Moment<'_>| moment.key.is_some_and(goes);
    let Some(first) = moments.iter().position(is_going) else { return };
    let late_s = stride.landed_s - moments[first].from_s;
    for moment in moments.iter_mut() {
        moment.from_s += late_s;
        moment.at_s += late_s;
        moment.has_feet = true;
    }
    moments[..first].iter_mut().for_each(|moment| moment.has_feet = false);
    let on_the_way =
        |moment: &&mut Moment<'_>| moment.key.is_some_and(|key| goes(key) && !key.leap);
    let way: Vec<_> = moments[first..].iter_mut().take_while(on_the_way).take(SLOWING).collect();
    let count = way.len();
    for (place, moment) in way.into_iter().enumerate() {
        let lasts_s = moment.at_s - moment.from_s;
        let own_m = moment.key.map_or(0.0, |key| key.onward[1]) * moment.size;
        let left = (count - place) as f32 / (count + 1) as f32;
        let faster_m_s = (stride.speed_m_s - own_m / lasts_s).max(0.0) * left;
        let hastens = 1.0 + faster_m_s * lasts_s.min(QUICK_S) / own_m.max(0.01);
        // the foot that stands is not left behind out of reach
        moment.hastens = hastens.min((REACH_M / own_m.max(0.01)).max(1.0));
    }
}

/// The score of an act that is performed standing and straight ahead.
fn upright(act: &Act) -> Option<std::borrow::Cow<'static, Score>> {
    let ahead = matches!(act.direction, None | Some(Direction::Forward));
    let plain =
        act.action.kind() == ActionKind::Score && ahead && aimed_at(act) == Posture::Standing;
    let begins = act.action.begins().is_none();
    (plain && begins).then(|| score_of(act))
}

fn goes(key: &Key) -> bool {
    key.onward[1] >= GOES_M
}

fn keys_once(score: &Score) -> Vec<&Key> {
    score.begin.iter().chain(&score.again).chain(&score.end).collect()
}

/// Index of the last key that travels: after it the body stands and only returns to rest.
fn keys_of_the_way(keys: &[&Key]) -> Option<usize> {
    let last = keys.iter().rposition(|key| goes(key) && key.onward[1] / key.takes_s > 0.6)?;
    let mut feet = [true; 2];
    let mut down_m = 0.0;
    for (place, key) in keys.iter().enumerate() {
        for (stands, told) in feet.iter_mut().zip(key.feet) {
            *stands = told.map_or(*stands, |told| matches!(told, Footing::Step(..)));
        }
        let told = key.dials.iter().find(|(dial, _)| *dial == PoseParam::PelvisDown);
        down_m = told.map_or(down_m, |(_, value)| *value);
        if place >= last && feet == [true; 2] && down_m < LOW_M {
            return Some(place);
        }
    }
    None
}
