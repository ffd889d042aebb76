//! Writes joints as limb nodes, and the bind pose.

use std::f64::consts::PI;

use glam::{DMat4, DQuat, DVec3, EulerRot, Quat, Vec3};

use super::{
    CM_PER_M,
    properties::{choice, int, local, properties, switch, vector},
    record::{Record, Value},
    scene::{Id, Kind, Scene},
};
use crate::keyed::KeyedRig;

/// `FbxTransform::eInheritRSrs`: the parent's scale also applies to rotated children.
const INHERIT_RSRS: i32 = 1;
/// `FbxEuler::eOrderXYZ`: about X first.
const XYZ: i32 = 0;

/// Adds every joint of the rig and returns their ids.
///
/// Unreal requires a single root joint, so if there are several, a new one is added above them.
pub(super) fn add(scene: &mut Scene, rig: &KeyedRig) -> Vec<Id> {
    let tops = rig.joints.iter().filter(|joint| joint.parent.is_none()).count();
    let mut ids: Vec<Id> = Vec::with_capacity(rig.joints.len());
    let top = if tops > 1 {
        // the joints must keep their names, so avoid these
        let taken = rig.joints.iter().any(|joint| joint.name == "armature");
        let name = if taken { "armature_above" } else { "armature" };
        let top = limb(scene, name, Vec3::ZERO, Quat::IDENTITY);
        scene.connect(top, Id::SCENE);
        top
    } else {
        Id::SCENE
    };
    for joint in &rig.joints {
        let id = limb(scene, &joint.name, joint.rest_translation, joint.rest_rotation);
        scene.connect(id, joint.parent.map_or(top, |parent| ids[parent]));
        ids.push(id);
    }
    ids
}

fn limb(scene: &mut Scene, name: &str, translation: Vec3, rotation: Quat) -> Id {
    let flags = Record::leaf("TypeFlags", "Skeleton");
    let attribute = scene.add(Kind::NodeAttribute, name, "LimbNode", [flags]);
    let angles = degrees(euler(rotation.as_dquat().normalize()));
    let id = scene.add_model(name, "LimbNode", placed(centimetres(translation), angles));
    scene.connect(attribute, id);
    id
}

/// Returns the records for the transform of a model: translation in centimetres, angles in degrees.
pub(super) fn placed(translation: DVec3, angles: DVec3) -> [Record; 4] {
    [
        Record::leaf("Version", 232),
        properties([
            switch("RotationActive", true),
            choice("RotationOrder", XYZ),
            vector("PreRotation", DVec3::ZERO),
            choice("InheritType", INHERIT_RSRS),
            int("DefaultAttributeIndex", 0),
            local("Lcl Translation", translation),
            local("Lcl Rotation", angles),
            local("Lcl Scaling", DVec3::ONE),
        ]),
        Record::leaf("Shading", Value::Byte(b'Y')),
        Record::leaf("Culling", "CullingOff"),
    ]
}

/// Adds the bind pose.
pub(super) fn add_bind_pose(scene: &mut Scene, nodes: &[(Id, DMat4)]) {
    let count = nodes.len() as i32;
    let rows = nodes.iter().map(|(id, matrix)| {
        let matrix = matrix.to_cols_array().to_vec();
        Record::new("PoseNode").nest([Record::leaf("Node", *id), Record::leaf("Matrix", matrix)])
    });
    let head = [
        Record::leaf("Type", "BindPose"),
        Record::leaf("Version", 100),
        Record::leaf("NbPoseNodes", count),
    ];
    scene.add(Kind::Pose, "BindPose", "BindPose", head.into_iter().chain(rows));
}

/// Converts a position to centimetres, rounded to 32 bits as before.
pub(super) fn centimetres(metres: Vec3) -> DVec3 {
    (metres * CM_PER_M).as_dvec3()
}

/// Returns Euler angles in radians about X, then Y, then Z, all in the parent's space.
pub(super) fn euler(turn: DQuat) -> DVec3 {
    let (z, y, x) = turn.to_euler(EulerRot::ZYX);
    DVec3::new(x, y, z)
}

/// Returns the rotation for three Euler angles in degrees, composed as in the FBX SDK.
pub(super) fn turn(degrees: DVec3) -> DQuat {
    let radians = degrees * (PI / 180.0);
    DQuat::from_euler(EulerRot::ZYX, radians.z, radians.y, radians.x)
}

pub(super) fn degrees(angles: DVec3) -> DVec3 {
    angles * (180.0 / PI)
}

/// Returns Euler angles in degrees; of all equivalent triples the one nearest to the previous
/// frame.
pub(super) fn unwrapped(turn: DQuat, last: Option<DVec3>) -> DVec3 {
    let first = euler(turn);
    let second = DVec3::new(first.x + PI, PI - first.y, first.z + PI);
    let Some(last) = last else { return degrees(first) };
    let near = |angles: DVec3| {
        let angles = degrees(angles);
        angles - ((angles - last) / 360.0).round() * 360.0
    };
    let (first, second) = (near(first), near(second));
    if (first - last).length_squared() <= (second - last).length_squared() { first } else { second }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Composes the three rotations as the FBX SDK does.
    fn back(angles: DVec3) -> DQuat {
        let radians = angles * (PI / 180.0);
        DQuat::from_rotation_z(radians.z)
            * DQuat::from_rotation_y(radians.y)
            * DQuat::from_rotation_x(radians.x)
    }

    proptest::proptest! {
        #[test]
        fn euler_angles_represent_the_rotation_and_never_jump(
            axis in proptest::array::uniform3(-1.0..1.0_f64),
            start in -10.0..10.0_f64,
        ) {
            let axis = DVec3::from_array(axis).normalize_or(DVec3::Y);
            let mut last: Option<DVec3> = None;
            for step in 0..200 {
                let turn = DQuat::from_axis_angle(axis, start + 0.05 * f64::from(step));
                let angles = unwrapped(turn, last);
                proptest::prop_assert!(back(angles).angle_between(turn) < 1e-6);
                proptest::prop_assert!(super::turn(angles).angle_between(turn) < 1e-6);
                if let Some(last) = last {
                    // the two equivalent triples differ by half a turn in two of the angles
                    proptest::prop_assert!((angles - last).abs().max_element() <= 180.0 + 1e-9);
                }
                last = Some(angles);
            }
        }
    }
}
