//! Finds two mirrored chains that reach the floor.

use glam::Vec3;
use limber_animation::maths::ln;

use super::super::sides::flat;
use super::body::{Body, bend};

/// The joints of a leg.
pub(super) struct Leg {
    pub(super) upper: usize,
    pub(super) lower: usize,
    pub(super) foot: usize,
    pub(super) toes: Option<usize>,
}

/// Both legs, and the joint where they branch.
pub(super) struct Legs {
    pub(super) both: [Leg; 2],
    /// The top joints of both chains.
    pub(super) tops: [usize; 2],
    pub(super) fork: usize,
    /// Horizontal unit vector from one leg to the other.
    pub(super) across: Vec3,
}

impl Legs {
    /// Returns the best pair of chains that can be legs.
    pub(super) fn find(body: &Body<'_>) -> Option<Self> {
        let mut best: Option<(f32, Self)> = None;
        for fork in &body.joints {
            let tops: Vec<usize> =
                body.children(*fork).iter().copied().filter(|top| is_leg(body, *top)).collect();
            for (place, one) in tops.iter().enumerate() {
                for other in &tops[place + 1..] {
                    let Some((score, legs)) = Self::pair(body, *fork, [*one, *other]) else {
                        continue;
                    };
                    if best.as_ref().is_none_or(|best| score > best.0) {
                        best = Some((score, legs));
                    }
                }
            }
        }
        best.map(|(_, legs)| legs)
    }

    fn pair(body: &Body<'_>, fork: usize, tops: [usize; 2]) -> Option<(f32, Self)> {
        let [one, other] = tops;
        let ends = tops.map(|top| body.lowest(top));
        let gap = flat(body.at(ends[0]) - body.at(ends[1])) + flat(body.at(one) - body.at(other));
        let across = gap.try_normalize().filter(|_| gap.length() > 0.01 * body.height)?;
        let chains = [0, 1].map(|leg| body.chain(tops[leg], ends[leg]));
        let lengths = [0, 1].map(|leg| body.lengths(&chains[leg]).last().copied().unwrap_or(0.0));
        let longer = lengths[0].max(lengths[1]);
        let off = mirror_error(body, [one, other], ends, across) + (lengths[0] - lengths[1]).abs();
        if off > 0.12 * body.height + 0.1 * longer {
            return None;
        }
        let both = [Leg::read(body, &chains[0])?, Leg::read(body, &chains[1])?];
        let costs = both[0].1 + both[1].1;
        let lift = ends.map(|end| body.at(end).y - body.floor);
        let toes = if both.iter().all(|(leg, _)| leg.toes.is_some()) { 0.3 } else { 0.0 };
        let score = (longer - 3.0 * (lift[0] + lift[1]) - 2.0 * off) / body.height
            - 0.25 * costs.min(4.0)
            + toes;
        Some((score, Self { both: both.map(|(leg, _)| leg), tops, fork, across }))
    }

    /// Returns the height at which the legs begin.
    pub(super) fn height(&self, body: &Body<'_>) -> f32 {
        body.at(self.both[0].upper).y - body.floor
    }
}

/// Whether the branch begins high and reaches the floor.
fn is_leg(body: &Body<'_>, top: usize) -> bool {
    let end = body.lowest(top);
    let drop = body.at(top).y - body.at(end).y;
    body.at(end).y - body.floor < 0.12 * body.height && drop > 0.13 * body.height
}

/// Returns how far the second branch is from the mirror image of the first.
pub(super) fn mirror_error(
    body: &Body<'_>,
    tops: [usize; 2],
    ends: [usize; 2],
    across: Vec3,
) -> f32 {
    let centre = 0.5 * (body.at(tops[0]) + body.at(tops[1]));
    let mirror = |place: Vec3| place - 2.0 * (place - centre).dot(across) * across;
    let one = mirror(body.at(tops[0])).distance(body.at(tops[1]));
    one.max(mirror(body.at(ends[0])).distance(body.at(ends[1])))
}

impl Leg {
    /// Identifies hip, knee, ankle and toes in a chain, with a cost for how badly they fit a leg.
    fn read(body: &Body<'_>, chain: &[usize]) -> Option<(Self, f32)> {
        let start = body.at(chain[0]).y - body.floor;
        let is_low = |joint: usize| body.at(joint).y - body.floor <= 0.28 * start;
        let ankle = (2..chain.len()).find(|place| is_low(chain[*place])).unwrap_or(chain.len() - 1);
        let (upper, knee, cost) = bend(body, chain, ankle, 1.0)?;
        // skipping a joint above the thigh must be clearly better
        let (upper, knee) = match plain(body, chain, ankle) {
            Some((knee, plain)) if plain < cost + 0.1 => (0, knee),
            _ => (upper, knee),
        };
        let foot = chain[ankle];
        let leg = Self { upper: chain[upper], lower: chain[knee], foot, toes: toes(body, foot) };
        Some((leg, cost))
    }

    /// Returns the direction in which foot and knee point.
    pub(super) fn ahead(&self, body: &Body<'_>) -> Vec3 {
        let [hip, knee, ankle] = [self.upper, self.lower, self.foot].map(|joint| body.at(joint));
        if let Some(toes) = self.toes {
            return flat(body.at(toes) - ankle).normalize_or_zero();
        }
        let along = (ankle - hip).try_normalize().unwrap_or(Vec3::NEG_Y);
        let bend = (knee - hip).reject_from(along);
        if bend.length() > 0.01 * hip.distance(ankle) { 0.3 * bend.normalize() } else { Vec3::ZERO }
    }
}

/// Returns the best knee if the first joint of the chain is the thigh.
fn plain(body: &Body<'_>, chain: &[usize], ankle: usize) -> Option<(usize, f32)> {
    let at = |place: usize| body.at(chain[place]);
    (1..ankle)
        .map(|knee| {
            let halves = (at(0).distance(at(knee)), at(knee).distance(at(ankle)));
            (knee, ln(halves.0 / halves.1).abs())
        })
        .min_by(|one, other| one.1.total_cmp(&other.1))
}

/// Returns the child of the foot that extends farthest along the floor.
fn toes(body: &Body<'_>, foot: usize) -> Option<usize> {
    let out = |joint: &usize| flat(body.at(*joint) - body.at(foot)).length();
    let down = |joint: usize| (body.at(joint).y - body.at(foot).y).abs();
    let farthest = body.children(foot).iter().copied().max_by(|a, b| out(a).total_cmp(&out(b)))?;
    (out(&farthest) > 0.5 * down(farthest) && out(&farthest) > 0.01 * body.height)
        .then_some(farthest)
}
