//! A character's GPU resources: vertex buffers, materials and textures.

use glam::Mat4;
use image::{ImageReader, Limits, imageops::FilterType};
use limber_animation::{Alpha, Character, ImageEncoding, Material, Mesh, Wrap};
use three_d::{
    Blend, Context, CpuTexture, Cull, DepthTest, ElementBuffer, Interpolation, Mipmap, Program,
    RenderStates, Texture2D, TextureData, VertexBuffer, Viewport, Wrapping, WriteMask,
};

use crate::{
    BodyBounds, RenderError, coarse::coarse_indices, conversion, joint_rows::JointRows,
    shapes::ShapedVertices,
};

/// Larger textures are scaled down to this size, in pixels; screens do not show more detail.
const MAX_TEXTURE_SIDE: u32 = 2048;
/// Maximum memory for decoding a texture, in bytes.
const MAX_PICTURE_BYTES: u64 = 256 * 1024 * 1024;

/// Which triangles are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Detail {
    /// All triangles.
    Full,
    /// A coarse mesh, for images in which fine triangles are smaller than a pixel.
    Small,
    /// A coarse mesh without face culling, for shadow maps.
    Shadow,
}

/// How triangles are blended and depth-tested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pass {
    /// Opaque, with depth test and depth write.
    Solid,
    /// Depth only. Drawn before [`Self::Translucent`], so that only the front surface of a
    /// translucent body is visible.
    DepthPrepass,
    /// Blended over what is behind.
    Translucent,
}

impl Pass {
    fn states(self, cull: Cull) -> RenderStates {
        let solid = RenderStates { cull, ..RenderStates::default() };
        match self {
            Self::Solid => solid,
            Self::DepthPrepass => RenderStates { write_mask: WriteMask::DEPTH, ..solid },
            Self::Translucent => RenderStates {
                depth_test: DepthTest::LessOrEqual,
                write_mask: WriteMask { alpha: false, ..WriteMask::COLOR },
                blend: Blend::STANDARD_TRANSPARENCY,
                ..solid
            },
        }
    }
}

/// A character's GPU resources.
pub(crate) struct Body {
    pub(crate) bounds: BodyBounds,
    /// The height of the body at rest, or half its width or depth if larger, in metres. Shadows,
    /// bones and grid lines are scaled by it.
    pub(crate) height: f32,
    parts: Vec<Part>,
    materials: Vec<Material>,
    textures: Vec<Texture2D>,
    white: Texture2D,
}

/// The material of one part, with its textures; a white texture stands in for a missing one.
pub(crate) struct Surface<'body> {
    material: &'body Material,
    base_color: &'body Texture2D,
    metal_rough: &'body Texture2D,
    emissive: &'body Texture2D,
}

impl Surface<'_> {
    /// Sets the uniforms and textures of a program that uses `skin.frag`.
    pub(crate) fn bind(&self, program: &Program) {
        /// Alpha cutoff for materials that ask for blending: they are drawn as alpha-tested,
        /// because bodies are not sorted.
        const BLEND_CUTOFF: f32 = 0.3;
        let material = self.material;
        program.use_uniform("baseColor", conversion::vec4(material.base_color));
        program.use_uniform("metallic", material.metallic.clamp(0.0, 1.0));
        program.use_uniform("roughness", material.roughness.clamp(0.05, 1.0));
        program.use_uniform("emissive", conversion::vec3(material.emissive));
        program.use_uniform("unlit", f32::from(u8::from(material.unlit)));
        let cutoff = match material.alpha {
            Alpha::Opaque => 0.0,
            Alpha::Mask(cutoff) => cutoff,
            Alpha::Blend => BLEND_CUTOFF,
        };
        program.use_uniform("alphaCutoff", cutoff);
        program.use_texture("baseColorMap", self.base_color);
        program.use_texture("metalRoughMap", self.metal_rough);
        program.use_texture("emissiveMap", self.emissive);
    }
}

struct Part {
    /// Index into the character's meshes.
    mesh: usize,
    positions: VertexBuffer<[f32; 3]>,
    normals: VertexBuffer<[f32; 3]>,
    uvs: VertexBuffer<[f32; 2]>,
    colors: VertexBuffer<[f32; 4]>,
    joints: VertexBuffer<[u16; 4]>,
    weights: VertexBuffer<[f32; 4]>,
    more_joints: VertexBuffer<[u16; 4]>,
    more_weights: VertexBuffer<[f32; 4]>,
    /// Whether a vertex may have up to eight influences instead of four.
    eight: bool,
    indices: ElementBuffer<u32>,
    coarse: ElementBuffer<u32>,
    skin: usize,
    material: Option<usize>,
}

impl Body {
    pub(crate) fn new(context: &Context, character: &Character) -> Result<Self, RenderError> {
        check(character)?;
        let rigid = character.skins.len();
        let meshes = character.meshes.iter().enumerate();
        let parts = meshes.filter(|(_, mesh)| !mesh.indices.is_empty());
        let bounds = BodyBounds::of(character);
        let size = bounds.at(&character.skeleton.rest_world()).size();
        let height = size.y.max(size.x * 0.5).max(size.z * 0.5);
        Ok(Self {
            bounds,
            height,
            parts: parts.map(|mesh| Part::new(context, mesh, rigid, height)).collect(),
            materials: character.materials.clone(),
            textures: (0..character.images.len())
                .map(|place| texture(context, character, place))
                .collect(),
            white: plain_texture(context),
        })
    }

