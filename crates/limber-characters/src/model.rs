//! Turns a build into a finished character.

use std::sync::Arc;

use limber_animation::{Character, Material, Mesh, Skeleton, Skin as Binding};

use crate::adaptive_grid::{AdaptiveGrid, Focus, Magnification};
use crate::anatomy::{self, Sculpture};
use crate::build::{Build, Face, Surface, dressed};
use crate::face::{self, Layout, morphs, shapes::Spot};
use crate::fit::{Fit, Region};
use crate::garment;
use crate::net;
use crate::paint;
use crate::planes;
use crate::skin::{self, Skin};
use crate::thin;
use crate::weights;
use glam::{Vec3, Vec4};
use limber_animation::HumanBone as B;

/// Hair and skin vertices this close to their border get separate normals, in metres.
const PARTING_M: f32 = 0.0020;

/// Further rounds change nothing.
const UNFOLD_ROUNDS: usize = 8;

/// Generates a character: closed mesh, skeleton, weights and materials.
#[must_use]
pub fn model(build: &Build) -> Character {
    let fit = Fit::new(build.clone());
    let sculpture = anatomy::sculpt(&fit);
    let field = &sculpture.whole;
    let grid = adaptive_grid(&fit);
    let mut skin = skin::settle(net::mesh_field(field, &grid), field, &grid);
    thin::thin(&mut skin, &grid, build.grain.triangles);
    skin.mirror(field);
    paint::paint(&mut skin, &sculpture, &fit);
    skin.shade(field, &grid);
    dress(&fit, &sculpture, skin)
}

/// Chooses the mesh density. On the mannequin edges are 19 mm on the trunk, 12 mm on arms and feet,
/// and 5 mm on head and hands, whose fingers are 4 to 6 mm apart.
fn adaptive_grid(fit: &Fit) -> AdaptiveGrid {
    let [shoulder, elbow, wrist] =
        [B::LeftUpperArm, B::LeftLowerArm, B::LeftHand].map(|bone| fit.joint(bone));
    let head = fit.joint(B::Head);
    let build = fit.build();
    let split_m = shoulder.x + 0.45 * (elbow.x - shoulder.x);
    let (hand, face) = (build.grain.hand / build.hand_scale, build.grain.head / build.head_scale);
    let foot = 0.10 * build.foot_scale;
    let (near_wrist, in_hand) = (wrist.x - 0.06, wrist.x + 0.02);
    AdaptiveGrid {
        step_m: build.grain.step_m,
        split_m,
        arm: Magnification::new(vec![
            (split_m, 1.0),
            (elbow.x - 0.02, 1.3),
            (near_wrist, 1.3),
            (in_hand, 0.84 * hand),
        ]),
        arm_girth: Magnification::new(vec![
            (split_m, 1.0),
            (elbow.x - 0.02, 1.4),
            (near_wrist, 1.6),
            (in_hand, hand),
        ]),
        arm_axis: (shoulder.y, shoulder.z),
        upright: Magnification::new(vec![
            (0.0, build.grain.foot + 0.2),
            (foot, build.grain.foot),
            (foot + 0.06, 1.0),
            (head.y - 0.055 * build.head_scale, 1.0),
            (head.y + 0.005, face),
        ]),
        head_z: head.z,
        reach: Vec3::new(
            wrist.x + 0.24 * build.hand_scale,
            head.y + 0.30 * build.head_scale,
            0.24 * build.foot_scale,
        ),
        hand_reach_m: 0.15 * build.hand_scale,
        head_reach_m: 0.145 * build.head_scale,
        head_from: (head.y - 0.02 * build.head_scale, 0.125 * build.head_scale * face),
        feet_to: foot + 0.06,
        growth: build.grain.growth,
        focus: focus(fit),
    }
}

/// Chooses where the simplified mesh stays fine: on an animated face around eyes, brows, nose and
/// mouth, but not on the skull; on a low-poly body around the joints.
fn focus(fit: &Fit) -> Focus {
    if fit.build().face == Face::Planes {
        let joints = [B::LeftLowerLeg, B::LeftUpperLeg, B::LeftUpperArm, B::LeftLowerArm];
        let balls = joints.map(|joint| (fit.joint(joint), 0.11)).to_vec();
        return Focus { balls, inside: 0.65, head: 1.0, body: 1.0 };
    }
    let Some(layout) = Layout::of(fit.build()) else {
        return Focus { balls: Vec::new(), inside: 1.0, head: 1.0, body: 1.0 };
    };
    let scale = fit.build().head_scale;
    let (eye, mouth) = (layout.eye, layout.mouth);
    let spots = [
        (eye.centre + Vec3::Z * 0.4 * eye.radius, 1.30 * eye.radius),
        (eye.centre + Vec3::new(-0.73, 1.55, 0.75) * eye.radius, 0.80 * eye.radius),
        (eye.centre + Vec3::new(0.60, 1.55, 0.40) * eye.radius, 0.80 * eye.radius),
        (Vec3::new(0.006, mouth.height, mouth.front), 0.017),
        (Vec3::new(0.004, 1.602, 0.098), 0.012),
    ];
    let balls = spots.map(|(spot, radius)| (fit.place(Region::Head, spot), radius * scale));
    // Blend shapes cost space for every vertex that they move.
    let head = if fit.build().shapes { 3.2 } else { 2.0 };
    Focus { balls: balls.to_vec(), inside: 0.78, head, body: 1.4 }
}

