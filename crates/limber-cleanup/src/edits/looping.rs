//! Makes clips loop.

use glam::Vec3;
use limber_animation::{Clip, ContactTrack, Contacts, Pose};

use super::{
    EditError, GroundMove,
    bridge::{Placement, bridge, place},
    clip_of,
    ground_move::{hips, set_hips, wrapped, yaw_between},
    hole_edges::Evenness,
    same_skeleton,
};
use crate::{Soles, contacts_of, foot_lock::lock_feet_between};

/// How constrained components of the root return to their initial values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum RootMode {
    /// The difference between end and beginning is spread evenly.
    #[default]
    Interpolation,
    /// They are held at their values in the first frame.
    Locked,
}

/// Options for looping a clip.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoopSettings {
    /// Number of repetitions, from 1.
    pub repetitions: u32,
    /// Number of new frames from the end back to the beginning.
    pub blend_frames: usize,
    /// How constrained components return.
    pub root_mode: RootMode,
    /// Whether the hips' height returns to its initial value before the new frames, see
    /// `across_all`. On the new frames it returns in any case.
    pub fix_altitude: bool,
    /// Whether the position over the floor returns; otherwise every repetition continues where the
    /// last one ended.
    pub fix_horizontal: bool,
    /// Whether the heading returns; otherwise every repetition continues with the heading of the
    /// last.
    pub fix_orientation: bool,
    /// Whether constrained components change over the whole clip rather than only on the new
    /// frames. With a fixed position, feet then slide under the body as on a treadmill, and the
    /// clip has no contacts.
    pub across_all: bool,
}

impl Default for LoopSettings {
    fn default() -> Self {
        Self {
            repetitions: 1,
            blend_frames: 15,
            root_mode: RootMode::Interpolation,
            fix_altitude: false,
            fix_horizontal: false,
            fix_orientation: false,
            across_all: false,
        }
    }
}

/// A looping clip.
#[derive(Debug, Clone, PartialEq)]
pub struct Looped {
    /// All repetitions, each followed by its transition back to the beginning.
    pub clip: Clip,
    /// Number of frames of one repetition.
    pub period: usize,
    /// Move from one repetition to the next; [`GroundMove::NONE`] if position and heading are
    /// fixed.
    pub travel: GroundMove,
}

/// Makes a clip whose last frame leads into its first. `material` is the movement of the transition
/// back; without it the body interpolates straight back, with steps where feet must move.
///
/// # Errors
/// [`EditError::NoRepetition`], [`EditError::BridgeLength`], [`EditError::TooLong`],
/// [`EditError::OtherSkeleton`].
pub fn make_loop(
    clip: &Clip,
    settings: &LoopSettings,
    material: Option<&Clip>,
) -> Result<Looped, EditError> {
    material.map_or(Ok(()), |material| same_skeleton(clip, material))?;
    if settings.repetitions == 0 {
        return Err(EditError::NoRepetition);
    }
    let period = clip.len().saturating_add(settings.blend_frames);
    let total = period.saturating_mul(settings.repetitions as usize);
    if total > EditError::MOST_FRAMES {
        return Err(EditError::TooLong(total));
    }
    let treadmill = settings.across_all && settings.fix_horizontal;
    let fixed = fixed_all_along(clip, settings);
    let start = hips(fixed.skeleton(), &fixed.frames()[0]).0;
    let placement = Placement {
        yaw_rad: settings.fix_orientation.then_some(0.0),
        hips: settings.fix_horizontal.then_some(start),
        hips_first: settings.fix_horizontal && settings.root_mode == RootMode::Locked,
        treadmill,
        evenness: Evenness::Round,
    };
    let bridged = bridge(&fixed, &fixed, settings.blend_frames, material, placement)?;
    let travel = if settings.fix_orientation && settings.fix_horizontal {
        GroundMove::NONE
    } else {
        bridged.moved
    };
    let round = &bridged.clip.frames()[..period];
    let contacts = &bridged.contacts[..period];
    Ok(Looped { clip: repeated(clip, round, contacts, settings, travel), period, travel })
}

/// The repetitions one after another, each moved on from the last.
fn repeated(
    clip: &Clip,
    round: &[Pose],
    contacts: &[Contacts],
    settings: &LoopSettings,
    travel: GroundMove,
) -> Clip {
    let mut frames: Vec<Pose> = Vec::with_capacity(round.len() * settings.repetitions as usize);
    let mut track: ContactTrack = Vec::with_capacity(frames.capacity());
    let mut moved = GroundMove::NONE;
    for _ in 0..settings.repetitions {
        frames.extend(round.iter().map(|pose| moved.pose(clip.skeleton(), pose)));
        track.extend_from_slice(contacts);
        moved = moved.then(travel);
    }
    clip_of(clip, frames, clip.contacts().is_some().then_some(track))
}

