//! The objects of a file and the connections between them.

use std::collections::HashSet;

use super::record::{Record, Value};

/// The id of an object in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Id(i64);

impl Id {
    /// The root of the scene.
    pub(super) const SCENE: Self = Self(0);
    /// The document that contains the scene.
    pub(super) const DOCUMENT: Self = Self(999_999);
}

impl From<Id> for Value {
    fn from(id: Id) -> Self {
        Self::Long(id.0)
    }
}

/// A kind of object: its record name, and the class that is appended to the object's own name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    NodeAttribute,
    Model,
    Geometry,
    Deformer,
    SubDeformer,
    Pose,
    Material,
    Texture,
    Video,
    AnimationStack,
    AnimationLayer,
    AnimationCurveNode,
    AnimationCurve,
}

impl Kind {
    const fn record(self) -> &'static str {
        match self {
            Self::SubDeformer => "Deformer",
            Self::NodeAttribute => "NodeAttribute",
            Self::Model => "Model",
            Self::Geometry => "Geometry",
            Self::Deformer => "Deformer",
            Self::Pose => "Pose",
            Self::Material => "Material",
            Self::Texture => "Texture",
            Self::Video => "Video",
            Self::AnimationStack => "AnimationStack",
            Self::AnimationLayer => "AnimationLayer",
            Self::AnimationCurveNode => "AnimationCurveNode",
            Self::AnimationCurve => "AnimationCurve",
        }
    }

    const fn class(self) -> &'static str {
        match self {
            Self::SubDeformer => "SubDeformer",
            Self::AnimationStack => "AnimStack",
            Self::AnimationLayer => "AnimLayer",
            Self::AnimationCurveNode => "AnimCurveNode",
            Self::AnimationCurve => "AnimCurve",
            other => other.record(),
        }
    }
}

/// Objects and connections under construction. Ids are consecutive, so that the same input gives
/// the same file.
#[derive(Default)]
pub(super) struct Scene {
    objects: Vec<Record>,
    connections: Vec<Record>,
    model_names: HashSet<String>,
}

const FIRST_ID: i64 = 1_000_000;

impl Scene {
    /// Adds an object; `variety` is the subtype by which readers distinguish objects of a kind.
    pub(super) fn add(
        &mut self,
        kind: Kind,
        name: &str,
        variety: &str,
        nested: impl IntoIterator<Item = Record>,
    ) -> Id {
        let id = Id(FIRST_ID + self.objects.len() as i64);
        let object = Record::new(kind.record())
            .value(id)
            .value(format!("{}\0\x01{}", plain(name), kind.class()))
            .value(variety)
            .nest(nested);
        self.objects.push(object);
        id
    }

    /// Adds a model to the scene, under a unique name.
    pub(super) fn add_model(
        &mut self,
        name: &str,
        variety: &str,
        nested: impl IntoIterator<Item = Record>,
    ) -> Id {
        let wanted = plain(name);
        let wanted = if wanted.is_empty() { "unnamed".to_owned() } else { wanted };
        let unique = (1..)
            .map(|number| match number {
                1 => wanted.clone(),
                _ => format!("{wanted}_{number}"),
            })
            .find(|name| !self.model_names.contains(name))
            .expect("there are enough numbers");
        let id = self.add(Kind::Model, &unique, variety, nested);
        self.model_names.insert(unique);
        id
    }

    /// Connects an object to its parent.
    pub(super) fn connect(&mut self, below: Id, above: Id) {
        let connection = Record::new("C").value("OO").value(below).value(above);
        self.connections.push(connection);
    }

    /// Connects an object to a property of another, which it drives.
    pub(super) fn drive(&mut self, driver: Id, driven: Id, property: &str) {
        let connection = Record::new("C").value("OP").value(driver).value(driven).value(property);
        self.connections.push(connection);
    }

    /// Returns the records `Definitions`, `Objects` and `Connections`.
    pub(super) fn into_records(self) -> [Record; 3] {
        let mut counts: Vec<(&'static str, i32)> = vec![("GlobalSettings", 1)];
        for object in &self.objects {
            match counts.iter_mut().find(|(name, _)| *name == object.name) {
                Some((_, count)) => *count += 1,
                None => counts.push((object.name, 1)),
            }
        }
        let total: i32 = counts.iter().map(|(_, count)| count).sum();
        let definitions = Record::new("Definitions")
            .nest([Record::leaf("Version", 100), Record::leaf("Count", total)])
            .nest(counts.into_iter().map(|(name, count)| {
                Record::leaf("ObjectType", name).nest([Record::leaf("Count", count)])
            }));
        [
            definitions,
            Record::new("Objects").nest(self.objects),
            Record::new("Connections").nest(self.connections),
        ]
    }
}

/// Removes control characters, which FBX reserves, from a name.
fn plain(name: &str) -> String {
    name.chars().filter(|c| !c.is_control()).collect()
}
