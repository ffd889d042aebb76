//! Target positions of one foot in every frame.

use std::ops::Range;

use glam::{Quat, Vec3};
use limber_animation::{Clip, ContactTrack, ik, smooth::smoothstep};

use super::{FADE_S, flat, foot_points, heading};
use crate::{
    Soles, curve,
    feet::{Foot, FootPath, levels, side_place},
};

/// Target of the foot in one frame, world space.
#[derive(Debug, Clone, Copy)]
pub(super) struct Target {
    pub(super) ankle: Vec3,
    pub(super) rotation: Quat,
    /// World rotation of the toes, if they are locked.
    pub(super) toes: Option<Quat>,
    pub(super) stands: bool,
    /// Size of the correction, metres and radians.
    pub(super) correction: f32,
}

/// The targets of one foot, one per frame.
pub(super) struct FootTargets {
    pub(super) frames: Vec<Target>,
}

/// Parameters of locking.
pub(super) struct FootLock<'a> {
    pub(super) glide_m_s: f32,
    pub(super) fade_frames: f32,
    pub(super) fps: f32,
    pub(super) soles: &'a Soles,
}

/// Which parts of the foot are in contact in one frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Touch {
    pub(crate) heel: bool,
    pub(crate) toe: bool,
}

impl Touch {
    pub(crate) const fn is_flat(self) -> bool {
        self.heel && self.toe
    }

    pub(crate) const fn any(self) -> bool {
        self.heel || self.toe
    }
}

/// Corrections of the clip, `None` in frames where the correction may fade.
struct Corrections {
    turn: Vec<Option<Vec3>>,
    toes: Vec<Option<Vec3>>,
    shift: Vec<Option<Vec3>>,
}

impl<'a> FootLock<'a> {
    pub(super) fn new(clip: &Clip, glide_m_s: f32, soles: &'a Soles) -> Self {
        let fps = clip.fps().per_second();
        Self { glide_m_s, fade_frames: (FADE_S * fps).max(1.0), fps, soles }
    }

    /// The runs of frames in which the foot is in contact and glides.
    pub(super) fn gliding(
        &self,
        clip: &Clip,
        foot: &Foot,
        path: &FootPath,
        track: &ContactTrack,
    ) -> Vec<Range<usize>> {
        let touches = touches(clip, foot, track);
        let mut runs = runs(&touches, Touch::any);
        runs.retain(|run| self.glides(path, &touches, run));
        runs
    }

    pub(super) fn targets(
        &self,
        clip: &Clip,
        foot: &Foot,
        path: &FootPath,
        track: &ContactTrack,
    ) -> FootTargets {
        let touches = touches(clip, foot, track);
        let level = &levels(clip, track, self.soles)[side_place(foot.side)];
        let runs = runs(&touches, Touch::any);
        let mut known = Corrections {
            turn: vec![None; clip.len()],
            toes: vec![None; clip.len()],
            shift: vec![None; clip.len()],
        };
        let toes_path = toes_rotations(clip, foot);
        let glides: Vec<bool> = runs.iter().map(|run| self.glides(path, &touches, run)).collect();
        for (run, glides) in runs.iter().zip(&glides) {
            if !glides {
                self.flatten(foot, path, &touches, toes_path.as_deref(), run, &mut known);
            }
        }
        // rotations first, because the position of the ankle depends on the rotation of the foot
        let turns = faded(&known.turn, self.fade_frames);
        let rotations: Vec<Quat> = path
            .rotation
            .iter()
            .zip(&turns)
            .map(|(rotation, turn)| (Quat::from_scaled_axis(*turn) * *rotation).normalize())
            .collect();
        for (run, glides) in runs.iter().zip(&glides) {
            if *glides {
                self.ground(foot, path, &touches, (run, level), &mut known);
            } else {
                self.anchor(foot, path, &touches, &rotations, (run, level), &mut known);
            }
        }
        let shifts = faded(&known.shift, self.fade_frames);
        let toe_turns = faded(&known.toes, self.fade_frames);
        let targets = (0..clip.len())
            .map(|frame| {
                let toes = toes_path.as_ref().map(|path| {
                    (Quat::from_scaled_axis(toe_turns[frame]) * path[frame]).normalize()
                });
                let ankle = path.ankle[frame] + shifts[frame];
                let lift = self.sunk(foot, ankle - Vec3::Y * level[frame], rotations[frame]);
                let size = shifts[frame].length() + turns[frame].length() + lift;
                Target {
                    ankle: ankle + Vec3::Y * lift,
                    rotation: rotations[frame],
                    toes,
                    stands: touches[frame].any(),
                    correction: size + toe_turns[frame].length(),
                }
            })
            .collect();
        FootTargets { frames: targets }
    }

