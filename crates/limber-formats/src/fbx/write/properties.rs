//! Named properties, which FBX stores in a separate list inside an object.

use glam::DVec3;

use super::record::{Record, Value};

/// Returns the property list.
pub(super) fn properties(rows: impl IntoIterator<Item = Record>) -> Record {
    Record::new("Properties70").nest(rows)
}

/// Creates a property: name, type, subtype, flags, values.
fn row(name: &str, kind: [&str; 3], values: impl IntoIterator<Item = Value>) -> Record {
    let mut record = Record::new("P").value(name);
    for word in kind {
        record = record.value(word);
    }
    record.values.extend(values);
    record
}

pub(super) fn int(name: &str, value: i32) -> Record {
    row(name, ["int", "Integer", ""], [value.into()])
}

pub(super) fn choice(name: &str, value: i32) -> Record {
    row(name, ["enum", "", ""], [value.into()])
}

pub(super) fn switch(name: &str, value: bool) -> Record {
    row(name, ["bool", "", ""], [i32::from(value).into()])
}

pub(super) fn double(name: &str, value: f64) -> Record {
    row(name, ["double", "Number", ""], [value.into()])
}

/// Creates a number that can be animated.
pub(super) fn number(name: &str, value: f64) -> Record {
    row(name, ["Number", "", "A"], [value.into()])
}

pub(super) fn time(name: &str, ticks: i64) -> Record {
    row(name, ["KTime", "Time", ""], [ticks.into()])
}

pub(super) fn text(name: &str, value: &str) -> Record {
    row(name, ["KString", "", ""], [value.into()])
}

/// Creates a path to another file.
pub(super) fn path(name: &str, value: &str) -> Record {
    row(name, ["KString", "XRefUrl", ""], [value.into()])
}

/// Creates a placeholder for an object that is not in the file.
pub(super) fn object(name: &str) -> Record {
    row(name, ["object", "", ""], [])
}

pub(super) fn color(name: &str, value: DVec3) -> Record {
    row(name, ["Color", "", "A"], triple(value))
}

pub(super) fn fixed_color(name: &str, value: DVec3) -> Record {
    row(name, ["ColorRGB", "Color", ""], triple(value))
}

pub(super) fn vector(name: &str, value: DVec3) -> Record {
    row(name, ["Vector3D", "Vector", ""], triple(value))
}

/// Creates a property such as `Lcl Translation`, whose type equals its name.
pub(super) fn local(name: &str, value: DVec3) -> Record {
    row(name, [name, "", "A"], triple(value))
}

fn triple(value: DVec3) -> [Value; 3] {
    value.to_array().map(Value::Double)
}
