//! Restores frames that an edit did not touch, after stages that also look at neighbouring frames.

use std::ops::Range;

use limber_animation::{Clip, FrameIndex};

use super::{
    GroundMove,
    hole_edges::{Evenness, smooth_hole_edges},
    residual::{Fade, Residual},
};
use crate::{Soles, contacts_of};

/// Number of frames next to restored ones in which the difference fades out.
const FADE_FRAMES: usize = 8;

/// Frames of another clip with the same skeleton and frame rate.
#[derive(Debug, Clone, Copy)]
pub struct Untouched<'a> {
    /// The clip that holds the original frames.
    pub clip: &'a Clip,
    /// The first of them in that clip.
    pub from: FrameIndex,
    /// The first of them in the clip to be restored.
    pub at: FrameIndex,
    /// Number of frames.
    pub frames: usize,
    /// The move applied to them.
    pub moved: GroundMove,
}

impl Untouched<'_> {
    fn range(&self) -> Range<FrameIndex> {
        self.at..self.at + self.frames
    }
}

/// The clip with its untouched frames restored. All others keep their movement; where they meet a
/// restored frame, the difference fades out inside them, and the first of them continues the
/// restored movement.
///
/// # Panics
/// If a piece lies outside one of the clips.
#[must_use]
pub fn restore(clip: &Clip, pieces: &[Untouched<'_>]) -> Clip {
    let skeleton = clip.skeleton();
    let mut restored = clip.clone();
    let mut is_new = vec![true; clip.len()];
    for piece in pieces {
        is_new[piece.range()].fill(false);
        let poses = &piece.clip.frames()[piece.from..piece.from + piece.frames];
        for (pose, frame) in poses.iter().zip(piece.range()) {
            let face = clip.frames()[frame].face.clone();
            restored.frames_mut()[frame] = piece.moved.pose(skeleton, pose);
            restored.frames_mut()[frame].face = face;
        }
    }
    for piece in pieces {
        let Range { start, end } = piece.range();
        let onward = (end..clip.len()).take_while(|frame| is_new[*frame]);
        let back = (0..start).rev().take_while(|frame| is_new[*frame]);
        fade(clip, &mut restored, (end - 1, start), &onward.collect::<Vec<_>>());
        fade(clip, &mut restored, (start, end - 1), &back.collect::<Vec<_>>());
    }
    let (track, soles) = (contacts_of(clip), Soles::of_skeleton(skeleton));
    for hole in is_new.chunk_by(|one, next| one == next).scan(0, |start, run| {
        let range = *start..*start + run.len();
        *start = range.end;
        Some((range, run[0]))
    }) {
        if let (hole, true) = hole {
            smooth_hole_edges(&mut restored, &hole, &track, &soles, Evenness::Once);
        }
    }
    restored
}

/// Blends out the change at the edge of a restored piece over the frames `new`, which lead away
/// from it. `piece` holds the frame at the edge and the one at the other end of the restored piece.
fn fade(
    before: &Clip,
    restored: &mut Clip,
    (edge, far): (FrameIndex, FrameIndex),
    new: &[FrameIndex],
) {
    let Some(first) = new.first() else { return };
    let beyond = match edge.cmp(&far) {
        std::cmp::Ordering::Greater => edge - 1,
        std::cmp::Ordering::Equal => edge,
        std::cmp::Ordering::Less => edge + 1,
    };
    let frames = FADE_FRAMES.min(new.len()) as f32;
    let residual = Residual::at(
        &restored.frames()[edge],
        Some(&restored.frames()[beyond]),
        [&before.frames()[edge], &before.frames()[*first]],
        Fade { pose: frames, speed: frames },
    );
    for (passed, frame) in new.iter().take(FADE_FRAMES).enumerate() {
        residual.add_to(&mut restored.frames_mut()[*frame], (passed + 1) as f32);
    }
}

#[cfg(test)]
mod tests {
    use glam::{Quat, Vec3};
    use limber_animation::{Fps, HumanBone, canonical_skeleton, maths::sin};

    use super::*;

    /// A swaying body, `by` metres to the right.
    fn swaying(by: f32) -> Clip {
        let skeleton = canonical_skeleton();
        let knee = skeleton.find(HumanBone::LeftLowerLeg).expect("it has a knee");
        let frames = (0..60)
            .map(|frame| {
                let mut pose = skeleton.rest_pose();
                pose.hips_translation.x += by + 0.1 * sin(0.2 * frame as f32);
                pose.set_rotation(knee, Quat::from_rotation_x(0.3 + by));
                pose
            })
            .collect();
        Clip::new(skeleton, Fps::DEFAULT, frames).expect("it is a clip")
    }

    #[test]
    fn restored_pieces_are_exact_and_gaps_join_them() {
        let (clip, other) = (swaying(0.01), swaying(0.0));
        let piece = |from, at, frames| Untouched {
            clip: &other,
            from,
            at,
            frames,
            moved: GroundMove::NONE,
        };
        let restored = restore(&clip, &[piece(0, 0, 20), piece(40, 40, 20)]);
        for frame in (0..20).chain(40..60) {
            assert_eq!(restored.frames()[frame], other.frames()[frame], "{frame}");
        }
        assert_eq!(restored.frames()[29..31], clip.frames()[29..31]);
        let at = |frame: usize| restored.frames()[frame].hips_translation;
        for frame in 19..41 {
            let jolt = (at(frame + 1) - 2.0 * at(frame) + at(frame - 1)).length();
            assert!(jolt < 0.006, "{jolt} m at {frame}");
        }
    }

    #[test]
    fn a_shifted_piece_is_restored_at_its_new_place() {
        let clip = swaying(0.0);
        let moved = GroundMove { yaw_rad: 1.0, offset: Vec3::new(2.0, 0.0, 1.0) };
        let piece = Untouched { clip: &clip, from: 10, at: 30, frames: 30, moved };
        let restored = restore(&clip, &[piece]);
        for frame in 0..30 {
            let expected = moved.point(clip.frames()[10 + frame].hips_translation);
            let found = restored.frames()[30 + frame].hips_translation;
            assert!(expected.abs_diff_eq(found, 1e-5), "{expected} {found}");
        }
    }
}
