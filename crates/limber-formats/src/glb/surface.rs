//! Meshes, skins, materials and pictures of a file.

use std::collections::HashMap;

use glam::{Mat4, Vec2, Vec3, Vec4};
use gltf::json::{
    self, Index,
    mesh::{Mode, Primitive, Semantic},
    validation::Checked::Valid,
};
use image::ImageReader;
use limber_animation::{Image, ImageEncoding, JointIndex, Material, Mesh, Skin};

use super::{
    GlbError, MAX_IMAGE_SIDE, MAX_TRIANGLES, MAX_VERTICES, accessor::Data, damaged, tree::Tree,
    write::tidy_influences,
};

/// Which joint a node became.
pub(super) type JointOfNode = HashMap<usize, JointIndex>;

/// A character's visible part.
#[derive(Default)]
pub(super) struct Surface {
    pub(super) skins: Vec<Skin>,
    pub(super) meshes: Vec<Mesh>,
    pub(super) materials: Vec<Material>,
    pub(super) images: Vec<Image>,
}

/// Reads everything that is drawn.
pub(super) fn read(data: &Data, tree: &Tree, joints: &JointOfNode) -> Result<Surface, GlbError> {
    let mut surface = Surface::default();
    let image_places = images(data, &mut surface.images)?;
    surface.materials =
        data.root.materials.iter().map(|entry| material(data.root, entry, &image_places)).collect();
    for entry in &data.root.skins {
        surface.skins.push(skin(data, tree, joints, entry)?);
    }
    for (node, entry) in data.root.nodes.iter().enumerate() {
        let Some(index) = entry.mesh else { continue };
        let mesh = data
            .root
            .meshes
            .get(index.value())
            .ok_or_else(|| damaged("a node names a mesh that is not there"))?;
        for primitive in &mesh.primitives {
            let Some(mut part) = self::primitive(data, primitive)? else { continue };
            part.name = mesh.name.clone().or_else(|| entry.name.clone()).unwrap_or_default();
            place(&mut surface, &mut part, (tree, joints), (node, entry.skin))?;
            surface.meshes.push(part);
            check_size(&surface.meshes)?;
        }
    }
    Ok(surface)
}

fn check_size(meshes: &[Mesh]) -> Result<(), GlbError> {
    if meshes.iter().map(|mesh| mesh.positions.len()).sum::<usize>() > MAX_VERTICES {
        return Err(GlbError::TooLarge("vertices", MAX_VERTICES));
    }
    if meshes.iter().map(|mesh| mesh.indices.len() / 3).sum::<usize>() > MAX_TRIANGLES {
        return Err(GlbError::TooLarge("triangles", MAX_TRIANGLES));
    }
    Ok(())
}

/// Binds a mesh: to its skin, or as one rigid piece to the nearest joint above its node, or else
/// to the world.
fn place(
    surface: &mut Surface,
    mesh: &mut Mesh,
    (tree, joints): (&Tree, &JointOfNode),
    (node, skin): (usize, Option<Index<json::Skin>>),
) -> Result<(), GlbError> {
    if let Some(skin) = skin.filter(|_| !mesh.joints.is_empty()) {
        let joints = surface
            .skins
            .get(skin.value())
            .ok_or_else(|| damaged("a node names a skin that is not there"))?
            .joints
            .len();
        if mesh.joints.iter().flatten().any(|place| usize::from(*place) >= joints) {
            return Err(damaged(format!("the mesh `{}` names a joint its skin lacks", mesh.name)));
        }
        mesh.skin = Some(skin.value());
        return Ok(());
    }
    mesh.joints = Vec::new();
    mesh.weights = Vec::new();
    let mut above = Some(node);
    while let Some(next) = above {
        if let Some(joint) = joints.get(&next) {
            let inverse_bind = vec![tree.rigid(next).inverse() * tree.world[node]];
            surface.skins.push(Skin { joints: vec![*joint], inverse_bind });
            mesh.joints = vec![[0; 4]; mesh.positions.len()];
            mesh.weights = vec![[1.0, 0.0, 0.0, 0.0]; mesh.positions.len()];
            mesh.skin = Some(surface.skins.len() - 1);
            return Ok(());
        }
        above = tree.parent[next];
    }
    let world = tree.world[node];
    let turn = world.inverse().transpose();
    for position in &mut mesh.positions {
        *position = world.transform_point3(*position);
    }
    for normal in &mut mesh.normals {
        *normal = turn.transform_vector3(*normal).normalize_or(Vec3::Y);
    }
    Ok(())
}

