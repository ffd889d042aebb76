//! Writes materials, textures and embedded images.

use std::collections::HashSet;

use glam::{DVec3, Vec3, Vec4};
use limber_animation::{Alpha, Character, Image, ImageEncoding, Material, Wrap};

use super::{
    properties::{choice, color, double, path, properties, switch, text, vector},
    record::Record,
    scene::{Id, Kind, Scene},
};

/// Name of the UV set, in geometry and textures.
pub(super) const UV_SET: &str = "UVMap";
/// `FbxTexture::eReplace`: the texture replaces the material's colour.
const REPLACE: i32 = 0;
const FOLDER: &str = "textures";
const LONGEST_STEM: usize = 60;

/// Adds images and materials, and returns the ids of the materials.
pub(super) fn add(scene: &mut Scene, character: &Character) -> Vec<Id> {
    let names = texture_names(&character.images);
    let videos: Vec<Id> = character
        .images
        .iter()
        .zip(&names)
        .map(|(image, name)| add_video(scene, image, name))
        .collect();
    character
        .materials
        .iter()
        .map(|material| {
            let id = add_material(scene, material);
            // alpha in the texture is coverage; Maya expects it to drive both properties
            let base: &[&str] = match material.alpha {
                Alpha::Opaque => &["DiffuseColor"],
                Alpha::Mask(_) | Alpha::Blend => &["DiffuseColor", "TransparentColor"],
            };
            for (place, driven) in [
                (material.base_color_image, base),
                (material.normal_image, &["NormalMap"]),
                (material.emissive_image, &["EmissiveColor"]),
            ] {
                let Some(place) = place else { continue };
                let texture = add_texture(scene, material, &names[place], videos[place]);
                for property in driven {
                    scene.drive(texture, id, property);
                }
            }
            id
        })
        .collect()
}

/// Returns unique file names for the images, valid on every file system.
pub(in crate::fbx) fn texture_names(images: &[Image]) -> Vec<String> {
    let mut taken = HashSet::new();
    images
        .iter()
        .map(|image| {
            let ending = match image.encoding {
                ImageEncoding::Png => "png",
                ImageEncoding::Jpeg => "jpg",
            };
            let stem = stem(&image.name);
            let name = (1..)
                .map(|number| match number {
                    1 => format!("{stem}.{ending}"),
                    _ => format!("{stem}_{number}.{ending}"),
                })
                .find(|name| taken.insert(name.to_lowercase()))
                .expect("there are enough numbers");
            format!("{FOLDER}/{name}")
        })
        .collect()
}

fn stem(name: &str) -> String {
    let lower = name.to_lowercase();
    let without = [".png", ".jpg", ".jpeg"]
        .into_iter()
        .find(|ending| lower.ends_with(ending))
        .map_or(name, |ending| name.get(..name.len() - ending.len()).unwrap_or(name));
    let kept: String = without
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' })
        .take(LONGEST_STEM)
        .collect();
    if kept.trim_matches('_').is_empty() { "texture".to_owned() } else { kept }
}

fn add_video(scene: &mut Scene, image: &Image, name: &str) -> Id {
    let nested = [
        Record::leaf("Type", "Clip"),
        properties([path("Path", name)]),
        Record::leaf("UseMipMap", 0),
        Record::leaf("Filename", name),
        Record::leaf("RelativeFilename", name),
        Record::leaf("Content", image.bytes.clone()),
    ];
    scene.add(Kind::Video, file_name(name), "Clip", nested)
}

fn file_name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

fn add_texture(scene: &mut Scene, material: &Material, name: &str, video: Id) -> Id {
    let [wrap_u, wrap_v] = material.wrap.map(|wrap| match wrap {
        Wrap::Repeat | Wrap::Mirror => 0,
        Wrap::Clamp => 1,
    });
    let covers = material.alpha != Alpha::Opaque;
    let title = file_name(name);
    let nested = [
        Record::leaf("Type", "TextureVideoClip"),
        Record::leaf("Version", 202),
        Record::leaf("TextureName", format!("{title}\0\x01Texture")),
        properties([
            choice("CurrentTextureBlendMode", REPLACE),
            text("UVSet", UV_SET),
            switch("UseMaterial", true),
            choice("WrapModeU", wrap_u),
            choice("WrapModeV", wrap_v),
            vector("Translation", DVec3::ZERO),
            vector("Scaling", DVec3::ONE),
        ]),
        Record::leaf("Media", format!("{title}\0\x01Video")),
        Record::leaf("FileName", name),
        Record::leaf("RelativeFilename", name),
        Record::leaf("ModelUVTranslation", 0.0).value(0.0),
        Record::leaf("ModelUVScaling", 1.0).value(1.0),
        Record::leaf("Texture_Alpha_Source", if covers { "Alpha_Black" } else { "None" }),
        Record::leaf("Cropping", 0).value(0).value(0).value(0),
    ];
    let texture = scene.add(Kind::Texture, title, "", nested);
    scene.connect(video, texture);
    texture
}

/// Adds a Phong material, the richest shading model that every FBX reader supports. Roughness and
/// metalness are stored where Blender looks for them: in the shininess and the reflection factor.
/// Colours stay linear.
fn add_material(scene: &mut Scene, material: &Material) -> Id {
    let base = material.base_color.clamp(Vec4::ZERO, Vec4::ONE).as_dvec4();
    let (diffuse, alpha) = (base.truncate(), base.w);
    let gloss = 1.0 - f64::from(material.roughness.clamp(0.0, 1.0));
    let shininess = gloss * gloss * 100.0;
    let metallic = f64::from(material.metallic.clamp(0.0, 1.0));
    let transparent = if alpha < 1.0 { DVec3::ONE } else { DVec3::ZERO };
    let glow = material.emissive.max(Vec3::ZERO).as_dvec3();
    let rows = [
        text("ShadingModel", "Phong"),
        switch("MultiLayer", false),
        color("EmissiveColor", glow),
        double("EmissiveFactor", f64::from(u8::from(glow != DVec3::ZERO))),
        color("AmbientColor", DVec3::ZERO),
        double("AmbientFactor", 0.0),
        color("DiffuseColor", diffuse),
        double("DiffuseFactor", 1.0),
        color("TransparentColor", transparent),
        double("TransparencyFactor", 1.0 - alpha),
        double("Opacity", alpha),
        color("SpecularColor", DVec3::ONE),
        double("SpecularFactor", 0.25),
        double("Shininess", shininess),
        double("ShininessExponent", shininess),
        color("ReflectionColor", DVec3::ONE),
        double("ReflectionFactor", metallic),
    ];
    let nested = [
        Record::leaf("Version", 102),
        Record::leaf("ShadingModel", "phong"),
        Record::leaf("MultiLayer", 0),
        properties(rows),
    ];
    scene.add(Kind::Material, &material.name, "", nested)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image(name: &str, encoding: ImageEncoding) -> Image {
        Image { name: name.to_owned(), encoding, bytes: Vec::new() }
    }

    #[test]
    fn image_files_have_safe_and_unique_names() {
        let images = [
            image("../../etc/Skin.PNG", ImageEncoding::Png),
            image("______etc_skin", ImageEncoding::Png),
            image("", ImageEncoding::Jpeg),
            image("日本", ImageEncoding::Jpeg),
        ];
        let names = texture_names(&images);
        let wanted = [
            "textures/______etc_Skin.png",
            "textures/______etc_skin_2.png",
            "textures/texture.jpg",
            "textures/texture_2.jpg",
        ];
        assert_eq!(names, wanted);
    }
}
