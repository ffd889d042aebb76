//! Measures how far the motion of a character deviates from that of the canonical body.

use std::fmt;

use glam::Vec3;
use limber_animation::{
    Character, Clip, HumanBone as B, JointIndex, Side, Skeleton, WorldPose, canonical_skeleton,
};
use limber_retarget::hips_scale;

/// A vertex in the local spaces of the joints that influence it.
type Point = Vec<(JointIndex, f32, Vec3)>;

fn at(point: &Point, world: &WorldPose) -> Vec3 {
    point.iter().map(|(joint, weight, local)| world.transform(*joint, *local) * *weight).sum()
}

/// Measurements of one clip on one character; lengths are scaled to the size of the canonical body.
pub(crate) struct Measured {
    /// Sorted angles between the directions of corresponding limbs, for all limbs and frames.
    pub(crate) limbs_deg: Vec<f32>,
    worst: String,
    pub(crate) skate_cm_s: f32,
    pub(crate) penetration_mm: f32,
    pub(crate) float_mm: f32,
    /// Deviation of the distance between the palms while they touch.
    pub(crate) palms_cm: Option<f32>,
    /// Deviation of the distance of both palms from the trunk while they touch it.
    pub(crate) trunk_cm: Option<f32>,
}

/// Limits for every character; lengths are scaled to the size of the canonical body.
const SKATE_CM_S: f32 = 1.0;
const PENETRATION_MM: f32 = 5.0;
const FLOAT_MM: f32 = 5.0;

impl Measured {
    /// Returns the violated limits in words.
    pub(crate) fn problems(&self) -> Vec<String> {
        let bounds = [
            ("skate", self.skate_cm_s, SKATE_CM_S),
            ("penetration", self.penetration_mm, PENETRATION_MM),
            ("float", self.float_mm, FLOAT_MM),
        ];
        let over = bounds.into_iter().filter(|(_, value, most)| value.is_nan() || value > most);
        over.map(|(what, value, most)| format!("{what} {value:.2} > {most}")).collect()
    }

    pub(crate) const HEADER: &'static str = "limbs med/max °            skate cm/s  pen mm  float mm  \
                                             palms cm  trunk cm";
}

impl fmt::Display for Measured {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let maybe = |value: Option<f32>| value.map_or("-".to_owned(), |v| format!("{v:+.1}"));
        write!(
            formatter,
            "{:5.2} {:5.1} {:22} {:6.2} {:7.1} {:7.1} {:>9} {:>9}",
            median(&self.limbs_deg),
            self.limbs_deg.last().copied().unwrap_or(f32::NAN),
            self.worst,
            self.skate_cm_s,
            self.penetration_mm,
            self.float_mm,
            maybe(self.palms_cm),
            maybe(self.trunk_cm)
        )
    }
}

/// The motion of the canonical body, with the measurements to compare with.
pub(crate) struct Meant {
    clip: Clip,
    /// The frames in which the palms touch, and their distance in these.
    palms: Option<(Vec<usize>, f32)>,
    trunk: Option<(Vec<usize>, f32)>,
}

impl Meant {
    pub(crate) fn new(character: &Character, clip: Clip) -> Self {
        let body = Surface::of(character);
        let all: Vec<usize> = (0..clip.len()).collect();
        let touching = |distances: Vec<f32>, near: f32| {
            let least = distances.iter().copied().fold(f32::MAX, f32::min);
            let frames: Vec<usize> =
                (0..distances.len()).filter(|at| distances[*at] < least + 0.005).collect();
            let mean = frames.iter().map(|at| distances[*at]).sum::<f32>() / frames.len() as f32;
            (least < near).then_some((frames, mean))
        };
        let palms = touching(body.palms_apart(&clip, &all).expect("it has hands"), 0.12);
        let trunk = touching(body.off_trunk(&clip, &all).expect("it has hands"), 0.06);
        Self { clip, palms, trunk }
    }
}

/// The parts of a character's skin that touch things.
struct Surface<'a> {
    skeleton: &'a Skeleton,
    feet: [Vec<Point>; 2],
    hands: [Vec<Point>; 2],
    trunk: Vec<[Point; 3]>,
}

impl<'a> Surface<'a> {
    fn of(character: &'a Character) -> Self {
        let skeleton = &*character.skeleton;
        let below = |bones: &[B]| below(skeleton, bones);
        let feet = Side::BOTH.map(|side| points(character, &below(&[B::leg(side)[2]])));
        let hands = Side::BOTH.map(|side| points(character, &below(&[B::arm(side)[3]])));
        let other = below(&[
            B::Neck,
            B::Head,
            B::LeftShoulder,
            B::RightShoulder,
            B::LeftUpperArm,
            B::RightUpperArm,
            B::LeftLowerLeg,
            B::RightLowerLeg,
        ]);
        let trunk: Vec<bool> =
            below(&[B::Hips]).iter().zip(other).map(|(own, other)| *own && !other).collect();
        Self { skeleton, feet, hands, trunk: triangles(character, &trunk) }
    }

