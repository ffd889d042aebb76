//! FBX files as read by ufbx, an independent reader.

use std::{collections::HashMap, sync::Arc};

use glam::{DVec3, Mat4, Quat, Vec3};
use limber_animation::{Character, Clip, Fps, Skeleton, Skin, canonical_skeleton};
use limber_formats::fbx::{self, FbxOptions};

use crate::mannequin::{body, foreign_skeleton, root_below_hips, swinging};

/// A tenth of a millimetre.
const EXACT_M: f64 = 1e-4;

fn options() -> FbxOptions {
    FbxOptions { name: "swinging".to_owned(), ..FbxOptions::default() }
}

/// Reads a file, converted to metres and Y up.
fn read(bytes: &[u8]) -> ufbx::SceneRoot {
    let options = ufbx::LoadOpts {
        target_axes: ufbx::CoordinateAxes::right_handed_y_up(),
        target_unit_meters: 1.0,
        ..Default::default()
    };
    ufbx::load_memory(bytes, options).expect("ufbx can read the file")
}

fn written(character: &Character, clip: &Clip, options: &FbxOptions) -> ufbx::SceneRoot {
    read(&fbx::write_clip(character, clip, options).expect("the file can be written"))
}

fn at_frame(scene: &ufbx::Scene, clip: &Clip, frame: usize, skinned: bool) -> ufbx::SceneRoot {
    let time = frame as f64 / f64::from(clip.fps().get());
    let options = ufbx::EvaluateOpts { evaluate_skinning: skinned, ..Default::default() };
    let stack = scene.anim_stacks.iter().next().expect("the file contains an animation");
    ufbx::evaluate_scene(scene, &stack.anim, stack.time_begin + time, options)
        .expect("the scene can be evaluated")
}

fn places(scene: &ufbx::Scene) -> HashMap<String, DVec3> {
    let bones = scene.nodes.iter().filter(|node| node.bone.is_some());
    bones
        .map(|node| {
            let at = &node.node_to_world;
            (node.element.name.to_string(), DVec3::new(at.m03, at.m13, at.m23))
        })
        .collect()
}

fn assert_joints(scene: &ufbx::Scene, clip: &Clip) {
    for (frame, meant) in clip.world_positions().iter().enumerate() {
        let places = places(&at_frame(scene, clip, frame, false));
        for (joint, meant) in clip.skeleton().joints().iter().zip(meant) {
            let distance = places[&joint.name].distance(meant.as_dvec3());
            assert!(distance < EXACT_M, "{}: {distance} m in frame {frame}", joint.name);
        }
    }
}

/// Asserts that the corners of all triangles are where the clip puts them.
fn assert_skinned(scene: &ufbx::Scene, character: &Character, clip: &Clip) {
    for frame in [0, clip.len() / 2, clip.len() - 1] {
        let posed = at_frame(scene, clip, frame, true);
        let world = clip.skeleton().world(&clip.frames()[frame]);
        for (mesh, meant) in posed.meshes.iter().zip(&character.meshes) {
            let positions = character.skinned_positions(meant, &world);
            let to_world = mesh.element.instances[0].geometry_to_world;
            assert_eq!(mesh.num_indices, meant.indices.len());
            for (corner, vertex) in meant.indices.iter().enumerate() {
                let place = mesh.skinned_position.indices[corner] as usize;
                let mut at = mesh.skinned_position.values[place];
                if mesh.skinned_is_local {
                    at = ufbx::transform_position(&to_world, at);
                }
                let meant = positions[*vertex as usize].as_dvec3();
                let distance = DVec3::new(at.x, at.y, at.z).distance(meant);
                assert!(distance < EXACT_M, "{distance} m in frame {frame}");
            }
        }
    }
}

#[test]
fn joint_positions_are_correct_in_every_frame() {
    for skeleton in [canonical_skeleton(), foreign_skeleton()] {
        let clip = swinging(&skeleton, 45);
        let scene = written(&body(skeleton), &clip, &options());
        assert_eq!(scene.settings.frames_per_second, 30.0);
        assert!((scene.anim_stacks[0].time_end - 44.0 / 30.0).abs() < 1e-9);
        assert_joints(&scene, &clip);
    }
}

