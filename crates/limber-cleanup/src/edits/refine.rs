//! Refines a clip: a variation that stays more or less close to its source.

use limber_animation::{Clip, ContactTrack, Pose};

use super::{
    EditError,
    alignment::alignment,
    bridge::fitted,
    clip_of,
    ground_move::{GroundMove, hips, yaw_between},
    same_skeleton,
};
use crate::{Soles, contacts_of, foot_lock::lock_feet_between};

/// How far a refined clip may deviate from its source, from 0 (hardly) to 1 (without bound).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Creativity(f32);

/// Share of the new clip at creativity 0.
const LEAST_SHARE: f32 = 0.08;
/// Mean distance of joints from the source at creativity 0, and the increase towards 1, metres.
const LEAST_M: f32 = 0.02;
const MORE_M: f32 = 0.30;

impl Creativity {
    /// Checks that the number is between 0 and 1.
    ///
    /// # Errors
    /// [`EditError::Creativity`].
    pub fn new(amount: f32) -> Result<Self, EditError> {
        if (0.0..=1.0).contains(&amount) { Ok(Self(amount)) } else { Err(EditError::Creativity) }
    }

    /// The number, 0 to 1.
    #[must_use]
    pub const fn get(self) -> f32 {
        self.0
    }

    /// Maximum mean distance of joints from the source, metres; infinite at 1.
    #[must_use]
    pub fn bound_m(self) -> f32 {
        if self.0 >= 1.0 { f32::INFINITY } else { LEAST_M + MORE_M * self.0 }
    }
}

/// Blends `source` with `fresh`, which an engine generated from the same or another prompt. The
/// clips are first aligned in time, so that steps are blended with steps; then the poses are
/// blended so that the mean distance of joints stays within [`Creativity::bound_m`]; then standing
/// feet are locked. At 1 the result is `fresh`, moved to where the source starts. The result has as
/// many frames as the source.
///
/// # Errors
/// [`EditError::OtherSkeleton`].
pub fn refine(source: &Clip, fresh: &Clip, creativity: Creativity) -> Result<Clip, EditError> {
    same_skeleton(source, fresh)?;
    let skeleton = source.skeleton();
    let (poses, contacts) = fitted(fresh, source.len(), source.fps());
    let first = &source.frames()[0];
    let yaw_rad = yaw_between(skeleton, &poses[0], first);
    let (from, to) = (hips(skeleton, &poses[0]).0, hips(skeleton, first).0);
    let fresh =
        GroundMove::bringing(from, to, yaw_rad).clip(&clip_of(source, poses, Some(contacts)));
    if creativity.0 >= 1.0 {
        return Ok(fresh);
    }
    let moments = alignment(source, &fresh);
    let fps = source.fps().per_second();
    let matched: Vec<Pose> = moments.iter().map(|moment| fresh.sample(moment / fps)).collect();
    let share = LEAST_SHARE + (1.0 - LEAST_SHARE) * creativity.0;
    let apart_m = distance(source, source.frames(), &matched);
    let share = share.min(creativity.bound_m() / apart_m.max(1e-6));
    let track: ContactTrack = if share < 0.5 {
        contacts_of(source)
    } else {
        let known = contacts_of(&fresh);
        moments.iter().map(|moment| known[(moment.round() as usize).min(known.len() - 1)]).collect()
    };
    Ok(mixed_within(source, &matched, share, creativity.bound_m(), track))
}

/// Blends poses and locks feet. Locking moves legs too, so the share is reduced if the bound would
/// be exceeded; feet that locking would move too far even in the source stay as they are.
fn mixed_within(
    source: &Clip,
    matched: &[Pose],
    share: f32,
    bound_m: f32,
    track: ContactTrack,
) -> Clip {
    let mixed = |share: f32| {
        let poses = source.frames().iter().zip(matched).map(|(a, b)| a.blend(b, share));
        clip_of(source, poses.collect(), None)
    };
    let soles = Soles::of_skeleton(source.skeleton());
    let lifts = [vec![0.0; source.len()], vec![0.0; source.len()]];
    let set = [1.0, 0.7, 0.4].into_iter().find_map(|less| {
        let all = 0..source.len();
        let set = lock_feet_between(&mixed(less * share), &track, &soles, &all, &lifts);
        (distance(source, source.frames(), set.frames()) <= bound_m).then_some(set)
    });
    set.unwrap_or_else(|| mixed(0.9 * share))
        .with_contacts(track)
        .expect("there is one entry per frame")
}

/// Mean distance between joints, metres.
fn distance(clip: &Clip, a: &[Pose], b: &[Pose]) -> f32 {
    let mut sum = 0.0_f64;
    for (a, b) in a.iter().zip(b) {
        let (a, b) = (clip.skeleton().world(a), clip.skeleton().world(b));
        let apart: f32 = a.positions.iter().zip(&b.positions).map(|(a, b)| a.distance(*b)).sum();
        sum += f64::from(apart) / a.positions.len() as f64;
    }
    (sum / a.len().max(1) as f64) as f32
}
