//! The names of two dozen tools for the same body, with the joints that each adds.

mod capture;
mod studio;

use limber_animation::{Finger, HumanBone, Phalanx, Side};

use super::body::{Build, Rig};

/// A naming scheme, written for the left side.
pub(super) struct Scheme {
    /// The name of the convention in the mapping.
    pub(super) convention: &'static str,
    /// Hips, spine, chest, upper chest, neck, head; `-` if the rig has none.
    trunk: [&'static str; 6],
    /// Shoulder, upper arm, lower arm, hand.
    arm: [&'static str; 4],
    /// Upper leg, lower leg, foot, toes.
    leg: [&'static str; 4],
    /// Eye and jaw.
    face: [&'static str; 2],
    /// Thumb, index, middle, ring, little: a stem and three endings.
    fingers: [(&'static str, [&'static str; 3]); 5],
    /// Text after a finger's ending.
    finger_tail: &'static str,
    extras: &'static [Extra],
}

/// A joint that is not one of our bones.
pub(super) enum Extra {
    /// A leaf on the segment between two bones on the left, and mirrored on the right; with its
    /// share.
    Twist(&'static str, HumanBone, HumanBone, f32),
    /// In the chain between two bones, on both sides if they have one.
    Between(&'static str, HumanBone, HumanBone),
    /// Below the hips; carries both legs.
    Legs(&'static str),
    /// Above everything.
    Root(&'static str),
    /// A child of the bone at the same position.
    At(&'static str, HumanBone),
    /// The first bone is a child of the second.
    Hang(HumanBone, HumanBone),
    /// Tips without weights at all leaves.
    Tips(&'static str),
}

use Extra::{At, Between, Hang, Legs, Root, Tips, Twist};
use HumanBone as B;

const NUMBERS: [&str; 3] = ["1", "2", "3"];
const PADDED: [&str; 3] = ["01", "02", "03"];
const NO_FINGERS: [(&str, [&str; 3]); 5] = [("-", NUMBERS); 5];

const fn plain(
    stems: [&'static str; 5],
    ends: [&'static str; 3],
) -> [(&'static str, [&'static str; 3]); 5] {
    [(stems[0], ends), (stems[1], ends), (stems[2], ends), (stems[3], ends), (stems[4], ends)]
}

/// Returns all schemes.
pub(super) fn schemes() -> impl Iterator<Item = &'static Scheme> {
    studio::STUDIO.iter().chain(&capture::CAPTURE)
}

impl Scheme {
    /// Returns the body with these names and everything that the convention adds.
    pub(super) fn rig(&self, build: Build) -> Rig {
        let mut rig = Rig::new(build, HumanBone::ALL, |bone| self.name(bone));
        for extra in self.extras {
            extra.add(&mut rig);
        }
        rig
    }

    /// Returns the name of a bone; `None` if such rigs have no joint for it.
    pub(super) fn name(&self, bone: HumanBone) -> Option<String> {
        let left = if bone.side() == Some(Side::Right) { bone.mirrored() } else { bone };
        let name = self.left_name(left)?;
        Some(match bone.side() {
            Some(Side::Right) => right(&name),
            Some(Side::Left) => name.split('~').next()?.to_owned(),
            None => name,
        })
    }

    fn left_name(&self, bone: HumanBone) -> Option<String> {
        let place = |bones: &[HumanBone]| bones.iter().position(|own| *own == bone);
        let trunk = [B::Hips, B::Spine, B::Chest, B::UpperChest, B::Neck, B::Head];
        let name = if let Some(place) = place(&trunk) {
            self.trunk[place].to_owned()
        } else if let Some(place) = place(&HumanBone::arm(Side::Left)) {
            self.arm[place].to_owned()
        } else if let Some(place) = place(&HumanBone::leg(Side::Left)) {
            self.leg[place].to_owned()
        } else if let Some(place) = place(&[B::LeftEye, B::Jaw]) {
            self.face[place].to_owned()
        } else {
            self.finger_name(bone)?
        };
        (!name.starts_with('-')).then_some(name)
    }

    fn finger_name(&self, bone: HumanBone) -> Option<String> {
        for (finger, (stem, endings)) in Finger::ALL.into_iter().zip(self.fingers) {
            for (phalanx, ending) in Phalanx::ALL.into_iter().zip(endings) {
                if HumanBone::finger(Side::Left, finger, phalanx) == bone {
                    return Some(format!("{stem}{ending}{}", self.finger_tail));
                }
            }
        }
        None
    }

    /// Returns the twist joints that the scheme adds on the left, with their shares.
    pub(super) fn twists(&self) -> impl Iterator<Item = (&'static str, HumanBone, f32)> {
        self.extras.iter().filter_map(|extra| match extra {
            Twist(name, bone, _, share) => Some((*name, *bone, *share)),
            _ => None,
        })
    }
}

impl Extra {
    fn add(&self, rig: &mut Rig) {
        match self {
            Twist(name, from, to, share) => {
                rig.add_on(name, *from, *to, *share);
                rig.add_on(&right(name), from.mirrored(), to.mirrored(), *share);
            }
            Between(name, from, to) => {
                rig.insert(name, *from, *to, 0.4);
                if to.side().is_some() {
                    rig.insert(&right(name), from.mirrored(), to.mirrored(), 0.4);
                }
            }
            Legs(name) => rig.add_pelvis(name),
            Root(name) => rig.add_root(name),
            At(name, bone) => {
                let joint = rig.truth(*bone).expect("the scheme has this bone");
                let position = rig.made[joint].position;
                rig.add(name, joint, position, true);
            }
            Hang(bone, on) => rig.hang(*bone, *on),
            Tips(ending) => rig.add_tips(ending),
        }
    }
}

/// Converts a left side's name to the right side's.
pub(super) fn right(name: &str) -> String {
    if let Some((_, right)) = name.split_once('~') {
        return right.to_owned();
    }
    let pairs = [
        ("Left", "Right"),
        ("left", "right"),
        ("左", "右"),
        ("_L_", "_R_"),
        (" L ", " R "),
        (".L", ".R"),
        ("_l", "_r"),
    ];
    for (left, right) in pairs {
        if name.contains(left) {
            return name.replacen(left, right, 1);
        }
    }
    match name.strip_prefix('l') {
        Some(rest) => format!("r{rest}"),
        None => match name.strip_prefix('L') {
            Some(rest) => format!("R{rest}"),
            None => name.to_owned(),
        },
    }
}