#[test]
fn a_root_changes_no_world_position() {
    for skeleton in [canonical_skeleton(), foreign_skeleton()] {
        let clip = swinging(&skeleton, 20);
        let root = root_below_hips(&clip);
        let scene =
            written(&body(skeleton), &clip, &FbxOptions { root: Some(root.clone()), ..options() });
        let hips = clip.skeleton().joints()[clip.skeleton().hips().get()].name.as_str();
        for (frame, meant) in clip.world_positions().iter().enumerate() {
            let places = places(&at_frame(&scene, &clip, frame, false));
            let meant = meant[clip.skeleton().hips().get()].as_dvec3();
            assert!(places[hips].distance(meant) < EXACT_M);
            assert!(places["root"].distance(root.positions[frame].as_dvec3()) < EXACT_M);
        }
    }
}

#[test]
fn the_exported_mesh_moves_like_the_original() {
    for skeleton in [canonical_skeleton(), foreign_skeleton()] {
        let clip = swinging(&skeleton, 20);
        let character = body(skeleton);
        assert_skinned(&written(&character, &clip, &options()), &character, &clip);
        let root = Some(root_below_hips(&clip));
        if clip.skeleton().joint(clip.skeleton().hips()).parent.is_none() {
            let scene = written(&character, &clip, &FbxOptions { root, ..options() });
            assert_skinned(&scene, &character, &clip);
        }
    }
}

/// Meshes of other programs: in centimetres with their own origin, or bound in another pose than
/// the rest pose.
#[test]
fn meshes_bound_in_another_pose_move_like_the_original() {
    let skeleton = foreign_skeleton();
    let clip = swinging(&skeleton, 20);
    let own = body(skeleton.clone());
    let shrink = Mat4::from_scale_rotation_translation(
        Vec3::splat(0.01),
        Quat::from_rotation_x(0.5),
        Vec3::new(0.3, -0.2, 0.1),
    );
    let mut large = own.clone();
    for matrix in &mut large.skins[0].inverse_bind {
        *matrix *= shrink;
    }
    for mesh in &mut large.meshes[..1] {
        for (position, normal) in mesh.positions.iter_mut().zip(&mut mesh.normals) {
            *position = shrink.inverse().transform_point3(*position);
            *normal = shrink.inverse().transform_vector3(*normal).normalize();
        }
    }
    assert_skinned(&written(&large, &clip, &options()), &large, &clip);

    let mut posed = own;
    let other = skeleton.world(&clip.frames()[7]);
    posed.skins[0] = Skin {
        joints: skeleton.indices().collect(),
        inverse_bind: other.matrices().map(|matrix| matrix.inverse()).collect(),
    };
    let scene = written(&posed, &clip, &options());
    assert_skinned(&scene, &posed, &clip);
    assert_joints(&scene, &clip);
}

#[test]
fn corners_keep_normals_and_texture_coordinates_and_share_points() {
    let character = body(canonical_skeleton());
    let scene = written(&character, &swinging(&character.skeleton, 3), &options());
    for (mesh, meant) in scene.meshes.iter().zip(&character.meshes) {
        assert_eq!(mesh.num_triangles, meant.indices.len() / 3);
        // a box has 24 corners in 8 positions
        assert_eq!(mesh.num_vertices * 3, meant.positions.len());
        for (corner, vertex) in meant.indices.iter().enumerate() {
            let normal = mesh.vertex_normal.values[mesh.vertex_normal.indices[corner] as usize];
            let normal = DVec3::new(normal.x, normal.y, normal.z);
            assert!(normal.distance(meant.normals[*vertex as usize].as_dvec3()) < 1e-6);
            let uv = mesh.vertex_uv.values[mesh.vertex_uv.indices[corner] as usize];
            let meant = meant.uvs[*vertex as usize].as_dvec2();
            assert!((uv.x - meant.x).abs() < 1e-6 && (1.0 - uv.y - meant.y).abs() < 1e-6);
        }
    }
}

#[test]
fn every_point_is_bound_to_the_right_joints() {
    let character = body(canonical_skeleton());
    let scene = written(&character, &swinging(&character.skeleton, 3), &options());
    let skin = scene.skin_deformers.iter().next().expect("the file contains a skin");
    assert_eq!(skin.clusters.len(), character.skeleton.len());
    let points = scene.meshes[0].num_vertices;
    let mut sums = vec![0.0; points];
    for cluster in skin.clusters.iter() {
        assert!(cluster.bone_node.is_some());
        for (vertex, weight) in cluster.vertices.iter().zip(cluster.weights.iter()) {
            sums[*vertex as usize] += weight;
        }
    }
    assert!(sums.iter().all(|sum| (sum - 1.0_f64).abs() < 1e-6));
}

