//! The effects of manners, read from `assets/lexicon/manners.toml`.

use limber_animation::maths::powf;
use std::{collections::HashMap, sync::LazyLock};

use serde::Deserialize;

use super::Style;
use crate::Manner;

const FILE: &str = include_str!("../../../../../assets/lexicon/manners.toml");

#[derive(Deserialize)]
struct File {
    manner: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    manner: Manner,
    look: Look,
}

/// The changes of a manner at intensity 1: factors, and angles in degrees.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Look {
    tempo: f32,
    stride: f32,
    size: f32,
    bounce: f32,
    lift: f32,
    swing: f32,
    sway: f32,
    width: f32,
    hunch: f32,
    head: f32,
    shrug: f32,
    out: f32,
    arms: f32,
    elbow: f32,
    tremor: f32,
    grip: f32,
    sink_cm: f32,
    limp: f32,
    jerk: f32,
}

impl Default for Look {
    fn default() -> Self {
        Self {
            tempo: 1.0,
            stride: 1.0,
            size: 1.0,
            bounce: 1.0,
            lift: 1.0,
            swing: 1.0,
            sway: 1.0,
            width: 1.0,
            hunch: 0.0,
            head: 0.0,
            shrug: 0.0,
            out: 0.0,
            arms: 0.0,
            elbow: 0.0,
            tremor: 0.0,
            grip: 0.0,
            sink_cm: 0.0,
            limp: 0.0,
            jerk: 0.0,
        }
    }
}

fn looks() -> &'static HashMap<Manner, Look> {
    static LOOKS: LazyLock<HashMap<Manner, Look>> = LazyLock::new(|| {
        let file: File =
            toml::from_str(FILE).expect("the file of manners is valid; a test checks it");
        file.manner.into_iter().map(|row| (row.manner, row.look)).collect()
    });
    &LOOKS
}

/// Applies a manner to a style; `much` is the intensity.
pub(super) fn put_on(style: &mut Style, manner: Manner, much: f32) {
    let Some(look) = looks().get(&manner) else { return };
    let factor = |of: f32| powf(of, much);
    let angle = |of: f32| much * of.to_radians();
    style.tempo *= factor(look.tempo);
    style.stride *= factor(look.stride);
    style.size *= factor(look.size);
    style.bounce *= factor(look.bounce);
    style.lift *= factor(look.lift);
    style.swing *= factor(look.swing);
    style.sway *= factor(look.sway);
    style.width *= factor(look.width);
    style.hunch += angle(look.hunch);
    style.head += angle(look.head);
    style.shrug += angle(look.shrug);
    style.out += angle(look.out);
    style.arms += angle(look.arms);
    style.elbow += angle(look.elbow);
    style.tremor += angle(look.tremor);
    style.grip += much * look.grip;
    style.sink += much * look.sink_cm / 100.0;
    style.limp = (style.limp + much * look.limp).min(1.0);
    style.jerk = (style.jerk + much * look.jerk).min(1.0);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_manner_is_visible() {
        for manner in Manner::ALL {
            let look = looks().get(manner).copied();
            let differs = look.is_some_and(|look| {
                let mut style = Style::USUAL;
                put_on(&mut style, *manner, 1.0);
                style != Style::USUAL && look.tempo > 0.3 && look.tempo < 1.5
            });
            assert!(differs, "{manner} shows in nothing");
        }
    }

    #[test]
    fn stronger_manners_are_more_visible() {
        let hunch = |much: f32| {
            let mut style = Style::USUAL;
            put_on(&mut style, Manner::Old, much);
            style.hunch
        };
        assert!(hunch(0.5) < hunch(1.0) && hunch(1.0) < hunch(2.0));
    }
}
