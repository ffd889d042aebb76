//! Writes images and materials.

use gltf::json::{
    self, Index,
    extensions::material::{self as extension, Unlit},
    material::{
        AlphaCutoff, AlphaMode, EmissiveFactor, NormalTexture, OcclusionTexture,
        PbrBaseColorFactor, PbrMetallicRoughness, StrengthFactor,
    },
    texture::{MagFilter, MinFilter, WrappingMode},
    validation::Checked::Valid,
};
use limber_animation::{Alpha, Image, ImageEncoding, Material, Wrap};

use super::named;
use crate::glb::parts::{Parts, Purpose};

const UNLIT: &str = "KHR_materials_unlit";

/// The textures written so far: one for each combination of image, wrap mode and filter.
#[derive(Default)]
pub(super) struct Textures {
    known: Vec<(usize, [Wrap; 2], bool)>,
    samplers: Vec<([Wrap; 2], bool)>,
}

impl Textures {
    fn index(
        &mut self,
        parts: &mut Parts,
        material: &Material,
        image: usize,
    ) -> Index<json::Texture> {
        let wanted = (image, material.wrap, material.pixelated);
        if let Some(place) = self.known.iter().position(|known| *known == wanted) {
            return Index::new(place as u32);
        }
        self.known.push(wanted);
        let sampler = self.sampler(parts, material.wrap, material.pixelated);
        parts.document.push(json::Texture {
            name: None,
            sampler,
            source: Index::new(image as u32),
            extensions: None,
            extras: Default::default(),
        })
    }

    /// Returns a texture that uses an image, with any sampler.
    pub(super) fn showing(&mut self, parts: &mut Parts, image: usize) -> Index<json::Texture> {
        match self.known.iter().position(|(known, ..)| *known == image) {
            Some(place) => Index::new(place as u32),
            None => self.index(parts, &Material::default(), image),
        }
    }

    /// Returns a sampler; `None` for glTF's default.
    fn sampler(
        &mut self,
        parts: &mut Parts,
        wrap: [Wrap; 2],
        pixelated: bool,
    ) -> Option<Index<json::texture::Sampler>> {
        if wrap == [Wrap::Repeat; 2] && !pixelated {
            return None;
        }
        if let Some(place) = self.samplers.iter().position(|known| *known == (wrap, pixelated)) {
            return Some(Index::new(place as u32));
        }
        self.samplers.push((wrap, pixelated));
        let [wrap_s, wrap_t] = wrap.map(|wrap| {
            Valid(match wrap {
                Wrap::Repeat => WrappingMode::Repeat,
                Wrap::Clamp => WrappingMode::ClampToEdge,
                Wrap::Mirror => WrappingMode::MirroredRepeat,
            })
        });
        Some(parts.document.push(json::texture::Sampler {
            mag_filter: pixelated.then_some(Valid(MagFilter::Nearest)),
            min_filter: pixelated.then_some(Valid(MinFilter::NearestMipmapLinear)),
            name: None,
            wrap_s,
            wrap_t,
            extensions: None,
            extras: Default::default(),
        }))
    }
}

pub(super) fn add_image(parts: &mut Parts, image: &Image) {
    let view = parts.view(&image.bytes, Purpose::Other);
    let mime = match image.encoding {
        ImageEncoding::Png => "image/png",
        ImageEncoding::Jpeg => "image/jpeg",
    };
    parts.document.push(json::Image {
        buffer_view: Some(view),
        mime_type: Some(json::image::MimeType(mime.to_owned())),
        name: named(&image.name),
        uri: None,
        extensions: None,
        extras: Default::default(),
    });
}

pub(super) fn add_material(parts: &mut Parts, textures: &mut Textures, material: &Material) {
    let mut texture =
        |image: Option<usize>| image.map(|image| textures.index(parts, material, image));
    let base_color = texture(material.base_color_image).map(info);
    let metal_rough = texture(material.metal_rough_image).map(info);
    let normal = texture(material.normal_image);
    let occlusion = texture(material.occlusion_image);
    let emissive = texture(material.emissive_image).map(info);
    let (alpha_mode, alpha_cutoff) = match material.alpha {
        Alpha::Opaque => (AlphaMode::Opaque, None),
        Alpha::Mask(cutoff) => (AlphaMode::Mask, Some(AlphaCutoff(cutoff.max(0.0)))),
        Alpha::Blend => (AlphaMode::Blend, None),
    };
    parts.document.push(json::Material {
        name: named(&material.name),
        alpha_cutoff,
        alpha_mode: Valid(alpha_mode),
        double_sided: material.double_sided,
        pbr_metallic_roughness: PbrMetallicRoughness {
            base_color_factor: PbrBaseColorFactor(
                material.base_color.clamp(glam::Vec4::ZERO, glam::Vec4::ONE).to_array(),
            ),
            base_color_texture: base_color,
            metallic_factor: StrengthFactor(material.metallic.clamp(0.0, 1.0)),
            roughness_factor: StrengthFactor(material.roughness.clamp(0.0, 1.0)),
            metallic_roughness_texture: metal_rough,
            extensions: None,
            extras: Default::default(),
        },
        normal_texture: normal.map(|index| NormalTexture {
            index,
            scale: material.normal_scale,
            tex_coord: 0,
            extensions: None,
            extras: Default::default(),
        }),
        occlusion_texture: occlusion.map(|index| OcclusionTexture {
            index,
            strength: StrengthFactor(material.occlusion_strength.clamp(0.0, 1.0)),
            tex_coord: 0,
            extensions: None,
            extras: Default::default(),
        }),
        emissive_texture: emissive,
        emissive_factor: EmissiveFactor(
            material.emissive.clamp(glam::Vec3::ZERO, glam::Vec3::ONE).to_array(),
        ),
        extensions: material
            .unlit
            .then(|| extension::Material { unlit: Some(Unlit {}), ..Default::default() }),
        extras: Default::default(),
    });
    if material.unlit && !parts.document.extensions_used.iter().any(|name| name == UNLIT) {
        parts.document.extensions_used.push(UNLIT.to_owned());
    }
}

fn info(index: Index<json::Texture>) -> json::texture::Info {
    json::texture::Info { index, tex_coord: 0, extensions: None, extras: Default::default() }
}
