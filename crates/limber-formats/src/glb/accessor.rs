//! Reads numbers from untrusted files.

use std::{borrow::Cow, cell::Cell};

use gltf::json::{
    self, Index,
    accessor::{Accessor, ComponentType, Type, sparse::Sparse},
    buffer::View,
    validation::Checked::Valid,
};

use super::file::GltfFile;
use crate::model::{MAX_MORPH_ROWS, MAX_MORPHS, ReadError, damaged};

/// Maximum number of values that are read from one file: a small file may refer to the same data
/// many times.
const MAX_NUMBERS: usize = 64_000_000;

/// The JSON document and its buffers, with a budget for reading.
pub(super) struct Data<'file> {
    pub(super) root: &'file json::Root,
    buffers: &'file [Cow<'file, [u8]>],
    left: Cell<usize>,
    morph_rows_left: Cell<usize>,
}

/// The layout of an accessor.
struct Layout {
    component: ComponentType,
    columns: usize,
    count: usize,
    normalized: bool,
}

impl<'file> Data<'file> {
    pub(super) fn new(file: &'file GltfFile<'file>) -> Self {
        Self {
            root: &file.root,
            buffers: &file.buffers,
            left: Cell::new(MAX_NUMBERS),
            morph_rows_left: Cell::new(MAX_MORPH_ROWS),
        }
    }

    /// Returns the bytes of a buffer view.
    pub(super) fn view(&self, index: Index<View>) -> Result<&'file [u8], ReadError> {
        let view = self
            .root
            .buffer_views
            .get(index.value())
            .ok_or_else(|| damaged("it refers to data that does not exist"))?;
        let buffer = self
            .buffers
            .get(view.buffer.value())
            .ok_or_else(|| damaged("it refers to data that does not exist"))?;
        let start = view.byte_offset.map_or(0, |offset| offset.0);
        let range = usize::try_from(start)
            .ok()
            .zip(usize::try_from(start.saturating_add(view.byte_length.0)).ok());
        range
            .and_then(|(start, end)| buffer.get(start..end))
            .ok_or_else(|| damaged("an accessor reaches past the end of the file"))
    }

    /// Reads rows of `N` floats; normalised integers are mapped to 0 to 1 (or −1 to 1).
    pub(super) fn floats<const N: usize>(
        &self,
        index: Index<Accessor>,
    ) -> Result<Vec<[f32; N]>, ReadError> {
        let (layout, bytes) = self.rows(index, N)?;
        if layout.component == ComponentType::F32 {
            return Ok(collect(&bytes, &layout, |raw| f32::from_bits(integer(raw))));
        }
        let one = |raw: &[u8]| scaled(layout.component, layout.normalized, raw);
        Ok(collect(&bytes, &layout, one))
    }

    /// Reads rows of `N` integers.
    pub(super) fn integers<const N: usize>(
        &self,
        index: Index<Accessor>,
    ) -> Result<Vec<[u32; N]>, ReadError> {
        let (layout, bytes) = self.rows(index, N)?;
        if !matches!(layout.component, ComponentType::U8 | ComponentType::U16 | ComponentType::U32)
        {
            return Err(damaged("an accessor that must contain integers has another type"));
        }
        Ok(collect(&bytes, &layout, integer))
    }

    /// Deducts the morph targets of a mesh from the budget before anything is allocated for them.
    pub(super) fn spend_morphs(&self, shapes: usize, vertices: usize) -> Result<(), ReadError> {
        if shapes > MAX_MORPHS {
            return Err(ReadError::TooLarge("morph targets of one mesh", MAX_MORPHS));
        }
        let left = self.morph_rows_left.get().checked_sub(shapes.saturating_mul(vertices));
        self.morph_rows_left
            .set(left.ok_or(ReadError::TooLarge("offsets of morph targets", MAX_MORPH_ROWS))?);
        Ok(())
    }

    /// Returns the number of rows of an accessor without reading it.
    pub(super) fn count(&self, index: Index<Accessor>) -> Result<usize, ReadError> {
        Ok(self.layout(index)?.1.count)
    }

    /// Returns the number of columns of an accessor.
    pub(super) fn columns(&self, index: Index<Accessor>) -> Result<usize, ReadError> {
        Ok(self.layout(index)?.1.columns)
    }

    fn layout(&self, index: Index<Accessor>) -> Result<(&'file Accessor, Layout), ReadError> {
        let accessor = self
            .root
            .accessors
            .get(index.value())
            .ok_or_else(|| damaged("it refers to an accessor that does not exist"))?;
        let (Valid(component), Valid(kind)) = (&accessor.component_type, &accessor.type_) else {
            return Err(damaged("an accessor has an unknown type"));
        };
        let columns = match kind {
            Type::Scalar => 1,
            Type::Vec2 => 2,
            Type::Vec3 => 3,
            Type::Vec4 | Type::Mat2 => 4,
            Type::Mat3 => 9,
            Type::Mat4 => 16,
        };
        let count = usize::try_from(accessor.count.0).unwrap_or(usize::MAX);
        let normalized = accessor.normalized;
        Ok((accessor, Layout { component: component.0, columns, count, normalized }))
    }

    /// Reads the bytes of all rows without padding.
    fn rows(&self, index: Index<Accessor>, columns: usize) -> Result<(Layout, Vec<u8>), ReadError> {
        let (accessor, layout) = self.layout(index)?;
        if layout.columns != columns {
            return Err(damaged("an accessor has the wrong number of components"));
        }
        let numbers = layout.count.saturating_mul(columns);
        let left = self.left.get();
        self.left
            .set(left.checked_sub(numbers).ok_or(ReadError::TooLarge("numbers", MAX_NUMBERS))?);
        let width = columns * layout.component.size();
        let mut bytes = match accessor.buffer_view {
            None => vec![0; layout.count * width],
            Some(view) => {
                let stride = self.root.buffer_views[..]
                    .get(view.value())
                    .and_then(|view| view.byte_stride)
                    .map_or(width, |stride| stride.0);
                let offset = accessor.byte_offset.map_or(0, |offset| offset.0);
                gather(self.view(view)?, offset, (layout.count, width), stride)?
            }
        };
        if let Some(sparse) = &accessor.sparse {
            self.overwrite(sparse, &mut bytes, &layout, width)?;
        }
        Ok((layout, bytes))
    }

    /// Replaces rows by those of a sparse accessor.
    fn overwrite(
        &self,
        sparse: &Sparse,
        bytes: &mut [u8],
        layout: &Layout,
        width: usize,
    ) -> Result<(), ReadError> {
        let count = usize::try_from(sparse.count.0).unwrap_or(usize::MAX);
        let Valid(kind) = &sparse.indices.component_type else {
            return Err(damaged("an accessor has an unknown type"));
        };
        if count > layout.count {
            return Err(damaged("a sparse accessor replaces more elements than it has"));
        }
        let size = kind.0.size();
        let places = self.view(sparse.indices.buffer_view)?;
        let places = gather(places, sparse.indices.byte_offset.0, (count, size), size)?;
        let values = self.view(sparse.values.buffer_view)?;
        let values = gather(values, sparse.values.byte_offset.0, (count, width), width)?;
        for (place, value) in places.chunks_exact(size).zip(values.chunks_exact(width)) {
            let start = (integer(place) as usize).saturating_mul(width);
            bytes
                .get_mut(start..start.saturating_add(width))
                .ok_or_else(|| {
                    damaged("a sparse accessor replaces an element that it does not have")
                })?
                .copy_from_slice(value);
        }
        Ok(())
    }
}

