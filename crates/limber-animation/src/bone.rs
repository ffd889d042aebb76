//! The bones of a humanoid by the 55 names of VRM 1.0, onto which every other naming convention is
//! mapped.

/// Side of the body that a bone belongs to. In the rest pose, left is +X.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// The character's own left, +X.
    Left,
    /// The character's own right, −X.
    Right,
}

impl Side {
    /// Both sides, left first.
    pub const BOTH: [Self; 2] = [Self::Left, Self::Right];

    /// The other side.
    #[must_use]
    pub const fn opposite(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }

    /// +1 for left, −1 for right: the sign of x on that side.
    #[must_use]
    pub const fn sign(self) -> f32 {
        match self {
            Self::Left => 1.0,
            Self::Right => -1.0,
        }
    }
}

/// The five fingers, thumb first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names of fingers need no explanation")]
pub enum Finger {
    Thumb,
    Index,
    Middle,
    Ring,
    Little,
}

impl Finger {
    /// All five, thumb first.
    pub const ALL: [Self; 5] = [Self::Thumb, Self::Index, Self::Middle, Self::Ring, Self::Little];
}

/// The three bones of a finger from the palm outwards. For the thumb these are VRM 1.0's
/// metacarpal, proximal and distal; for the others proximal, intermediate and distal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Phalanx {
    /// Nearest to the palm.
    First,
    /// The middle one.
    Second,
    /// The finger tip.
    Third,
}

impl Phalanx {
    /// All three, from the palm outwards.
    pub const ALL: [Self; 3] = [Self::First, Self::Second, Self::Third];
}

macro_rules! human_bones {
    ($($variant:ident $name:literal $parent:ident),* $(,)?) => {
        /// One bone of a human, by its VRM 1.0 name.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        #[expect(missing_docs, reason = "the names are the VRM 1.0 specification's")]
        pub enum HumanBone { $($variant),* }

        impl HumanBone {
            /// All 55, parents before children.
            pub const ALL: [Self; 55] = [$(Self::$variant),*];

            /// The VRM 1.0 name, for example `leftUpperArm`.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),* }
            }

            const fn declared_parent(self) -> Self {
                match self { $(Self::$variant => Self::$parent),* }
            }
        }
    };
}

human_bones! {
    Hips "hips" Hips,
    Spine "spine" Hips,
    Chest "chest" Spine,
    UpperChest "upperChest" Chest,
    Neck "neck" UpperChest,
    Head "head" Neck,
    LeftEye "leftEye" Head,
    RightEye "rightEye" Head,
    Jaw "jaw" Head,
    LeftShoulder "leftShoulder" UpperChest,
    LeftUpperArm "leftUpperArm" LeftShoulder,
    LeftLowerArm "leftLowerArm" LeftUpperArm,
    LeftHand "leftHand" LeftLowerArm,
    RightShoulder "rightShoulder" UpperChest,
    RightUpperArm "rightUpperArm" RightShoulder,
    RightLowerArm "rightLowerArm" RightUpperArm,
    RightHand "rightHand" RightLowerArm,
    LeftUpperLeg "leftUpperLeg" Hips,
    LeftLowerLeg "leftLowerLeg" LeftUpperLeg,
    LeftFoot "leftFoot" LeftLowerLeg,
    LeftToes "leftToes" LeftFoot,
    RightUpperLeg "rightUpperLeg" Hips,
    RightLowerLeg "rightLowerLeg" RightUpperLeg,
    RightFoot "rightFoot" RightLowerLeg,
    RightToes "rightToes" RightFoot,
    LeftThumbMetacarpal "leftThumbMetacarpal" LeftHand,
    LeftThumbProximal "leftThumbProximal" LeftThumbMetacarpal,
    LeftThumbDistal "leftThumbDistal" LeftThumbProximal,
    LeftIndexProximal "leftIndexProximal" LeftHand,
    LeftIndexIntermediate "leftIndexIntermediate" LeftIndexProximal,
    LeftIndexDistal "leftIndexDistal" LeftIndexIntermediate,
    LeftMiddleProximal "leftMiddleProximal" LeftHand,
    LeftMiddleIntermediate "leftMiddleIntermediate" LeftMiddleProximal,
    LeftMiddleDistal "leftMiddleDistal" LeftMiddleIntermediate,
    LeftRingProximal "leftRingProximal" LeftHand,
    LeftRingIntermediate "leftRingIntermediate" LeftRingProximal,
    LeftRingDistal "leftRingDistal" LeftRingIntermediate,
    LeftLittleProximal "leftLittleProximal" LeftHand,
    LeftLittleIntermediate "leftLittleIntermediate" LeftLittleProximal,
    LeftLittleDistal "leftLittleDistal" LeftLittleIntermediate,
    RightThumbMetacarpal "rightThumbMetacarpal" RightHand,
    RightThumbProximal "rightThumbProximal" RightThumbMetacarpal,
    RightThumbDistal "rightThumbDistal" RightThumbProximal,
    RightIndexProximal "rightIndexProximal" RightHand,
    RightIndexIntermediate "rightIndexIntermediate" RightIndexProximal,
    RightIndexDistal "rightIndexDistal" RightIndexIntermediate,
    RightMiddleProximal "rightMiddleProximal" RightHand,
    RightMiddleIntermediate "rightMiddleIntermediate" RightMiddleProximal,
    RightMiddleDistal "rightMiddleDistal" RightMiddleIntermediate,
    RightRingProximal "rightRingProximal" RightHand,
    RightRingIntermediate "rightRingIntermediate" RightRingProximal,
    RightRingDistal "rightRingDistal" RightRingIntermediate,
    RightLittleProximal "rightLittleProximal" RightHand,
    RightLittleIntermediate "rightLittleIntermediate" RightLittleProximal,
    RightLittleDistal "rightLittleDistal" RightLittleIntermediate,
}