    /// Returns the centre of each hand's skin.
    fn palms(&self, world: &WorldPose) -> Option<[Vec3; 2]> {
        let middle = |points: &Vec<Point>| {
            let sum: Vec3 = points.iter().map(|point| at(point, world)).sum();
            (!points.is_empty()).then(|| sum / points.len() as f32)
        };
        let [left, right] = &self.hands;
        Some([middle(left)?, middle(right)?])
    }

    fn palms_apart(&self, clip: &Clip, frames: &[usize]) -> Option<Vec<f32>> {
        let distance = |frame: &usize| {
            let [left, right] = self.palms(&self.skeleton.world(&clip.frames()[*frame]))?;
            Some(left.distance(right))
        };
        frames.iter().map(distance).collect()
    }

    fn off_trunk(&self, clip: &Clip, frames: &[usize]) -> Option<Vec<f32>> {
        let distance = |frame: &usize| {
            let world = self.skeleton.world(&clip.frames()[*frame]);
            let palms = self.palms(&world)?;
            let corners: Vec<[Vec3; 3]> = self
                .trunk
                .iter()
                .map(|triangle| [0, 1, 2].map(|corner| at(&triangle[corner], &world)))
                .collect();
            let nearest = |palm: Vec3| {
                corners.iter().map(|t| nearest(palm, t).distance(palm)).fold(f32::MAX, f32::min)
            };
            Some(0.5 * (nearest(palms[0]) + nearest(palms[1])))
        };
        if self.trunk.is_empty() {
            return None;
        }
        frames.iter().map(distance).collect()
    }
}

/// Returns which joints are these bones or their descendants.
fn below(skeleton: &Skeleton, bones: &[B]) -> Vec<bool> {
    let mut marked = vec![false; skeleton.len()];
    for joint in skeleton.indices() {
        let own = skeleton.joint(joint);
        marked[joint.get()] = own.bone.is_some_and(|bone| bones.contains(&bone))
            || own.parent.is_some_and(|parent| marked[parent.get()]);
    }
    marked
}

/// Returns, for each vertex of each mesh, the point if at least half of its weight is on these
/// joints.
fn owned(character: &Character, joints: &[bool]) -> Vec<Vec<Option<Point>>> {
    let of = |mesh: &limber_animation::Mesh| {
        let Some(skin) = mesh.skin.map(|place| &character.skins[place]) else { return Vec::new() };
        (0..mesh.positions.len())
            .map(|vertex| {
                let point: Point = mesh
                    .influences(vertex)
                    .map(|(place, weight)| {
                        let place = usize::from(place);
                        let local =
                            skin.inverse_bind[place].transform_point3(mesh.positions[vertex]);
                        (skin.joints[place], weight, local)
                    })
                    .collect();
                let own: f32 =
                    point.iter().filter(|part| joints[part.0.get()]).map(|part| part.1).sum();
                (own >= 0.5).then_some(point)
            })
            .collect()
    };
    character.meshes.iter().map(of).collect()
}

fn points(character: &Character, joints: &[bool]) -> Vec<Point> {
    owned(character, joints).into_iter().flatten().flatten().collect()
}

fn triangles(character: &Character, joints: &[bool]) -> Vec<[Point; 3]> {
    let owned = owned(character, joints);
    let mut triangles = Vec::new();
    for (mesh, points) in character.meshes.iter().zip(&owned).filter(|(_, p)| !p.is_empty()) {
        for corners in mesh.indices.chunks_exact(3) {
            let corner = |at: usize| points[corners[at] as usize].clone();
            if let (Some(a), Some(b), Some(c)) = (corner(0), corner(1), corner(2)) {
                triangles.push([a, b, c]);
            }
        }
    }
    triangles
}

/// Returns the closest point of a triangle. Source: Ericson, *Real-Time Collision Detection*, 2005,
/// section 5.1.5.
fn nearest(to: Vec3, [a, b, c]: &[Vec3; 3]) -> Vec3 {
    let (a, b, c) = (*a, *b, *c);
    let (ab, ac, ap) = (b - a, c - a, to - a);
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    let (d3, d4) = (ab.dot(to - b), ac.dot(to - b));
    let (d5, d6) = (ab.dot(to - c), ac.dot(to - c));
    let (va, vb, vc) = (d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2);
    if d1 <= 0.0 && d2 <= 0.0 {
        a
    } else if d3 >= 0.0 && d4 <= d3 {
        b
    } else if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        a + ab * (d1 / (d1 - d3))
    } else if d6 >= 0.0 && d5 <= d6 {
        c
    } else if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        a + ac * (d2 / (d2 - d6))
    } else if va <= 0.0 && d4 >= d3 && d5 >= d6 {
        b + (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6)))
    } else {
        let sum = va + vb + vc;
        if sum.abs() < 1e-12 { a } else { a + ab * (vb / sum) + ac * (vc / sum) }
    }
}

