//! Feet in new frames between old ones: they stand where they stand outside, and never slide.

use std::ops::Range;

use glam::{Quat, Vec3};
use limber_animation::{Clip, ContactTrack, Contacts, Pose, Skeleton, ik, smooth::smoothstep};

use super::{
    NOTHING, bend_legs, flat, foot_points, heading,
    stance::{FootTargets, Target, Touch, middle, toes_rotations, turn_to},
    too_high,
};
use crate::{
    Soles, curve,
    feet::{Foot, FootPath, levels, side_place},
};

/// Time over which a foot that is below the floor at an edge is raised, and over which the pelvis
/// is lowered, seconds.
const EDGE_S: f32 = 0.2;

/// The position and rotation of a standing foot.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Footprint {
    /// Position of the ball, world space.
    pub(crate) ball: Vec3,
    /// Rotation of the flat foot, world space.
    pub(crate) turned: Quat,
    /// Rotation of the toes, world space.
    pub(crate) toes: Quat,
}

/// The path of one foot through a clip, and the footprints it leaves.
pub(crate) struct Footprints<'a> {
    pub(crate) foot: Foot,
    pub(crate) path: FootPath,
    /// World rotations of the toes, if the skeleton has any.
    toes: Option<Vec<Quat>>,
    /// Height of the floor below the foot in every frame.
    level: Vec<f32>,
    soles: &'a Soles,
}

impl<'a> Footprints<'a> {
    /// For every foot of the skeleton. The height of the floor in the frames of `hole` is derived
    /// from the frames outside.
    pub(crate) fn all(
        clip: &Clip,
        track: &ContactTrack,
        hole: &Range<usize>,
        soles: &'a Soles,
    ) -> Vec<Self> {
        let mut known = track.clone();
        known[hole.clone()].fill(Contacts::NONE);
        let levels = levels(clip, &known, soles);
        Foot::all(clip.skeleton())
            .into_iter()
            .map(|foot| {
                let path = FootPath::of(clip, &foot, soles);
                let level = levels[side_place(foot.side)].clone();
                Self { path, toes: toes_rotations(clip, &foot), level, foot, soles }
            })
            .collect()
    }

    pub(crate) fn touch(&self, contacts: Contacts) -> Touch {
        let [heel, toe] = foot_points(self.foot.side);
        Touch { heel: contacts.has(heel), toe: contacts.has(toe) }
    }

    fn ball_height(&self) -> f32 {
        self.soles.ball_m[side_place(self.foot.side)]
    }

    /// Height of the sole above the floor, metres.
    pub(crate) fn height(&self, frame: usize) -> f32 {
        let lowest = self.path.heel[frame].y.min(self.path.ball[frame].y - self.ball_height());
        lowest - self.level[frame]
    }

    fn heel_from_ball(&self) -> Vec3 {
        self.foot.heel_offset(self.soles) - self.foot.ball_offset
    }

    /// A flat rotation that points in the same direction.
    pub(crate) fn flattened(&self, rotation: Quat) -> Quat {
        flat(heading(rotation, self.foot.rest_rotation), self.foot.rest_rotation)
    }

    /// The footprint of a foot that stands in one frame.
    pub(crate) fn at(&self, frame: usize, touch: Touch) -> Footprint {
        let rotation = self.path.rotation[frame];
        let turned = if touch.is_flat() { rotation } else { self.flattened(rotation) };
        let ball = if touch.toe {
            self.path.ball[frame]
        } else {
            self.path.heel[frame] - turned * self.heel_from_ball()
        };
        let toes = match &self.toes {
            Some(path) if touch.toe => path[frame],
            _ => self.flat_toes(turned),
        };
        Footprint { ball, turned, toes }
    }

    /// Rotation of flat toes for a foot with this rotation.
    fn flat_toes(&self, turned: Quat) -> Quat {
        let rest = self.foot.rest_rotation.inverse() * self.foot.toes_rest_rotation;
        self.flattened(turned) * rest
    }