    /// Depth of heel or ball below the floor, metres.
    fn sunk(&self, foot: &Foot, ankle: Vec3, rotation: Quat) -> f32 {
        let heel = (ankle + rotation * foot.heel_offset(self.soles)).y;
        let ball =
            (ankle + rotation * foot.ball_offset).y - self.soles.ball_m[side_place(foot.side)];
        (-heel).max(-ball).max(0.0)
    }

    /// Whether the contacts of a run slide too fast to be meant as standing.
    fn glides(&self, path: &FootPath, touches: &[Touch], run: &Range<usize>) -> bool {
        let mut way = 0.0;
        let mut steps = 0.0;
        for frame in run.start + 1..run.end {
            let both =
                |touch: fn(Touch) -> bool| touch(touches[frame]) && touch(touches[frame - 1]);
            let mut count = |points: &[Vec3]| {
                way += horizontal(points[frame] - points[frame - 1]).length();
                steps += 1.0;
            };
            if both(|touch| touch.toe) {
                count(&path.ball);
            } else if both(|touch| touch.heel) {
                count(&path.heel);
            }
        }
        self.glide_m_s < 0.0 || (steps > 0.0 && way / steps * self.fps > self.glide_m_s)
    }

    /// Rotates the foot flat in full contact, and the toes while they are in contact.
    fn flatten(
        &self,
        foot: &Foot,
        path: &FootPath,
        touches: &[Touch],
        toes_path: Option<&[Quat]>,
        run: &Range<usize>,
        known: &mut Corrections,
    ) {
        let direction = |frames: Range<usize>| {
            frames.map(|frame| heading(path.rotation[frame], foot.rest_rotation)).sum::<Vec3>()
        };
        for part in runs_within(touches, run, Touch::is_flat) {
            let wanted = flat(direction(part.clone()), foot.rest_rotation);
            for frame in part {
                known.turn[frame] = Some(turn_to(path.rotation[frame], wanted));
            }
        }
        let Some(toes_path) = toes_path else { return };
        for part in runs_within(touches, run, |touch| touch.toe) {
            let flat_part = runs_within(touches, &part, Touch::is_flat).next();
            let wanted =
                flat(direction(flat_part.unwrap_or(part.clone())), foot.toes_rest_rotation);
            for frame in part {
                known.toes[frame] = Some(turn_to(toes_path[frame], wanted));
            }
        }
    }

    /// Locks ball and heel of one stance in place.
    fn anchor(
        &self,
        foot: &Foot,
        path: &FootPath,
        touches: &[Touch],
        rotations: &[Quat],
        (run, level): (&Range<usize>, &[f32]),
        known: &mut Corrections,
    ) {
        let ball_height = self.soles.ball_m[side_place(foot.side)];
        let heel_offset = foot.heel_offset(self.soles);
        for part in runs_within(touches, run, |touch| touch.toe) {
            let flat_part = runs_within(touches, &part, Touch::is_flat).next();
            let place = middle(&path.ball, &flat_part.unwrap_or(part.clone()));
            let place = Vec3::new(place.x, ball_height + level[run.start], place.z);
            for frame in part {
                let ankle = place - rotations[frame] * foot.ball_offset;
                known.shift[frame] = Some(ankle - path.ankle[frame]);
            }
        }
        for part in runs_within(touches, run, |touch| touch.heel && !touch.toe) {
            // the heel stands where it is in the adjoining frame in which the foot is flat
            let beside = [part.end, part.start.wrapping_sub(1)]
                .into_iter()
                .find(|frame| touches.get(*frame).is_some_and(|touch| touch.is_flat()))
                .and_then(|frame| {
                    let ankle = path.ankle[frame] + known.shift[frame]?;
                    Some(ankle + rotations[frame] * heel_offset)
                });
            let place = beside.unwrap_or_else(|| middle(&path.heel, &part));
            let place = Vec3::new(place.x, level[run.start], place.z);
            for frame in part {
                let ankle = place - rotations[frame] * heel_offset;
                known.shift[frame] = Some(ankle - path.ankle[frame]);
            }
        }
    }

