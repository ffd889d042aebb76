//! The 52 ARKit blend shapes: how far each moves a point of the face at full weight.
//!
//! Shapes of one side are written for the left and mirrored for the right. Lids rotate about the
//! eyeball, so that they never cut into it; the jaw rotates about its joint in front of the ears.
//! Whether a point on the edge of the lips belongs to the upper or the lower lip follows from its
//! position in the model with parted lips.

use glam::Vec3;
use limber_animation::smooth::smoothstep;

use super::parts::Kind;
use super::{Layout, rest};

/// ARKit's names in its groups: eyes, jaw, mouth, brows, cheeks, nose, tongue.
#[rustfmt::skip]
pub const NAMES: [&str; 52] = [
    "eyeBlinkLeft", "eyeLookDownLeft", "eyeLookInLeft", "eyeLookOutLeft", "eyeLookUpLeft",
    "eyeSquintLeft", "eyeWideLeft", "eyeBlinkRight", "eyeLookDownRight", "eyeLookInRight",
    "eyeLookOutRight", "eyeLookUpRight", "eyeSquintRight", "eyeWideRight", "jawForward",
    "jawLeft", "jawRight", "jawOpen", "mouthClose", "mouthFunnel", "mouthPucker", "mouthLeft",
    "mouthRight", "mouthSmileLeft", "mouthSmileRight", "mouthFrownLeft", "mouthFrownRight",
    "mouthDimpleLeft", "mouthDimpleRight", "mouthStretchLeft", "mouthStretchRight",
    "mouthRollLower", "mouthRollUpper", "mouthShrugLower", "mouthShrugUpper", "mouthPressLeft",
    "mouthPressRight", "mouthLowerDownLeft", "mouthLowerDownRight", "mouthUpperUpLeft",
    "mouthUpperUpRight", "browDownLeft", "browDownRight", "browInnerUp", "browOuterUpLeft",
    "browOuterUpRight", "cheekPuff", "cheekSquintLeft", "cheekSquintRight", "noseSneerLeft",
    "noseSneerRight", "tongueOut",
];

/// A point of the face, in metres of the canonical head.
#[derive(Debug, Clone, Copy)]
pub struct Spot {
    /// Its position as modelled, with parted lips.
    pub sculpted: Vec3,
    /// Its position at rest, with closed lips.
    pub rest: Vec3,
    /// The part it belongs to; `None` for the skin and the hair on it.
    pub part: Option<Kind>,
}

const MIRROR: Vec3 = Vec3::new(-1.0, 1.0, 1.0);

impl Spot {
    fn mirrored(self) -> Self {
        let part = self.part.map(|part| match part {
            Kind::Eyeball { right } => Kind::Eyeball { right: !right },
            other => other,
        });
        Self { sculpted: self.sculpted * MIRROR, rest: self.rest * MIRROR, part }
    }
}

/// Sine and cosine of the angle by which the jaw opens: 17°.
const JAW: (f32, f32) = (0.292_37, 0.956_30);

/// The joint of the jaw.
const HINGE: Vec3 = Vec3::new(0.0, 1.600, 0.012);

/// Sine and cosine of the angle by which an eye looks up, down or to a side: 25°.
const LOOK: (f32, f32) = (0.422_62, 0.906_31);

/// Returns the offset of a point under the blend shape with this name, in metres of the canonical
/// head.
#[must_use]
pub fn offset(layout: &Layout, name: &str, spot: Spot) -> Vec3 {
    let whole = ["jawLeft", "jawRight", "mouthLeft", "mouthRight"].contains(&name);
    let side = |suffix| if whole { None } else { name.strip_suffix(suffix) };
    if let Some(base) = side("Left") {
        return on_left(layout, base, spot);
    }
    if let Some(base) = side("Right") {
        return on_left(layout, base, spot.mirrored()) * MIRROR;
    }
    Motion { layout, spot }.whole(name)
}

fn on_left(layout: &Layout, base: &str, spot: Spot) -> Vec3 {
    let soft = if base.starts_with("mouth") { 0.010 } else { 0.004 };
    let share = smoothstep(0.5 + 0.5 * spot.rest.x / soft);
    if share <= 0.0 {
        return Vec3::ZERO;
    }
    Motion { layout, spot }.left(base) * share
}

/// Returns 1 at a centre, falling to 0 on an ellipsoid around it.
fn bump(at: Vec3, centre: [f32; 3], radii: [f32; 3]) -> f32 {
    smoothstep(1.0 - ((at - Vec3::from(centre)) / Vec3::from(radii)).length())
}

struct Motion<'a> {
    layout: &'a Layout,
    spot: Spot,
}

