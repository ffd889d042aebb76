//! ASF: the bones, their local axes and their hierarchy.

use std::collections::HashMap;

use glam::{DQuat, DVec3};

use super::{AcclaimError, MAX_BONES, MAX_BYTES, lines, number};

/// A channel: one value of a bone per frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dof {
    /// Translation along axis 0, 1 or 2.
    Translation(usize),
    /// Rotation about axis 0, 1 or 2.
    Rotation(usize),
    /// Stretch along the bone; read but ignored.
    Length,
}

/// A bone, from the end of its parent to its own end.
#[derive(Debug, Clone, PartialEq)]
pub struct AsfBone {
    /// The name in the file; `root` for the first bone.
    pub name: String,
    /// Index of the parent, always smaller than the bone's own.
    pub parent: Option<usize>,
    /// Vector from start to end at rest, in world axes and file units. Zero for the root.
    pub extent: DVec3,
    /// The axes of its rotations, relative to the world at rest.
    pub axis: DQuat,
    /// Channels in the order of the values in a frame.
    pub dof: Vec<Dof>,
}

/// A skeleton as stored in the file. At rest all rotations are zero.
#[derive(Debug, Clone, PartialEq)]
pub struct Asf {
    /// Parents come before children; the root is first.
    pub bones: Vec<AsfBone>,
    /// Whether angles are in degrees, in the frames too.
    pub degrees: bool,
}

/// A bone whose parent is not known yet.
#[derive(Default)]
struct Draft {
    name: String,
    direction: DVec3,
    length: f64,
    axis: DQuat,
    dof: Vec<Dof>,
}

/// Reads an ASF.
///
/// # Errors
/// See [`AcclaimError`].
pub fn read_skeleton(text: &str) -> Result<Asf, AcclaimError> {
    if text.len() > MAX_BYTES {
        return Err(AcclaimError::TooLarge("bytes"));
    }
    let mut reader = Reader {
        section: String::new(),
        degrees: true,
        root: Draft { name: "root".to_owned(), ..Draft::default() },
        open: None,
        bones: Vec::new(),
        pairs: Vec::new(),
        line: 1,
    };
    for (line, said) in lines(text) {
        reader.line = line;
        reader.read(said)?;
    }
    reader.finish()
}

struct Reader {
    section: String,
    degrees: bool,
    root: Draft,
    open: Option<Draft>,
    bones: Vec<Draft>,
    /// Names of parent and child, with the line number.
    pairs: Vec<(String, String, usize)>,
    line: usize,
}

impl Reader {
    const fn wrong(&self, problem: &'static str) -> AcclaimError {
        AcclaimError::Skeleton { line: self.line, problem }
    }

    fn read(&mut self, said: &str) -> Result<(), AcclaimError> {
        if let Some(section) = said.strip_prefix(':') {
            let name = section.split_whitespace().next().unwrap_or_default();
            self.section = name.to_ascii_lowercase();
            return Ok(());
        }
        let mut words = said.split_whitespace();
        let head = words.next().unwrap_or_default().to_ascii_lowercase();
        match self.section.as_str() {
            "units" if head == "angle" => {
                let unit = words.next().unwrap_or_default();
                self.degrees = !unit.to_ascii_lowercase().starts_with("rad");
                Ok(())
            }
            "root" => self.root_line(&head, words),
            "bonedata" => self.bone_line(&head, words),
            "hierarchy" => self.hierarchy_line(&head, said),
            _ => Ok(()),
        }
    }

