//! Unusual but valid ways to represent a character in a file, made from the stock mannequin.
//!
//! The cases of [`same`] look like the mannequin, so every vertex must move as the mannequin's
//! does. The cases of [`other`] are different bodies and are measured like user-supplied
//! characters.

mod other;
mod same;
mod scene;

use glam::Vec3;
use limber_animation::{Character, Clip};
use limber_formats::{
    humanoid::Overrides,
    import::{ImportError, Imported, import},
};
use limber_pipeline::stock;

use crate::{
    look,
    measure::{Meant, Measured, measure},
    motions,
};
use scene::Scene;

fn take(scene: &Scene) -> Result<Imported, ImportError> {
    import(&scene.file(), &Overrides::default())
}

/// Returns the positions of the body mesh's vertices in some frames.
fn places(character: &Character, clip: &Clip) -> Vec<Vec3> {
    let mesh = character.meshes.iter().find(|mesh| mesh.name == "body").expect("it has a body");
    [0, 20, 45, 70, clip.len() - 1]
        .into_iter()
        .flat_map(|frame| {
            let world = clip.skeleton().world(&clip.frames()[frame.min(clip.len() - 1)]);
            character.skinned_positions(mesh, &world)
        })
        .collect()
}

#[test]
fn one_body_described_in_different_ways_moves_the_same() {
    // the skin of tails and wings counts towards the girth where hands touch
    const EXACT_M: f32 = 0.005;
    let plain = take(&Scene::mannequin()).expect("it is a character").character;
    let mut wrong = Vec::new();
    for motion in [&motions::all()[0], &motions::all()[3]] {
        let meant = places(&plain, &motions::on(motion, &plain, Vec::new()).clip);
        for (name, scene) in same::cases() {
            let taken = take(&scene).unwrap_or_else(|error| panic!("{name}: {error}"));
            let output = motions::on(motion, &taken.character, Vec::new());
            let got = places(&taken.character, &output.clip);
            assert_eq!(got.len(), meant.len(), "{name}");
            let far = meant.iter().zip(&got).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
            println!("{:7} {name:32} {:6.2} mm  {:?}", motion.name, far * 1e3, told(&taken));
            if far.is_nan() || far > EXACT_M {
                wrong.push(format!("{name}, {}: {far} m", motion.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn told(taken: &Imported) -> Vec<&str> {
    taken.report.warnings.iter().map(String::as_str).collect()
}

#[test]
fn other_bodies_do_what_the_canonical_body_does() {
    let mannequin = stock::list()[0].character().expect("the stock character reads");
    println!("{:28} motion  {}", "body", Measured::HEADER);
    let mut wrong = Vec::new();
    for motion in motions::all() {
        let meant = Meant::new(mannequin, motions::on(motion, mannequin, Vec::new()).clip);
        for other::Case { name, scene, bones } in other::cases() {
            let taken = take(&scene).unwrap_or_else(|error| panic!("{name}: {error}"));
            if motion.name == "walk" {
                println!("{name}: {:?}", told(&taken));
                let lacking = bones.iter().filter(|bone| {
                    let joint = scene.nodes.iter().find(|node| node.bone == Some(**bone));
                    let found = taken.report.map.get(bone.name()).map(|mapped| &mapped.name);
                    joint.map(|joint| &joint.name) != found
                });
                wrong.extend(lacking.map(|bone| format!("{name}: {} not found", bone.name())));
            }
            let output = motions::on(motion, &taken.character, Vec::new());
            let measured = measure(&meant, &taken.character, &output.clip);
            println!("{name:28} {:7} {measured}", motion.name);
            wrong.extend(
                measured
                    .problems()
                    .into_iter()
                    .map(|problem| format!("{name} {}: {problem}", motion.name)),
            );
            look::sheet(&format!("other {name}"), motion.name, &taken.character, &output.clip);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