/// The triangles of skin and parts before they are split into meshes.
#[derive(Default)]
struct Draft {
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
    influences: Vec<weights::Influences>,
    /// Positions of the skin's vertices before the clothes were added.
    naked: Vec<Vec3>,
    /// For vertices of a face, their positions on it.
    spots: Vec<Option<Spot>>,
    triangles: Vec<([u32; 3], usize)>,
}

fn dress(fit: &Fit, sculpture: &Sculpture, skin: Skin) -> Character {
    let skeleton = fit.skeleton();
    let build = fit.build();
    let mut draft = draft(fit, sculpture, &skeleton, skin);
    add_parts(fit, sculpture, &skeleton, &mut draft);
    let shapes = Layout::of(build).filter(|_| build.shapes);
    let shapes = shapes.map_or_else(Vec::new, |layout| morphs::shapes(fit, &layout, &draft.spots));
    let moves = |at: u32| shapes.iter().any(|shape| shape.moves[at as usize] != Vec3::ZERO);
    let alive: Vec<bool> =
        draft.triangles.iter().map(|(corners, _)| corners.iter().any(|at| moves(*at))).collect();
    let mut character = Character {
        name: build.name.to_owned(),
        skins: vec![Binding {
            joints: skeleton.indices().collect(),
            inverse_bind: skeleton.inverse_rest_matrices(),
        }],
        skeleton,
        meshes: Vec::new(),
        materials: Vec::new(),
        images: Vec::new(),
        avatar: Vec::new(),
    };
    for (paint, surface) in build.surfaces.iter().enumerate() {
        let painted = |moving: bool| {
            let all = draft.triangles.iter().zip(&alive);
            let mine = all.filter(|((_, with), alive)| *with == paint && **alive == moving);
            mine.map(|((corners, _), _)| *corners).collect::<Vec<_>>()
        };
        let material = character.materials.len();
        for (kind, triangles) in [("", painted(false)), ("face ", painted(true))] {
            if triangles.is_empty() {
                continue;
            }
            let name = format!("{kind}{}", surface.name);
            let (mut mesh, sources) = mesh(fit, sculpture, &draft, paint, &triangles);
            if !kind.is_empty() {
                mesh.morphs = shapes.iter().filter_map(|shape| shape.of(&sources)).collect();
            }
            character.meshes.push(Mesh { name, material: Some(material), ..mesh });
        }
        if character.meshes.iter().any(|mesh| mesh.material == Some(material)) {
            character.materials.push(material_of(surface));
        }
    }
    character
}

fn material_of(surface: &Surface) -> Material {
    let [red, green, blue] = surface.color;
    Material {
        name: surface.name.to_owned(),
        base_color: Vec4::new(red, green, blue, 1.0),
        metallic: surface.metallic,
        roughness: surface.roughness,
        ..Material::default()
    }
}

/// Returns the skin with weights, clothes and closed lips.
fn draft(fit: &Fit, sculpture: &Sculpture, skeleton: &Arc<Skeleton>, skin: Skin) -> Draft {
    let hair_at = |place: Vec3| {
        sculpture.hair.as_ref().map_or(0.0, |hair| {
            let bare = sculpture.bare.distance(place);
            if hair.distance(place) < bare { bare } else { 0.0 }
        })
    };
    let influences = skin
        .positions
        .iter()
        .map(|place| weights::influences(fit, skeleton, *place, hair_at(*place)))
        .collect();
    let triangles: Vec<_> =
        skin.triangles.iter().copied().zip(skin.paint.iter().copied()).collect();
    let dressed = skin.positions.iter().zip(&skin.normals);
    let positions = dressed
        .map(|(at, normal)| {
            let lifted = *at + *normal * garment::lift(fit, *at);
            // Soles stay on the floor, trouser legs on their own side.
            let x = if lifted.x * at.x > 0.0 { lifted.x } else { 0.2 * at.x };
            Vec3::new(x, lifted.y.max(at.y.min(0.0)), lifted.z)
        })
        .collect();
    let naked = skin.positions;
    let mut draft = Draft {
        positions,
        normals: skin.normals,
        influences,
        naked,
        triangles,
        ..Draft::default()
    };
    if let Some(layout) = Layout::of(fit.build()) {
        close_lips(fit, &layout, &mut draft);
    }
    draft
}

