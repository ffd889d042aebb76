//! Measures how different two actions look, after aligning them in space and time.

use glam::{Quat, Vec3};
use limber_animation::{Clip, Finger, HumanBone, JointIndex, Phalanx, Side};
use limber_text_to_motion::{Act, Action, Cancel, Composer, MotionScript, Seed, Step};

/// Number of body joints of the canonical skeleton, which come first.
const BODY: usize = 22;
/// Fingers whose last joints are compared, of both hands.
const FINGERS: [Finger; 3] = [Finger::Thumb, Finger::Index, Finger::Little];
/// Number of points compared: body joints, finger joints and the tip of the nose.
const JOINTS: usize = BODY + 2 * FINGERS.len() + 1;
/// The distance between two actions is that of the few joints that differ most. Hand signs, for
/// example, differ only in the hand, and that is where people look.
const TELLING: usize = 4;
/// Number of samples of each action, from the first movement to the last.
const MOMENTS: usize = 24;
/// Maximum time shift between the two, samples.
const SHIFT: usize = 4;
/// Joints that move less than this are not compared, metres.
const STILL_M: f32 = 0.05;
/// An action that moves no joint further than this consists of facial expression, breathing and
/// glances, in which two people differ more than two such actions, metres.
const QUIET_M: f32 = 0.25;

type Moment = [Vec3; JOINTS];

/// The seeds of two performers who differ in most of their variation parameters.
const PEOPLE: [Seed; 2] = [Seed(16), Seed(23)];

/// An action as seen by an observer who moves and turns along with it.
pub(crate) struct Seen {
    /// The action.
    pub(crate) action: Action,
    acted: [Performance; PEOPLE.len()],
}

/// One performer's version of it.
struct Performance {
    moments: Vec<Moment>,
    moves: [bool; JOINTS],
    is_quiet: bool,
}

/// Composes the action and samples it.
pub(crate) fn seen(action: Action) -> Seen {
    Seen { action, acted: PEOPLE.map(|seed| performed(action, seed)) }
}

fn performed(action: Action, seed: Seed) -> Performance {
    let steps = vec![Step { main: Act::new(action), overlays: Vec::new() }];
    let clip = Composer
        .compose(&MotionScript { steps }, None, seed, &Cancel::default(), &mut |_| {})
        .unwrap_or_else(|error| panic!("{action:?}: {error}"));
    let frames = around_the_hips(&clip);
    let differs = |frame: &Moment| {
        frame.iter().zip(&frames[0]).any(|(now, first)| now.distance(*first) > 0.03)
    };
    let begins = frames.iter().position(differs).unwrap_or(0);
    let ends = frames.iter().rposition(differs).unwrap_or(frames.len() - 1);
    let moments: Vec<Moment> = (0..MOMENTS)
        .map(|moment| frames[begins + (ends - begins) * moment / (MOMENTS - 1)])
        .collect();
    let travels: [f32; JOINTS] = std::array::from_fn(|joint| {
        let places = || moments.iter().map(|moment| moment[joint]);
        let least = places().reduce(Vec3::min).unwrap_or_default();
        let most = places().reduce(Vec3::max).unwrap_or_default();
        most.distance(least)
    });
    let is_quiet = travels.iter().all(|metres| *metres < QUIET_M);
    Performance { moments, moves: travels.map(|metres| metres > STILL_M), is_quiet }
}

fn around_the_hips(clip: &Clip) -> Vec<Moment> {
    let find = |bone| clip.skeleton().find(bone).expect("the canonical skeleton is complete");
    let head = find(HumanBone::Head);
    let fingers: Vec<JointIndex> = (Side::BOTH.iter())
        .flat_map(|side| {
            FINGERS.map(|finger| find(HumanBone::finger(*side, finger, Phalanx::Third)))
        })
        .collect();
    clip.frames()
        .iter()
        .map(|pose| {
            let world = clip.skeleton().world(pose);
            let left = pose.rotations[0] * Vec3::X;
            let back = Quat::from_rotation_y(-(-left.z).atan2(left.x));
            let below = Vec3::new(world.positions[0].x, 0.0, world.positions[0].z);
            let nose = world.transform(head, Vec3::new(0.0, 0.065, 0.135));
            std::array::from_fn(|joint| {
                let at = match joint.checked_sub(BODY) {
                    None => world.positions[joint],
                    Some(finger) => fingers.get(finger).map_or(nose, |tip| world.position(*tip)),
                };
                back * (at - below)
            })
        })
        .collect()
}