impl Motion<'_> {
    fn left(&self, base: &str) -> Vec3 {
        match self.spot.part {
            Some(Kind::Eyeball { .. }) => self.look(base),
            Some(_) => Vec3::ZERO,
            None if base.starts_with("eye") => self.lids(base),
            None if base.starts_with("mouth") => self.half_mouth(base),
            None => self.half_face(base),
        }
    }

    fn whole(&self, name: &str) -> Vec3 {
        match (name, self.spot.part) {
            ("jawOpen", _) => self.open() * self.jaw(),
            ("jawForward", _) => Vec3::Z * 0.006 * self.jaw(),
            ("jawLeft", _) => Vec3::X * 0.007 * self.jaw(),
            ("jawRight", _) => Vec3::NEG_X * 0.007 * self.jaw(),
            ("tongueOut", Some(Kind::Tongue)) => {
                let reach = smoothstep((self.spot.rest.z - 0.036) / 0.034);
                Vec3::new(0.0, -0.006 * reach * reach, 0.034 * reach)
            }
            (_, None) => self.mouth(name) + self.both_sides(name),
            _ => Vec3::ZERO,
        }
    }

    fn look(&self, base: &str) -> Vec3 {
        let from = self.spot.rest - self.layout.eye.centre;
        let (sin, cos) = LOOK;
        let turned = match base {
            "eyeLookUp" => {
                Vec3::new(from.x, from.y * cos + from.z * sin, from.z * cos - from.y * sin)
            }
            "eyeLookDown" => {
                Vec3::new(from.x, from.y * cos - from.z * sin, from.z * cos + from.y * sin)
            }
            "eyeLookOut" => {
                Vec3::new(from.x * cos + from.z * sin, from.y, from.z * cos - from.x * sin)
            }
            "eyeLookIn" => {
                Vec3::new(from.x * cos - from.z * sin, from.y, from.z * cos + from.x * sin)
            }
            _ => from,
        };
        turned - from
    }

    fn lids(&self, base: &str) -> Vec3 {
        match base {
            "eyeBlink" => self.lid(1.10, 1.08),
            "eyeLookDown" => self.lid(0.42, -0.30),
            "eyeLookUp" => self.lid(-0.22, 0.15),
            "eyeWide" => self.lid(-0.42, -0.35),
            "eyeSquint" => self.lid(0.20, 0.85) + self.half_face("cheekSquint") * 0.4,
            _ => Vec3::ZERO,
        }
    }

    /// Returns the offset that moves the lids towards their meeting line by the given fractions;
    /// negative values open them wider.
    fn lid(&self, upper: f32, lower: f32) -> Vec3 {
        let eye = self.layout.eye;
        let from = self.spot.rest - eye.centre;
        let rise = from.y - eye.raised;
        let gap = eye.half_gap(from.x);
        let deep = smoothstep(from.z / (0.35 * eye.radius));
        if gap <= 0.0 || deep <= 0.0 {
            return Vec3::ZERO;
        }
        let meeting = eye.meeting(from.x);
        let (way, beyond, give) = if rise > 0.0 {
            (upper * (meeting - gap), rise - gap, 0.85 * eye.radius)
        } else {
            (lower * (meeting + gap), -gap - rise, 0.75 * eye.radius)
        };
        let way = way * deep * smoothstep(1.0 - beyond.max(0.0) / give);
        if way == 0.0 {
            return Vec3::ZERO;
        }
        // Follow the eyeball, with a small clearance.
        let around = from.y * from.y + from.z * from.z;
        let y = from.y + way;
        let z = (around - y * y).max(0.25 * from.z * from.z).sqrt() + 0.06 * way.abs();
        Vec3::new(0.0, way, z - from.z)
    }

    /// Returns how much the point moves with the jaw: 1 fully, 0 for the skull.
    fn jaw(&self) -> f32 {
        match self.spot.part {
            Some(Kind::LowerTeeth | Kind::Tongue) => return 1.0,
            Some(_) => return 0.0,
            None => {}
        }
        let together = smoothstep(self.slit() + self.off() / 0.016);
        let share = if self.is_upper() { 0.5 - 0.5 * together } else { 0.5 + 0.5 * together };
        let at = self.spot.rest;
        share * smoothstep((at.z - 0.004) / 0.034) * smoothstep((at.y - 1.496) / 0.020)
    }

    /// Returns the offset of a point that is fixed to the open jaw.
    fn open(&self) -> Vec3 {
        let from = self.spot.rest - HINGE;
        let (sin, cos) = JAW;
        Vec3::new(from.x, from.y * cos - from.z * sin, from.z * cos + from.y * sin) - from
    }

    fn is_upper(&self) -> bool {
        rest::is_upper(&self.layout.mouth, self.spot.sculpted)
    }

    /// Returns 1 in the middle of the mouth, 0 at and beyond its corners.
    fn slit(&self) -> f32 {
        let around = self.spot.rest.x / self.layout.mouth.half_width;
        (1.0 - around * around).max(0.0)
    }

    /// Returns the distance of the point above or below the edge of its lip.
    fn off(&self) -> f32 {
        let mouth = self.layout.mouth;
        let apart = mouth.parted_at(self.spot.sculpted.x.abs());
        ((self.spot.sculpted.y - mouth.height).abs() - apart).max(0.0)
    }

    /// Returns 1 on the edges of the lips, falling to 0 at this distance.
    fn edge(&self, reach_m: f32) -> f32 {
        smoothstep(1.0 - self.off() / reach_m)
    }

    /// Returns 1 on the lips, falling to 0 around the mouth.
    fn zone(&self) -> f32 {
        let at = self.spot.rest;
        let (x, y) = (at.x / 0.041, (at.y - self.layout.mouth.height) / 0.028);
        smoothstep(1.35 - 1.35 * (x * x + y * y).sqrt()) * smoothstep((at.z - 0.062) / 0.014)
    }

    fn corner(&self) -> f32 {
        let mouth = self.layout.mouth;
        bump(
            self.spot.rest,
            [mouth.half_width, mouth.height + 0.002, 0.0800],
            [0.026, 0.026, 0.040],
        )
    }

    fn mouth(&self, name: &str) -> Vec3 {
        let (zone, x) = (self.zone(), self.spot.rest.x);
        if zone <= 0.0 && name != "mouthShrugLower" {
            return Vec3::ZERO;
        }
        let upper = self.is_upper();
        let (only_upper, only_lower) = if upper { (1.0, 0.0) } else { (0.0, 1.0) };
        let (edge, slit) = (self.edge(0.012), self.slit());
        let apart = only_upper - only_lower;
        let (x_in, lips) = match name {
            "mouthClose" => return self.open() * (zone * (0.5 - self.jaw())),
            "mouthFunnel" => (-0.32 * x, Vec3::new(0.0, 0.0052 * apart * edge * slit, 0.0070)),
            "mouthPucker" => (-0.42 * x, Vec3::new(0.0, 0.0, 0.0075)),
            "mouthLeft" => (0.0080, Vec3::ZERO),
            "mouthRight" => (-0.0080, Vec3::ZERO),
            "mouthRollLower" => (0.0, Vec3::new(0.0, 0.0018, -0.0062) * (only_lower * edge)),
            "mouthRollUpper" => (0.0, Vec3::new(0.0, -0.0014, -0.0052) * (only_upper * edge)),
            "mouthShrugUpper" => (0.0, Vec3::new(0.0, 0.0042, 0.0020) * self.edge(0.020)),
            "mouthShrugLower" => {
                let chin = bump(self.spot.rest, [0.0, 1.536, 0.084], [0.034, 0.030, 0.040]);
                let lips = Vec3::new(0.0, 0.0038, 0.0030) * (zone * self.edge(0.020));
                return lips + Vec3::new(0.0, 0.0045, 0.0020) * chin;
            }
            _ => return Vec3::ZERO,
        };
        (Vec3::X * x_in + lips) * zone
    }

    fn half_mouth(&self, base: &str) -> Vec3 {
        let (corner, zone, slit) = (self.corner(), self.zone(), self.slit());
        let upper = self.is_upper();
        let cheek = bump(self.spot.rest, [0.040, 1.600, 0.068], [0.032, 0.028, 0.040]);
        match base {
            "mouthSmile" => {
                Vec3::new(0.0070, 0.0085, -0.0045) * corner
                    + Vec3::new(0.001, 0.0035, 0.0025) * cheek
            }
            "mouthFrown" => Vec3::new(0.0010, -0.0085, -0.0010) * corner,
            "mouthDimple" => Vec3::new(0.0040, 0.0010, -0.0055) * corner,
            "mouthStretch" => Vec3::new(0.0095, -0.0020, -0.0040) * corner,
            "mouthPress" => {
                let flat = bump(Vec3::X * self.off(), [0.005, 0.0, 0.0], [0.006, 1.0, 1.0]);
                let towards = if upper { -0.0022 } else { 0.0022 };
                Vec3::new(0.0, towards * flat, -0.0026) * zone * self.edge(0.014)
            }
            "mouthLowerDown" if !upper => {
                Vec3::new(0.0, -0.0085, 0.0010) * (zone * slit * self.edge(0.022))
            }
            "mouthUpperUp" if upper => {
                Vec3::new(0.0, 0.0065, 0.0012) * (zone * slit * self.edge(0.022))
            }
            _ => Vec3::ZERO,
        }
    }

    fn half_face(&self, base: &str) -> Vec3 {
        let at = self.spot.rest;
        let eye = self.layout.eye;
        let brow = eye.centre.y + 1.55 * eye.radius;
        let brow_at = |x: f32| bump(at, [eye.centre.x + x, brow, 0.080], [0.032, 0.026, 0.060]);
        match base {
            "browDown" => Vec3::new(-0.0030, -0.0075, 0.0005) * brow_at(-0.006),
            "browOuterUp" => Vec3::new(0.0, 0.0085, 0.0) * brow_at(0.014),
            "cheekSquint" => {
                let low = eye.centre.y - 1.75 * eye.radius;
                let cheek = bump(at, [0.038, low, 0.072], [0.032, 0.026, 0.050]);
                Vec3::new(0.0, 0.0060, 0.0026) * cheek
            }
            "noseSneer" => {
                let wing = bump(at, [0.012, 1.604, 0.094], [0.020, 0.024, 0.034]);
                let lip = if self.is_upper() {
                    self.zone() * self.edge(0.020) * self.slit()
                } else {
                    0.0
                };
                Vec3::new(0.0008, 0.0055, -0.0005) * wing + Vec3::Y * (0.0018 * lip)
            }
            _ => Vec3::ZERO,
        }
    }

    /// Shapes that move both sides at once.
    fn both_sides(&self, name: &str) -> Vec3 {
        let side = if self.spot.rest.x < 0.0 { MIRROR } else { Vec3::ONE };
        let at = self.spot.rest * side;
        let eye = self.layout.eye;
        let way = match name {
            "browInnerUp" => {
                let brow = eye.centre.y + 1.55 * eye.radius;
                let inner = bump(at, [0.012, brow, 0.085], [0.028, 0.030, 0.060]);
                Vec3::new(0.0006, 0.0090, 0.0) * inner
            }
            "cheekPuff" => {
                let cheek = bump(at, [0.046, 1.572, 0.056], [0.036, 0.036, 0.050]);
                Vec3::new(0.0095, 0.0, 0.0050) * cheek
            }
            _ => Vec3::ZERO,
        };
        way * side
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::{MANNEQUIN, NOVA};

    fn layout() -> Layout {
        Layout::of(&NOVA).expect("Nova's face has shapes")
    }

    fn skin(rest: Vec3) -> Spot {
        Spot { sculpted: rest, rest, part: None }
    }

    #[test]
    fn there_are_52_unique_shape_names() {
        let mut names = NAMES.to_vec();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), 52);
        assert!(Layout::of(&MANNEQUIN).is_none());
    }

    #[test]
    fn blinking_eyelids_meet() {
        let layout = layout();
        let eye = layout.eye;
        for x in [-0.6, 0.0, 0.6] {
            let x = x * eye.half_width;
            let gap = eye.half_gap(x);
            let ends = [gap, -gap].map(|rise| {
                let y = rise + eye.raised;
                let shell = eye.radius + 0.001;
                let rest = eye.centre + Vec3::new(x, y, (shell * shell - x * x - y * y).sqrt());
                rest + offset(&layout, "eyeBlinkLeft", skin(rest))
            });
            let left = ends[0].y - ends[1].y;
            assert!((-0.0025..=0.0).contains(&left), "{left} m open at {x}");
            for end in ends {
                assert!(end.distance(eye.centre) > eye.radius, "an eyelid intersects the eye");
            }
        }
    }

    #[test]
    fn one_sided_shapes_do_not_move_the_other_side() {
        let layout = layout();
        for name in NAMES.iter().filter(|name| name.ends_with("Left")) {
            let mirror = name.replace("Left", "Right");
            for rest in
                [layout.eye.centre + Vec3::new(0.0, 0.008, 0.016), Vec3::new(0.02, 1.57, 0.085)]
            {
                let left = offset(&layout, name, skin(rest));
                let right = offset(&layout, &mirror, skin(rest * MIRROR));
                assert!(left.abs_diff_eq(right * MIRROR, 1e-7), "{name} and {mirror}");
            }
        }
        let right_eye = (layout.eye.centre + Vec3::new(0.0, 0.006, 0.017)) * MIRROR;
        assert_eq!(offset(&layout, "eyeBlinkLeft", skin(right_eye)), Vec3::ZERO);
    }

    #[test]
    fn jaw_open_parts_the_lips_and_mouth_close_closes_them() {
        let layout = layout();
        let mouth = layout.mouth;
        let lip = |up: f32| Spot {
            sculpted: Vec3::new(0.0, mouth.height + up * mouth.parted, mouth.front),
            rest: Vec3::new(0.0, mouth.height, mouth.front),
            part: None,
        };
        let (upper, lower) = (lip(1.0), lip(-1.0));
        let by = |name: &str, spot: Spot| offset(&layout, name, spot);
        assert!(by("jawOpen", upper).y - by("jawOpen", lower).y > 0.018);
        let closed = |spot| by("jawOpen", spot) + by("mouthClose", spot);
        assert!(closed(upper).distance(closed(lower)) < 0.002);
    }
}
