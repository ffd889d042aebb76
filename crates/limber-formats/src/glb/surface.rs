//! Reads materials and images.

use glam::{Mat3, Vec2, Vec3, Vec4};
use gltf::json::{
    self,
    material::{AlphaMode, PbrMetallicRoughness},
    texture::{Info, MagFilter, WrappingMode},
    validation::Checked::{self, Valid},
};
use limber_animation::{Alpha, Image, Material, Wrap, maths::sin_cos};

use super::{accessor::Data, file::embedded};
use crate::{
    model::{ReadError, plain_text},
    pictures::PictureCheck,
};

/// The texture mapping of a material.
#[derive(Default)]
pub(super) struct Placing {
    /// Index of the texture coordinate set.
    pub(super) set: u32,
    turn: Option<Mat3>,
}

impl Placing {
    /// Transforms a vertex's texture coordinates.
    pub(super) fn place(&self, uv: Vec2) -> Vec2 {
        self.turn.map_or(uv, |turn| turn.transform_point2(uv))
    }
}

/// Maps the file's images to the model's; `None` for those that are neither PNG nor JPEG.
pub(super) struct Pictures(Vec<Option<usize>>);

impl Pictures {
    /// Returns the model's index of an image in the file.
    pub(super) fn place(&self, image: usize) -> Option<usize> {
        self.0.get(image).copied().flatten()
    }
}

/// Reads the images.
pub(super) fn images(
    data: &Data,
    found: &mut Vec<Image>,
    warnings: &mut Vec<String>,
) -> Result<Pictures, ReadError> {
    let mut places = Vec::new();
    let mut check = PictureCheck::default();
    for entry in &data.root.images {
        let bytes = match (&entry.uri, entry.buffer_view) {
            (Some(uri), _) => embedded(uri)?,
            (None, Some(view)) => data.view(view)?.to_vec(),
            (None, None) => Vec::new(),
        };
        let name = plain_text(entry.name.as_deref().unwrap_or_default());
        places.push(match check.recognise(&bytes)? {
            Some(encoding) => {
                found.push(Image { name, encoding, bytes });
                Some(found.len() - 1)
            }
            None => {
                warnings.push(format!(
                    "the image `{name}` is neither PNG nor JPEG, so it was left out"
                ));
                None
            }
        });
    }
    Ok(Pictures(places))
}

/// Reads a material and its texture mapping.
pub(super) fn material(
    root: &json::Root,
    entry: &json::Material,
    pictures: &Pictures,
    warnings: &mut Vec<String>,
) -> (Material, Placing) {
    let name = plain_text(entry.name.as_deref().unwrap_or_default());
    let look = Look::of(root, entry);
    let placing = look.placing();
    let mut picture = |use_of: Option<Use>| {
        let used = use_of?;
        if used.set != placing.set {
            warnings.push(format!(
                "a texture of the material `{name}` uses a second set of texture coordinates, so \
                 it was left out"
            ));
            return None;
        }
        let source = root.textures.get(used.texture)?.source;
        pictures.place(source.value())
    };
    let [base_color_image, metal_rough_image, normal_image, occlusion_image, emissive_image] =
        look.uses.map(&mut picture);
    let (wrap, pixelated) = look.sampling(root);
    let material = Material {
        base_color: look.base_color,
        base_color_image,
        metallic: look.metallic,
        roughness: look.roughness,
        metal_rough_image,
        normal_image,
        normal_scale: entry.normal_texture.as_ref().map_or(1.0, |normal| normal.scale),
        occlusion_image,
        occlusion_strength: entry.occlusion_texture.as_ref().map_or(1.0, |map| map.strength.0),
        emissive: Vec3::from_array(entry.emissive_factor.0),
        emissive_image,
        alpha: alpha(entry),
        unlit: entry.extensions.as_ref().is_some_and(|known| known.unlit.is_some()),
        double_sided: entry.double_sided,
        wrap,
        pixelated,
        name,
    };
    (finite(material), placing)
}

fn alpha(entry: &json::Material) -> Alpha {
    match entry.alpha_mode {
        Valid(AlphaMode::Mask) => Alpha::Mask(entry.alpha_cutoff.map_or(0.5, |cutoff| cutoff.0)),
        Valid(AlphaMode::Blend) => Alpha::Blend,
        Valid(AlphaMode::Opaque) | Checked::Invalid => Alpha::Opaque,
    }
}

