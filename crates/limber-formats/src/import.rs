//! Imports characters: converts any character file to a character with human bones, and reports
//! what was found.

mod body;
mod merge;
mod report;
mod stance;
mod unit;
mod weights;

use std::collections::BTreeSet;

use limber_animation::{Character, HumanBone, Skeleton, arkit_shapes};

pub use report::{
    ENOUGH_SHAPES, FaceReport, HandsReport, HelperReport, JointReport, MappedJoint, RestReport,
    RigReport, SidePair,
};

pub use crate::model::{Beside, FileFormat, ReadError};

use crate::{
    any::read_model_beside,
    humanoid::{self, Mapping, Overrides},
    model::{Model, Vrm},
    read_model,
};
use body::{Body, Outlier, Rest};
use report::Found;
pub(crate) use stance::{Stance, facing_of_trunk};

/// An imported character, with what was found out about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Imported {
    /// The character: metres, facing +Z, soles on the floor, every mesh bound, joints mapped to
    /// bones.
    pub character: Character,
    /// The mapping, what is missing, and what was guessed.
    pub report: RigReport,
    /// The format of the file.
    pub format: FileFormat,
    /// Number of animations in the file; none is imported.
    pub animations: usize,
}

/// Why a file could not be imported.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ImportError {
    /// The file cannot be read.
    #[error(transparent)]
    Unreadable(#[from] ReadError),
    /// No mesh is bound to a skeleton.
    #[error("{0}")]
    NoSkin(&'static str),
    /// No human body is recognisable.
    #[error("{0}")]
    NoBody(String),
    /// A joint of the body has an unusable scale.
    #[error(
        "the joint `{0}` has a scale of almost zero or far too large; apply the scale in your 3D \
         program and export again"
    )]
    BadScale(String),
    /// A joint is too far from the body: its name, and its distance from the hips in metres.
    #[error(
        "the joint `{0}` is {1:.0} m away from the hips; delete it or move it to the body, and export \
         again"
    )]
    JointOutlier(String, f32),
    /// A part of the mesh is too far from the body: its distance from the hips in metres.
    #[error(
        "the mesh reaches {0:.0} m away from the hips; delete what does not belong to the character, \
         and export again"
    )]
    MeshOutlier(f32),
    /// The rest pose is unusable.
    #[error("{0}; put the character into a T-pose or A-pose and export again")]
    UnusableRest(String),
    /// The VRM extension contradicts itself.
    #[error("the VRM humanoid {0}; export the character again from your VRM program")]
    BadVrm(String),
    /// A VRM expression refers to a morph target that does not exist.
    #[error(
        "the VRM expression `{0}` uses a morph target that does not exist; export the character \
         again"
    )]
    BadExpression(String),
    /// A face has morph targets without names or with duplicate names.
    #[error(
        "of the face's blend shapes, {0}; give every blend shape a name of its own and export again"
    )]
    BadFace(String),
    /// The height in metres is not that of a person in any known unit.
    #[error(
        "the character is {0} m tall, which is not a person's height in any unit; scale it to its \
         true size (1.7 m for an adult) and export again"
    )]
    UnknownUnit(f32),
}

impl ImportError {
    /// Returns the number in the error table: 901 mesh, 902 skeleton, 905 skin, 907 face, 909
    /// metadata.
    #[must_use]
    pub const fn code(&self) -> u16 {
        match self {
            Self::Unreadable(_) | Self::MeshOutlier(_) => 901,
            Self::NoBody(_)
            | Self::BadScale(_)
            | Self::JointOutlier(..)
            | Self::UnusableRest(_) => 902,
            Self::NoSkin(_) => 905,
            Self::BadExpression(_) | Self::BadFace(_) => 907,
            Self::BadVrm(_) | Self::UnknownUnit(_) => 909,
        }
    }
}

/// Imports a character: corrects unit, axes and rest pose, and maps joints to bones. Files are
/// untrusted: see [`ReadError`] for the limits. Nothing but `bytes` is opened.
///
/// # Errors
/// See [`ImportError`]; [`ImportError::code`] is its number.
pub fn import(bytes: &[u8], overrides: &Overrides) -> Result<Imported, ImportError> {
    import_choosing(bytes, |_| overrides.clone())
}

/// Like [`import`], for callers that remember rigs: `choose` gets the names of the joints that
/// skins use and returns the user's earlier decisions about such a rig.
///
/// # Errors
/// See [`ImportError`].
pub fn import_choosing(
    bytes: &[u8],
    choose: impl FnOnce(&BTreeSet<&str>) -> Overrides,
) -> Result<Imported, ImportError> {
    import_model(read_model(bytes)?, choose)
}

