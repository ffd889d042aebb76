//! What a mesh looks like.

use glam::{Vec3, Vec4};

/// A metal-rough surface, as glTF 2.0 defines it. All its pictures lie on the mesh's one set of
/// texture coordinates.
#[derive(Debug, Clone, PartialEq)]
pub struct Material {
    /// Shown to people.
    pub name: String,
    /// Linear RGBA; multiplies the picture.
    pub base_color: Vec4,
    /// Place in the character's images: sRGB, with coverage in its alpha.
    pub base_color_image: Option<usize>,
    /// 0 dielectric, 1 metal; multiplies the picture's blue.
    pub metallic: f32,
    /// 0 mirror, 1 chalk; multiplies the picture's green.
    pub roughness: f32,
    /// Place in the character's images: metalness in blue, roughness in green.
    pub metal_rough_image: Option<usize>,
    /// Place in the character's images: tangent-space normals, green up.
    pub normal_image: Option<usize>,
    /// How strongly the normal picture bends: multiplies its red and green.
    pub normal_scale: f32,
    /// Place in the character's images: how much light from around arrives, in red.
    pub occlusion_image: Option<usize>,
    /// How strongly the occlusion picture darkens, 0 to 1.
    pub occlusion_strength: f32,
    /// Light of its own, linear RGB; multiplies the picture.
    pub emissive: Vec3,
    /// Place in the character's images: sRGB.
    pub emissive_image: Option<usize>,
    /// What the base colour's alpha means.
    pub alpha: Alpha,
    /// Drawn in the plain base colour, whatever the light.
    pub unlit: bool,
    /// Drawn from both sides.
    pub double_sided: bool,
    /// How pictures go on beyond their edges, along u and v.
    pub wrap: [Wrap; 2],
    /// Whether pictures are drawn in hard-edged pixels instead of smoothly.
    pub pixelated: bool,
}

/// What a base colour's alpha means.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Alpha {
    /// Nothing: the surface is solid.
    #[default]
    Opaque,
    /// Solid where alpha reaches the value, absent elsewhere.
    Mask(f32),
    /// Coverage.
    Blend,
}

/// How a picture goes on beyond its edges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Wrap {
    /// Again from the start.
    #[default]
    Repeat,
    /// Its edge, drawn out.
    Clamp,
    /// Back and forth.
    Mirror,
}

impl Material {
    /// The places of all pictures it uses.
    pub fn images(&self) -> impl Iterator<Item = usize> {
        [
            self.base_color_image,
            self.metal_rough_image,
            self.normal_image,
            self.occlusion_image,
            self.emissive_image,
        ]
        .into_iter()
        .flatten()
    }
}

impl Default for Material {
    fn default() -> Self {
        Self {
            name: String::new(),
            base_color: Vec4::ONE,
            base_color_image: None,
            metallic: 0.0,
            roughness: 0.8,
            metal_rough_image: None,
            normal_image: None,
            normal_scale: 1.0,
            occlusion_image: None,
            occlusion_strength: 1.0,
            emissive: Vec3::ZERO,
            emissive_image: None,
            alpha: Alpha::Opaque,
            unlit: false,
            double_sided: false,
            wrap: [Wrap::Repeat; 2],
            pixelated: false,
        }
    }
}

/// How an [`Image`]'s bytes are packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names of formats say it all")]
pub enum ImageEncoding {
    Png,
    Jpeg,
}

/// A picture as it stood in the character's file.
#[derive(Debug, Clone, PartialEq)]
pub struct Image {
    /// Shown to people.
    pub name: String,
    /// How `bytes` are packed.
    pub encoding: ImageEncoding,
    /// The file's bytes, unpacked only by whoever draws.
    pub bytes: Vec<u8>,
}
