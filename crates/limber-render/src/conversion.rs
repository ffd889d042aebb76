//! Conversions from `glam` to the `cgmath` types of three-d. No other file uses both.

use glam::{Mat4, Vec2, Vec3, Vec4};

pub(crate) fn vec2(v: Vec2) -> three_d::Vec2 {
    three_d::Vec2::new(v.x, v.y)
}

pub(crate) fn vec3(v: Vec3) -> three_d::Vec3 {
    three_d::Vec3::new(v.x, v.y, v.z)
}

pub(crate) fn vec4(v: Vec4) -> three_d::Vec4 {
    three_d::Vec4::new(v.x, v.y, v.z, v.w)
}

/// Both are column-major.
pub(crate) fn mat4(m: Mat4) -> three_d::Mat4 {
    let [x, y, z, w] = [m.x_axis, m.y_axis, m.z_axis, m.w_axis].map(vec4);
    three_d::Mat4::from_cols(x, y, z, w)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_moves_a_point_to_the_same_place_on_both_sides() {
        let matrix = Mat4::from_rotation_y(0.7) * Mat4::from_translation(Vec3::new(1.0, 2.0, 3.0));
        let point = Vec4::new(0.3, -0.2, 0.9, 1.0);
        assert_eq!(vec4(matrix * point), mat4(matrix) * vec4(point));
    }
}
