//! Reads facial expressions from `assets/faces/expressions.toml`.

use std::{collections::BTreeMap, sync::OnceLock};

use limber_animation::{ARKIT_SHAPES, arkit_shape, smooth::smoothstep};
use serde::Deserialize;

use crate::{Action, Intensity, Manner};

const FILE: &str = include_str!("../../../../../assets/faces/expressions.toml");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    expression: BTreeMap<String, Written>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(default)]
    actions: Vec<String>,
    #[serde(default)]
    manners: Vec<Manner>,
    look: Vec<WrittenLook>,
    pulse: Option<WrittenPulse>,
}

#[derive(Deserialize)]
struct WrittenLook {
    at: f32,
    #[serde(flatten)]
    shapes: BTreeMap<String, f32>,
}

#[derive(Deserialize)]
struct WrittenPulse {
    hertz: f32,
    #[serde(flatten)]
    shapes: BTreeMap<String, f32>,
}

/// A facial expression during an act.
pub(super) struct Expression {
    actions: Vec<String>,
    manners: Vec<Manner>,
    /// Expressions at shares of the act's time: share and weights, in order.
    looks: Vec<(f32, [f32; ARKIT_SHAPES.len()])>,
    pub(super) pulse: Option<Pulse>,
}

/// A periodic expression on top of another.
pub(super) struct Pulse {
    pub(super) hertz: f32,
    /// Index and maximum weight of each blend shape.
    pub(super) shapes: Vec<(usize, f32)>,
}

impl Expression {
    /// Whether it belongs to the action or to one of the manners.
    pub(super) fn fits(&self, action: Action, manners: &BTreeMap<Manner, Intensity>) -> bool {
        self.actions.iter().any(|name| name == action.name())
            || self.manners.iter().any(|manner| manners.contains_key(manner))
    }

    /// The interpolated weights at a share of the act's time.
    pub(super) fn look(&self, share: f32) -> [f32; ARKIT_SHAPES.len()] {
        let next = self.looks.partition_point(|(at, _)| *at <= share);
        let neutral = [0.0; ARKIT_SHAPES.len()];
        let held = (0.0, neutral);
        let (before, after) = match self.looks.as_slice() {
            [only] => return only.1,
            looks => (
                next.checked_sub(1).map_or(held, |place| looks[place]),
                looks.get(next).copied().unwrap_or((1.0, neutral)),
            ),
        };
        let amount = smoothstep((share - before.0) / (after.0 - before.0).max(1e-3));
        std::array::from_fn(|shape| before.1[shape] + (after.1[shape] - before.1[shape]) * amount)
    }
}

/// All expressions.
pub(super) fn expressions() -> &'static [Expression] {
    static ALL: OnceLock<Vec<Expression>> = OnceLock::new();
    ALL.get_or_init(|| written().expression.into_values().map(read).collect())
}

fn written() -> File {
    toml::from_str(FILE).expect("the file of expressions is valid; a test checks it")
}

fn read(written: Written) -> Expression {
    let looks = written.look.into_iter().map(|look| {
        let mut weights = [0.0; ARKIT_SHAPES.len()];
        for (place, weight) in placed(&look.shapes) {
            weights[place] = weight;
        }
        (look.at, weights)
    });
    Expression {
        actions: written.actions,
        manners: written.manners,
        looks: looks.collect(),
        pulse: written
            .pulse
            .map(|pulse| Pulse { hertz: pulse.hertz, shapes: placed(&pulse.shapes) }),
    }
}

/// Indices and weights of blend shapes by name; a name without a side stands for both.
fn placed(shapes: &BTreeMap<String, f32>) -> Vec<(usize, f32)> {
    shapes.iter().flat_map(|(name, weight)| places(name).map(|place| (place, *weight))).collect()
}

fn places(name: &str) -> impl Iterator<Item = usize> + use<> {
    let names = [name.to_owned(), format!("{name}Left"), format!("{name}Right")];
    names.into_iter().filter_map(|name| arkit_shape(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_expression_has_known_shapes_known_actions_and_looks_in_order() {
        for (name, expression) in written().expression {
            let pulse = expression.pulse.iter().flat_map(|pulse| &pulse.shapes);
            for (shape, weight) in expression.look.iter().flat_map(|look| &look.shapes).chain(pulse)
            {
                assert!(places(shape).next().is_some(), "`{name}`: ARKit has no shape `{shape}`");
                assert!((0.0..=1.0).contains(weight), "`{name}`: {shape} = {weight}");
            }
            let times: Vec<f32> = expression.look.iter().map(|look| look.at).collect();
            assert!(
                !times.is_empty() && times.windows(2).all(|pair| pair[0] < pair[1]),
                "`{name}`"
            );
            assert!(times.iter().all(|at| (0.0..=1.0).contains(at)), "`{name}`: {times:?}");
            for action in &expression.actions {
                assert!(Action::named(action).is_some(), "`{name}`: there is no action `{action}`");
            }
        }
    }
}