/// Replaces infinite values: JSON has no NaN, but numbers that are too large become infinite.
fn finite(mut material: Material) -> Material {
    let plain = Material::default();
    let or = |value: f32, plain: f32| if value.is_finite() { value } else { plain };
    if !material.base_color.is_finite() {
        material.base_color = plain.base_color;
    }
    if !material.emissive.is_finite() {
        material.emissive = plain.emissive;
    }
    material.metallic = or(material.metallic, plain.metallic);
    material.roughness = or(material.roughness, plain.roughness);
    material.normal_scale = or(material.normal_scale, plain.normal_scale);
    material.occlusion_strength = or(material.occlusion_strength, plain.occlusion_strength);
    material
}

/// A texture as used by a material.
#[derive(Clone, Copy)]
struct Use {
    texture: usize,
    set: u32,
    turn: Option<Mat3>,
}

/// The properties of a material, from either of the two models glTF supports.
struct Look {
    base_color: Vec4,
    metallic: f32,
    roughness: f32,
    /// Textures: base colour, metallic-roughness, normal, occlusion, emissive.
    uses: [Option<Use>; 5],
}

impl Look {
    fn of(root: &json::Root, entry: &json::Material) -> Self {
        let plain = &entry.pbr_metallic_roughness;
        let old = entry.extensions.as_ref().and_then(|all| all.pbr_specular_glossiness.as_ref());
        let (base_color, color_map, metallic, roughness) = match old {
            Some(old) => {
                let smooth = old.glossiness_factor.0;
                (old.diffuse_factor.0, &old.diffuse_texture, 0.0, 1.0 - smooth)
            }
            None => {
                let PbrMetallicRoughness { base_color_factor, base_color_texture, .. } = plain;
                let (metallic, roughness) = (plain.metallic_factor.0, plain.roughness_factor.0);
                (base_color_factor.0, base_color_texture, metallic, roughness)
            }
        };
        let metal_rough =
            plain.metallic_roughness_texture.as_ref().filter(|_| old.is_none()).map(used);
        let bare = |texture: usize, set: u32| Use { texture, set, turn: None };
        let normal = entry.normal_texture.as_ref();
        let occlusion = entry.occlusion_texture.as_ref();
        let uses = [
            color_map.as_ref().map(used),
            metal_rough,
            normal.map(|map| bare(map.index.value(), map.tex_coord)),
            occlusion.map(|map| bare(map.index.value(), map.tex_coord)),
            entry.emissive_texture.as_ref().map(used),
        ];
        let there = |used: &Use| used.texture < root.textures.len();
        let uses = uses.map(|used| used.filter(there));
        Self { base_color: Vec4::from_array(base_color), metallic, roughness, uses }
    }

    fn first(&self) -> Option<Use> {
        self.uses.into_iter().flatten().next()
    }

    fn placing(&self) -> Placing {
        Placing {
            set: self.first().map_or(0, |used| used.set),
            turn: self.first().and_then(|used| used.turn),
        }
    }

    fn sampling(&self, root: &json::Root) -> ([Wrap; 2], bool) {
        let texture = self.first().and_then(|used| root.textures.get(used.texture));
        let sampler = texture
            .and_then(|texture| texture.sampler)
            .and_then(|index| root.samplers.get(index.value()));
        let Some(sampler) = sampler else { return ([Wrap::Repeat; 2], false) };
        let wrap = |mode: &Checked<WrappingMode>| match mode {
            Valid(WrappingMode::ClampToEdge) => Wrap::Clamp,
            Valid(WrappingMode::MirroredRepeat) => Wrap::Mirror,
            Valid(WrappingMode::Repeat) | Checked::Invalid => Wrap::Repeat,
        };
        let pixelated = sampler.mag_filter == Some(Valid(MagFilter::Nearest));
        ([wrap(&sampler.wrap_s), wrap(&sampler.wrap_t)], pixelated)
    }
}

/// Reads a texture reference, including `KHR_texture_transform`.
fn used(info: &Info) -> Use {
    let moved = info.extensions.as_ref().and_then(|known| known.texture_transform.as_ref());
    let turn = moved.map(|moved| {
        let offset = Vec2::from_array(moved.offset.0);
        let (sine, cosine) = sin_cos(moved.rotation.0);
        let rotation =
            Mat3::from_cols(Vec3::new(cosine, -sine, 0.0), Vec3::new(sine, cosine, 0.0), Vec3::Z);
        Mat3::from_translation(offset)
            * rotation
            * Mat3::from_scale(Vec2::from_array(moved.scale.0))
    });
    let set = moved.and_then(|moved| moved.tex_coord).unwrap_or(info.tex_coord);
    Use { texture: info.index.value(), set, turn }
}