/// The clip with its constrained components adjusted along its whole length, if the settings ask
/// for it.
fn fixed_all_along(clip: &Clip, settings: &LoopSettings) -> Clip {
    let any = settings.fix_altitude || settings.fix_horizontal || settings.fix_orientation;
    if !(settings.across_all && any) {
        return clip.clone();
    }
    let mut fixed = clip.clone();
    if settings.fix_orientation {
        fix_orientation(&mut fixed, settings);
    }
    if settings.fix_altitude {
        fix_altitude(&mut fixed, settings);
    }
    let track = contacts_of(clip);
    let all = 0..fixed.len();
    if settings.fix_horizontal {
        fix_horizontal(&mut fixed, settings);
        return fixed.with_contacts(vec![Contacts::NONE; all.end]).expect("one entry per frame");
    }
    let soles = Soles::of_skeleton(clip.skeleton());
    let lifts = [vec![0.0; all.end], vec![0.0; all.end]];
    lock_feet_between(&fixed, &track, &soles, &all, &lifts)
        .with_contacts(track)
        .expect("one entry per frame")
}

/// Share of a repetition that has passed at a frame.
fn gone(frame: usize, clip: &Clip, settings: &LoopSettings) -> f32 {
    frame as f32 / (clip.len() + settings.blend_frames) as f32
}

/// Rotates every frame back and bends the path accordingly.
fn fix_orientation(clip: &mut Clip, settings: &LoopSettings) {
    let skeleton = clip.skeleton().clone();
    let whole = place(clip, clip, settings.blend_frames, Placement::default());
    let whole_rad = unwound(clip) + wrapped(whole.yaw_rad - wrapped(unwound(clip)));
    let old: Vec<_> = clip.frames().iter().map(|pose| hips(&skeleton, pose)).collect();
    let first = clip.frames()[0].clone();
    let mut at = old[0].0;
    for frame in 0..clip.len() {
        let back_rad = match settings.root_mode {
            RootMode::Interpolation => -whole_rad * gone(frame, clip, settings),
            RootMode::Locked => yaw_between(&skeleton, &clip.frames()[frame], &first),
        };
        let turn = glam::Quat::from_rotation_y(back_rad);
        if frame > 0 {
            at += turn * (old[frame].0 - old[frame - 1].0);
        }
        set_hips(&skeleton, &mut clip.frames_mut()[frame], at, turn * old[frame].1);
    }
}

/// Total rotation of the body from the first frame to the last, full turns included.
fn unwound(clip: &Clip) -> f32 {
    clip.frames().windows(2).map(|pair| yaw_between(clip.skeleton(), &pair[0], &pair[1])).sum()
}

fn fix_altitude(clip: &mut Clip, settings: &LoopSettings) {
    let skeleton = clip.skeleton().clone();
    let height = |pose: &Pose| hips(&skeleton, pose).0.y;
    let first = height(&clip.frames()[0]);
    let rise = height(&clip.frames()[clip.len() - 1]) - first;
    let last = (clip.len() - 1).max(1) as f32;
    for frame in 0..clip.len() {
        let pose = &mut clip.frames_mut()[frame];
        let (mut at, turned) = hips(&skeleton, pose);
        at.y = match settings.root_mode {
            RootMode::Interpolation => at.y - rise * frame as f32 / last,
            RootMode::Locked => first,
        };
        set_hips(&skeleton, pose, at, turned);
    }
}

fn fix_horizontal(clip: &mut Clip, settings: &LoopSettings) {
    let skeleton = clip.skeleton().clone();
    let yaw_rad = settings.fix_orientation.then_some(0.0);
    // do not align with a standing foot, because feet will slide anyway
    let onwards = Placement { yaw_rad, treadmill: true, ..Placement::default() };
    let whole = place(clip, clip, settings.blend_frames, onwards);
    let first = hips(&skeleton, &clip.frames()[0]).0;
    let way = (whole.point(first) - first) * Vec3::new(1.0, 0.0, 1.0);
    for frame in 0..clip.len() {
        let back = way * gone(frame, clip, settings);
        let pose = &mut clip.frames_mut()[frame];
        let (at, turned) = hips(&skeleton, pose);
        let at = match settings.root_mode {
            RootMode::Interpolation => at - back,
            RootMode::Locked => Vec3::new(first.x, at.y, first.z),
        };
        set_hips(&skeleton, pose, at, turned);
    }
}
