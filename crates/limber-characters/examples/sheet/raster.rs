//! A small software rasteriser: depth buffer, three lights, four samples per pixel.

use glam::{Mat3, Vec3};
use image::{Rgb, RgbImage};
use limber_animation::{Character, Mesh, Pose};

/// An orthographic camera.
pub(crate) struct Camera {
    centre: Vec3,
    turn: Mat3,
    span: f32,
}

impl Camera {
    /// Looks at `centre` from `azimuth` degrees to the character's left and `elevation` degrees
    /// above. The image is `span` metres tall.
    pub(crate) fn around(centre: Vec3, azimuth: f32, elevation: f32, span: f32) -> Self {
        let turn = Mat3::from_rotation_x(elevation.to_radians())
            * Mat3::from_rotation_y(-azimuth.to_radians());
        Self { centre, turn, span }
    }
}

const SAMPLES: u32 = 2;

struct Canvas {
    width: usize,
    height: usize,
    depth: Vec<f32>,
    color: Vec<Vec3>,
}

/// Renders a posed character.
pub(crate) fn draw(
    character: &Character,
    pose: &Pose,
    camera: &Camera,
    size: (u32, u32),
) -> RgbImage {
    let (width, height) = ((size.0 * SAMPLES) as usize, (size.1 * SAMPLES) as usize);
    let background = |place: usize| {
        let up = (place / width) as f32 / height as f32;
        Vec3::splat(0.20).lerp(Vec3::splat(0.09), up)
    };
    let color = (0..width * height).map(background).collect();
    let mut canvas = Canvas { width, height, depth: vec![f32::MIN; width * height], color };
    let world = character.skeleton.world(pose);
    for mesh in &character.meshes {
        let positions = character.skinned_positions(mesh, &world);
        let normals = skinned_normals(character, mesh, &world);
        let material = &character.materials[mesh.material.expect("stock meshes have materials")];
        let seen: Vec<Vec3> = positions
            .iter()
            .map(|place| camera.turn * (*place - camera.centre))
            .map(|place| {
                let scale = height as f32 / camera.span;
                Vec3::new(
                    place.x * scale + width as f32 * 0.5,
                    height as f32 * 0.5 - place.y * scale,
                    place.z,
                )
            })
            .collect();
        for corners in mesh.indices.chunks_exact(3) {
            let at = [0, 1, 2].map(|i| corners[i] as usize);
            let turned = at.map(|i| camera.turn * normals[i]);
            canvas.triangle(at.map(|i| seen[i]), turned, material);
        }
    }
    canvas.picture(size)
}

fn skinned_normals(
    character: &Character,
    mesh: &Mesh,
    world: &limber_animation::WorldPose,
) -> Vec<Vec3> {
    let matrices = character.skins[0].matrices(world);
    mesh.normals
        .iter()
        .zip(mesh.joints.iter().zip(&mesh.weights))
        .map(|(normal, (joints, weights))| {
            joints
                .iter()
                .zip(weights)
                .map(|(joint, weight)| {
                    matrices[usize::from(*joint)].transform_vector3(*normal) * *weight
                })
                .sum::<Vec3>()
                .normalize_or(*normal)
        })
        .collect()
}

/// Shades a metal-rough surface approximately, with key, fill and rim light.
fn shade(normal: Vec3, base: Vec3, roughness: f32) -> Vec3 {
    let view = Vec3::Z;
    let key = Vec3::new(-0.45, 0.65, 0.62).normalize();
    let fill = Vec3::new(0.8, 0.1, 0.5).normalize();
    let sky = 0.5 + 0.5 * normal.y;
    let diffuse = Vec3::new(1.0, 0.97, 0.92) * 0.85 * normal.dot(key).max(0.0)
        + Vec3::new(0.6, 0.75, 1.0) * 0.20 * normal.dot(fill).max(0.0)
        + Vec3::new(0.75, 0.85, 1.0) * (0.10 + 0.16 * sky);
    let shine = (2.0 / roughness.powi(4)).min(400.0);
    let half = (key + view).normalize();
    let gloss = 0.05 * (shine + 8.0) / 25.0 * normal.dot(half).max(0.0).powf(shine);
    let rim = (1.0 - normal.z.clamp(0.0, 1.0)).powi(4) * 0.30 * (0.4 + 0.6 * sky);
    base * diffuse + Vec3::splat(gloss.min(1.5)) + Vec3::new(0.7, 0.85, 1.0) * rim
}

impl Canvas {
    fn triangle(
        &mut self,
        at: [Vec3; 3],
        normals: [Vec3; 3],
        material: &limber_animation::Material,
    ) {
        let cross =
            |a: Vec3, b: Vec3, c: Vec3| (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
        let area = cross(at[0], at[1], at[2]);
        if area.abs() < 1e-9 {
            return;
        }
        let low = at[0].min(at[1]).min(at[2]);
        let high = at[0].max(at[1]).max(at[2]);
        let xs = (low.x.max(0.0) as usize)..=(high.x.max(0.0) as usize).min(self.width - 1);
        let ys = (low.y.max(0.0) as usize)..=(high.y.max(0.0) as usize).min(self.height - 1);
        for y in ys {
            for x in xs.clone() {
                let pixel = Vec3::new(x as f32 + 0.5, y as f32 + 0.5, 0.0);
                let shares = Vec3::new(
                    cross(at[1], at[2], pixel),
                    cross(at[2], at[0], pixel),
                    cross(at[0], at[1], pixel),
                ) / area;
                if shares.min_element() < 0.0 {
                    continue;
                }
                let depth = shares.dot(Vec3::new(at[0].z, at[1].z, at[2].z));
                let place = y * self.width + x;
                if depth <= self.depth[place] {
                    continue;
                }
                self.depth[place] = depth;
                let normal =
                    (normals[0] * shares.x + normals[1] * shares.y + normals[2] * shares.z)
                        .normalize_or(Vec3::Z);
                // Back faces are red, so that holes and flipped triangles show.
                self.color[place] = if area > 0.0 {
                    Vec3::new(0.8, 0.0, 0.0)
                } else {
                    shade(normal, material.base_color.truncate(), material.roughness)
                };
            }
        }
    }

    fn picture(&self, size: (u32, u32)) -> RgbImage {
        RgbImage::from_fn(size.0, size.1, |x, y| {
            let mut sum = Vec3::ZERO;
            for dy in 0..SAMPLES {
                for dx in 0..SAMPLES {
                    let (px, py) = (x * SAMPLES + dx, y * SAMPLES + dy);
                    let color = self.color[py as usize * self.width + px as usize];
                    sum += color / (color + 1.0) * 1.45;
                }
            }
            let level = |value: f32| {
                let value = (value / (SAMPLES * SAMPLES) as f32).clamp(0.0, 1.0);
                (value.powf(1.0 / 2.2) * 255.0 + 0.5) as u8
            };
            Rgb([level(sum.x), level(sum.y), level(sum.z)])
        })
    }
}
