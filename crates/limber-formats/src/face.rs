//! A clip's faces as weights of a mesh's own shapes.

use limber_animation::{Clip, Mesh, Pose};

/// How much a mesh is drawn towards each of its shapes in every frame: `[frame][morph]`, 0 to 1. `None`
/// when the clip's faces are unknown or the mesh has none of ARKit's shapes.
pub(crate) fn weights_over_time(mesh: &Mesh, clip: &Clip) -> Option<Vec<Vec<f32>>> {
    let known = clip.frames().iter().any(|pose| pose.face.weights().is_some());
    if !known || mesh.morphs.is_empty() {
        return None;
    }
    let places = mesh.arkit_shapes();
    if places.iter().all(Option::is_none) {
        return None;
    }
    let row = |pose: &Pose| {
        places.iter().map(|place| place.map_or(0.0, |shape| pose.face.weight(shape))).collect()
    };
    Some(clip.frames().iter().map(row).collect())
}
