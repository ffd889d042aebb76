//! Finds two mirrored chains that leave the trunk sideways, and what continues upwards between
//! them.

use glam::Vec3;

use super::super::sides::flat;
use super::body::{Body, bend};
use super::legs::{Legs, mirror_error};

/// The joints of an arm.
pub(super) struct Arm {
    /// The first joint of the chain, whatever it is.
    pub(super) first: usize,
    pub(super) shoulder: Option<usize>,
    pub(super) upper: usize,
    pub(super) lower: usize,
    pub(super) hand: usize,
}

/// Both arms, and the joint where they leave the trunk.
pub(super) struct Arms {
    pub(super) both: [Arm; 2],
    pub(super) fork: usize,
    /// A point on the body's sagittal plane, and the normal of that plane.
    centre: Vec3,
    across: Vec3,
    /// Height of the midpoint between the tops of the legs.
    waist: f32,
}

impl Arms {
    /// Returns the best pair of chains that can be arms.
    pub(super) fn find(body: &Body<'_>, legs: &Legs) -> Option<Self> {
        let mut best: Option<(f32, Self)> = None;
        for fork in &body.joints {
            if *fork == legs.fork || legs.tops.iter().any(|top| body.holds(*top, *fork)) {
                continue;
            }
            let tops: Vec<usize> = body
                .children(*fork)
                .iter()
                .copied()
                .filter(|top| !body.holds(*top, legs.fork) && body.size(*top) >= 3)
                .collect();
            for (place, one) in tops.iter().enumerate() {
                for other in &tops[place + 1..] {
                    let Some((score, arms)) = Self::pair(body, legs, *fork, [*one, *other]) else {
                        continue;
                    };
                    if best.as_ref().is_none_or(|best| score > best.0) {
                        best = Some((score, arms));
                    }
                }
            }
        }
        best.map(|(_, arms)| arms)
    }

    fn pair(body: &Body<'_>, legs: &Legs, fork: usize, tops: [usize; 2]) -> Option<(f32, Self)> {
        let centre = 0.5 * (body.at(legs.both[0].upper) + body.at(legs.both[1].upper));
        let ends = tops.map(|top| body.farthest(top));
        let out = ends.map(|end| (body.at(end) - centre).dot(legs.across));
        let is_sideways = out[0] * out[1] < 0.0 && out.iter().all(|o| o.abs() > 0.06 * body.height);
        let off = mirror_error(body, tops, ends, legs.across);
        if !is_sideways || off > 0.15 * body.height {
            return None;
        }
        let one = Arm::read(body, tops[0], ends[0])?;
        let other = Arm::read(body, tops[1], ends[1])?;
        let length = one.length.min(other.length);
        if length < 0.12 * body.height {
            return None;
        }
        let arms =
            Self { both: [one.arm, other.arm], fork, centre, across: legs.across, waist: centre.y };
        let has_head = !arms.upward(body, fork).is_empty();
        let fingers = one.fingers.min(other.fingers).min(5);
        let score = length / body.height + (out[0].abs() + out[1].abs()) / (2.0 * body.height)
            - 2.0 * off / body.height
            - 0.25 * (one.cost + other.cost).min(4.0)
            + 0.1 * fingers as f32
            - if has_head { 0.0 } else { 0.5 }
            - if body.at(fork).y < centre.y { 1.0 } else { 0.0 };
        Some((score, arms))
    }

    /// Returns weak evidence for the forward direction from the elbows, which point backwards.
    pub(super) fn ahead(&self, body: &Body<'_>) -> Vec3 {
        let bends = self.both.iter().map(|arm| {
            let [upper, elbow, hand] = [arm.upper, arm.lower, arm.hand].map(|joint| body.at(joint));
            let along = (hand - upper).try_normalize().unwrap_or(Vec3::X);
            let bend = flat((elbow - upper).reject_from(along));
            if bend.length() > 0.02 * upper.distance(hand) { -bend.normalize() } else { Vec3::ZERO }
        });
        0.1 * bends.sum::<Vec3>()
    }

