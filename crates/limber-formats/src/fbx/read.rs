//! Reads FBX of every version, binary and text.
//!
//! The format has no public specification, so this uses S. Raivio's `ufbx`, which is tested with
//! files from two decades. It converts units and axes to ours and resolves pivots and
//! pre-rotations. It is configured not to open other files, to reject bad references, and to limit
//! its memory.

mod material;
mod mesh;
mod skin;

use glam::{Quat, Vec3};
use ufbx::{
    AllocatorOpts, GeometryTransformHandling, IndexErrorHandling, InheritModeHandling, LoadOpts,
    SceneRoot, SpaceConversion,
};

use crate::model::{
    Beside, FileFormat, MAX_FILE_BYTES, MAX_NODES, MAX_TRIANGLES, MAX_VERTICES, Model, Node,
    ReadError, damaged, plain_text,
};

/// Memory limit for reading, in bytes; the result may take as much again.
const MAX_MEMORY: usize = 400 * 1024 * 1024;
const MAX_ALLOCATIONS: usize = 4_000_000;
/// Maximum depth of the node tree.
const MAX_DEPTH: u32 = 2_000;

/// Whether a file begins like an FBX of any kind.
pub(crate) fn looks_like_fbx(bytes: &[u8]) -> bool {
    let start = &bytes[..bytes.len().min(2_048)];
    let holds = |word: &[u8]| start.windows(word.len()).any(|at| at == word);
    start.starts_with(b"Kaydara FBX Binary")
        || holds(b"FBXHeaderExtension")
        || holds(b"FBXVersion")
        || (start.trim_ascii_start().starts_with(b";") && holds(b"FBX"))
}

/// Reads an FBX file except for its animation; textures that are not embedded are requested from
/// `beside`.
///
/// # Errors
/// See [`ReadError`].
pub(crate) fn read_model(bytes: &[u8], beside: &Beside<'_>) -> Result<Model, ReadError> {
    if bytes.len() > MAX_FILE_BYTES {
        return Err(ReadError::TooLarge("bytes", MAX_FILE_BYTES));
    }
    let scene = load(bytes)?;
    check_size(&scene)?;
    let mut model = Model {
        format: FileFormat::Fbx { version: scene.metadata.version },
        name: String::new(),
        nodes: nodes(&scene)?,
        skins: Vec::new(),
        meshes: Vec::new(),
        materials: Vec::new(),
        images: Vec::new(),
        vrm: None,
        avatar: Vec::new(),
        unweighted: 0,
        unit_m: scene.settings.original_unit_meters as f32,
        animations: scene.anim_stacks.len(),
        warnings: Vec::new(),
    };
    let materials = material::read(&scene, beside, &mut model)?;
    for node in &scene.nodes {
        if let Some(mesh) = &node.mesh {
            mesh::read(&mut model, node, mesh, &materials)?;
        }
    }
    Ok(model)
}

/// Loads the nodes and animations of an FBX file, without its meshes.
///
/// # Errors
/// See [`ReadError`].
pub(crate) fn load_movement(bytes: &[u8]) -> Result<SceneRoot, ReadError> {
    if bytes.len() > MAX_FILE_BYTES {
        return Err(ReadError::TooLarge("bytes", MAX_FILE_BYTES));
    }
    let options = LoadOpts {
        ignore_animation: false,
        ignore_geometry: true,
        // axes and units are converted at the root node, so that animations stay valid
        space_conversion: SpaceConversion::TransformRoot,
        ..careful()
    };
    let scene = ufbx::load_memory(bytes, options).map_err(|error| refusal(&error))?;
    check_size(&scene)?;
    Ok(scene)
}

fn load(bytes: &[u8]) -> Result<SceneRoot, ReadError> {
    ufbx::load_memory(bytes, careful()).map_err(|error| refusal(&error))
}

