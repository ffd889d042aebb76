//! The same again, a little or a lot different.

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

/// How far a refined clip may go from its source: 0 almost nowhere, 1 anywhere.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Creativity(f32);

/// How much of the new clip is taken at 0.
const LEAST_SHARE: f32 = 0.08;
/// Mean distance of joints from the source at creativity 0, and what 1 adds, metres.
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

    /// The number.
    #[must_use]
    pub const fn get(self) -> f32 {
        self.0
    }

    /// The most that joints are away from the source in the mean, metres; without bound at 1.
    #[must_use]
    pub fn bound_m(self) -> f32 {
        if self.0 >= 1.0 { f32::INFINITY } else { LEAST_M + MORE_M * self.0 }
    }
}

/// A clip between `source` and `fresh`, which an engine made anew of the same or another prompt.
/// What happens when is matched first, so that steps are mixed with steps; then poses are mixed,
/// by so much that the mean distance of joints stays within [`Creativity::bound_m`]; then feet
/// are set where they stand. At 1 it is `fresh`, brought to where the source begins. The result
/// has as many frames as the source.
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

/// Poses mixed and feet set. Setting feet moves legs too, so less is mixed where the bound would be
/// passed; where feet of the source itself would be moved by more, they stay as they are.
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

/// Mean distance of joints, metres.
fn distance(clip: &Clip, a: &[Pose], b: &[Pose]) -> f32 {
    let mut sum = 0.0_f64;
    for (a, b) in a.iter().zip(b) {
        let (a, b) = (clip.skeleton().world(a), clip.skeleton().world(b));
        let apart: f32 = a.positions.iter().zip(&b.positions).map(|(a, b)| a.distance(*b)).sum();
        sum += f64::from(apart) / a.positions.len() as f64;
    }
    (sum / a.len().max(1) as f64) as f32
}
