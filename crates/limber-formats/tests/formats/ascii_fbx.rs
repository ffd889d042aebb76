//! Writes text FBX 7.4 as other programs do, as input for the reader.

use std::fmt::Write as _;

use glam::{EulerRot, Mat4, Quat, Vec3};
use limber_animation::Character;

/// Variations of the file.
pub(crate) struct Telling {
    /// Centimetres per unit.
    pub(crate) unit_cm: f64,
    /// Whether the file is Z up, front −Y.
    pub(crate) z_up: bool,
    /// Whether rest rotations are stored as pre-rotations.
    pub(crate) pre_rotation: bool,
    /// Whether the joints are in a bent pose, so that only the clusters have the rest pose.
    pub(crate) bent: bool,
    /// Whether to omit the mesh.
    pub(crate) no_mesh: bool,
    /// Whether to omit the skin.
    pub(crate) no_skin: bool,
    /// Path of a texture of the mesh's material, which is not embedded.
    pub(crate) picture: Option<&'static str>,
}

impl Default for Telling {
    fn default() -> Self {
        Self {
            unit_cm: 1.0,
            z_up: false,
            pre_rotation: false,
            bent: false,
            no_mesh: false,
            no_skin: false,
            picture: None,
        }
    }
}

fn numbers<T: std::fmt::Display>(values: impl IntoIterator<Item = T>) -> (usize, String) {
    let values: Vec<String> = values.into_iter().map(|value| value.to_string()).collect();
    (values.len(), values.join(","))
}

fn array<T: std::fmt::Display>(text: &mut String, name: &str, values: impl IntoIterator<Item = T>) {
    let (count, values) = numbers(values);
    let _ = writeln!(text, "{name}: *{count} {{\na: {values}\n}}");
}

/// Writes the first skinned mesh of a character as FBX.
pub(crate) fn write(character: &Character, telling: &Telling) -> Vec<u8> {
    let scale = (100.0 / telling.unit_cm) as f32;
    // our Y up becomes Z up in the file
    let axes = if telling.z_up {
        Quat::from_rotation_x(std::f32::consts::FRAC_PI_2)
    } else {
        Quat::IDENTITY
    };
    let world = character.skeleton.rest_world();
    let place = |at: Vec3| axes * at * scale;
    let joints = character.skeleton.joints();
    let global = |joint: usize| {
        Mat4::from_rotation_translation(
            axes * world.rotations[joint],
            place(world.positions[joint]),
        )
    };
    let mut text = String::from(
        "; FBX 7.4.0 project file\nFBXHeaderExtension:  {\nFBXHeaderVersion: 1003\nFBXVersion: 7400\n}\n",
    );
    let (up, front, sign) = if telling.z_up { (2, 1, -1) } else { (1, 2, 1) };
    let _ = writeln!(
        text,
        "GlobalSettings:  {{\nVersion: 1000\nProperties70:  {{\n\
         P: \"UpAxis\", \"int\", \"Integer\", \"\",{up}\nP: \"UpAxisSign\", \"int\", \"Integer\", \"\",1\n\
         P: \"FrontAxis\", \"int\", \"Integer\", \"\",{front}\nP: \"FrontAxisSign\", \"int\", \"Integer\", \"\",{sign}\n\
         P: \"CoordAxis\", \"int\", \"Integer\", \"\",0\nP: \"CoordAxisSign\", \"int\", \"Integer\", \"\",1\n\
         P: \"UnitScaleFactor\", \"double\", \"Number\", \"\",{}\n}}\n}}",
        telling.unit_cm
    );
    text.push_str("Objects:  {\n");
    let mut links = String::new();
    for (at, joint) in joints.iter().enumerate() {
        let parent = joint.parent.map_or(Mat4::IDENTITY, |parent| global(parent.get()));
        let local = parent.inverse() * global(at);
        let (_, mut turn, offset) = local.to_scale_rotation_translation();
        if telling.bent {
            turn *= Quat::from_rotation_z(0.15);
        }
        let (x, y, z) = turn.to_euler(EulerRot::ZYX);
        let degrees = [z, y, x].map(f32::to_degrees);
        let rotation = if telling.pre_rotation { "PreRotation" } else { "Lcl Rotation" };
        let _ = writeln!(
            text,
            "Model: {}, \"Model::{}\", \"LimbNode\" {{\nVersion: 232\nProperties70:  {{\n\
             P: \"RotationActive\", \"bool\", \"\", \"\",1\n\
             P: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",{},{},{}\n\
             P: \"{rotation}\", \"{rotation}\", \"\", \"A\",{},{},{}\n}}\n}}",
            1000 + at,
            joint.name,
            offset.x,
            offset.y,
            offset.z,
            degrees[0],
            degrees[1],
            degrees[2]
        );
        let above = joint.parent.map_or(0, |parent| 1000 + parent.get());
        let _ = writeln!(links, "C: \"OO\",{},{above}", 1000 + at);
    }
    if !telling.no_mesh {
        let mesh = &character.meshes[0];
        text.push_str("Geometry: 10, \"Geometry::body\", \"Mesh\" {\n");
        array(&mut text, "Vertices", mesh.positions.iter().flat_map(|at| place(*at).to_array()));
        let corners = mesh.indices.chunks_exact(3);
        let corners = corners.flat_map(|c| [c[0] as i64, c[1] as i64, -1 - c[2] as i64]);
        array(&mut text, "PolygonVertexIndex", corners);
        text.push_str(
            "GeometryVersion: 124\n}\nModel: 20, \"Model::body\", \"Mesh\" {\nVersion: 232\n}\n",
        );
        links.push_str("C: \"OO\",20,0\nC: \"OO\",10,20\n");
        if let Some(place) = telling.picture {
            picture(place, &mut text, &mut links);
        }
        if !telling.no_skin {
            skin(character, global, &mut text, &mut links);
        }
    }
    let _ = write!(text, "}}\nConnections:  {{\n{links}}}\n");
    text.into_bytes()
}