type Distances = fn(&Surface, &Clip, &[usize]) -> Option<Vec<f32>>;

pub(crate) fn measure(meant: &Meant, character: &Character, clip: &Clip) -> Measured {
    let scale = hips_scale(&canonical_skeleton(), clip.skeleton()).expect("it has legs");
    let surface = Surface::of(character);
    let (limbs_deg, worst) = limbs(&meant.clip, clip);
    let (skate, penetration, float) = feet(&surface, clip, scale);
    let against = |meant: &Option<(Vec<usize>, f32)>, on: Distances| {
        let (frames, meant_m) = meant.as_ref()?;
        let distances: Vec<f32> = on(&surface, clip, frames)?;
        let mean = distances.iter().sum::<f32>() / distances.len() as f32;
        Some(100.0 * (mean / scale - meant_m))
    };
    Measured {
        limbs_deg,
        worst,
        skate_cm_s: 100.0 * skate,
        penetration_mm: 1000.0 * penetration,
        float_mm: 1000.0 * float,
        palms_cm: against(&meant.palms, |surface, clip, frames| surface.palms_apart(clip, frames)),
        trunk_cm: against(&meant.trunk, |surface, clip, frames| surface.off_trunk(clip, frames)),
    }
}

/// Returns the sorted angles between corresponding limbs over all frames, and a description of the
/// largest.
fn limbs(meant: &Clip, clip: &Clip) -> (Vec<f32>, String) {
    let mut angles: Vec<(f32, String)> = Vec::new();
    for side in Side::BOTH {
        let ([_, arm, forearm, hand], [thigh, shin, foot, _]) = (B::arm(side), B::leg(side));
        for (from, to) in [(arm, forearm), (forearm, hand), (thigh, shin), (shin, foot)] {
            let along = |clip: &Clip, frame: usize| {
                let world = clip.skeleton().world(&clip.frames()[frame]);
                let at = |bone| clip.skeleton().find(bone).map(|joint| world.position(joint));
                Some((at(to)? - at(from)?).normalize())
            };
            for frame in 0..meant.len().min(clip.len()) {
                let Some((a, b)) = along(meant, frame).zip(along(clip, frame)) else { continue };
                angles.push((a.angle_between(b).to_degrees(), format!("{} {frame}", from.name())));
            }
        }
    }
    angles.sort_by(|a, b| a.0.total_cmp(&b.0));
    let worst = angles.last().map_or(String::new(), |(_, which)| which.clone());
    (angles.into_iter().map(|(angle, _)| angle).collect(), worst)
}

/// Returns the mean speed of skin in contact with the floor in m/s, the largest depth of a foot
/// vertex below the floor in metres, and the largest height of the lowest vertex of a foot in
/// contact.
fn feet(surface: &Surface, clip: &Clip, scale: f32) -> (f32, f32, f32) {
    let contacts = clip.contacts().expect("the pipeline says what touches the floor");
    let worlds: Vec<WorldPose> =
        clip.frames().iter().map(|pose| surface.skeleton.world(pose)).collect();
    let (mut way, mut count, mut deepest, mut highest) = (0.0, 0, 0.0_f32, 0.0_f32);
    for (points, side) in surface.feet.iter().zip(Side::BOTH) {
        let places: Vec<Vec<Vec3>> =
            worlds.iter().map(|world| points.iter().map(|p| at(p, world)).collect()).collect();
        for frame in 0..clip.len() {
            let lowest = places[frame].iter().map(|place| place.y).fold(f32::MAX, f32::min);
            deepest = deepest.max(-lowest);
            if !contacts[frame].foot(side) {
                continue;
            }
            highest = highest.max(lowest);
            if frame == 0 || !contacts[frame - 1].foot(side) {
                continue;
            }
            for (before, now) in places[frame - 1].iter().zip(&places[frame]) {
                if before.y.max(now.y) < 0.005 * scale {
                    way += (*now - *before).with_y(0.0).length();
                    count += 1;
                }
            }
        }
    }
    let speed = way / count.max(1) as f32 * clip.fps().per_second();
    (speed / scale, deepest / scale, highest / scale)
}

/// Returns the median of sorted numbers; NaN if there are none.
pub(crate) fn median(sorted: &[f32]) -> f32 {
    sorted.get(sorted.len() / 2).copied().unwrap_or(f32::NAN)
}