/// Copies `count` rows of `width` bytes that are `stride` bytes apart.
fn gather(
    view: &[u8],
    offset: u64,
    (count, width): (usize, usize),
    stride: usize,
) -> Result<Vec<u8>, ReadError> {
    let past_end = || damaged("an accessor reaches past the end of its buffer view");
    let offset = usize::try_from(offset).map_err(|_| past_end())?;
    if count == 0 {
        return Ok(Vec::new());
    }
    if stride < width {
        return Err(damaged("the elements of an accessor overlap"));
    }
    let end = (count - 1)
        .checked_mul(stride)
        .and_then(|length| length.checked_add(offset)?.checked_add(width))
        .ok_or_else(past_end)?;
    let span = view.get(offset..end).ok_or_else(past_end)?;
    if stride == width {
        return Ok(span.to_vec());
    }
    Ok(span.chunks(stride).flat_map(|row| &row[..width]).copied().collect())
}

fn collect<T: Copy + Default, const N: usize>(
    bytes: &[u8],
    layout: &Layout,
    one: impl Fn(&[u8]) -> T,
) -> Vec<[T; N]> {
    let size = layout.component.size();
    bytes
        .chunks_exact(size * N)
        .map(|row| {
            let mut values = [T::default(); N];
            for (value, raw) in values.iter_mut().zip(row.chunks_exact(size)) {
                *value = one(raw);
            }
            values
        })
        .collect()
}

fn integer(raw: &[u8]) -> u32 {
    match *raw {
        [a] => u32::from(a),
        [a, b] => u32::from(u16::from_le_bytes([a, b])),
        [a, b, c, d] => u32::from_le_bytes([a, b, c, d]),
        _ => 0,
    }
}

fn scaled(component: ComponentType, normalized: bool, raw: &[u8]) -> f32 {
    let whole = integer(raw);
    let (value, greatest) = match component {
        ComponentType::F32 => return f32::from_bits(whole),
        ComponentType::U8 => (whole as f32, 255.0),
        ComponentType::U16 => (whole as f32, 65535.0),
        ComponentType::U32 => (whole as f32, u32::MAX as f32),
        ComponentType::I8 => (f32::from(whole as u8 as i8), 127.0),
        ComponentType::I16 => (f32::from(whole as u16 as i16), 32767.0),
    };
    if normalized { (value / greatest).max(-1.0) } else { value }
}
