//! Keeps the travelling joint off the axes of its parent, a workaround for Blender.
//!
//! Blender's importers give a bone the average distance of its children as length, along an axis of
//! the joint. A child whose rest position is exactly the end of that bone is taken for the next
//! link of a chain and *connected*: from then on it ignores its location curves, so that a body
//! whose hips rest straight above a joint `root` would not travel. Only the hips ever travel, so it
//! is enough to keep these off all axes, by an invisible amount.
//!
//! Source: Blender 4.5, `child_connect` in `io_scene_fbx/import_fbx.py` and `create_armature_bones`
//! in `io/fbx/importer/fbx_import_armature.cc`.

use glam::{DMat3, DMat4, DVec3};
use limber_animation::Skin;

use super::{CM_PER_M, bones::centimetres};
use crate::keyed::KeyedRig;

/// Minimum distance from the axes in centimetres: ten times the tolerance of one Blender importer,
/// and more than that of the other, a millionth of the distance from the origin, up to ten metres
/// away.
const MIN_AXIS_OFFSET_CM: f64 = 1e-3;

/// Moves the rest position of the hips off the axes of their parent, if there is one.
pub(super) fn offset_hips_rest(rig: &mut KeyedRig) {
    let hips = &mut rig.joints[rig.hips];
    let place = centimetres(hips.rest_translation);
    let moved = off_axes(place);
    if hips.parent.is_some() && moved != place {
        hips.rest_translation = (moved / f64::from(CM_PER_M)).as_vec3();
    }
}

/// Does the same for the position of the hips in a skin's bind pose, which may differ from the rest
/// pose. `links` are the bind matrices of the skin's joints, `rest` the rest matrices of the rig's.
pub(super) fn offset_hips_bind(links: &mut [DMat4], skin: &Skin, rig: &KeyedRig, rest: &[DMat4]) {
    let place_of =
        |joint: usize| skin.joints.iter().position(|other| other.get() + rig.shift == joint);
    let (Some(parent), Some(hips)) = (rig.joints[rig.hips].parent, place_of(rig.hips)) else {
        return;
    };
    let above = place_of(parent).map_or(rest[parent], |place| links[place]);
    if !above.is_finite() || !links[hips].is_finite() {
        return;
    }
    // bones have no scale
    let axis = |column: glam::DVec4, otherwise| column.truncate().normalize_or(otherwise);
    let axes = DMat3::from_cols(
        axis(above.x_axis, DVec3::X),
        axis(above.y_axis, DVec3::Y),
        axis(above.z_axis, DVec3::Z),
    );
    let from = above.w_axis.truncate();
    let place = axes.transpose() * (links[hips].w_axis.truncate() - from);
    let moved = off_axes(place);
    if moved != place {
        links[hips].w_axis = (from + axes * moved).extend(1.0);
    }
}

/// Returns the position itself if it is clearly off every axis, otherwise one that is
/// [`MIN_AXIS_OFFSET_CM`] away from it.
fn off_axes(place: DVec3) -> DVec3 {
    // half of it, so that rounding does not make an already moved position move again
    let clear = |along: f64| along.abs() >= MIN_AXIS_OFFSET_CM / 2.0;
    let mut moved = place.to_array();
    for axis in 0..3 {
        let beside = moved.iter().filter(|along| clear(**along)).count();
        if beside < 2 && !clear(moved[axis]) {
            moved[axis] = MIN_AXIS_OFFSET_CM.copysign(moved[axis]);
        }
    }
    DVec3::from_array(moved)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the distance of a position from the nearest axis.
    fn beside(place: DVec3) -> f64 {
        DVec3::AXES.into_iter().map(|axis| place.cross(axis).length()).fold(f64::MAX, f64::min)
    }

    #[test]
    fn hips_on_an_axis_or_on_their_parent_are_offset_slightly() {
        for place in [DVec3::Y * 95.5, DVec3::NEG_Z * 95.5, DVec3::X, DVec3::ZERO] {
            let moved = off_axes(place);
            assert!(beside(moved) > 0.99 * MIN_AXIS_OFFSET_CM, "{moved}");
            assert!(moved.distance(place) < 2.0 * MIN_AXIS_OFFSET_CM, "{moved}");
            assert_eq!(off_axes(moved), moved);
        }
    }

    #[test]
    fn other_hips_positions_stay_exact() {
        for place in [DVec3::new(0.0, 95.5, 1.04), DVec3::new(-2.0, 0.0, 1e-3)] {
            assert_eq!(off_axes(place), place);
        }
    }
}
