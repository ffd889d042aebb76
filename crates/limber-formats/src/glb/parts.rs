//! Builds a glTF document and its binary buffer.

use gltf::json::{
    self, Index,
    accessor::{
        Accessor, ComponentType, GenericComponentType, IndexComponentType, Type,
        sparse::{self, Sparse},
    },
    buffer::{Target, View},
    validation::{Checked::Valid, USize64},
};

/// The purpose of an accessor, which determines its buffer view's target.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Vertex attributes.
    Vertices,
    /// Triangle indices.
    Triangles,
    /// Matrices and animation data.
    Other,
}

/// The integer that represents a weight of 1.
pub(super) const SHARES: f32 = 65_535.0;

/// The document and its buffer under construction.
#[derive(Default)]
pub(super) struct Parts {
    pub(super) document: json::Root,
    pub(super) data: Vec<u8>,
}

impl Parts {
    /// Appends bytes as a buffer view, aligned to four bytes.
    pub(super) fn view(&mut self, bytes: &[u8], purpose: Purpose) -> Index<View> {
        self.data.resize(self.data.len().next_multiple_of(4), 0);
        let offset = self.data.len();
        self.data.extend_from_slice(bytes);
        self.document.push(View {
            buffer: Index::new(0),
            byte_length: USize64::from(bytes.len()),
            byte_offset: Some(USize64::from(offset)),
            byte_stride: None,
            name: None,
            target: match purpose {
                Purpose::Vertices => Some(Valid(Target::ArrayBuffer)),
                Purpose::Triangles => Some(Valid(Target::ElementArrayBuffer)),
                Purpose::Other => None,
            },
            extensions: None,
            extras: Default::default(),
        })
    }

    fn accessor(
        &mut self,
        bytes: &[u8],
        purpose: Purpose,
        (component, kind): (ComponentType, Type),
        count: usize,
    ) -> Index<Accessor> {
        let view = self.view(bytes, purpose);
        self.document.push(Accessor { buffer_view: Some(view), ..plain((component, kind), count) })
    }

    /// Adds rows of `N` floats.
    pub(super) fn floats<const N: usize>(
        &mut self,
        rows: &[[f32; N]],
        purpose: Purpose,
    ) -> Index<Accessor> {
        let kind = match N {
            1 => Type::Scalar,
            2 => Type::Vec2,
            3 => Type::Vec3,
            4 => Type::Vec4,
            _ => Type::Mat4,
        };
        let bytes: Vec<u8> = rows.iter().flatten().flat_map(|value| value.to_le_bytes()).collect();
        self.accessor(&bytes, purpose, (ComponentType::F32, kind), rows.len())
    }

    /// Adds rows of `N` floats with their minimum and maximum, which glTF requires for some
    /// accessors.
    pub(super) fn bounded<const N: usize>(
        &mut self,
        rows: &[[f32; N]],
        purpose: Purpose,
    ) -> Index<Accessor> {
        let index = self.floats(rows, purpose);
        let accessor = &mut self.document.accessors[index.value()];
        (accessor.min, accessor.max) = bounds(rows);
        index
    }

    /// Adds rows that are mostly zero, such as facial blend shapes, as a sparse accessor if that is
    /// smaller.
    pub(super) fn offsets(&mut self, rows: &[[f32; 3]]) -> Index<Accessor> {
        let moved: Vec<u32> =
            (0..rows.len() as u32).filter(|place| rows[*place as usize] != [0.0; 3]).collect();
        if moved.len() * 16 >= rows.len() * 12 {
            return self.bounded(rows, Purpose::Vertices);
        }
        let sparse = (!moved.is_empty()).then(|| self.sparse(rows, &moved));
        let (min, max) = bounds(rows);
        let kind = (ComponentType::F32, Type::Vec3);
        self.document.push(Accessor { min, max, sparse, ..plain(kind, rows.len()) })
    }

