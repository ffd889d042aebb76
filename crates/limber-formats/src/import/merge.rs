//! Merges the skins of all meshes that agree on the bind pose.

use glam::Mat4;
use limber_animation::{Character, JointIndex, Mesh, Skin};

/// Bind matrices that differ by less are equal.
const SAME: f32 = 2e-5;

/// Merges every skin into the first one that it does not contradict; skins without such a match
/// stay.
pub(super) fn one_skin(character: &mut Character) {
    let mut merged: Vec<Skin> = Vec::new();
    let skins = std::mem::take(&mut character.skins);
    // large ones first: the body, then what is attached to it
    let mut order: Vec<usize> = (0..skins.len()).collect();
    order.sort_by_key(|place| std::cmp::Reverse(skins[*place].joints.len()));
    let mut new_place = vec![(0, Vec::new()); skins.len()];
    for place in order {
        let skin = &skins[place];
        let home = merged.iter().position(|home| agrees(home, skin));
        let home = home.unwrap_or_else(|| {
            merged.push(Skin { joints: Vec::new(), inverse_bind: Vec::new() });
            merged.len() - 1
        });
        let joints = skin.joints.iter().zip(&skin.inverse_bind);
        let places = joints.map(|(joint, bind)| add(&mut merged[home], *joint, *bind)).collect();
        new_place[place] = (home, places);
    }
    character.skins = merged;
    for mesh in &mut character.meshes {
        if let Some((home, places)) = mesh.skin.map(|skin| &new_place[skin]) {
            mesh.skin = Some(*home);
            rename(mesh, places);
        }
    }
}

fn find(skin: &Skin, joint: JointIndex) -> Option<usize> {
    skin.joints.iter().position(|other| *other == joint)
}

fn agrees(home: &Skin, skin: &Skin) -> bool {
    let scale = |matrix: &Mat4| matrix.to_cols_array().iter().fold(1.0_f32, |a, b| a.max(b.abs()));
    skin.joints.iter().zip(&skin.inverse_bind).all(|(joint, bind)| {
        find(home, *joint)
            .is_none_or(|at| home.inverse_bind[at].abs_diff_eq(*bind, SAME * scale(bind)))
    })
}

fn add(home: &mut Skin, joint: JointIndex, bind: Mat4) -> u16 {
    let place = find(home, joint).unwrap_or_else(|| {
        home.joints.push(joint);
        home.inverse_bind.push(bind);
        home.joints.len() - 1
    });
    u16::try_from(place).expect("a skeleton has at most a thousand joints")
}

fn rename(mesh: &mut Mesh, places: &[u16]) {
    for row in mesh
        .joints
        .iter_mut()
        .zip(&mesh.weights)
        .chain(mesh.more_joints.iter_mut().zip(&mesh.more_weights))
    {
        for (joint, weight) in row.0.iter_mut().zip(row.1) {
            *joint = if *weight > 0.0 { places[usize::from(*joint)] } else { 0 };
        }
    }
}
