//! Checks how much of the mesh is bound to the skeleton.

use limber_animation::HumanBone;

use super::body::Body;
use crate::humanoid::{Mapping, spoken};

/// Maximum number of bone names in a message.
const TOLD: usize = 6;

/// Returns warnings about a body of which little will move. `unweighted` is the number of vertices
/// in skinned meshes that have no weight in the file.
pub(super) fn warnings(body: &Body, mapping: &Mapping, unweighted: usize) -> Vec<String> {
    let mut warnings = Vec::new();
    let (all, loose) = body.vertices();
    let without = unweighted + loose;
    if without * 2 > all {
        warnings.push(format!(
            "most of the body has no weights: {} of {all} vertices are not bound to any joint; \
             they follow the nearest joint rigidly or are left out. Bind the whole mesh to the \
             skeleton and export again",
            without.min(all)
        ));
    }
    let carries = body.carrying(mapping);
    let needed: Vec<HumanBone> = HumanBone::indispensable().collect();
    let idle: Vec<String> =
        needed.iter().filter(|bone| !carries.contains(*bone)).map(|bone| spoken(*bone)).collect();
    if idle.len() * 2 > needed.len() {
        let more = idle.len().saturating_sub(TOLD);
        let named = idle[..idle.len() - more].join(", ");
        let more = if more > 0 { format!(" and {more} more bones") } else { String::new() };
        warnings.push(format!(
            "most of the body has no weights: no part of the mesh is bound to {named}{more}, so \
             little of it will move. Paint weights for all bones and export again"
        ));
    }
    warnings
}