impl HumanBone {
    /// The 15 bones without which no humanoid can be built.
    pub const REQUIRED: [Self; 15] = [
        Self::Hips,
        Self::Spine,
        Self::Head,
        Self::LeftUpperArm,
        Self::LeftLowerArm,
        Self::LeftHand,
        Self::RightUpperArm,
        Self::RightLowerArm,
        Self::RightHand,
        Self::LeftUpperLeg,
        Self::LeftLowerLeg,
        Self::LeftFoot,
        Self::RightUpperLeg,
        Self::RightLowerLeg,
        Self::RightFoot,
    ];

    /// The bones without which no clip can be retargeted to a body: [`Self::REQUIRED`] except the
    /// hands, because an arm may end with its forearm.
    pub fn indispensable() -> impl Iterator<Item = Self> {
        Self::REQUIRED.into_iter().filter(|bone| !matches!(bone, Self::LeftHand | Self::RightHand))
    }

    /// The parent in the full VRM skeleton; `None` for the hips.
    #[must_use]
    pub fn parent(self) -> Option<Self> {
        (self != Self::Hips).then(|| self.declared_parent())
    }

    /// The bone with this VRM 1.0 name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|bone| bone.name() == name)
    }

    /// Whether the bone is in [`Self::REQUIRED`].
    #[must_use]
    pub fn is_required(self) -> bool {
        Self::REQUIRED.contains(&self)
    }

    /// The side of the body that the bone belongs to; `None` for bones on the centre line.
    #[must_use]
    pub fn side(self) -> Option<Side> {
        if self.name().starts_with("left") {
            Some(Side::Left)
        } else if self.name().starts_with("right") {
            Some(Side::Right)
        } else {
            None
        }
    }

    /// The same bone on the other side; the bone itself if it is on the centre line.
    #[must_use]
    pub fn mirrored(self) -> Self {
        let name = match self.side() {
            Some(Side::Left) => self.name().replacen("left", "right", 1),
            Some(Side::Right) => self.name().replacen("right", "left", 1),
            None => return self,
        };
        Self::from_name(&name).unwrap_or(self)
    }

    /// Shoulder, upper arm, lower arm, hand of one side.
    #[must_use]
    pub const fn arm(side: Side) -> [Self; 4] {
        match side {
            Side::Left => {
                [Self::LeftShoulder, Self::LeftUpperArm, Self::LeftLowerArm, Self::LeftHand]
            }
            Side::Right => {
                [Self::RightShoulder, Self::RightUpperArm, Self::RightLowerArm, Self::RightHand]
            }
        }
    }

    /// Upper leg, lower leg, foot, toes of one side.
    #[must_use]
    pub const fn leg(side: Side) -> [Self; 4] {
        match side {
            Side::Left => [Self::LeftUpperLeg, Self::LeftLowerLeg, Self::LeftFoot, Self::LeftToes],
            Side::Right => {
                [Self::RightUpperLeg, Self::RightLowerLeg, Self::RightFoot, Self::RightToes]
            }
        }
    }

    /// The bone of one phalanx of a finger.
    #[must_use]
    pub fn finger(side: Side, finger: Finger, phalanx: Phalanx) -> Self {
        let first = match side {
            Side::Left => Self::LeftThumbMetacarpal as usize,
            Side::Right => Self::RightThumbMetacarpal as usize,
        };
        Self::ALL[first + 3 * finger as usize + phalanx as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parents_come_before_children() {
        for bone in HumanBone::ALL {
            assert!(bone.parent().is_none_or(|parent| parent < bone), "{bone:?}");
        }
    }

    #[test]
    fn hands_are_optional_and_forearms_are_required() {
        let needed: Vec<HumanBone> = HumanBone::indispensable().collect();
        assert_eq!(needed.len(), HumanBone::REQUIRED.len() - 2);
        assert!(needed.contains(&HumanBone::LeftLowerArm));
        assert!(!needed.contains(&HumanBone::LeftHand) && !needed.contains(&HumanBone::RightHand));
    }

    #[test]
    fn mirroring_swaps_sides_and_twice_changes_nothing() {
        for bone in HumanBone::ALL {
            assert_eq!(bone.mirrored().mirrored(), bone);
            assert_eq!(bone.mirrored().side(), bone.side().map(Side::opposite));
        }
    }

    #[test]
    fn fingers_are_found_by_side_finger_and_phalanx() {
        assert_eq!(
            HumanBone::finger(Side::Right, Finger::Little, Phalanx::Third),
            HumanBone::RightLittleDistal
        );
        assert_eq!(
            HumanBone::finger(Side::Left, Finger::Thumb, Phalanx::First),
            HumanBone::LeftThumbMetacarpal
        );
    }
}