    /// Keeps a gliding foot at floor height.
    fn ground(
        &self,
        foot: &Foot,
        path: &FootPath,
        touches: &[Touch],
        (run, level): (&Range<usize>, &[f32]),
        known: &mut Corrections,
    ) {
        let ball_height = self.soles.ball_m[side_place(foot.side)];
        for frame in run.clone() {
            let ball = path.ball[frame].y - ball_height - level[frame];
            let heel = path.heel[frame].y - level[frame];
            let height = match touches[frame] {
                Touch { heel: true, toe: true } => ball.min(heel),
                Touch { toe: true, .. } => ball,
                _ => heel,
            };
            known.shift[frame] = Some(Vec3::NEG_Y * height);
        }
    }
}

fn touches(clip: &Clip, foot: &Foot, track: &ContactTrack) -> Vec<Touch> {
    let [heel, toe] = foot_points(foot.side);
    (0..clip.len())
        .map(|frame| {
            let contacts = track.get(frame).copied().unwrap_or_default();
            Touch { heel: contacts.has(heel), toe: contacts.has(toe) }
        })
        .collect()
}

pub(super) fn toes_rotations(clip: &Clip, foot: &Foot) -> Option<Vec<Quat>> {
    let toes = foot.toes()?;
    Some(clip.frames().iter().map(|pose| ik::standing(clip.skeleton(), pose, toes).1).collect())
}

/// Maximal runs of frames that satisfy a condition.
fn runs(touches: &[Touch], wanted: fn(Touch) -> bool) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for (frame, touch) in touches.iter().enumerate() {
        match found.last_mut() {
            Some(run) if wanted(*touch) && run.end == frame => run.end += 1,
            _ if wanted(*touch) => found.push(frame..frame + 1),
            _ => {}
        }
    }
    found
}

fn runs_within(
    touches: &[Touch],
    run: &Range<usize>,
    wanted: fn(Touch) -> bool,
) -> impl Iterator<Item = Range<usize>> + use<> {
    let start = run.start;
    runs(&touches[run.clone()], wanted)
        .into_iter()
        .map(move |part| part.start + start..part.end + start)
}

pub(crate) fn horizontal(vector: Vec3) -> Vec3 {
    Vec3::new(vector.x, 0.0, vector.z)
}

/// The component-wise median position over some frames.
pub(super) fn middle(points: &[Vec3], frames: &Range<usize>) -> Vec3 {
    let of = |axis: fn(&Vec3) -> f32| curve::median(points[frames.clone()].iter().map(axis));
    Vec3::new(of(|point| point.x), of(|point| point.y), of(|point| point.z))
}

/// The world-space rotation from one orientation to another, as a rotation vector.
pub(super) fn turn_to(from: Quat, to: Quat) -> Vec3 {
    let turn = to * from.inverse();
    (if turn.w < 0.0 { -turn } else { turn }).to_scaled_axis()
}

/// Fills in free frames with the known corrections on both sides, fading out.
fn faded(known: &[Option<Vec3>], fade_frames: f32) -> Vec<Vec3> {
    let mut before: Vec<Option<(f32, Vec3)>> = Vec::with_capacity(known.len());
    let mut last: Option<(f32, Vec3)> = None;
    for value in known {
        last =
            value.map_or(last.map(|(age, value)| (age + 1.0, value)), |value| Some((0.0, value)));
        before.push(last);
    }
    let mut next: Option<(f32, Vec3)> = None;
    let mut filled = vec![Vec3::ZERO; known.len()];
    for frame in (0..known.len()).rev() {
        next = known[frame]
            .map_or(next.map(|(age, value)| (age + 1.0, value)), |value| Some((0.0, value)));
        let weighed = |near: Option<(f32, Vec3)>| {
            near.map_or((0.0, Vec3::ZERO), |(age, value)| {
                (1.0 - smoothstep(age / (fade_frames + 1.0)), value)
            })
        };
        let ((a, from), (b, to)) = (weighed(before[frame]), weighed(next));
        filled[frame] = known[frame].unwrap_or((from * a + to * b) / (a + b).max(1.0));
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corrections_fade_to_zero_and_match_known_values() {
        let mut known = vec![None; 40];
        known[10] = Some(Vec3::X);
        let filled = faded(&known, 5.0);
        assert_eq!(filled[10], Vec3::X);
        assert!(filled[11].x < 1.0 && filled[11].x > 0.9);
        assert_eq!(filled[16], Vec3::ZERO);
        assert_eq!(filled[4], Vec3::ZERO);
        assert_eq!(filled[39], Vec3::ZERO);
    }
}
