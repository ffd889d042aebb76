//! Overlays on the bodies: bones, contact rings and the world axes.

use glam::{Mat4, Vec3};
use limber_animation::{ContactPoint, Contacts, HumanBone, Side, Skeleton, WorldPose};
use three_d::{
    Blend, Context, Cull, InstanceBuffer, Program, RenderStates, VertexBuffer, Viewport, WriteMask,
};

use crate::{RenderError, conversion};

const LEFT: [f32; 4] = [0.36, 0.78, 0.86, 0.94];
const RIGHT: [f32; 4] = [0.96, 0.66, 0.36, 0.94];
const MIDDLE: [f32; 4] = [0.86, 0.88, 0.92, 0.94];
/// Colour of the contact rings.
const MARK: Vec3 = Vec3::new(0.40, 0.88, 0.72);

/// Axis names, directions and their usual colours in 3D editors.
pub(crate) const AXES: [(&str, Vec3, [f32; 4]); 3] = [
    ("X", Vec3::X, [0.93, 0.36, 0.36, 0.94]),
    ("Y", Vec3::Y, [0.50, 0.80, 0.36, 0.94]),
    ("Z", Vec3::Z, [0.38, 0.56, 0.95, 0.94]),
];
/// Length of the axes for an adult-sized body, in metres.
pub(crate) const AXIS_LENGTH: f32 = 0.6;

/// An octahedron as (position along the bone, or 2 for its widest ring; offset along both
/// transverse axes).
#[rustfmt::skip]
const OCTAHEDRON: [[f32; 3]; 24] = {
    const A: [f32; 3] = [0.0, 0.0, 0.0];
    const Z: [f32; 3] = [1.0, 0.0, 0.0];
    const E: [f32; 3] = [2.0, 1.0, 0.0];
    const N: [f32; 3] = [2.0, 0.0, 1.0];
    const W: [f32; 3] = [2.0, -1.0, 0.0];
    const S: [f32; 3] = [2.0, 0.0, -1.0];
    [A, E, N, A, N, W, A, W, S, A, S, E, Z, N, E, Z, W, N, Z, S, W, Z, E, S]
};

/// Two triangles that cover −1 to 1.
pub(crate) const SQUARE: [[f32; 2]; 6] =
    [[-1.0, -1.0], [-1.0, 1.0], [1.0, 1.0], [-1.0, -1.0], [1.0, 1.0], [1.0, -1.0]];

/// Returns the overlay colour for a side of the body.
pub(crate) const fn tint(side: Option<Side>) -> [f32; 4] {
    match side {
        Some(Side::Left) => LEFT,
        Some(Side::Right) => RIGHT,
        None => MIDDLE,
    }
}

/// Instance data of octahedra: (start, half the thickness), (end, position of the ring along the
/// bone), colour.
#[derive(Default)]
pub(crate) struct Bones {
    starts: Vec<[f32; 4]>,
    ends: Vec<[f32; 4]>,
    tints: Vec<[f32; 4]>,
}

impl Bones {
    /// Adds a posed skeleton: an octahedron from every joint to each of its children, and a small
    /// one at the joint itself.
    pub(crate) fn add(&mut self, skeleton: &Skeleton, world: &WorldPose, offset: Vec3, scale: f32) {
        for index in skeleton.indices() {
            let joint = skeleton.joint(index);
            let here = world.position(index) + offset;
            let tint = tint(joint.bone.and_then(HumanBone::side));
            let mut size = 0.012 * scale;
            if let Some(parent) = joint.parent {
                let there = world.position(parent) + offset;
                let length = here.distance(there);
                let width = (length * 0.085).min(0.028 * scale);
                size = size.min(length * 0.16);
                self.push(there, here, width, 0.16, tint);
            }
            if size > 1e-4 * scale {
                self.push(here - Vec3::Y * size, here + Vec3::Y * size, size, 0.5, tint);
            }
        }
    }

    /// Adds the world axes.
    pub(crate) fn add_axes(&mut self, scale: f32) {
        for (_, way, tint) in AXES {
            self.push(Vec3::ZERO, way * AXIS_LENGTH * scale, 0.012 * scale, 0.06, tint);
        }
    }

    fn push(&mut self, start: Vec3, end: Vec3, width: f32, ring: f32, tint: [f32; 4]) {
        if start.distance_squared(end) > 1e-12 {
            self.starts.push(start.extend(width).to_array());
            self.ends.push(end.extend(ring).to_array());
            self.tints.push(tint);
        }
    }
}

