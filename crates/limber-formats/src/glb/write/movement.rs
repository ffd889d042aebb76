//! Writes animations.

use gltf::json::{
    self, Index,
    animation::{Channel, Interpolation, Property, Sampler, Target},
    validation::Checked::Valid,
};

use glam::{DQuat, Quat};

use super::named;
use crate::{
    glb::{
        clip_notes,
        parts::{Parts, Purpose},
    },
    keyed::KeyedRig,
    keys,
    preset::KeyReduction,
};

/// Time accessors: one with every frame, one with only the first and the last.
struct Times {
    all: Index<json::Accessor>,
    ends: Option<Index<json::Accessor>>,
    seconds: Vec<[f32; 1]>,
}

/// Adds an animation with keys at i / fps. The joint that carries the travel keeps all its keys,
/// from which readers can tell the frame rate.
///
/// `faces` are nodes whose meshes have facial blend shapes, with their weights: `[frame][morph]`.
pub(super) fn animate(
    parts: &mut Parts,
    rig: &KeyedRig,
    fps: f32,
    (name, keys, closed): (&str, KeyReduction, bool),
    faces: &[(Index<json::Node>, Vec<Vec<f32>>)],
) {
    let frames = rig.joints[rig.hips].rotations.len();
    let seconds: Vec<[f32; 1]> = (0..frames).map(|frame| [frame as f32 / fps]).collect();
    let all = parts.bounded(&seconds, Purpose::Other);
    let mut times = Times { all, ends: None, seconds };
    let mut animation = json::Animation {
        extensions: None,
        extras: clip_notes::write(closed),
        channels: Vec::new(),
        name: named(name),
        samplers: Vec::new(),
    };
    for (place, joint) in rig.joints.iter().enumerate() {
        let needed = place == rig.hips || place < rig.shift;
        let moved: Vec<[f32; 3]> = joint.translations.iter().map(|row| row.to_array()).collect();
        if !moved.is_empty() {
            let rest = joint.rest_translation.to_array();
            let target = (place, Property::Translation);
            add_channel(parts, &mut animation, &mut times, target, (&moved, rest, needed), None);
        }
        let kept = if needed { None } else { kept_turns(&joint.rotations, keys) };
        let turned: Vec<[f32; 4]> = joint.rotations.iter().map(|row| row.to_array()).collect();
        let rest = joint.rest_rotation.to_array();
        let target = (place, Property::Rotation);
        let kept = kept.as_deref();
        add_channel(parts, &mut animation, &mut times, target, (&turned, rest, needed), kept);
    }
    for (node, rows) in faces {
        let flat: Vec<[f32; 1]> = rows.iter().flatten().map(|weight| [*weight]).collect();
        let output = parts.floats(&flat, Purpose::Other);
        let target = (node.value(), Property::MorphTargetWeights);
        push_channel(&mut animation, (times.all, output), target);
    }
    parts.document.push(animation);
}

/// Returns the frames whose keys are written; `None` for all.
fn kept_turns(turns: &[Quat], keys: KeyReduction) -> Option<Vec<usize>> {
    let KeyReduction::Bounded { degrees, .. } = keys else { return None };
    let turns: Vec<DQuat> = turns.iter().map(|turn| turn.as_dquat().normalize()).collect();
    Some(keys::kept(turns.len(), f64::from(degrees), |from, to, at| {
        let share = (at - from) as f64 / (to - from) as f64;
        turns[from].slerp(turns[to], share).angle_between(turns[at]).to_degrees()
    }))
}

/// Adds a channel unless all values equal the rest pose. A constant value gets two keys. A channel
/// that is `needed` is always written with all keys.
fn add_channel<const N: usize>(
    parts: &mut Parts,
    animation: &mut json::Animation,
    times: &mut Times,
    (node, property): (usize, Property),
    (rows, rest, needed): (&[[f32; N]], [f32; N], bool),
    kept: Option<&[usize]>,
) {
    let same = |a: &[f32; N], b: &[f32; N]| a.iter().zip(b).all(|(x, y)| (x - y).abs() < 1e-7);
    let constant = !needed && rows.len() > 2 && rows.iter().all(|row| same(row, &rows[0]));
    if !needed && rows.iter().all(|row| same(row, &rest)) {
        return;
    }
    let (input, output) = if constant {
        let (first, last) = (times.seconds[0], times.seconds[times.seconds.len() - 1]);
        let ends = *times.ends.get_or_insert_with(|| parts.bounded(&[first, last], Purpose::Other));
        (ends, parts.floats(&[rows[0], rows[0]], Purpose::Other))
    } else if let Some(kept) = kept.filter(|kept| kept.len() < rows.len()) {
        let seconds: Vec<[f32; 1]> = kept.iter().map(|frame| times.seconds[*frame]).collect();
        let rows: Vec<[f32; N]> = kept.iter().map(|frame| rows[*frame]).collect();
        (parts.bounded(&seconds, Purpose::Other), parts.floats(&rows, Purpose::Other))
    } else {
        (times.all, parts.floats(rows, Purpose::Other))
    };
    push_channel(animation, (input, output), (node, property));
}

/// Adds a channel with linear interpolation.
fn push_channel(
    animation: &mut json::Animation,
    (input, output): (Index<json::Accessor>, Index<json::Accessor>),
    (node, property): (usize, Property),
) {
    let sampler = Index::new(animation.samplers.len() as u32);
    animation.samplers.push(Sampler {
        extensions: None,
        extras: Default::default(),
        input,
        interpolation: Valid(Interpolation::Linear),
        output,
    });
    animation.channels.push(Channel {
        sampler,
        target: Target {
            extensions: None,
            extras: Default::default(),
            node: Index::new(node as u32),
            path: Valid(property),
        },
        extensions: None,
        extras: Default::default(),
    });
}