/// The mean distance of the joints that differ most, along the best time alignment, metres;
/// averaged over the performers. `None` if it is not below `limit_m`, which often shows after a few
/// samples.
pub(crate) fn apart(a: &Seen, b: &Seen, limit_m: f32) -> Option<f32> {
    let mut left_m = limit_m * PEOPLE.len() as f32;
    for (a, b) in a.acted.iter().zip(&b.acted) {
        left_m -= apart_by(a, b, left_m)?;
    }
    let mean_m = limit_m - left_m / PEOPLE.len() as f32;
    (mean_m < limit_m).then_some(mean_m)
}

fn apart_by(a: &Performance, b: &Performance, limit_m: f32) -> Option<f32> {
    if a.is_quiet && b.is_quiet {
        return None;
    }
    let joints: Vec<usize> =
        (0..JOINTS).filter(|joint| a.moves[*joint] || b.moves[*joint]).collect();
    let telling = joints.len().min(TELLING);
    let between = |i: usize, j: usize| {
        let mut furthest = [0.0_f32; TELLING];
        for joint in &joints {
            let metres = a.moments[i][*joint].distance(b.moments[j][*joint]);
            let place = furthest.partition_point(|further| *further >= metres);
            if place < telling {
                furthest[place..telling].rotate_right(1);
                furthest[place] = metres;
            }
        }
        furthest[..telling].iter().sum::<f32>() / telling as f32
    };
    let mut ways = vec![[(f32::MAX, 0_u32); MOMENTS + 1]; MOMENTS + 1];
    ways[0][0] = (0.0, 0);
    for i in 0..MOMENTS {
        for j in i.saturating_sub(SHIFT)..(i + SHIFT + 1).min(MOMENTS) {
            let before = [ways[i][j], ways[i][j + 1], ways[i + 1][j]];
            let best = before.into_iter().min_by(|x, y| x.0.total_cmp(&y.0));
            let (sum, count) = best.unwrap_or_default();
            ways[i + 1][j + 1] = (sum + between(i, j), count + 1);
        }
        // no alignment has more steps
        let least = ways[i + 1].iter().map(|(sum, _)| *sum).fold(f32::MAX, f32::min);
        if least >= limit_m * (2 * MOMENTS - 1) as f32 {
            return None;
        }
    }
    let (sum, count) = ways[MOMENTS][MOMENTS];
    Some(sum / count as f32)
}

/// The action itself, or the one that it is a synonym of.
fn played_as(action: Action) -> Action {
    action.synonym_of().unwrap_or(action)
}

/// The comparison of all pairs of actions that are not synonyms.
pub(crate) struct Pairs {
    /// Number of pairs.
    pub(crate) count: usize,
    /// Pairs below the limit, closest first, with their distances in metres.
    pub(crate) near: Vec<(f32, Action, Action)>,
}

/// Compares all pairs.
pub(crate) fn pairs(all: &[Seen], limit_m: f32) -> Pairs {
    let mut pairs = Pairs { count: 0, near: Vec::new() };
    for (place, first) in all.iter().enumerate() {
        for second in &all[..place] {
            if played_as(first.action) == played_as(second.action) {
                continue;
            }
            pairs.count += 1;
            let metres = apart(first, second, limit_m);
            pairs.near.extend(metres.map(|metres| (metres, first.action, second.action)));
        }
    }
    pairs.near.sort_by(|a, b| a.0.total_cmp(&b.0));
    pairs
}