fn skin(
    data: &Data,
    tree: &Tree,
    joints: &JointOfNode,
    entry: &json::Skin,
) -> Result<Skin, GlbError> {
    let matrices = match entry.inverse_bind_matrices {
        Some(index) => data.floats::<16>(index)?.iter().map(Mat4::from_cols_array).collect(),
        None => vec![Mat4::IDENTITY; entry.joints.len()],
    };
    if entry.joints.is_empty() || matrices.len() < entry.joints.len() {
        return Err(damaged("a skin has fewer bind matrices than joints"));
    }
    if matrices.iter().any(|matrix| !matrix.is_finite()) {
        return Err(damaged("a bind matrix holds a number that is not finite"));
    }
    let mut skin = Skin { joints: Vec::new(), inverse_bind: Vec::new() };
    for (node, matrix) in entry.joints.iter().map(Index::value).zip(matrices) {
        let joint =
            joints.get(&node).ok_or_else(|| damaged("a skin names a joint that is not there"))?;
        skin.joints.push(*joint);
        // joints have no scale, so what scale the node has moves into the bind matrix
        let plain = tree.plain[node] && tree.local[node].scale == Vec3::ONE;
        skin.inverse_bind.push(if plain {
            matrix
        } else {
            tree.rigid(node).inverse() * tree.world[node] * matrix
        });
    }
    Ok(skin)
}

/// One list of triangles; `None` for points, lines and empty lists.
fn primitive(data: &Data, entry: &Primitive) -> Result<Option<Mesh>, GlbError> {
    let find = |semantic| entry.attributes.get(&Valid(semantic)).copied();
    let Some(positions) = find(Semantic::Positions) else { return Ok(None) };
    if data.count(positions)? > MAX_VERTICES {
        return Err(GlbError::TooLarge("vertices", MAX_VERTICES));
    }
    let positions: Vec<Vec3> = data.floats(positions)?.into_iter().map(Vec3::from_array).collect();
    let count = positions.len();
    let corners: Vec<u32> = match entry.indices {
        Some(index) if data.count(index)? > MAX_TRIANGLES * 3 => {
            return Err(GlbError::TooLarge("triangles", MAX_TRIANGLES));
        }
        Some(index) => data.integers::<1>(index)?.into_iter().map(|[corner]| corner).collect(),
        None => (0..count as u32).collect(),
    };
    let Some(indices) = triangles(&entry.mode, &corners) else { return Ok(None) };
    if indices.is_empty() || count == 0 {
        return Ok(None);
    }
    if indices.iter().any(|corner| *corner as usize >= count) {
        return Err(damaged("a triangle names a vertex that is not there"));
    }
    if positions.iter().any(|row| !row.is_finite()) {
        return Err(damaged("a vertex holds a number that is not finite"));
    }
    let normals = match find(Semantic::Normals) {
        Some(index) => data.floats(index)?.into_iter().map(Vec3::from_array).collect(),
        None => Vec::new(),
    };
    let usable = normals.len() == count && normals.iter().all(|row| row.is_finite());
    let normals = if usable { normals } else { smooth_normals(&positions, &indices) };
    let uvs: Vec<Vec2> = match find(Semantic::TexCoords(texture_set(data.root, entry))) {
        Some(index) => data.floats(index)?.into_iter().map(Vec2::from_array).collect(),
        None => Vec::new(),
    };
    let uvs =
        if uvs.len() == count && uvs.iter().all(|row| row.is_finite()) { uvs } else { Vec::new() };
    let (joints, weights) = influences(data, entry, count)?;
    let material = entry.material.map(|index| index.value());
    if material.is_some_and(|place| place >= data.root.materials.len()) {
        return Err(damaged("a mesh names a material that is not there"));
    }
    Ok(Some(Mesh {
        positions,
        normals,
        uvs,
        joints,
        weights,
        indices,
        material,
        ..Mesh::default()
    }))
}

fn texture_set(root: &json::Root, entry: &Primitive) -> u32 {
    entry
        .material
        .and_then(|index| root.materials.get(index.value()))
        .and_then(|material| material.pbr_metallic_roughness.base_color_texture.as_ref())
        .map_or(0, |texture| texture.tex_coord)
}

/// Strips and fans become lists; `None` for what has no area.
fn triangles(mode: &json::validation::Checked<Mode>, corners: &[u32]) -> Option<Vec<u32>> {
    let Valid(mode) = mode else { return None };
    match mode {
        Mode::Triangles => {
            let whole = corners.len() / 3 * 3;
            Some(corners[..whole].to_vec())
        }
        Mode::TriangleStrip => Some(
            corners
                .windows(3)
                .enumerate()
                .flat_map(
                    |(place, c)| {
                        if place % 2 == 0 { [c[0], c[1], c[2]] } else { [c[1], c[0], c[2]] }
                    },
                )
                .collect(),
        ),
        Mode::TriangleFan => {
            let first = *corners.first()?;
            Some(corners[1..].windows(2).flat_map(|pair| [first, pair[0], pair[1]]).collect())
        }
        Mode::Points | Mode::Lines | Mode::LineLoop | Mode::LineStrip => None,
    }
}