    /// The footprint on the floor of a foot that stands over a range of frames.
    pub(crate) fn over(&self, frames: &Range<usize>, track: &ContactTrack) -> Footprint {
        let part = |wanted: fn(Touch) -> bool| {
            let mut found = frames.clone().filter(|frame| wanted(self.touch(track[*frame])));
            let first = found.next()?;
            Some(first..found.next_back().unwrap_or(first) + 1)
        };
        let stands = part(Touch::is_flat).or_else(|| part(|touch| touch.toe));
        let over = stands.clone().unwrap_or_else(|| frames.clone());
        let direction: Vec3 = over
            .clone()
            .map(|frame| heading(self.path.rotation[frame], self.foot.rest_rotation))
            .sum();
        let turned = flat(direction, self.foot.rest_rotation);
        let ball = if stands.is_some() {
            middle(&self.path.ball, &over)
        } else {
            middle(&self.path.heel, &over) - turned * self.heel_from_ball()
        };
        let ball = Vec3::new(ball.x, self.ball_height() + self.level[frames.start], ball.z);
        Footprint { ball, turned, toes: self.flat_toes(turned) }
    }

    /// The runs of frames inside a hole in which the foot is in contact.
    pub(crate) fn runs(&self, hole: &Range<usize>, track: &ContactTrack) -> Vec<Range<usize>> {
        let mut found: Vec<Range<usize>> = Vec::new();
        for frame in hole.clone().filter(|frame| self.touch(track[*frame]).any()) {
            match found.last_mut() {
                Some(run) if run.end == frame => run.end += 1,
                _ => found.push(frame..frame + 1),
            }
        }
        found
    }

    /// The footprints of the adjoining frames outside, left and right of a run, that the run has to
    /// match.
    pub(crate) fn ties(
        &self,
        hole: &Range<usize>,
        run: &Range<usize>,
        track: &ContactTrack,
    ) -> [Option<Footprint>; 2] {
        let outside = |frame: usize| {
            let touch = self.touch(track[frame]);
            touch.any().then(|| self.at(frame, touch))
        };
        let left = (run.start == hole.start && hole.start > 0).then(|| hole.start - 1);
        let right = (run.end == hole.end && hole.end < track.len()).then_some(hole.end);
        [left.and_then(outside), right.and_then(outside)]
    }
}

/// Locks feet in the frames of `hole` and changes no other frame. A foot that stands outside the
/// hole continues to stand there; other stances are placed at their mean position. `lifts` are the
/// heights of inserted steps, left and right, one value per frame of the clip.
pub(crate) fn lock_feet_between(
    clip: &Clip,
    track: &ContactTrack,
    soles: &Soles,
    hole: &Range<usize>,
    lifts: &[Vec<f32>; 2],
) -> Clip {
    let plans: Vec<(Foot, FootTargets)> = Footprints::all(clip, track, hole, soles)
        .into_iter()
        .map(|prints| {
            let lift = &lifts[side_place(prints.foot.side)];
            let targets = Between { clip, track, hole, prints: &prints }.targets(lift);
            (prints.foot, targets)
        })
        .collect();
    let reach = |skeleton: &Skeleton, pose: &mut Pose, leg, place, rotation| {
        ik::reach_from_present(skeleton, pose, leg, place, Some(rotation));
    };
    bend_legs(clip, &plans, &lowering(clip, &plans, hole), reach)
}

struct Between<'a> {
    clip: &'a Clip,
    track: &'a ContactTrack,
    hole: &'a Range<usize>,
    prints: &'a Footprints<'a>,
}

