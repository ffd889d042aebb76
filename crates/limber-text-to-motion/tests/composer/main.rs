//! Checks that every motion of the composer must pass, measured on joints without knowing how it is
//! made.

mod acts;
mod body_language;
mod firm;
mod going_on;
mod requests;
mod scores;
mod short;

use glam::{Quat, Vec3};
use limber_animation::{Clip, HumanBone};
use limber_text_to_motion::{Act, Action, ActionKind, Cancel, Composer, MotionScript, Seed, Step};

pub(crate) fn action(name: &str) -> Action {
    Action::named(name).unwrap_or_else(|| panic!("{name} is not an action"))
}

/// Whether an action is defined as key poses in data.
pub(crate) fn acted(action: Action) -> bool {
    matches!(action.kind(), ActionKind::Score | ActionKind::Posture)
}

/// A duration in which an action can be performed at any tempo, seconds.
pub(crate) fn enough_s(action: Action) -> f32 {
    match action.name() {
        // a whole sequence of poses
        "sun-salutation" => 15.0,
        _ if acted(action) => 6.0,
        _ => 2.5,
    }
}

pub(crate) fn script(acts: &[Act]) -> MotionScript {
    let steps = acts.iter().map(|act| Step { main: act.clone(), overlays: Vec::new() }).collect();
    MotionScript { steps }
}

pub(crate) fn made(script: &MotionScript, duration_s: Option<f32>, seed: u64) -> Clip {
    Composer
        .compose(script, duration_s, Seed(seed), &Cancel::default(), &mut |_| {})
        .unwrap_or_else(|error| panic!("{script:?} {duration_s:?} seed {seed}: {error}"))
}

pub(crate) fn one(act: Act, seed: u64) -> Clip {
    made(&script(&[act]), None, seed)
}

/// The position of a bone in every frame.
pub(crate) fn path(clip: &Clip, bone: HumanBone) -> Vec<Vec3> {
    let joint = clip.skeleton().find(bone).expect("the canonical skeleton has every bone");
    clip.frames().iter().map(|pose| clip.skeleton().world(pose).position(joint)).collect()
}

pub(crate) fn turns(clip: &Clip, bone: HumanBone) -> Vec<Quat> {
    let joint = clip.skeleton().find(bone).expect("the canonical skeleton has every bone");
    clip.frames().iter().map(|pose| clip.skeleton().world(pose).rotation(joint)).collect()
}

pub(crate) fn yaw(turn: Quat) -> f32 {
    let ahead = turn * Vec3::Z;
    ahead.x.atan2(ahead.z)
}

/// Number of peaks at least `prominence` above the valleys around them.
pub(crate) fn tops(values: impl IntoIterator<Item = f32>, prominence: f32) -> usize {
    let (mut low, mut high, mut rising, mut count) = (f32::MAX, f32::MIN, true, 0);
    for value in values {
        if rising {
            high = high.max(value);
            low = low.min(value);
            if high - low > prominence && high - value > prominence {
                count += 1;
                (rising, low) = (false, value);
            }
            if value < low + 1e-6 && high - low <= prominence {
                (low, high) = (value, value);
            }
        } else {
            low = low.min(value);
            if value - low > prominence {
                (rising, high) = (true, value);
            }
        }
    }
    count
}
