//! Facial animation as morph target weights of a mesh.

use limber_animation::{Clip, Mesh, Pose};

/// Returns the weights of a mesh's morph targets in every frame: `[frame][morph]`, 0 to 1. `None`
/// if the clip has no facial animation or the mesh has no ARKit blend shapes.
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