impl Between<'_> {
    fn targets(&self, lift: &[f32]) -> FootTargets {
        let (prints, path) = (self.prints, &self.prints.path);
        let toes_path = prints.toes.as_deref();
        let mut turn = vec![None; self.clip.len()];
        let mut toes = vec![None; self.clip.len()];
        let runs: Vec<(Range<usize>, [Footprint; 2])> = prints
            .runs(self.hole, self.track)
            .into_iter()
            .map(|run| {
                let [left, right] = prints.ties(self.hole, &run, self.track);
                let own = || prints.over(&run, self.track);
                let from = left.or(right).unwrap_or_else(own);
                (run, [from, right.unwrap_or(from)])
            })
            .collect();
        for (run, ends) in &runs {
            self.flatten(run, ends, toes_path, &mut turn, &mut toes);
        }
        let turns = self.filled(&turn);
        let toe_turns = self.filled(&toes);
        let rotations: Vec<Quat> = path
            .rotation
            .iter()
            .zip(&turns)
            .map(|(rotation, turn)| (Quat::from_scaled_axis(*turn) * *rotation).normalize())
            .collect();
        let mut shift = vec![None; self.clip.len()];
        for (run, ends) in &runs {
            for frame in run.clone() {
                let ankle = self.ankle(frame, along(run, ends, frame), rotations[frame]);
                shift[frame] = Some(ankle - path.ankle[frame]);
            }
        }
        let shifts = self.filled(&shift);
        let targets = (0..self.clip.len())
            .map(|frame| {
                let ankle = path.ankle[frame] + shifts[frame] + Vec3::Y * lift[frame];
                let up = if self.hole.contains(&frame) {
                    let above = ankle - Vec3::Y * prints.level[frame];
                    let sunk = self.sunk(above, rotations[frame]) - self.sunk_at_edges(frame);
                    sunk.max(0.0) * self.inside(frame)
                } else {
                    0.0
                };
                let size = shifts[frame].length() + turns[frame].length() + lift[frame] + up;
                Target {
                    ankle: ankle + Vec3::Y * up,
                    rotation: rotations[frame],
                    toes: toes_path.map(|path| {
                        (Quat::from_scaled_axis(toe_turns[frame]) * path[frame]).normalize()
                    }),
                    stands: self.hole.contains(&frame) && prints.touch(self.track[frame]).any(),
                    correction: size + toe_turns[frame].length(),
                }
            })
            .collect();
        FootTargets { frames: targets }
    }

    /// Position of the ankle for a foot with this rotation that touches its footprint.
    fn ankle(&self, frame: usize, print: Footprint, rotation: Quat) -> Vec3 {
        let prints = self.prints;
        if prints.touch(self.track[frame]).toe {
            return print.ball - rotation * prints.foot.ball_offset;
        }
        let heel = print.ball + print.turned * prints.heel_from_ball();
        heel - rotation * prints.foot.heel_offset(prints.soles)
    }

    /// Rotates foot and toes onto their footprint.
    fn flatten(
        &self,
        run: &Range<usize>,
        ends: &[Footprint; 2],
        toes_path: Option<&[Quat]>,
        turn: &mut [Option<Vec3>],
        toes: &mut [Option<Vec3>],
    ) {
        for frame in run.clone() {
            let touch = self.prints.touch(self.track[frame]);
            let print = along(run, ends, frame);
            if touch.is_flat() {
                turn[frame] = Some(turn_to(self.prints.path.rotation[frame], print.turned));
            }
            if let (true, Some(path)) = (touch.toe, toes_path) {
                toes[frame] = Some(turn_to(path[frame], print.toes));
            }
        }
    }

    /// Corrections for every frame: zero outside, and interpolated on a curve between known frames.
    fn filled(&self, known: &[Option<Vec3>]) -> Vec<Vec3> {
        let mut filled = vec![Vec3::ZERO; known.len()];
        let hole = self.hole;
        let mut last = (hole.start > 0).then(|| (hole.start - 1, Vec3::ZERO));
        let mut gap = hole.start;
        let beyond = (hole.end < known.len()).then_some((hole.end, Vec3::ZERO));
        let stops = hole
            .clone()
            .filter_map(|frame| known[frame].map(|value| (frame, value)))
            .map(Some)
            .chain([beyond]);
        for stop in stops {
            let end = stop.map_or(hole.end, |(frame, _)| frame);
            for (frame, value) in filled.iter_mut().enumerate().take(end).skip(gap) {
                *value = match (last, stop) {
                    (Some((from, a)), Some((to, b))) => {
                        let way = (frame - from) as f32 / (to - from) as f32;
                        a.lerp(b, curve::least_snap(way))
                    }
                    (Some((_, value)), None) | (None, Some((_, value))) => value,
                    (None, None) => Vec3::ZERO,
                };
            }
            if let Some((frame, value)) = stop
                && hole.contains(&frame)
            {
                filled[frame] = value;
                gap = frame + 1;
                last = stop;
            }
        }
        filled
    }

    /// Depth of heel or ball below the floor, metres.
    fn sunk(&self, ankle: Vec3, rotation: Quat) -> f32 {
        let prints = self.prints;
        let heel = (ankle + rotation * prints.foot.heel_offset(prints.soles)).y;
        let ball = (ankle + rotation * prints.foot.ball_offset).y - prints.ball_height();
        (-heel).max(-ball).max(0.0)
    }

    /// 0 at the edges, 1 well inside.
    fn inside(&self, frame: usize) -> f32 {
        let reach = (EDGE_S * self.clip.fps().per_second()).max(2.0);
        let left = (self.hole.start > 0).then(|| frame + 1 - self.hole.start);
        let right = (self.hole.end < self.clip.len()).then(|| self.hole.end - frame);
        let nearest = left.into_iter().chain(right).min();
        nearest.map_or(1.0, |away| smoothstep(away as f32 / reach))
    }

    /// How deep the foot may still be because it is that deep outside and must not jump.
    fn sunk_at_edges(&self, frame: usize) -> f32 {
        let reach = (EDGE_S * self.clip.fps().per_second()).max(2.0);
        let depth = |edge: usize| (-self.prints.height(edge)).max(0.0);
        let share = |away: usize| 1.0 - smoothstep(away as f32 / reach);
        let mut allowed = 0.0_f32;
        if self.hole.start > 0 {
            let edge = self.hole.start - 1;
            allowed = allowed.max(depth(edge) * share(frame - edge));
        }
        if self.hole.end < self.clip.len() {
            allowed = allowed.max(depth(self.hole.end) * share(self.hole.end - frame));
        }
        allowed
    }
}

