//! Writes morph targets as blend shapes.

use glam::DVec3;
use limber_animation::{Mesh, Morph};

use super::{
    body::{Binding, Points},
    bones::centimetres,
    properties::{number, properties},
    record::Record,
    scene::{Id, Kind, Scene},
};

/// Offsets shorter than this are omitted, in centimetres.
const STILL_CM: f64 = 1e-6;

/// The animated property of a channel: its weight in percent.
pub(super) const PERCENT: &str = "DeformPercent";

/// Adds a channel with weight 0 for every morph target of a mesh, and returns their ids in order.
pub(super) fn add(
    scene: &mut Scene,
    geometry: Id,
    (mesh, points): (&Mesh, &Points),
    binding: &Binding,
) -> Vec<Id> {
    if mesh.morphs.is_empty() {
        return Vec::new();
    }
    let version = Record::leaf("Version", 100);
    let deformer = scene.add(Kind::Deformer, &mesh.name, "BlendShape", [version]);
    scene.connect(deformer, geometry);
    let mut channel_of = |morph: &Morph| {
        let nested = [
            Record::leaf("Version", 100),
            Record::leaf("DeformPercent", 0.0),
            Record::leaf("FullWeights", vec![100.0]),
            properties([number(PERCENT, 0.0)]),
        ];
        let channel = scene.add(Kind::SubDeformer, &morph.name, "BlendShapeChannel", nested);
        let shape = scene.add(Kind::Geometry, &morph.name, "Shape", shape(morph, points, binding));
        scene.connect(channel, deformer);
        scene.connect(shape, channel);
        channel
    };
    mesh.morphs.iter().map(&mut channel_of).collect()
}

/// Returns the records for the offsets of a morph target.
fn shape(morph: &Morph, points: &Points, binding: &Binding) -> [Record; 4] {
    let mut rows = Vec::new();
    let (mut offsets, mut bends) = (Vec::new(), Vec::new());
    for (point, vertex) in points.vertex.iter().enumerate() {
        let offset = binding.turned(centimetres(morph.positions[*vertex]));
        if offset.abs().max_element() < STILL_CM {
            continue;
        }
        rows.push(point as i32);
        offsets.extend(offset.to_array());
        let bend = morph.normals.get(*vertex).map_or(DVec3::ZERO, |bend| bend.as_dvec3());
        // the bind transform has uniform scale, so normals only rotate
        bends.extend((binding.turned(bend).normalize_or_zero() * bend.length()).to_array());
    }
    [
        Record::leaf("Version", 100),
        Record::leaf("Indexes", rows),
        Record::leaf("Vertices", offsets),
        Record::leaf("Normals", bends),
    ]
}