    fn root_line<'a>(
        &mut self,
        head: &str,
        mut words: impl Iterator<Item = &'a str>,
    ) -> Result<(), AcclaimError> {
        match head {
            "order" => self.root.dof = self.dof(words)?,
            // `orientation` comes before the order it depends on, so both are stored separately
            "orientation" => {
                let angles = self.vector(&mut words)?;
                self.root.axis = self.turn(angles, "xyz")?;
            }
            _ => {}
        }
        Ok(())
    }

    fn bone_line<'a>(
        &mut self,
        head: &str,
        mut words: impl Iterator<Item = &'a str>,
    ) -> Result<(), AcclaimError> {
        if head == "begin" {
            if self.bones.len() >= MAX_BONES {
                return Err(AcclaimError::TooLarge("bones"));
            }
            self.open = Some(Draft::default());
            return Ok(());
        }
        let Some(mut bone) = self.open.take() else {
            return Err(self.wrong("a bone must start with `begin`"));
        };
        match head {
            "end" => {
                if bone.name.is_empty() {
                    return Err(self.wrong("a bone has no name"));
                }
                self.bones.push(bone);
                return Ok(());
            }
            "name" => {
                let name = words.next().ok_or_else(|| self.wrong("a bone has no name"))?;
                bone.name = name.to_owned();
            }
            "direction" => bone.direction = self.vector(&mut words)?,
            "length" => {
                let problem = "the length of a bone must be a number";
                bone.length = number(words.next()).ok_or_else(|| self.wrong(problem))?;
            }
            "axis" => {
                let angles = self.vector(&mut words)?;
                bone.axis = self.turn(angles, words.next().unwrap_or("xyz"))?;
            }
            "dof" => bone.dof = self.dof(words)?,
            // joint limits, which span several lines, and body masses
            _ => {}
        }
        self.open = Some(bone);
        Ok(())
    }

    fn hierarchy_line(&mut self, head: &str, said: &str) -> Result<(), AcclaimError> {
        if head == "begin" || head == "end" {
            return Ok(());
        }
        let mut words = said.split_whitespace();
        let parent = words.next().unwrap_or_default();
        for child in words {
            if self.pairs.len() > MAX_BONES {
                return Err(AcclaimError::TooLarge("bones"));
            }
            self.pairs.push((parent.to_owned(), child.to_owned(), self.line));
        }
        Ok(())
    }

    fn vector<'a>(&self, words: &mut impl Iterator<Item = &'a str>) -> Result<DVec3, AcclaimError> {
        let mut next =
            || number(words.next()).ok_or_else(|| self.wrong("three finite numbers were expected"));
        Ok(DVec3::new(next()?, next()?, next()?))
    }

    /// Returns the rotation about the three axes in this order, the first axis first.
    fn turn(&self, angles: DVec3, order: &str) -> Result<DQuat, AcclaimError> {
        let mut turn = DQuat::IDENTITY;
        for letter in order.chars() {
            let axis = match letter.to_ascii_lowercase() {
                'x' => 0,
                'y' => 1,
                'z' => 2,
                _ => return Err(self.wrong("an axis order must be written like XYZ")),
            };
            let angle = if self.degrees { angles[axis].to_radians() } else { angles[axis] };
            turn = DQuat::from_axis_angle(DVec3::AXES[axis], angle) * turn;
        }
        Ok(turn)
    }

    fn dof<'a>(&self, words: impl Iterator<Item = &'a str>) -> Result<Vec<Dof>, AcclaimError> {
        let known = |word: &str| match word.to_ascii_lowercase().as_str() {
            "tx" => Ok(Dof::Translation(0)),
            "ty" => Ok(Dof::Translation(1)),
            "tz" => Ok(Dof::Translation(2)),
            "rx" => Ok(Dof::Rotation(0)),
            "ry" => Ok(Dof::Rotation(1)),
            "rz" => Ok(Dof::Rotation(2)),
            "l" => Ok(Dof::Length),
            _ => Err(self.wrong("a degree of freedom must be one of TX TY TZ RX RY RZ L")),
        };
        let dof: Vec<Dof> = words.map(known).collect::<Result<_, _>>()?;
        if dof.len() > 7 {
            return Err(self.wrong("a bone can have at most seven degrees of freedom"));
        }
        Ok(dof)
    }

    fn finish(self) -> Result<Asf, AcclaimError> {
        if self.bones.is_empty() {
            return Err(self.wrong("the file contains no bones"));
        }
        let mut drafts: HashMap<String, Draft> = HashMap::new();
        let (degrees, last_line) = (self.degrees, self.line);
        for bone in self.bones {
            drafts.insert(bone.name.clone(), bone);
        }
        let mut bones = vec![AsfBone {
            name: self.root.name,
            parent: None,
            extent: DVec3::ZERO,
            axis: self.root.axis,
            dof: self.root.dof,
        }];
        let mut places: HashMap<String, usize> = HashMap::from([("root".to_owned(), 0)]);
        for (parent, child, line) in self.pairs {
            let wrong = |problem| AcclaimError::Skeleton { line, problem };
            let parent = places.get(&parent).copied();
            let parent =
                parent.ok_or_else(|| wrong("the parent of a bone must be listed before it"))?;
            let draft = drafts.remove(&child);
            let draft = draft.ok_or_else(|| wrong("the bone is unknown or is listed twice"))?;
            places.insert(child, bones.len());
            bones.push(AsfBone {
                name: draft.name,
                parent: Some(parent),
                extent: draft.direction.normalize_or_zero() * draft.length,
                axis: draft.axis,
                dof: draft.dof,
            });
        }
        if bones.len() == 1 {
            let problem = "the hierarchy contains no bones";
            return Err(AcclaimError::Skeleton { line: last_line, problem });
        }
        Ok(Asf { bones, degrees })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = ":version 1.10\n:units\n  length 0.45\n  angle deg\n:root\n   order TX TY TZ RX RY RZ\n\
        :bonedata\n  begin\n     name thigh # of the left leg\n     direction 0 -1 0\n     length 2\n\
        axis 0 0 90 XYZ\n    dof rx rz\n    limits (-160.0 20.0)\n           (-70.0 70.0)\n  end\n\
        :hierarchy\n  begin\n    root thigh\n  end\n";

    #[test]
    fn bones_have_their_parents_axes_and_degrees_of_freedom() {
        let asf = read_skeleton(SMALL).expect("the skeleton can be read");
        assert_eq!(asf.bones.len(), 2);
        let thigh = &asf.bones[1];
        assert_eq!((thigh.parent, thigh.extent), (Some(0), DVec3::new(0.0, -2.0, 0.0)));
        assert_eq!(thigh.dof, [Dof::Rotation(0), Dof::Rotation(2)]);
        assert!((thigh.axis * DVec3::X).abs_diff_eq(DVec3::Y, 1e-9));
    }

    #[test]
    fn errors_name_the_line() {
        let bad = SMALL.replace("root thigh", "hip thigh");
        assert_eq!(
            read_skeleton(&bad),
            Err(AcclaimError::Skeleton {
                line: 19,
                problem: "the parent of a bone must be listed before it"
            })
        );
        assert!(read_skeleton("").is_err());
        assert!(read_skeleton(&SMALL.replace("length 2", "length inf")).is_err());
    }
}
