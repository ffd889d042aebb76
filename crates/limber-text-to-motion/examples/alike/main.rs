//! Prints which actions look alike. Actions and scores are read at run time from `assets`, or from
//! the folder in `LIMBER_ASSETS`.
//!
//! `cargo run -p limber-text-to-motion --example alike -- [ACTION]`: all pairs closer than 5 cm, or
//! the actions closest to one action.

mod measure;

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use limber_text_to_motion::{Action, faults_of_scores, read_actions_from};

/// Distance below which two actions look alike, metres; a test requires as much.
const ALIKE_M: f32 = 0.05;

fn main() -> Result<(), String> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets");
    let assets = std::env::var_os("LIMBER_ASSETS").map_or(own, PathBuf::from);
    read_actions_from(&assets)?;
    let faults = faults_of_scores();
    if !faults.is_empty() {
        return Err(faults.join("\n"));
    }
    let asked: Vec<String> = std::env::args().skip(1).collect();
    let all: Vec<measure::Seen> = Action::all().map(measure::seen).collect();
    if !asked.is_empty() {
        for name in asked {
            nearest(&all, &name)?;
        }
        return Ok(());
    }
    let pairs = measure::pairs(&all, ALIKE_M);
    let mut near: BTreeMap<&str, Vec<(f32, Action)>> = BTreeMap::new();
    for (metres, first, second) in &pairs.near {
        near.entry(first.name()).or_default().push((*metres, *second));
        near.entry(second.name()).or_default().push((*metres, *first));
    }
    let mut rows: Vec<_> = near.into_iter().collect();
    rows.sort_by_key(|(_, others)| std::cmp::Reverse(others.len()));
    for (action, others) in rows {
        let told: Vec<String> = others
            .iter()
            .map(|(metres, other)| format!("{other:?} {:.1}", 100.0 * metres))
            .collect();
        println!("{:3} {action}: {}", others.len(), told.join(", "));
    }
    let measure::Pairs { count, near } = pairs;
    println!("{} of {count} pairs are nearer than {} cm", near.len(), 100.0 * ALIKE_M);
    Ok(())
}

fn nearest(all: &[measure::Seen], name: &str) -> Result<(), String> {
    let action = Action::named(name).ok_or_else(|| format!("{name} is not an action"))?;
    let own = all.iter().find(|seen| seen.action == action).ok_or("it was not acted out")?;
    let mut others: Vec<(f32, Action)> = all
        .iter()
        .filter(|seen| seen.action != action)
        .filter_map(|seen| Some((measure::apart(own, seen, f32::MAX)?, seen.action)))
        .collect();
    others.sort_by(|a, b| a.0.total_cmp(&b.0));
    let told: Vec<String> = others
        .iter()
        .take(12)
        .map(|(metres, other)| format!("{other:?} {:.1}", 100.0 * metres))
        .collect();
    println!("{name}: {}", told.join(", "));
    Ok(())
}
