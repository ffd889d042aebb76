//! Uploads a pose: one texture of joint matrices per skin.

use glam::Mat4;
use limber_animation::{Character, Deformation, Face, WorldPose};
use three_d::{Context, Interpolation, Program, Texture2D, Wrapping};

use crate::shapes::{ShapedVertices, Shapes};

/// The pose of one actor on the GPU.
pub(crate) struct JointRows {
    /// Index of the actor's character in the stage's cast.
    pub(crate) character: usize,
    /// One texture per skin, then one with a single matrix for meshes without a skin.
    skins: Vec<Rows>,
    shapes: Shapes,
}

struct Rows {
    texture: Texture2D,
    count: usize,
}

impl JointRows {
    pub(crate) fn new(context: &Context, character: usize, of: &Character) -> Self {
        let mut skins: Vec<_> =
            of.skins.iter().map(|skin| Rows::new(context, skin.joints.len())).collect();
        let rigid = Rows::new(context, 1);
        rigid.fill(&[Mat4::IDENTITY]);
        skins.push(rigid);
        Self { character, skins, shapes: Shapes::new(context, of) }
    }

    /// Returns the morphed vertices of a mesh; `None` if its own vertices are to be drawn.
    pub(crate) fn shaped(&self, mesh: usize) -> Option<&ShapedVertices> {
        self.shapes.of(mesh)
    }

    /// Uploads the joint matrices and morphed vertices of a frame.
    pub(crate) fn upload_pose(
        &mut self,
        character: &Character,
        (world, face): (&WorldPose, &Face),
        deformation: Option<&Deformation>,
    ) {
        self.shapes.show(character, face, deformation);
        for (place, (rows, skin)) in self.skins.iter().zip(&character.skins).enumerate() {
            match deformation {
                Some(deformation) => rows.fill(&deformation.skins[place]),
                None => rows.fill(&skin.matrices(world)),
            }
        }
    }

    /// Binds the joint matrices of a skin to a program that uses `skin.vert`.
    pub(crate) fn bind(&self, program: &Program, skin: usize) {
        let rows = &self.skins[skin];
        program.use_texture("jointRows", &rows.texture);
        program.use_uniform("jointCount", rows.count as i32);
    }
}

impl Rows {
    fn new(context: &Context, count: usize) -> Self {
        let (nearest, clamp) = (Interpolation::Nearest, Wrapping::ClampToEdge);
        let texture = Texture2D::new_empty::<[f32; 4]>(
            context,
            3,
            count as u32,
            nearest,
            nearest,
            None,
            clamp,
            clamp,
        );
        Self { texture, count }
    }

    /// Uploads three rows per matrix. The upload flips the texture vertically; the shader expects
    /// that.
    fn fill(&self, matrices: &[Mat4]) {
        let rows: Vec<[f32; 4]> = matrices
            .iter()
            .flat_map(|matrix| {
                let turned = matrix.transpose();
                [turned.x_axis, turned.y_axis, turned.z_axis].map(|row| row.to_array())
            })
            .collect();
        self.texture.fill(&rows);
    }
}