/// Returns options that open no other files, reject invalid data and convert to our coordinate
/// space.
fn careful() -> LoadOpts<'static> {
    let allocator = || AllocatorOpts {
        memory_limit: MAX_MEMORY,
        allocation_limit: MAX_ALLOCATIONS,
        ..AllocatorOpts::default()
    };
    LoadOpts {
        temp_allocator: allocator(),
        result_allocator: allocator(),
        file_format: ufbx::FileFormat::Fbx,
        node_depth_limit: MAX_DEPTH,
        index_error_handling: IndexErrorHandling::AbortLoading,
        ignore_animation: true,
        load_external_files: false,
        generate_missing_normals: true,
        normalize_normals: true,
        clean_skin_weights: true,
        use_blender_pbr_material: true,
        target_axes: ufbx::axes_right_handed_y_up(),
        target_unit_meters: 1.0,
        space_conversion: SpaceConversion::ModifyGeometry,
        geometry_transform_handling: GeometryTransformHandling::ModifyGeometry,
        inherit_mode_handling: InheritModeHandling::Compensate,
        ..LoadOpts::default()
    }
}

fn refusal(error: &ufbx::Error) -> ReadError {
    use ufbx::ErrorType as E;
    match error.type_ {
        E::MemoryLimit | E::AllocationLimit | E::OutOfMemory => {
            ReadError::TooLarge("bytes when unpacked", MAX_MEMORY)
        }
        E::NodeDepthLimit => ReadError::TooLarge("levels of nested nodes", MAX_DEPTH as usize),
        E::EmptyFile | E::TruncatedFile => damaged("it is truncated"),
        E::UnrecognizedFileFormat => {
            ReadError::NotCharacterFile("this is not an FBX file; export the character again")
        }
        E::UnsupportedVersion => ReadError::NotCharacterFile(
            "this version of FBX is not supported; export the character as FBX 2014 or later",
        ),
        E::BadIndex => damaged("it refers to something that does not exist"),
        _ => damaged("its contents contradict themselves"),
    }
}

fn check_size(scene: &SceneRoot) -> Result<(), ReadError> {
    if scene.nodes.len() > MAX_NODES {
        return Err(ReadError::TooLarge("nodes", MAX_NODES));
    }
    // each instance of a mesh becomes a copy
    let over_nodes = |count: fn(&ufbx::Mesh) -> usize| {
        let meshes = scene.nodes.as_ref().iter().filter_map(|node| node.mesh.as_ref());
        meshes.map(|mesh| count(mesh)).fold(0_usize, usize::saturating_add)
    };
    if over_nodes(|mesh| mesh.num_triangles) > MAX_TRIANGLES {
        return Err(ReadError::TooLarge("triangles", MAX_TRIANGLES));
    }
    if over_nodes(|mesh| mesh.num_vertices) > MAX_VERTICES {
        return Err(ReadError::TooLarge("vertices", MAX_VERTICES));
    }
    Ok(())
}

/// Returns the nodes with the file's indices; the first is the file's own root.
fn nodes(scene: &SceneRoot) -> Result<Vec<Node>, ReadError> {
    scene
        .nodes
        .as_ref()
        .iter()
        .map(|node| {
            let local = &node.local_transform;
            let rotation = quat(local.rotation);
            let node = Node {
                name: plain_text(&node.element.name),
                parent: node.parent.as_ref().map(|parent| parent.element.typed_id as usize),
                translation: vec3(local.translation),
                rotation: if rotation.length() > 1e-6 { rotation.normalize() } else { rotation },
                scale: vec3(local.scale),
                bone: None,
                twist: None,
            };
            let usable = node.translation.is_finite()
                && node.scale.is_finite()
                && node.rotation.is_finite()
                && node.rotation.length() > 0.5;
            if usable { Ok(node) } else { Err(damaged("a node has an invalid transform")) }
        })
        .collect()
}

fn vec3(value: ufbx::Vec3) -> Vec3 {
    Vec3::new(value.x as f32, value.y as f32, value.z as f32)
}

fn quat(value: ufbx::Quat) -> Quat {
    Quat::from_xyzw(value.x as f32, value.y as f32, value.z as f32, value.w as f32)
}
