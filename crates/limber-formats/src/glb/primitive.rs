//! Reads a primitive: one triangle list of a mesh.

use glam::{Vec2, Vec3};
use gltf::json::{
    self, Index,
    mesh::{Mode, MorphTarget, Primitive, Semantic},
    validation::Checked::Valid,
};
use limber_animation::{Mesh, Morph};

use super::{accessor::Data, surface::Placing};
use crate::{
    influences::{self, Influences, UnboundVertices},
    model::{MAX_TRIANGLES, MAX_VERTICES, ReadError, damaged},
    normals::smooth_normals,
};

/// Reads a primitive; `None` for points, lines and empty lists. The second value tells which
/// vertices have no joint.
pub(super) fn read(
    data: &Data,
    entry: &Primitive,
    placing: &Placing,
    names: &[String],
) -> Result<Option<(Mesh, UnboundVertices)>, ReadError> {
    let find = |semantic| entry.attributes.get(&Valid(semantic)).copied();
    let Some(positions) = find(Semantic::Positions) else { return Ok(None) };
    if data.count(positions)? > MAX_VERTICES {
        return Err(ReadError::TooLarge("vertices", MAX_VERTICES));
    }
    let positions = vectors(data, positions)?;
    let count = positions.len();
    let Some(indices) = corners(data, entry, count)? else { return Ok(None) };
    if positions.iter().any(|row| !row.is_finite()) {
        return Err(damaged("a vertex contains a number that is not finite"));
    }
    let normals = find(Semantic::Normals).map(|index| vectors(data, index)).transpose()?;
    let usable = |list: &Vec<Vec3>| list.len() == count && list.iter().all(|row| row.is_finite());
    let normals = normals.filter(usable).unwrap_or_else(|| smooth_normals(&positions, &indices));
    let uvs = find(Semantic::TexCoords(placing.set));
    let uvs = uvs.map(|index| data.floats::<2>(index)).transpose()?.unwrap_or_default();
    let uvs: Vec<Vec2> = uvs.into_iter().map(|row| placing.place(Vec2::from_array(row))).collect();
    let usable = uvs.len() == count && uvs.iter().all(|row| row.is_finite());
    let uvs = if usable { uvs } else { Vec::new() };
    let colors = find(Semantic::Colors(0)).map(|index| colors(data, index, count)).transpose()?;
    let material = entry.material.map(|index| index.value());
    if material.is_some_and(|place| place >= data.root.materials.len()) {
        return Err(damaged("a mesh refers to a material that does not exist"));
    }
    let morphs = morphs(data, entry, names, count)?;
    let (rows, unbound) = bindings(data, entry, count)?;
    let Influences { joints, weights, more_joints, more_weights } = rows;
    let mesh = Mesh {
        positions,
        normals,
        uvs,
        colors: colors.unwrap_or_default(),
        joints,
        weights,
        more_joints,
        more_weights,
        morphs,
        indices,
        material,
        ..Mesh::default()
    };
    Ok(Some((mesh, unbound)))
}

fn vectors(data: &Data, index: Index<json::Accessor>) -> Result<Vec<Vec3>, ReadError> {
    Ok(data.floats(index)?.into_iter().map(Vec3::from_array).collect())
}

/// Reads vertex colours with alpha; empty if they are invalid or all white.
fn colors(
    data: &Data,
    index: Index<json::Accessor>,
    count: usize,
) -> Result<Vec<[f32; 4]>, ReadError> {
    let rows: Vec<[f32; 4]> = if data.columns(index)? == 3 {
        data.floats::<3>(index)?.into_iter().map(|[r, g, b]| [r, g, b, 1.0]).collect()
    } else {
        data.floats::<4>(index)?
    };
    let mut values = rows.iter().flatten();
    let usable = rows.len() == count && values.clone().all(|value| value.is_finite());
    let plain = values.all(|value| *value >= 1.0);
    Ok(if usable && !plain { rows } else { Vec::new() })
}

fn corners(data: &Data, entry: &Primitive, count: usize) -> Result<Option<Vec<u32>>, ReadError> {
    let corners: Vec<u32> = match entry.indices {
        Some(index) if data.count(index)? > MAX_TRIANGLES * 3 => {
            return Err(ReadError::TooLarge("triangles", MAX_TRIANGLES));
        }
        Some(index) => data.integers::<1>(index)?.into_iter().map(|[corner]| corner).collect(),
        None => (0..count as u32).collect(),
    };
    let Some(indices) = triangles(&entry.mode, &corners) else { return Ok(None) };
    if indices.iter().any(|corner| *corner as usize >= count) {
        return Err(damaged("a triangle refers to a vertex that does not exist"));
    }
    Ok((!indices.is_empty() && count > 0).then_some(indices))
}

/// Converts strips and fans to a triangle list; `None` for points and lines.
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

/// Maximum number of joint sets that are read; no program writes more.
const MAX_SETS: u32 = 4;

fn bindings(
    data: &Data,
    entry: &Primitive,
    count: usize,
) -> Result<(Influences, UnboundVertices), ReadError> {
    let mut sets = Vec::new();
    for set in 0..MAX_SETS {
        let joints = entry.attributes.get(&Valid(Semantic::Joints(set)));
        let weights = entry.attributes.get(&Valid(Semantic::Weights(set)));
        let Some((joints, weights)) = joints.zip(weights) else { continue };
        let (joints, weights) = (data.integers::<4>(*joints)?, data.floats::<4>(*weights)?);
        if joints.len() != count || weights.len() != count {
            return Err(damaged("a mesh does not have as many weights as vertices"));
        }
        sets.push((joints, weights));
    }
    let mut rows = Influences::default();
    let mut unbound = UnboundVertices::default();
    if sets.is_empty() {
        return Ok((rows, unbound));
    }
    for vertex in 0..count {
        let all = sets.iter().flat_map(|(joints, weights)| {
            joints[vertex]
                .into_iter()
                .zip(weights[vertex])
                .map(|(joint, weight)| (u16::try_from(joint).unwrap_or(u16::MAX), weight))
        });
        let row = influences::normalise_weights(all, 0);
        unbound.note(vertex, &row);
        rows.push(&row);
    }
    Ok((rows.finish(), unbound))
}

fn morphs(
    data: &Data,
    entry: &Primitive,
    names: &[String],
    count: usize,
) -> Result<Vec<Morph>, ReadError> {
    let targets = entry.targets.as_deref().unwrap_or_default();
    data.spend_morphs(targets.len(), count)?;
    targets
        .iter()
        .enumerate()
        .map(|(place, target)| {
            let name = names.get(place).cloned().unwrap_or_else(|| format!("shape_{place}"));
            morph(data, target, name, count)
        })
        .collect()
}

fn morph(
    data: &Data,
    target: &MorphTarget,
    name: String,
    count: usize,
) -> Result<Morph, ReadError> {
    let rows = |index: Option<Index<json::Accessor>>| {
        let rows = index.map(|index| vectors(data, index)).transpose()?.unwrap_or_default();
        let whole = rows.is_empty() || rows.len() == count;
        if whole && rows.iter().all(|row| row.is_finite()) {
            Ok(rows)
        } else {
            Err(damaged("a morph target of a mesh has missing or invalid offsets"))
        }
    };
    let mut positions = rows(target.positions)?;
    positions.resize(count, Vec3::ZERO);
    Ok(Morph { name, positions, normals: rows(target.normals)? })
}
