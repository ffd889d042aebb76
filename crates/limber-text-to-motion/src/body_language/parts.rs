//! Groups body parts by the limb that moves them.

use limber_script::BodyPart;

/// The limb that moves a body part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Limb {
    /// An arm, positioned by its hand.
    Hand,
    /// A leg, positioned by its foot.
    Foot,
    Head,
    Trunk,
}

/// The limb that moves this part.
pub(crate) const fn limb(part: BodyPart) -> Limb {
    match part {
        BodyPart::Arm
        | BodyPart::UpperArm
        | BodyPart::Elbow
        | BodyPart::Forearm
        | BodyPart::Wrist
        | BodyPart::Hand
        | BodyPart::Fist
        | BodyPart::Fingers
        | BodyPart::Thumb
        | BodyPart::IndexFinger => Limb::Hand,
        BodyPart::Leg
        | BodyPart::Thigh
        | BodyPart::Knee
        | BodyPart::Shin
        | BodyPart::Ankle
        | BodyPart::Foot
        | BodyPart::Heel
        | BodyPart::Toes => Limb::Foot,
        BodyPart::Head
        | BodyPart::Face
        | BodyPart::Eyes
        | BodyPart::Mouth
        | BodyPart::Chin
        | BodyPart::Ear
        | BodyPart::Neck => Limb::Head,
        BodyPart::Shoulder
        | BodyPart::UpperBody
        | BodyPart::Chest
        | BodyPart::Back
        | BodyPart::Belly
        | BodyPart::Waist
        | BodyPart::Hips
        | BodyPart::Buttocks
        | BodyPart::WholeBody => Limb::Trunk,
    }
}

/// Whether the body has one of these on either side.
pub(crate) fn is_of_two(part: BodyPart) -> bool {
    part == BodyPart::Shoulder || matches!(limb(part), Limb::Hand | Limb::Foot)
}
