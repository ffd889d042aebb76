//! Naming schemes of motion capture.

use limber_animation::HumanBone as B;

use super::Extra::{At, Between, Tips};
use super::{NO_FINGERS, NUMBERS, Scheme, plain};

const HAND: [(&str, [&str; 3]); 5] = plain(
    ["LeftHandThumb", "LeftHandIndex", "LeftHandMiddle", "LeftHandRing", "LeftHandPinky"],
    NUMBERS,
);

pub(super) const CAPTURE: [Scheme; 8] = [
    Scheme {
        convention: "SMPL",
        trunk: ["pelvis", "spine1", "spine2", "spine3", "neck", "head"],
        arm: ["left_collar", "left_shoulder", "left_elbow", "left_wrist"],
        leg: ["left_hip", "left_knee", "left_ankle", "left_foot"],
        face: ["left_eye", "jaw"],
        fingers: plain(
            ["left_thumb", "left_index", "left_middle", "left_ring", "left_pinky"],
            NUMBERS,
        ),
        finger_tail: "",
        extras: &[],
    },
    Scheme {
        convention: "HumanML3D",
        trunk: ["0", "3", "6", "9", "12", "15"],
        arm: ["13~14", "16~17", "18~19", "20~21"],
        leg: ["1~2", "4~5", "7~8", "10~11"],
        face: ["-", "-"],
        fingers: NO_FINGERS,
        finger_tail: "",
        extras: &[],
    },
    Scheme {
        convention: "CMU BVH",
        trunk: ["Hips", "LowerBack", "Spine", "Spine1", "Neck", "Head"],
        arm: ["LeftShoulder", "LeftArm", "LeftForeArm", "LeftHand"],
        leg: ["LeftUpLeg", "LeftLeg", "LeftFoot", "LeftToeBase"],
        face: ["-", "-"],
        fingers: NO_FINGERS,
        finger_tail: "",
        extras: &[
            Between("LHipJoint", B::Hips, B::LeftUpperLeg),
            Between("Neck1", B::Neck, B::Head),
            At("LeftFingerBase", B::LeftHand),
            At("LThumb", B::LeftHand),
        ],
    },
    Scheme {
        convention: "CMU ASF/AMC",
        trunk: ["root", "lowerback", "upperback", "thorax", "lowerneck", "head"],
        arm: ["lclavicle", "lhumerus", "lradius", "lwrist"],
        leg: ["lfemur", "ltibia", "lfoot", "ltoes"],
        face: ["-", "-"],
        fingers: NO_FINGERS,
        finger_tail: "",
        extras: &[
            Between("lhipjoint", B::Hips, B::LeftUpperLeg),
            Between("upperneck", B::Neck, B::Head),
            At("lhand", B::LeftHand),
            At("lthumb", B::LeftHand),
        ],
    },
    Scheme {
        convention: "Xsens",
        trunk: ["Hips", "Chest", "Chest2", "Chest4", "Neck", "Head"],
        arm: ["LeftCollar", "LeftShoulder", "LeftElbow", "LeftWrist"],
        leg: ["LeftHip", "LeftKnee", "LeftAnkle", "LeftToe"],
        face: ["-", "-"],
        fingers: NO_FINGERS,
        finger_tail: "",
        extras: &[Between("Chest3", B::Chest, B::UpperChest)],
    },
    Scheme {
        convention: "LaFAN1",
        trunk: ["Hips", "Spine", "Spine1", "Spine2", "Neck", "Head"],
        arm: ["LeftShoulder", "LeftArm", "LeftForeArm", "LeftHand"],
        leg: ["LeftUpLeg", "LeftLeg", "LeftFoot", "LeftToe"],
        face: ["-", "-"],
        fingers: NO_FINGERS,
        finger_tail: "",
        extras: &[],
    },
    Scheme {
        convention: "SOMA",
        trunk: ["Hips", "Spine1", "Spine2", "Chest", "Neck1", "Head"],
        arm: ["LeftShoulder", "LeftArm", "LeftForeArm", "LeftHand"],
        leg: ["LeftLeg", "LeftShin", "LeftFoot", "LeftToeBase"],
        face: ["LeftEye", "Jaw"],
        fingers: [
            ("LeftHandThumb", ["1", "2", "3"]),
            ("LeftHandIndex", ["2", "3", "4"]),
            ("LeftHandMiddle", ["2", "3", "4"]),
            ("LeftHandRing", ["2", "3", "4"]),
            ("LeftHandPinky", ["2", "3", "4"]),
        ],
        finger_tail: "",
        extras: &[
            Between("Neck2", B::Neck, B::Head),
            Between("LeftHandIndex1", B::LeftHand, B::LeftIndexProximal),
            Between("LeftHandMiddle1", B::LeftHand, B::LeftMiddleProximal),
            Between("LeftHandRing1", B::LeftHand, B::LeftRingProximal),
            Between("LeftHandPinky1", B::LeftHand, B::LeftLittleProximal),
            Tips("End"),
        ],
    },
    Scheme {
        convention: "Rokoko Newton",
        trunk: ["Hips", "Spine1", "Spine2", "Spine4", "Neck", "Head"],
        arm: ["LeftShoulder", "LeftArm", "LeftForeArm", "LeftHand"],
        leg: ["LeftThigh", "LeftShin", "LeftFoot", "LeftToe"],
        face: ["-", "-"],
        fingers: HAND,
        finger_tail: "",
        extras: &[Between("Spine3", B::Chest, B::UpperChest)],
    },
];