/// Like [`import`], for callers that can open other files: `beside` returns textures that an FBX
/// references but does not embed.
///
/// # Errors
/// See [`ImportError`].
pub fn import_beside(
    bytes: &[u8],
    overrides: &Overrides,
    beside: &Beside<'_>,
) -> Result<Imported, ImportError> {
    import_model(read_model_beside(bytes, beside)?, |_| overrides.clone())
}

/// Converts a model to a character.
fn import_model(
    mut model: Model,
    choose: impl FnOnce(&BTreeSet<&str>) -> Overrides,
) -> Result<Imported, ImportError> {
    if let Some(vrm) = &model.vrm {
        check_vrm(vrm, model.nodes.len())?;
    }
    check_skin(&model)?;
    check_faces(&model)?;
    let overrides = choose(&joint_names(&model));
    let mut warnings = std::mem::take(&mut model.warnings);
    let appearance = Appearance {
        materials: std::mem::take(&mut model.materials),
        images: std::mem::take(&mut model.images),
        name: std::mem::take(&mut model.name),
    };
    let (format, animations, unweighted) = (model.format, model.animations, model.unweighted);
    let (declared_unit, expressions) =
        (model.unit_m, model.vrm.as_ref().map_or(0, |vrm| vrm.expressions));
    let (body, mapping, stance, scale) = settle(model, &overrides, &mut warnings)?;
    warnings.extend(weights::warnings(&body, &mapping, unweighted));
    let (mut character, dropped) = body.into_character(&mapping)?;
    character.name = appearance.name;
    character.materials = appearance.materials;
    character.images = appearance.images;
    warnings.extend(dropped);
    merge::one_skin(&mut character);
    character.check().map_err(|error| ReadError::Damaged(error.to_string()))?;
    let unit_scale = declared_unit * scale;
    let found = Found { mapping: &mapping, stance: &stance, unit_scale, expressions, warnings };
    let report = RigReport::new(&character, found);
    Ok(Imported { character, report, format, animations })
}

fn joint_names(model: &Model) -> BTreeSet<&str> {
    let joints = model.skins.iter().flat_map(|skin| &skin.joints);
    joints.filter_map(|node| Some(model.nodes.get(*node)?.name.as_str())).collect()
}

/// Data that is passed through unchanged.
struct Appearance {
    materials: Vec<limber_animation::Material>,
    images: Vec<limber_animation::Image>,
    name: String,
}

type Settled = (Body, Mapping, Stance, f32);

/// A rest pose in which the body can be processed.
struct Standing {
    rest: Rest,
    mapping: Mapping,
    stance: Stance,
    warnings: Vec<String>,
}

/// Determines the unit and the rest pose, and maps the body: takes the first candidate in T-pose or
/// A-pose, otherwise the first usable one.
fn settle(
    model: Model,
    overrides: &Overrides,
    warnings: &mut Vec<String>,
) -> Result<Settled, ImportError> {
    let mut body = Body::new(model)?;
    let unit = unit::scale(body.height());
    if let Ok((scale, warning)) = &unit
        && *scale != 1.0
    {
        body.resize(*scale);
        warnings.extend(warning.clone());
    }
    let (mut best, mut first_refusal): (Option<Standing>, _) = (None, None);
    for rest in body.rests() {
        body.set_rest(rest);
        match stand(&mut body, overrides) {
            Ok(standing) => {
                let is_plain = standing.stance.is_plain();
                if is_plain || best.is_none() {
                    best = Some(standing);
                }
                if is_plain {
                    break;
                }
            }
            Err(error) => first_refusal = first_refusal.or(Some(error)),
        }
    }
    let Some(Standing { rest, mut mapping, stance, warnings: told }) = best else {
        return Err(first_refusal.expect("a body has one or more rest poses"));
    };
    body.set_rest(rest);
    warnings.extend(told);
    let (scale, _) = unit?;
    check_together(&body, &mapping)?;
    warnings.extend(stance.warnings());
    warnings.extend(body.rigid_parts());
    body.hang_together(&mut mapping, warnings);
    body.face_forward(&mapping);
    Ok((body, mapping, stance, scale))
}

/// Maps the body in its current rest pose, and measures its stance.
fn stand(body: &mut Body, overrides: &Overrides) -> Result<Standing, ImportError> {
    let mut warnings = Vec::new();
    let mut mapping = body.map_upright(overrides, &mut warnings);
    check_body(body, &mapping)?;
    let places = body.places();
    let mut stance = Stance::of(&places, &mapping.bones, mapping.facing);
    if !stance.is_plain()
        && let Some(facing) = stance::facing_of_trunk(&places, &mapping.bones)
    {
        // limbs in mid-step say little about the facing of the body
        mapping.facing = facing;
        stance = Stance::of(&places, &mapping.bones, facing);
    }
    stance.check().map_err(ImportError::UnusableRest)?;
    Ok(Standing { rest: body.rest(), mapping, stance, warnings })
}