    /// Draws all parts with a program that consists of `skin.vert` and any fragment shader.
    /// `surface` is called for each part to set the uniforms of the fragment shader.
    pub(crate) fn draw(
        &self,
        program: &Program,
        rows: &JointRows,
        viewport: Viewport,
        (detail, pass): (Detail, Pass),
        surface: impl Fn(&Program, &Surface<'_>),
    ) {
        let plain = Material::default();
        for part in &self.parts {
            let material = part.material.map_or(&plain, |place| &self.materials[place]);
            surface(program, &self.surface(material));
            rows.bind(program, part.skin);
            let solid = detail == Detail::Shadow || material.double_sided;
            let cull = if solid { Cull::None } else { Cull::Back };
            let shaped = rows.shaped(part.mesh);
            part.draw(program, viewport, pass.states(cull), (shaped, detail != Detail::Full));
        }
    }

    fn surface<'body>(&'body self, material: &'body Material) -> Surface<'body> {
        let picture = |place: Option<usize>| {
            place.and_then(|place| self.textures.get(place)).unwrap_or(&self.white)
        };
        Surface {
            material,
            base_color: picture(material.base_color_image),
            metal_rough: picture(material.metal_rough_image),
            emissive: picture(material.emissive_image),
        }
    }
}

fn check(character: &Character) -> Result<(), RenderError> {
    use limber_animation::CharacterError as E;
    match character.check() {
        Ok(()) | Err(E::NoSkinnedMesh) => {}
        Err(error @ E::BadMesh { .. }) => return Err(RenderError::Character(error.to_string())),
    }
    let joints = character.skeleton.len();
    let fits = |skin: &limber_animation::Skin| {
        !skin.joints.is_empty()
            && skin.joints.len() == skin.inverse_bind.len()
            && skin.joints.iter().all(|joint| joint.get() < joints)
    };
    if character.skins.iter().all(fits) {
        Ok(())
    } else {
        Err(RenderError::Character(
            "a skin refers to joints that the skeleton does not have".into(),
        ))
    }
}

impl Part {
    fn new(context: &Context, (place, mesh): (usize, &Mesh), rigid: usize, height: f32) -> Self {
        let count = mesh.positions.len();
        let uvs = if mesh.uvs.is_empty() { vec![[0.0; 2]; count] } else { arrays2(&mesh.uvs) };
        let white = || vec![[1.0; 4]; count];
        let colors = if mesh.colors.is_empty() { white() } else { mesh.colors.clone() };
        let rows = (0..count).map(|vertex| influences(mesh, vertex));
        let (first, second): (Vec<Row>, Vec<Row>) = rows.unzip();
        let (joints, weights): (Vec<_>, Vec<_>) = first.into_iter().unzip();
        let (more_joints, more_weights): (Vec<_>, Vec<_>) = second.into_iter().unzip();
        Self {
            mesh: place,
            positions: VertexBuffer::new_with_data(context, &arrays3(&mesh.positions)),
            normals: VertexBuffer::new_with_data(context, &arrays3(&mesh.normals)),
            uvs: VertexBuffer::new_with_data(context, &uvs),
            colors: VertexBuffer::new_with_data(context, &colors),
            joints: VertexBuffer::new_with_data(context, &joints),
            weights: VertexBuffer::new_with_data(context, &weights),
            more_joints: VertexBuffer::new_with_data(context, &more_joints),
            more_weights: VertexBuffer::new_with_data(context, &more_weights),
            eight: !mesh.more_joints.is_empty(),
            indices: ElementBuffer::new_with_data(context, &mesh.indices),
            coarse: ElementBuffer::new_with_data(context, &coarse_indices(mesh, height)),
            skin: mesh.skin.unwrap_or(rigid),
            material: mesh.material,
        }
    }