    /// Returns the branches of a joint that go up along the sagittal plane, highest first.
    fn upward(&self, body: &Body<'_>, from: usize) -> Vec<usize> {
        let is_central = |joint: usize| {
            (body.at(joint) - self.centre).dot(self.across).abs() < 0.06 * body.height
        };
        let is_arm = |joint: usize| self.both.iter().any(|arm| arm.first == joint);
        let mut up: Vec<usize> = body
            .children(from)
            .iter()
            .copied()
            .filter(|child| !is_arm(*child) && is_central(*child))
            .filter(|child| body.highest(*child) > body.at(from).y + 0.02 * body.height)
            .filter(|child| body.at(*child).y > body.at(from).y - 0.02 * body.height)
            .collect();
        up.sort_by(|one, other| body.highest(*other).total_cmp(&body.highest(*one)));
        up
    }

    /// Returns the joints of neck and head, from the lowest to the head.
    pub(super) fn neck_and_head(&self, body: &Body<'_>, hips: usize) -> Vec<usize> {
        let shoulders = self.both.iter().map(|arm| body.at(arm.upper).y).sum::<f32>() / 2.0;
        let trunk = (shoulders - self.waist.min(body.at(hips).y)).max(1e-6);
        let rise = |joint: usize| (body.at(joint).y - shoulders) / trunk;
        let Some(first) = self.upward(body, self.fork).first().copied() else {
            return Vec::new();
        };
        let mut found = vec![first];
        let mut at = first;
        loop {
            let next = match body.children(at) {
                [] => break,
                [only] => *only,
                several => {
                    // a head carries hair, eyes and jaw; a neck has one child with children of its
                    // own
                    let mut full = several.iter().filter(|child| body.children(**child).len() > 1);
                    match (full.next(), full.next()) {
                        (Some(head), None) if self.upward(body, at).contains(head) => *head,
                        _ => break,
                    }
                }
            };
            let is_end = body.children(next).is_empty() && !body.is_skinned(next);
            let step = body.at(next) - body.at(at);
            let goes_up = step.y > 0.7 * flat(step).length();
            if is_end || !goes_up || rise(next) > 0.55 || !self.upward(body, at).contains(&next) {
                break;
            }
            found.push(next);
            at = next;
        }
        found
    }
}

/// An arm as identified in a chain.
struct Read {
    arm: Arm,
    length: f32,
    cost: f32,
    fingers: usize,
}

impl Arm {
    /// Identifies shoulder, elbow and hand in a chain.
    fn read(body: &Body<'_>, top: usize, end: usize) -> Option<Read> {
        let chain = body.chain(top, end);
        let lengths = body.lengths(&chain);
        let total = lengths.last().copied().unwrap_or(0.0);
        let branches = |joint: usize| {
            let children = body.children(joint);
            children.iter().filter(|child| body.size(**child) > 1).count()
        };
        let palm = (2..chain.len())
            .find(|place| branches(chain[*place]) > 1 && lengths[*place] > 0.4 * total);
        let ends = palm.map_or(2..chain.len(), |palm| palm..palm + 1);
        let (upper, middle, hand, cost) = ends
            .filter_map(|hand| {
                let (upper, middle, cost) = bend(body, &chain, hand, 1.1)?;
                // the part beyond the hand should be short
                let beyond = (total - lengths[hand]) / total.max(1e-9);
                Some((upper, middle, hand, cost + (beyond - 0.3).max(0.0) * 2.0))
            })
            .min_by(|one, other| one.3.total_cmp(&other.3))?;
        let reach = lengths[hand] - lengths[upper];
        let shoulder = (upper > 0
            && body.at(chain[0]).distance(body.at(chain[upper])) > 0.02 * reach)
            .then_some(chain[0]);
        let arm = Self {
            first: top,
            shoulder,
            upper: chain[upper],
            lower: chain[middle],
            hand: chain[hand],
        };
        let fingers = palm.map_or(0, |palm| branches(chain[palm]));
        Some(Read { arm, length: reach, cost, fingers })
    }
}