fn close_lips(fit: &Fit, layout: &Layout, draft: &mut Draft) {
    let mut closed: Vec<Vec3> = draft
        .positions
        .iter()
        .map(|place| {
            let canonical = fit.canonical(Region::Head, *place);
            if canonical.y < 1.50 {
                return *place;
            }
            let moved = face::rest::close(&layout.mouth, canonical);
            if moved == canonical { *place } else { fit.place(Region::Head, moved) }
        })
        .collect();
    unfold(&draft.positions, &mut closed, &draft.triangles);
    let around = skin::smooth_normals(&closed, &draft.triangles);
    for (at, place) in closed.iter().enumerate() {
        if place.distance_squared(draft.positions[at]) > 1e-12 {
            draft.normals[at] = around[at];
        }
    }
    let places = draft.naked.iter().zip(&closed);
    draft.spots = places.map(|(naked, at)| face::morphs::spot(fit, *naked, *at)).collect();
    draft.positions = closed;
}

/// Limits the closing of the lips half-way where it would flip a triangle, in the corners of the
/// mouth.
fn unfold(open: &[Vec3], closed: &mut [Vec3], triangles: &[([u32; 3], usize)]) {
    let facing = |places: &[Vec3], [a, b, c]: [usize; 3]| {
        (places[b] - places[a]).cross(places[c] - places[a])
    };
    for _ in 0..UNFOLD_ROUNDS {
        let turned: Vec<usize> = triangles
            .iter()
            .map(|(corners, _)| corners.map(|corner| corner as usize))
            .filter(|corners| corners.iter().any(|at| closed[*at] != open[*at]))
            .filter(|corners| {
                let (before, after) = (facing(open, *corners), facing(closed, *corners));
                before.dot(after) < 0.2 * before.length() * after.length()
            })
            .flatten()
            .collect();
        for at in turned {
            closed[at] = closed[at].lerp(open[at], 0.3);
        }
    }
}

/// Adds eyeballs, teeth and tongue, or the features of a low-poly face.
fn add_parts(fit: &Fit, sculpture: &Sculpture, skeleton: &Skeleton, draft: &mut Draft) {
    let parts = match (fit.build().face, Layout::of(fit.build())) {
        (Face::Planes, _) => planes::parts(fit, &sculpture.whole),
        (_, Some(layout)) => face::parts::parts(&layout),
        _ => Vec::new(),
    };
    for part in parts {
        let first = draft.positions.len() as u32;
        draft.influences.extend(part.positions.iter().map(|_| weights::rigid(skeleton, B::Head)));
        draft.positions.extend(part.positions.iter().map(|at| fit.place(Region::Head, *at)));
        draft.normals.extend(part.normals);
        let spot = |at: &Vec3| Spot { sculpted: *at, rest: *at, part: Some(part.kind) };
        draft.spots.extend(part.positions.iter().map(|at| Some(spot(at))));
        let shifted = |(corners, paint): ([u32; 3], usize)| (corners.map(|at| at + first), paint);
        draft.triangles.extend(part.triangles.into_iter().map(shifted));
    }
}

/// Returns a mesh of the given triangles with only the vertices they use, and for each vertex its
/// index in the draft.
fn mesh(
    fit: &Fit,
    sculpture: &Sculpture,
    draft: &Draft,
    paint: usize,
    triangles: &[[u32; 3]],
) -> (Mesh, Vec<usize>) {
    let mut mesh = Mesh { skin: Some(0), ..Mesh::default() };
    let mut sources = Vec::new();
    let mut new_place = vec![u32::MAX; draft.positions.len()];
    for triangle in triangles {
        let [a, b, c] = triangle.map(|corner| draft.positions[corner as usize]);
        let flat = (b - a).cross(c - a).normalize_or(Vec3::Y);
        let normals = triangle.map(|corner| {
            let old = corner as usize;
            draft.naked.get(old).map_or(draft.normals[old], |naked| {
                let normal = parting(sculpture, paint, *naked).unwrap_or(draft.normals[old]);
                garment::normal(fit, paint, *naked, normal)
            })
        });
        // In the sharp corners of the mouth, an averaged normal may point into a triangle.
        let is_flat = fit.build().grain.flat || flat.dot(normals.into_iter().sum()) < 0.05;
        for (corner, normal) in triangle.iter().zip(normals) {
            let old = *corner as usize;
            if !is_flat && new_place[old] != u32::MAX {
                mesh.indices.push(new_place[old]);
                continue;
            }
            let place = mesh.positions.len() as u32;
            mesh.positions.push(draft.positions[old]);
            mesh.normals.push(if is_flat { flat } else { normal });
            mesh.joints.push(draft.influences[old].0);
            mesh.weights.push(draft.influences[old].1);
            mesh.indices.push(place);
            sources.push(old);
            if !is_flat {
                new_place[old] = place;
            }
        }
    }
    (mesh, sources)
}

/// Returns the normal at the border of hair and skin: each side gets its own, so that the edge is
/// crisp.
fn parting(sculpture: &Sculpture, paint: usize, at: Vec3) -> Option<Vec3> {
    let hair = sculpture.hair.as_ref()?;
    if (hair.distance(at) - sculpture.bare.distance(at)).abs() > PARTING_M {
        return None;
    }
    let field = if paint == dressed::HAIR { hair } else { &sculpture.bare };
    Some(field.gradient(at, 0.0008).normalize_or(Vec3::Y))
}