    /// Returns a sparse accessor with the rows at the given indices; all others are zero.
    fn sparse(&mut self, rows: &[[f32; 3]], moved: &[u32]) -> Sparse {
        let values: Vec<u8> = moved
            .iter()
            .flat_map(|place| rows[*place as usize])
            .flat_map(f32::to_le_bytes)
            .collect();
        let (places, component): (Vec<u8>, _) = if rows.len() < 0xFFFF {
            let short = moved.iter().flat_map(|place| (*place as u16).to_le_bytes());
            (short.collect(), ComponentType::U16)
        } else {
            (moved.iter().flat_map(|place| place.to_le_bytes()).collect(), ComponentType::U32)
        };
        let zero = USize64(0);
        Sparse {
            count: USize64::from(moved.len()),
            indices: sparse::Indices {
                buffer_view: self.view(&places, Purpose::Other),
                byte_offset: zero,
                component_type: Valid(IndexComponentType(component)),
                extensions: None,
                extras: Default::default(),
            },
            values: sparse::Values {
                buffer_view: self.view(&values, Purpose::Other),
                byte_offset: zero,
                extensions: None,
                extras: Default::default(),
            },
            extensions: None,
            extras: Default::default(),
        }
    }

    /// Adds four joint indices per vertex, as bytes if they fit.
    pub(super) fn joints(&mut self, rows: &[[u16; 4]]) -> Index<Accessor> {
        let values = rows.iter().flatten();
        let (bytes, component): (Vec<u8>, _) = if values.clone().all(|place| *place < 256) {
            (values.flat_map(|place| (*place as u8).to_le_bytes()).collect(), ComponentType::U8)
        } else {
            (values.flat_map(|place| place.to_le_bytes()).collect(), ComponentType::U16)
        };
        self.accessor(&bytes, Purpose::Vertices, (component, Type::Vec4), rows.len())
    }

    /// Adds four weights per vertex as normalised 16-bit integers: precise enough for skinning at
    /// half the size of floats.
    pub(super) fn weights(&mut self, rows: &[[f32; 4]]) -> Index<Accessor> {
        let shares = rows.iter().flatten().map(|weight| (weight * SHARES).round() as u16);
        let bytes: Vec<u8> = shares.flat_map(u16::to_le_bytes).collect();
        let kind = (ComponentType::U16, Type::Vec4);
        let index = self.accessor(&bytes, Purpose::Vertices, kind, rows.len());
        self.document.accessors[index.value()].normalized = true;
        index
    }

    /// Adds triangle indices, as 16-bit integers if they fit; 65 535 is reserved as glTF's
    /// primitive restart value.
    pub(super) fn indices(&mut self, corners: &[u32]) -> Index<Accessor> {
        let (bytes, component): (Vec<u8>, _) = if corners.iter().all(|corner| *corner < 0xFFFF) {
            let short = corners.iter().flat_map(|corner| (*corner as u16).to_le_bytes());
            (short.collect(), ComponentType::U16)
        } else {
            (corners.iter().flat_map(|corner| corner.to_le_bytes()).collect(), ComponentType::U32)
        };
        self.accessor(&bytes, Purpose::Triangles, (component, Type::Scalar), corners.len())
    }
}

/// Returns an accessor without data, which reads as zeros.
fn plain((component, kind): (ComponentType, Type), count: usize) -> Accessor {
    Accessor {
        buffer_view: None,
        byte_offset: None,
        count: USize64::from(count),
        component_type: Valid(GenericComponentType(component)),
        extensions: None,
        extras: Default::default(),
        type_: Valid(kind),
        min: None,
        max: None,
        name: None,
        normalized: false,
        sparse: None,
    }
}

/// Returns the minimum and maximum of each column.
fn bounds<const N: usize>(rows: &[[f32; N]]) -> (Option<json::Value>, Option<json::Value>) {
    let bound = |pick: fn(f32, f32) -> f32| {
        let columns: Vec<f64> = (0..N)
            .map(|column| f64::from(rows.iter().map(|row| row[column]).reduce(pick).unwrap_or(0.0)))
            .collect();
        json::serialize::to_value(columns).ok()
    };
    (bound(f32::min), bound(f32::max))
}