#[test]
fn materials_and_images_are_embedded() {
    let mut character = body(canonical_skeleton());
    character.materials[1].base_color = glam::Vec4::new(0.1, 0.2, 0.3, 0.5);
    character.materials[1].roughness = 0.25;
    let scene = written(&character, &swinging(&character.skeleton, 3), &options());
    let names: Vec<String> =
        scene.materials.iter().map(|material| material.element.name.to_string()).collect();
    assert_eq!(names, ["skin", "mark"]);
    let texture = scene.materials[0].fbx.diffuse_color.texture.as_ref().expect("a texture");
    assert_eq!(&texture.content[..], &character.images[0].bytes[..]);
    assert_eq!(texture.relative_filename.to_string(), "textures/colours.png");
    let mark = &scene.materials[1];
    let colour = mark.fbx.diffuse_color.value_vec4;
    assert!(DVec3::new(colour.x, colour.y, colour.z).distance(DVec3::new(0.1, 0.2, 0.3)) < 1e-6);
    assert!((mark.fbx.transparency_factor.value_vec4.x - 0.5).abs() < 1e-6);
    let used: Vec<String> =
        scene.meshes.iter().map(|mesh| mesh.materials[0].element.name.to_string()).collect();
    assert_eq!(used, ["skin", "mark"]);
}

#[test]
fn the_bind_pose_is_the_rest_pose() {
    let skeleton = foreign_skeleton();
    let scene = written(&body(skeleton.clone()), &swinging(&skeleton, 3), &options());
    let pose =
        scene.poses.iter().find(|pose| pose.is_bind_pose).expect("the file contains a bind pose");
    let rest = skeleton.rest_world();
    let mut seen = 0;
    for bone in pose.bone_poses.iter().filter(|bone| bone.bone_node.bone.is_some()) {
        let joint =
            skeleton.find_name(&bone.bone_node.element.name).expect("the joint is one of ours");
        let at = &bone.bone_to_world;
        let at = DVec3::new(at.m03, at.m13, at.m23);
        assert!(at.distance(rest.position(joint).as_dvec3()) < EXACT_M);
        seen += 1;
    }
    assert_eq!(seen, skeleton.len());
    let places = places(&scene);
    for (joint, meant) in skeleton.joints().iter().zip(&rest.positions) {
        assert!(
            places[&joint.name].distance(meant.as_dvec3()) < EXACT_M,
            "default transforms are in the bind pose too"
        );
    }
}

#[test]
fn skeletons_have_no_mesh_and_characters_no_animation() {
    let character = body(canonical_skeleton());
    let clip = swinging(&character.skeleton, 5);
    let alone = written(&character, &clip, &FbxOptions { mesh: false, ..options() });
    assert_eq!((alone.meshes.len(), alone.materials.len()), (0, 0));
    assert_joints(&alone, &clip);
    let still = read(&fbx::write_character(&character).expect("the file can be written"));
    assert_eq!((still.meshes.len(), still.anim_stacks.len()), (2, 0));
}

#[test]
fn clips_of_one_frame_and_joints_with_odd_names_are_read() {
    let mut joints = canonical_skeleton().joints().to_vec();
    joints[3].name = "mixamorig:左 足\0\x01Model".to_owned();
    let skeleton = Arc::new(Skeleton::new(joints).expect("the joints form a valid skeleton"));
    let clip = swinging(&skeleton, 1);
    let scene = written(&body(skeleton), &clip, &options());
    let places = places(&at_frame(&scene, &clip, 0, false));
    assert!(places.contains_key("mixamorig:左 足Model"), "{:?}", places.keys());
}