/// The footprint in one frame of a run whose ends differ by too little for a step.
fn along(run: &Range<usize>, ends: &[Footprint; 2], frame: usize) -> Footprint {
    let way = smoothstep((frame - run.start + 1) as f32 / (run.len() + 1) as f32);
    let [from, to] = ends;
    let mixed = |a: Quat, b: Quat| a.slerp(if a.dot(b) < 0.0 { -b } else { b }, way);
    Footprint {
        ball: from.ball.lerp(to.ball, way),
        turned: mixed(from.turned, to.turned),
        toes: mixed(from.toes, to.toes),
    }
}

/// How far the pelvis is lowered so that standing feet can be reached, eased in from the edges.
fn lowering(clip: &Clip, plans: &[(Foot, FootTargets)], hole: &Range<usize>) -> Vec<f32> {
    let skeleton = clip.skeleton();
    let mut needed = vec![0.0_f32; clip.len()];
    let mut longest = 0.0_f32;
    for (foot, targets) in plans {
        for frame in hole.clone().filter(|frame| targets.frames[*frame].stands) {
            let limb = ik::limb(skeleton, &clip.frames()[frame], foot.leg);
            let by = too_high(limb.root, targets.frames[frame].ankle, limb.full_length());
            needed[frame] = needed[frame].max(by);
            longest = longest.max(by);
        }
    }
    if longest < NOTHING {
        return needed;
    }
    let fps = clip.fps().per_second();
    let mut lowering = curve::smooth_cover(&needed, ((fps / 10.0).round() as usize).max(1));
    let reach = (EDGE_S * fps).max(2.0);
    for (frame, by) in lowering.iter_mut().enumerate() {
        let from_left = if hole.start > 0 { frame as f32 - hole.start as f32 + 1.0 } else { reach };
        let from_right = if hole.end < clip.len() { hole.end as f32 - frame as f32 } else { reach };
        *by *= smoothstep(from_left.min(from_right) / reach);
    }
    lowering
}
