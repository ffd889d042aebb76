//! Reads materials and textures.

use std::collections::HashMap;

use glam::{Vec3, Vec4};
use limber_animation::{Alpha, Image, Material, Wrap};
use ufbx::{MaterialMap, SceneRoot, Texture, WrapMode};

use crate::{
    model::{Beside, Model, ReadError, plain_text},
    pictures::PictureCheck,
};

/// Maps the file's materials to the model's. Both have the same indices; this is their number.
pub(super) struct Materials(usize);

impl Materials {
    /// Returns the material of a part of a mesh as instantiated by a node.
    pub(super) fn of(&self, node: &ufbx::Node, mesh: &ufbx::Mesh, part: usize) -> Option<usize> {
        let shown = node.materials.as_ref().get(part).or_else(|| mesh.materials.as_ref().get(part));
        shown.map(|material| material.element.typed_id as usize).filter(|place| *place < self.0)
    }
}

/// Reads all materials and their textures, which are embedded or requested from `beside`.
pub(super) fn read(
    scene: &SceneRoot,
    beside: &Beside<'_>,
    model: &mut Model,
) -> Result<Materials, ReadError> {
    let mut pictures = Pictures { places: HashMap::new(), check: PictureCheck::default(), beside };
    for entry in &scene.materials {
        let material = material(entry, &mut pictures, model)?;
        model.materials.push(material);
    }
    Ok(Materials(scene.materials.len()))
}

fn material(
    entry: &ufbx::Material,
    pictures: &mut Pictures<'_>,
    model: &mut Model,
) -> Result<Material, ReadError> {
    let plain = Material::default();
    let pbr = &entry.pbr;
    let number = |map: &MaterialMap, plain: f32| {
        let value = map.value_vec4.x as f32;
        if map.has_value && value.is_finite() { value } else { plain }
    };
    let color = color(&pbr.base_color, Vec3::ONE) * number(&pbr.base_factor, 1.0);
    let opacity = number(&pbr.opacity, 1.0).clamp(0.0, 1.0);
    let normal_map = [&pbr.normal_map, &entry.fbx.normal_map].into_iter().find(|map| has(map));
    let texture = texture(&pbr.base_color);
    let emissive = self::color(&pbr.emission_color, Vec3::ZERO) * number(&pbr.emission_factor, 1.0);
    let emissive_image = pictures.of(&pbr.emission_color, model)?;
    let cut_out = has(&pbr.opacity);
    Ok(Material {
        name: plain_text(&entry.element.name),
        base_color: color.clamp(Vec3::ZERO, Vec3::ONE).extend(opacity),
        base_color_image: pictures.of(&pbr.base_color, model)?,
        metallic: number(&pbr.metalness, 0.0).clamp(0.0, 1.0),
        roughness: number(&pbr.roughness, plain.roughness).clamp(0.0, 1.0),
        normal_image: normal_map.map(|map| pictures.of(map, model)).transpose()?.flatten(),
        emissive: emissive.clamp(Vec3::ZERO, Vec3::ONE),
        emissive_image,
        alpha: match (cut_out, opacity < 0.999) {
            (_, true) => Alpha::Blend,
            (true, false) => Alpha::Mask(0.5),
            (false, false) => Alpha::Opaque,
        },
        double_sided: entry.features.double_sided.enabled,
        wrap: texture.map_or(plain.wrap, |texture| [texture.wrap_u, texture.wrap_v].map(wrap)),
        ..plain
    })
}

fn wrap(mode: WrapMode) -> Wrap {
    match mode {
        WrapMode::Repeat => Wrap::Repeat,
        WrapMode::Clamp => Wrap::Clamp,
    }
}

fn color(map: &MaterialMap, plain: Vec3) -> Vec3 {
    let value = map.value_vec4;
    let value = Vec4::new(value.x as f32, value.y as f32, value.z as f32, 1.0).truncate();
    // a texture replaces the colour
    if has(map) {
        Vec3::ONE
    } else if map.has_value && value.is_finite() {
        value
    } else {
        plain
    }
}

fn has(map: &MaterialMap) -> bool {
    texture(map).is_some()
}

fn texture(map: &MaterialMap) -> Option<&Texture> {
    let texture = map.texture.as_deref().filter(|_| map.texture_enabled)?;
    // of layered textures only the first is used
    Some(texture.file_textures.as_ref().first().map_or(texture, |file| file))
}

/// The textures that were read, by element id.
struct Pictures<'a> {
    places: HashMap<u32, Option<usize>>,
    check: PictureCheck,
    beside: &'a Beside<'a>,
}

impl Pictures<'_> {
    fn of(&mut self, map: &MaterialMap, model: &mut Model) -> Result<Option<usize>, ReadError> {
        let Some(texture) = texture(map) else { return Ok(None) };
        if let Some(place) = self.places.get(&texture.element.element_id) {
            return Ok(*place);
        }
        let place = self.add(texture, model)?;
        self.places.insert(texture.element.element_id, place);
        Ok(place)
    }

    fn add(&mut self, texture: &Texture, model: &mut Model) -> Result<Option<usize>, ReadError> {
        let inside = |video: &ufbx::Video| video.content.to_vec();
        let mut bytes = texture.content.to_vec();
        if bytes.is_empty() {
            bytes = texture.video.as_deref().map(inside).unwrap_or_default();
        }
        let paths = paths(texture);
        let name = paths.first().and_then(|path| path.rsplit(['/', '\\']).next());
        let name = plain_text(name.unwrap_or_default());
        if bytes.is_empty() {
            bytes = paths.iter().find_map(|path| (self.beside)(path)).unwrap_or_default();
        }
        if bytes.is_empty() {
            model.warnings.push(format!(
                "the image `{name}` is not inside the file; export with embedded media to keep it"
            ));
            return Ok(None);
        }
        if let Some(known) = model.images.iter().position(|image| image.bytes == bytes) {
            return Ok(Some(known));
        }
        let Some(encoding) = self.check.recognise(&bytes)? else {
            model
                .warnings
                .push(format!("the image `{name}` is neither PNG nor JPEG, so it was left out"));
            return Ok(None);
        };
        let stem = name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem);
        model.images.push(Image { name: stem.to_owned(), encoding, bytes });
        Ok(Some(model.images.len() - 1))
    }
}

/// Returns the paths that the file states for a texture, the most likely first.
fn paths(texture: &Texture) -> Vec<&str> {
    let named = [&texture.relative_filename, &texture.filename, &texture.element.name];
    named.into_iter().map(AsRef::as_ref).filter(|name: &&str| !name.is_empty()).collect()
}