/// Returns a ring on the floor for each contact point: (x, height, z, radius).
pub(crate) fn marks(
    skeleton: &Skeleton,
    world: &WorldPose,
    contacts: Contacts,
    offset: Vec3,
    scale: f32,
) -> Vec<[f32; 4]> {
    let touching = ContactPoint::ALL.into_iter().filter(|point| contacts.has(*point));
    touching
        .filter_map(|point| {
            let (bone, radius) = match point {
                ContactPoint::Heel(Side::Left) => (HumanBone::LeftFoot, 0.075),
                ContactPoint::Heel(Side::Right) => (HumanBone::RightFoot, 0.075),
                ContactPoint::Toe(Side::Left) => (HumanBone::LeftToes, 0.06),
                ContactPoint::Toe(Side::Right) => (HumanBone::RightToes, 0.06),
            };
            let at = world.position(skeleton.find(bone)?) + offset;
            Some([at.x, 0.004 * scale, at.z, radius * scale])
        })
        .collect()
}

/// Draws bones and contact rings.
pub(crate) struct Overlay {
    bone: Program,
    mark: Program,
    octahedron: VertexBuffer<[f32; 3]>,
    square: VertexBuffer<[f32; 2]>,
    context: Context,
}

impl Overlay {
    pub(crate) fn new(context: &Context) -> Result<Self, RenderError> {
        let program = |vertex, fragment| Program::from_source(context, vertex, fragment);
        Ok(Self {
            bone: program(include_str!("shaders/bone.vert"), include_str!("shaders/bone.frag"))?,
            mark: program(include_str!("shaders/mark.vert"), include_str!("shaders/mark.frag"))?,
            octahedron: VertexBuffer::new_with_data(context, &OCTAHEDRON),
            square: VertexBuffer::new_with_data(context, &SQUARE),
            context: context.clone(),
        })
    }

    pub(crate) fn draw_bones(
        &self,
        bones: &Bones,
        eye: Vec3,
        view_projection: Mat4,
        viewport: Viewport,
    ) {
        let count = bones.starts.len() as u32;
        if count == 0 {
            return;
        }
        let program = &self.bone;
        program.use_uniform("viewProjection", conversion::mat4(view_projection));
        program.use_uniform("eye", conversion::vec3(eye));
        program.use_vertex_attribute("shape", &self.octahedron);
        // the buffers must live until they are drawn
        let lists = [("start", &bones.starts), ("end", &bones.ends), ("tint", &bones.tints)]
            .map(|(name, data)| (name, InstanceBuffer::new_with_data(&self.context, data)));
        for (name, list) in &lists {
            program.use_instance_attribute(name, list);
        }
        let states = RenderStates { blend: Blend::TRANSPARENCY, ..RenderStates::default() };
        program.draw_arrays_instanced(states, viewport, OCTAHEDRON.len() as u32, count);
    }

    pub(crate) fn draw_marks(&self, marks: &[[f32; 4]], view_projection: Mat4, viewport: Viewport) {
        if marks.is_empty() {
            return;
        }
        let program = &self.mark;
        program.use_uniform("viewProjection", conversion::mat4(view_projection));
        program.use_uniform("markColor", conversion::vec3(MARK));
        program.use_vertex_attribute("corner", &self.square);
        let instances = InstanceBuffer::new_with_data(&self.context, marks);
        program.use_instance_attribute("mark", &instances);
        let states = RenderStates {
            blend: Blend::TRANSPARENCY,
            write_mask: WriteMask::COLOR,
            cull: Cull::None,
            ..RenderStates::default()
        };
        program.draw_arrays_instanced(states, viewport, 6, marks.len() as u32);
    }
}

#[cfg(test)]
mod tests {
    use limber_animation::canonical_skeleton;

    use super::*;

    #[test]
    fn every_joint_but_the_root_has_a_bone_and_left_differs_from_right() {
        let skeleton = canonical_skeleton();
        let mut bones = Bones::default();
        bones.add(&skeleton, &skeleton.rest_world(), Vec3::ZERO, 1.0);
        assert_eq!(bones.starts.len(), 2 * skeleton.len() - 1);
        assert!(bones.tints.contains(&LEFT) && bones.tints.contains(&RIGHT));
    }

    #[test]
    fn rings_are_under_planted_feet() {
        let skeleton = canonical_skeleton();
        let world = skeleton.rest_world();
        let offset = Vec3::new(2.0, 0.0, 0.0);
        let rings = marks(&skeleton, &world, Contacts::from_bits(1), offset, 1.0);
        assert_eq!(rings.len(), 1);
        assert!((rings[0][0] - 2.092).abs() < 1e-3 && rings[0][1] < 0.01);
        assert!(marks(&skeleton, &world, Contacts::NONE, offset, 1.0).is_empty());
    }
}