/// The four strongest of up to eight influences per vertex.
#[expect(clippy::type_complexity, reason = "the two lists of a mesh")]
fn influences(
    data: &Data,
    entry: &Primitive,
    count: usize,
) -> Result<(Vec<[u16; 4]>, Vec<[f32; 4]>), GlbError> {
    let mut all: Vec<Vec<(u16, f32)>> = vec![Vec::new(); count];
    let mut found = false;
    for set in 0..2 {
        let joints = entry.attributes.get(&Valid(Semantic::Joints(set)));
        let weights = entry.attributes.get(&Valid(Semantic::Weights(set)));
        let Some((joints, weights)) = joints.zip(weights) else { continue };
        let (joints, weights) = (data.integers::<4>(*joints)?, data.floats::<4>(*weights)?);
        if joints.len() != count || weights.len() != count {
            return Err(damaged("a mesh has another number of weights than vertices"));
        }
        found = true;
        for (row, (joints, weights)) in all.iter_mut().zip(joints.iter().zip(&weights)) {
            for (joint, weight) in joints.iter().zip(weights) {
                let joint = u16::try_from(*joint)
                    .map_err(|_| damaged("a mesh names a joint its skin lacks"))?;
                row.push((joint, if weight.is_finite() { *weight } else { 0.0 }));
            }
        }
    }
    if !found {
        return Ok((Vec::new(), Vec::new()));
    }
    Ok(all.into_iter().map(strongest).unzip())
}

fn strongest(mut row: Vec<(u16, f32)>) -> ([u16; 4], [f32; 4]) {
    row.sort_by(|a, b| b.1.total_cmp(&a.1));
    row.resize(4, (0, 0.0));
    let joints = [row[0].0, row[1].0, row[2].0, row[3].0];
    tidy_influences(joints, [row[0].1, row[1].1, row[2].1, row[3].1])
}

/// Area-weighted normals for files that have none.
fn smooth_normals(positions: &[Vec3], indices: &[u32]) -> Vec<Vec3> {
    let mut normals = vec![Vec3::ZERO; positions.len()];
    for corner in indices.chunks_exact(3) {
        let [a, b, c] = [corner[0] as usize, corner[1] as usize, corner[2] as usize];
        let area = (positions[b] - positions[a]).cross(positions[c] - positions[a]);
        for vertex in [a, b, c] {
            normals[vertex] += area;
        }
    }
    normals.into_iter().map(|normal| normal.normalize_or(Vec3::Y)).collect()
}

fn material(root: &json::Root, entry: &json::Material, images: &[Option<usize>]) -> Material {
    let surface = &entry.pbr_metallic_roughness;
    let image = surface.base_color_texture.as_ref().and_then(|texture| {
        let source = root.textures.get(texture.index.value())?.source;
        images.get(source.value()).copied().flatten()
    });
    Material {
        name: entry.name.clone().unwrap_or_default(),
        base_color: Vec4::from_array(surface.base_color_factor.0),
        base_color_image: image,
        metallic: surface.metallic_factor.0,
        roughness: surface.roughness_factor.0,
        double_sided: entry.double_sided,
    }
}

/// Reads the pictures; says for each of the file's where it went, if it is PNG or JPEG.
fn images(data: &Data, found: &mut Vec<Image>) -> Result<Vec<Option<usize>>, GlbError> {
    let mut places = Vec::new();
    for entry in &data.root.images {
        if entry.uri.is_some() {
            return Err(GlbError::ExternalReference);
        }
        let bytes = match entry.buffer_view {
            Some(view) => data.view(view)?,
            None => &[],
        };
        let encoding = match bytes {
            [0x89, b'P', b'N', b'G', ..] => Some(ImageEncoding::Png),
            [0xFF, 0xD8, 0xFF, ..] => Some(ImageEncoding::Jpeg),
            _ => None,
        };
        places.push(match encoding {
            Some(encoding) => {
                check_side(bytes)?;
                let name = entry.name.clone().unwrap_or_default();
                found.push(Image { name, encoding, bytes: bytes.to_vec() });
                Some(found.len() - 1)
            }
            None => None,
        });
    }
    Ok(places)
}

/// Looks at a picture's header only: a small file can unpack to a huge picture.
fn check_side(bytes: &[u8]) -> Result<(), GlbError> {
    let size = ImageReader::new(std::io::Cursor::new(bytes))
        .with_guessed_format()
        .ok()
        .and_then(|reader| reader.into_dimensions().ok());
    match size {
        None => Err(damaged("a picture in it cannot be read")),
        Some((width, height)) if width.max(height) > MAX_IMAGE_SIDE => {
            Err(GlbError::TooLarge("pixels along a picture's side", MAX_IMAGE_SIDE as usize))
        }
        Some(_) => Ok(()),
    }
}
