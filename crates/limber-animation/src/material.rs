//! Materials and images.

use glam::{Vec3, Vec4};

/// A metallic-roughness material, as glTF 2.0 defines it. All its images use the mesh's one set of
/// texture coordinates.
#[derive(Debug, Clone, PartialEq)]
pub struct Material {
    /// Display name.
    pub name: String,
    /// Linear RGBA; multiplied with the image.
    pub base_color: Vec4,
    /// Index into the character's images: sRGB, with coverage in alpha.
    pub base_color_image: Option<usize>,
    /// 0 for a dielectric, 1 for a metal; multiplied with the image's blue channel.
    pub metallic: f32,
    /// 0 for a mirror, 1 for a fully diffuse surface; multiplied with the image's green channel.
    pub roughness: f32,
    /// Index into the character's images: metallic in blue, roughness in green.
    pub metal_rough_image: Option<usize>,
    /// Index into the character's images: tangent-space normal map, +Y (green) up.
    pub normal_image: Option<usize>,
    /// Strength of the normal map: multiplies its red and green channels.
    pub normal_scale: f32,
    /// Index into the character's images: ambient occlusion in red.
    pub occlusion_image: Option<usize>,
    /// Strength of the occlusion map, 0 to 1.
    pub occlusion_strength: f32,
    /// Emissive colour, linear RGB; multiplied with the image.
    pub emissive: Vec3,
    /// Index into the character's images: emissive colour, sRGB.
    pub emissive_image: Option<usize>,
    /// How the base colour's alpha is interpreted.
    pub alpha: Alpha,
    /// Whether the surface shows its base colour regardless of the light.
    pub unlit: bool,
    /// Whether back faces are drawn.
    pub double_sided: bool,
    /// Texture wrap modes along u and v.
    pub wrap: [Wrap; 2],
    /// Whether textures are sampled with nearest-neighbour instead of linear filtering.
    pub pixelated: bool,
}

/// How the base colour's alpha is interpreted.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Alpha {
    /// Ignored: the surface is opaque.
    #[default]
    Opaque,
    /// Alpha test: opaque where alpha reaches this cutoff, fully transparent elsewhere.
    Mask(f32),
    /// Alpha blending.
    Blend,
}

/// Texture wrap mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Wrap {
    /// Tiles the image.
    #[default]
    Repeat,
    /// Repeats the edge pixels.
    Clamp,
    /// Tiles the image, mirroring every second one.
    Mirror,
}

impl Material {
    /// Indices of all images that the material uses.
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

/// File format of an [`Image`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names of formats need no explanation")]
pub enum ImageEncoding {
    Png,
    Jpeg,
}

/// An image as stored in the character's file.
#[derive(Debug, Clone, PartialEq)]
pub struct Image {
    /// Display name.
    pub name: String,
    /// Format of `bytes`.
    pub encoding: ImageEncoding,
    /// The encoded file; decoded only when it is drawn.
    pub bytes: Vec<u8>,
}