    fn draw(
        &self,
        program: &Program,
        viewport: Viewport,
        states: RenderStates,
        (shaped, coarse): (Option<&ShapedVertices>, bool),
    ) {
        let positions = shaped.map_or(&self.positions, |shaped| &shaped.positions);
        let normals = shaped.map_or(&self.normals, |shaped| &shaped.normals);
        program.use_vertex_attribute("position", positions);
        program.use_vertex_attribute("joints", &self.joints);
        program.use_vertex_attribute("weights", &self.weights);
        program.use_vertex_attribute("moreJoints", &self.more_joints);
        program.use_vertex_attribute("moreWeights", &self.more_weights);
        program.use_uniform("eightJoints", f32::from(u8::from(self.eight)));
        if program.requires_attribute("normal") {
            program.use_vertex_attribute("normal", normals);
        }
        if program.requires_attribute("uv") {
            program.use_vertex_attribute("uv", &self.uvs);
        }
        if program.requires_attribute("color") {
            program.use_vertex_attribute("color", &self.colors);
        }
        let indices = if coarse && self.coarse.count() > 0 { &self.coarse } else { &self.indices };
        program.draw_elements(states, viewport, indices);
    }
}

/// Four joint indices and their weights.
type Row = ([u16; 4], [f32; 4]);

/// Returns the skinning influences of a vertex: up to eight joints whose weights sum to 1.
fn influences(mesh: &Mesh, vertex: usize) -> (Row, Row) {
    let alone = ([0; 4], [1.0, 0.0, 0.0, 0.0]);
    let nobody = ([0; 4], [0.0; 4]);
    if mesh.skin.is_none() {
        return (alone, nobody);
    }
    if mesh.more_joints.is_empty() {
        return (mesh.strongest_four(vertex), nobody);
    }
    let usable = || mesh.influences(vertex).filter(|(_, weight)| weight.is_finite());
    let total: f32 = usable().map(|(_, weight)| weight).sum();
    if total < 1e-6 {
        return (([mesh.joints[vertex][0], 0, 0, 0], alone.1), nobody);
    }
    let mut rows = [nobody; 2];
    for (place, (joint, weight)) in usable().enumerate() {
        let row = &mut rows[place / 4];
        (row.0[place % 4], row.1[place % 4]) = (joint, weight / total);
    }
    (rows[0], rows[1])
}

fn arrays3(vectors: &[glam::Vec3]) -> Vec<[f32; 3]> {
    vectors.iter().map(glam::Vec3::to_array).collect()
}

fn arrays2(vectors: &[glam::Vec2]) -> Vec<[f32; 2]> {
    vectors.iter().map(glam::Vec2::to_array).collect()
}

fn plain_texture(context: &Context) -> Texture2D {
    upload(context, 1, 1, vec![[255; 4]])
}

/// Uploads a texture. An image that cannot be decoded is replaced by plain white, so that a
/// character with one broken texture is still drawn.
fn texture(context: &Context, character: &Character, place: usize) -> Texture2D {
    let Some(picture) = unpacked(&character.images[place]) else { return plain_texture(context) };
    let (width, height) = picture.dimensions();
    let pixels = picture.pixels().map(|pixel| pixel.0).collect();
    let plain = Material::default();
    let user = character.materials.iter().find(|user| user.images().any(|used| used == place));
    upload_for(context, (width, height), pixels, user.unwrap_or(&plain))
}

fn unpacked(image: &limber_animation::Image) -> Option<image::RgbaImage> {
    let format = match image.encoding {
        ImageEncoding::Png => image::ImageFormat::Png,
        ImageEncoding::Jpeg => image::ImageFormat::Jpeg,
    };
    let mut reader = ImageReader::with_format(std::io::Cursor::new(&image.bytes), format);
    let mut limits = Limits::default();
    limits.max_alloc = Some(MAX_PICTURE_BYTES);
    reader.limits(limits);
    let picture = reader.decode().ok()?;
    let largest = picture.width().max(picture.height());
    let picture = if largest > MAX_TEXTURE_SIDE {
        picture.resize(MAX_TEXTURE_SIDE, MAX_TEXTURE_SIDE, FilterType::Triangle)
    } else {
        picture
    };
    Some(picture.into_rgba8())
}

/// Uploads a repeating texture with mipmaps; rows from the top.
pub(crate) fn upload(
    context: &Context,
    width: u32,
    height: u32,
    pixels: Vec<[u8; 4]>,
) -> Texture2D {
    upload_for(context, (width, height), pixels, &Material::default())
}

/// Uploads a texture with the wrap and filter modes of the material that uses it.
fn upload_for(
    context: &Context,
    (width, height): (u32, u32),
    pixels: Vec<[u8; 4]>,
    user: &Material,
) -> Texture2D {
    let [wrap_s, wrap_t] = user.wrap.map(|wrap| match wrap {
        Wrap::Repeat => Wrapping::Repeat,
        Wrap::Clamp => Wrapping::ClampToEdge,
        Wrap::Mirror => Wrapping::MirroredRepeat,
    });
    let near = if user.pixelated { Interpolation::Nearest } else { Interpolation::Linear };
    let picture = CpuTexture {
        data: TextureData::RgbaU8(pixels),
        width,
        height,
        min_filter: Interpolation::Linear,
        mag_filter: near,
        mipmap: Some(Mipmap::default()),
        wrap_s,
        wrap_t,
        ..CpuTexture::default()
    };
    Texture2D::new(context, &picture)
}

/// Sets the transform uniforms of any program that uses `skin.vert`.
pub(crate) fn place(program: &Program, view_projection: Mat4, offset: glam::Vec3) {
    program.use_uniform("viewProjection", conversion::mat4(view_projection));
    program.use_uniform("offset", conversion::vec3(offset));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invalid_image_is_not_decoded() {
        let image = limber_animation::Image {
            name: String::new(),
            encoding: ImageEncoding::Png,
            bytes: b"not an image".to_vec(),
        };
        assert!(unpacked(&image).is_none());
    }
}
