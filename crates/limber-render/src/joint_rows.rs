//! A pose on the graphics side: one texture of joint matrices for each skin.

use glam::Mat4;
use limber_animation::{Character, Deformation, Face, WorldPose};
use three_d::{Context, Interpolation, Program, Texture2D, Wrapping};

use crate::shapes::{ShapedVertices, Shapes};

/// A pose on the graphics side, for one actor.
pub(crate) struct JointRows {
    /// Whose pose; a place in the stage's cast.
    pub(crate) character: usize,
    /// One per skin, then one with a single matrix for the meshes that have none.
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

    /// What a mesh looks like with its shapes; `None` for the mesh's own vertices.
    pub(crate) fn shaped(&self, mesh: usize) -> Option<&ShapedVertices> {
        self.shapes.of(mesh)
    }

    /// Sends the matrices and the vertices of a moment.
    pub(crate) fn bend(
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

    /// Gives a program made with `skin.vert` the matrices of a skin.
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

    /// Three rows per matrix; the upload turns the order of joints round, as the shader expects.
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