/// Adds a material with a texture that is not embedded.
fn picture(place: &str, text: &mut String, links: &mut String) {
    let _ = writeln!(
        text,
        "Material: 40, \"Material::cloth\", \"\" {{\nVersion: 102\nShadingModel: \"phong\"\n}}\n\
         Texture: 41, \"Texture::cloth\", \"\" {{\nType: \"TextureVideoClip\"\nVersion: 202\n\
         FileName: \"{place}\"\nRelativeFilename: \"{place}\"\n}}"
    );
    links.push_str("C: \"OO\",40,20\nC: \"OP\",41,40, \"DiffuseColor\"\n");
}

fn skin(
    character: &Character,
    global: impl Fn(usize) -> Mat4,
    text: &mut String,
    links: &mut String,
) {
    let mesh = &character.meshes[0];
    let skin = &character.skins[mesh.skin.expect("the character has a skin")];
    text.push_str("Deformer: 30, \"Deformer::\", \"Skin\" {\nVersion: 101\n}\n");
    links.push_str("C: \"OO\",30,10\n");
    for (place, joint) in skin.joints.iter().enumerate() {
        let rows: Vec<(usize, f32)> = (0..mesh.positions.len())
            .flat_map(|vertex| {
                mesh.influences(vertex).map(move |(at, weight)| (vertex, at, weight))
            })
            .filter(|(_, at, _)| usize::from(*at) == place)
            .map(|(vertex, _, weight)| (vertex, weight))
            .collect();
        if rows.is_empty() {
            continue;
        }
        let id = 5000 + place;
        let _ = writeln!(text, "Deformer: {id}, \"SubDeformer::\", \"Cluster\" {{\nVersion: 100");
        array(text, "Indexes", rows.iter().map(|row| row.0));
        array(text, "Weights", rows.iter().map(|row| row.1));
        let link = global(joint.get());
        array(text, "Transform", link.inverse().to_cols_array());
        array(text, "TransformLink", link.to_cols_array());
        text.push_str("}\n");
        let _ = writeln!(links, "C: \"OO\",{id},30\nC: \"OO\",{},{id}", 1000 + joint.get());
    }
}
