//! Writes the animation: one stack with one layer, and a curve for every value that changes.

use glam::{DQuat, DVec3};

use super::{
    Timing,
    bones::{centimetres, degrees, euler, turn, unwrapped},
    properties::{number, properties, time},
    record::Record,
    scene::{Id, Kind, Scene},
    shapes::PERCENT,
};
use crate::{
    keyed::{KeyedJoint, KeyedRig},
    keys,
    preset::KeyReduction,
};

/// Linear interpolation, as the FBX SDK marks it.
const LINEAR_KEYS: i32 = 0x6104;
/// Tangent data that linear keys do not use: the SDK's default weights, packed into one number.
const NO_TANGENTS: [u32; 4] = [0, 0, 0x0D05_0505, 0];
/// Differences up to this count as equal, in degrees and centimetres.
const SAME: f64 = 1e-5;

/// Adds the animation under its name and returns its layer.
pub(super) fn add(
    scene: &mut Scene,
    (rig, ids): (&KeyedRig, &[Id]),
    timing: &Timing,
    (name, keys): (&str, KeyReduction),
) -> Id {
    let span = [
        time("LocalStart", 0),
        time("LocalStop", timing.last()),
        time("ReferenceStart", 0),
        time("ReferenceStop", timing.last()),
    ];
    let stack = scene.add(Kind::AnimationStack, name, "", [properties(span)]);
    let layer = scene.add(Kind::AnimationLayer, name, "", []);
    scene.connect(layer, stack);
    for (place, (joint, id)) in rig.joints.iter().zip(ids).enumerate() {
        let needed = place == rig.hips || place < rig.shift;
        let mut track = Track { scene, timing, layer, model: *id, needed };
        let rest = centimetres(joint.rest_translation);
        let moved: Vec<DVec3> = joint.translations.iter().copied().map(centimetres).collect();
        track.add("T", "Lcl Translation", (&moved, &kept_places(&moved, keys)), rest);
        let turned = angles(joint);
        track.add("R", "Lcl Rotation", (&turned, &kept_turns(&turned, keys)), rest_angles(joint));
    }
    layer
}

/// Adds a curve for every blend shape that is ever active. `weights` are `[frame][shape]`, 0 to 1.
pub(super) fn add_shapes(
    scene: &mut Scene,
    layer: Id,
    timing: &Timing,
    (channels, weights): (&[Id], &[Vec<f32>]),
) {
    const PROPERTY: &str = "d|DeformPercent";
    let all: Vec<usize> = (0..weights.len()).collect();
    for (shape, channel) in channels.iter().enumerate() {
        let percent: Vec<f32> = weights.iter().map(|row| 100.0 * row[shape]).collect();
        if percent.iter().all(|value| f64::from(*value) < SAME) {
            continue;
        }
        let value = properties([number(PROPERTY, f64::from(percent[0]))]);
        let node = scene.add(Kind::AnimationCurveNode, PERCENT, "", [value]);
        scene.connect(node, layer);
        scene.drive(node, *channel, PERCENT);
        let curve = curve(scene, timing, &percent, &all);
        scene.drive(curve, node, PROPERTY);
    }
}

/// Returns the frames of a translation whose keys are written.
fn kept_places(rows: &[DVec3], keys: KeyReduction) -> Vec<usize> {
    let KeyReduction::Bounded { millimetres, .. } = keys else { return (0..rows.len()).collect() };
    let bound = f64::from(millimetres) / 10.0;
    keys::kept(rows.len(), bound, |from, to, at| line(rows, from, to, at).distance(rows[at]))
}

/// Returns the frames of a rotation whose keys are written. Readers interpolate the Euler angles
/// linearly, so the error is that of the resulting rotation.
fn kept_turns(rows: &[DVec3], keys: KeyReduction) -> Vec<usize> {
    let KeyReduction::Bounded { degrees, .. } = keys else { return (0..rows.len()).collect() };
    let meant: Vec<DQuat> = rows.iter().map(|row| turn(*row)).collect();
    keys::kept(rows.len(), f64::from(degrees), |from, to, at| {
        turn(line(rows, from, to, at)).angle_between(meant[at]).to_degrees()
    })
}

fn line(rows: &[DVec3], from: usize, to: usize, at: usize) -> DVec3 {
    rows[from].lerp(rows[to], (at - from) as f64 / (to - from) as f64)
}

fn rest_angles(joint: &KeyedJoint) -> DVec3 {
    degrees(euler(joint.rest_rotation.as_dquat().normalize()))
}

/// Returns Euler angles in degrees per frame, starting as near to the rest pose as possible.
fn angles(joint: &KeyedJoint) -> Vec<DVec3> {
    let mut last = Some(rest_angles(joint));
    joint
        .rotations
        .iter()
        .map(|turn| {
            let next = unwrapped(turn.as_dquat().normalize(), last);
            last = Some(next);
            next
        })
        .collect()
}

struct Track<'a> {
    scene: &'a mut Scene,
    timing: &'a Timing,
    layer: Id,
    model: Id,
    needed: bool,
}

impl Track<'_> {
    /// Adds three curves unless all values equal the rest pose.
    fn add(
        &mut self,
        short: &str,
        property: &str,
        (rows, kept): (&[DVec3], &[usize]),
        rest: DVec3,
    ) {
        let still = |row: &DVec3| (*row - rest).abs().max_element() < SAME;
        if rows.is_empty() || (!self.needed && rows.iter().all(still)) {
            return;
        }
        let axes = ["d|X", "d|Y", "d|Z"];
        let first = rows[0].to_array();
        let values = axes.into_iter().zip(first).map(|(axis, value)| number(axis, value));
        let node = self.scene.add(Kind::AnimationCurveNode, short, "", [properties(values)]);
        self.scene.connect(node, self.layer);
        self.scene.drive(node, self.model, property);
        for (axis, name) in axes.into_iter().enumerate() {
            let column: Vec<f32> = rows.iter().map(|row| row[axis] as f32).collect();
            let curve = curve(self.scene, self.timing, &column, kept);
            self.scene.drive(curve, node, name);
        }
    }
}

/// Adds a curve; a constant one gets only the first and the last key.
fn curve(scene: &mut Scene, timing: &Timing, column: &[f32], kept: &[usize]) -> Id {
    let last = column.len() - 1;
    let constant = column.iter().all(|value| f64::from((value - column[0]).abs()) < SAME);
    let ends = [0, last];
    let frames = if constant && last > 0 { &ends[..] } else { kept };
    let times: Vec<i64> = frames.iter().map(|frame| timing.ticks(*frame)).collect();
    let values: Vec<f32> = frames.iter().map(|frame| column[*frame]).collect();
    let count = frames.len() as i32;
    let tangents: Vec<f32> = NO_TANGENTS.map(f32::from_bits).to_vec();
    scene.add(
        Kind::AnimationCurve,
        "",
        "",
        [
            Record::leaf("Default", f64::from(column[0])),
            Record::leaf("KeyVer", 4009),
            Record::leaf("KeyTime", times),
            Record::leaf("KeyValueFloat", values),
            Record::leaf("KeyAttrFlags", vec![LINEAR_KEYS]),
            Record::leaf("KeyAttrDataFloat", tangents),
            Record::leaf("KeyAttrRefCount", vec![count]),
        ],
    )
}