fn check_vrm(vrm: &Vrm, nodes: usize) -> Result<(), ImportError> {
    if let Some((bone, _)) = vrm.bones.iter().find(|(_, node)| *node >= nodes) {
        let bone = humanoid::spoken(*bone);
        return Err(ImportError::BadVrm(format!(
            "assigns the {bone} to a node that does not exist"
        )));
    }
    let lacks = |bone: &HumanBone| !vrm.bones.iter().any(|(own, _)| own == bone);
    let missing: Vec<String> =
        HumanBone::indispensable().filter(lacks).map(humanoid::spoken).collect();
    if !missing.is_empty() {
        return Err(ImportError::BadVrm(format!("lacks the {}", missing.join(", "))));
    }
    vrm.broken_expression.clone().map_or(Ok(()), |name| Err(ImportError::BadExpression(name)))
}

/// Checks the names of facial blend shapes, because faces are animated by name; other meshes may
/// name their morph targets freely.
fn check_faces(model: &Model) -> Result<(), ImportError> {
    for part in &model.meshes {
        let names: Vec<&str> = part.mesh.morphs.iter().map(|morph| morph.name.as_str()).collect();
        if arkit_shapes(names.iter().copied()).is_empty() {
            continue;
        }
        if names.contains(&"") {
            return Err(ImportError::BadFace("one has no name".to_owned()));
        }
        let mut seen = BTreeSet::new();
        if let Some(twice) = names.into_iter().find(|name| !seen.insert(*name)) {
            return Err(ImportError::BadFace(format!("two have the name `{twice}`")));
        }
    }
    Ok(())
}

const UNBOUND: &str = "no mesh in this file is bound to a skeleton: bind it with weights (skin it) \
                       and export mesh and skeleton together";
/// Minimum number of rigid parts of a body; a table or a house may have some too.
const FEWEST_PARTS: usize = 6;

/// Checks that there is a skin, or enough rigid parts for a robot.
fn check_skin(model: &Model) -> Result<(), ImportError> {
    let mesh_nodes: BTreeSet<usize> = model.meshes.iter().map(|part| part.node).collect();
    let may_be_rigid = (FEWEST_PARTS..=Skeleton::MAX_JOINTS).contains(&mesh_nodes.len());
    if may_be_rigid || model.meshes.iter().any(|part| part.mesh.skin.is_some()) {
        return Ok(());
    }
    let is_fbx = matches!(model.format, FileFormat::Fbx { .. });
    Err(ImportError::NoSkin(match (model.meshes.is_empty(), is_fbx) {
        (true, true) => {
            "this FBX has a skeleton but no skinned mesh: export with the mesh selected"
        }
        (true, false) => "this file has no mesh: export the character with its mesh and its skin",
        (false, _) => UNBOUND,
    }))
}

/// Checks that nothing is too far from the body.
fn check_together(body: &Body, mapping: &Mapping) -> Result<(), ImportError> {
    let hips = mapping.joint(HumanBone::Hips).unwrap_or_default();
    match body.outlier(hips) {
        None => Ok(()),
        Some((Outlier::Joint(name), far_m)) => Err(ImportError::JointOutlier(name, far_m)),
        Some((Outlier::Mesh, far_m)) => Err(ImportError::MeshOutlier(far_m)),
    }
}

fn check_body(body: &Body, mapping: &Mapping) -> Result<(), ImportError> {
    let found = HumanBone::indispensable().filter_map(|bone| mapping.bones.get(&bone));
    if let Some(refusal) = mapping.refusal() {
        // without any resemblance to a body, it is not a robot but an object without a skin
        return Err(match body.is_rigid() && found.count() < FEWEST_PARTS {
            true => ImportError::NoSkin(UNBOUND),
            false => ImportError::NoBody(refusal),
        });
    }
    let joints = HumanBone::REQUIRED.into_iter().filter_map(|bone| mapping.bones.get(&bone));
    let joints: Vec<usize> = joints.map(|mapped| mapped.joint).collect();
    if let Some(name) = body.badly_scaled(&joints) {
        return Err(ImportError::BadScale(name));
    }
    if body.roots(&joints) > 1 {
        return Err(ImportError::NoBody(
            "the body's joints are in several separate hierarchies; parent them to one root and \
             export again"
                .to_owned(),
        ));
    }
    Ok(())
}