#[test]
fn fewer_keys_stay_within_the_bound() {
    use limber_formats::preset::KeyReduction;
    let skeleton = foreign_skeleton();
    let clip = swinging(&skeleton, 30).resampled(Fps::new(120).expect("the frame rate is valid"));
    let character = body(skeleton);
    let write = |keys| {
        let options = FbxOptions { keys, ..options() };
        fbx::write_clip(&character, &clip, &options).expect("the file can be written")
    };
    let (full, lean) = (write(KeyReduction::None), write(KeyReduction::UNSEEN));
    assert!(lean.len() < full.len() * 9 / 10, "{} of {}", lean.len(), full.len());
    let (full, lean) = (read(&full), read(&lean));
    for frame in 0..clip.len() {
        let (full, lean) =
            (at_frame(&full, &clip, frame, false), at_frame(&lean, &clip, frame, false));
        for (a, b) in full.nodes.iter().zip(lean.nodes.iter()) {
            let (a, b) = (&a.local_transform, &b.local_transform);
            let turn = |q: &ufbx::Quat| glam::DQuat::from_xyzw(q.x, q.y, q.z, q.w);
            let off = turn(&a.rotation).angle_between(turn(&b.rotation)).to_degrees();
            assert!(off < 0.101, "{off} degrees in frame {frame}");
            let place = |v: &ufbx::Vec3| DVec3::new(v.x, v.y, v.z);
            assert!(place(&a.translation).distance(place(&b.translation)) < 0.0501, "cm");
        }
    }
}

#[test]
fn morph_targets_become_blend_shapes_with_the_same_points() {
    let mut character = body(canonical_skeleton());
    let mesh = &mut character.meshes[0];
    let mut morph = limber_animation::Morph {
        name: "jawOpen".to_owned(),
        positions: vec![Vec3::ZERO; mesh.positions.len()],
        normals: Vec::new(),
    };
    // all corners of the first box move up, one of the second forwards
    morph.positions[..24].fill(Vec3::new(0.0, 0.01, 0.0));
    morph.positions[24] = Vec3::new(0.0, 0.0, 0.02);
    let meant = morph.positions.clone();
    mesh.morphs = vec![
        morph,
        limber_animation::Morph {
            name: "eyeBlink_L".to_owned(),
            positions: vec![Vec3::X; mesh.positions.len()],
            normals: vec![Vec3::ZERO; mesh.positions.len()],
        },
    ];
    let scene = written(&character, &swinging(&character.skeleton, 3), &options());
    let mesh = &scene.meshes[0];
    let channels = &mesh.blend_deformers[0].channels;
    let names: Vec<String> = channels.iter().map(|c| c.element.name.to_string()).collect();
    assert_eq!(names, ["jawOpen", "eyeBlink_L"]);
    assert!(channels.iter().all(|channel| channel.weight == 0.0));
    let shape = &channels[0].keyframes[0].shape;
    let offset = |point: u32| {
        let row = shape.offset_vertices.iter().position(|other| *other == point);
        row.map_or(DVec3::ZERO, |row| {
            let at = shape.position_offsets[row];
            DVec3::new(at.x, at.y, at.z) / 100.0
        })
    };
    for (corner, vertex) in character.meshes[0].indices.iter().enumerate() {
        let point = mesh.vertex_indices[corner];
        let meant = meant[*vertex as usize].as_dvec3();
        assert!(offset(point).distance(meant) < 1e-6, "vertex {vertex}");
    }
    // corners that separate in a morph target are no longer one point
    assert_eq!(mesh.num_vertices, character.meshes[0].positions.len() / 3 + 1);
}

#[test]
fn eight_influences_and_all_images_are_kept() {
    let mut character = body(canonical_skeleton());
    let mesh = &mut character.meshes[0];
    let count = mesh.positions.len();
    mesh.weights = vec![[0.4, 0.1, 0.1, 0.1]; count];
    for row in &mut mesh.joints {
        (row[2], row[3]) = (5, 6);
    }
    mesh.more_joints = vec![[7, 8, 0, 0]; count];
    mesh.more_weights = vec![[0.2, 0.1, 0.0, 0.0]; count];
    let skin = &mut character.materials[0];
    skin.normal_image = Some(0);
    skin.emissive = Vec3::new(0.5, 0.25, 0.0);
    skin.emissive_image = Some(0);
    skin.alpha = limber_animation::Alpha::Mask(0.5);
    let clip = swinging(&character.skeleton, 5);
    let scene = written(&character, &clip, &options());
    assert!(scene.skin_deformers[0].max_weights_per_vertex >= 5);
    assert_skinned(&scene, &character, &clip);
    let maps = &scene.materials[0].fbx;
    for map in
        [&maps.diffuse_color, &maps.normal_map, &maps.emission_color, &maps.transparency_color]
    {
        let texture = map.texture.as_ref().expect("the material has a texture");
        assert_eq!(&texture.content[..], &character.images[0].bytes[..]);
    }
    assert!((maps.emission_color.value_vec4.y - 0.25).abs() < 1e-6);
}
