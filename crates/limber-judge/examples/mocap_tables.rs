//! Measures recorded motion and writes the small tables that the benchmark compares with.
//!
//! ```text
//! cargo run --release -p limber-judge --example mocap_tables -- DATA assets/mocap/gaits.toml
//! ```
//! DATA is a folder that contains `cmu-text` (see `limber_judge::mocap`). Without it nothing is
//! written.

use std::{collections::BTreeMap, error::Error, path::Path};

use limber_judge::{
    Body,
    gait::{GaitTable, steady, whole},
    mocap::{Library, Take},
};

/// Names of the tables, each with a caption that its takes have.
const TABLES: [(&str, &str); 5] = [
    ("walk", "{} is walking"),
    ("run", "runs forward"),
    ("jump", "{} jumps"),
    ("sit", "{} sits down and stands up"),
    ("drink", "{} drinks from a bottle"),
];

/// Tables measured without starting and stopping.
const GAITS: [&str; 2] = ["walk", "run"];
/// Tables of actions whose captions hold for every part of the recording.
const THROUGHOUT: [&str; 2] = ["sit", "drink"];

const HEAD: &str = "\
# Gaits and jerk of recorded motion: means and deviations, no motion. Written by
#   cargo run --release -p limber-judge --example mocap_tables
# `mean` and `deviation` are degrees at every 2 % of a cycle that begins where the heel strikes; jerk is
# in m/s³, its spectrum at 1 to 15 Hz. For what is measured, see limber-judge, src/gait.rs.
# The data used in this project was obtained from mocap.cs.cmu.edu. The database was created with
# funding from NSF EIA-0196217.
";

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let (Some(data), Some(out)) = (words.next(), words.next()) else {
        return Err("usage: mocap_tables DATA TABLES.toml".into());
    };
    let folder = Path::new(&data).join("cmu-text");
    if !folder.exists() {
        println!("skipped: {data} contains no recorded motion");
        return Ok(());
    }
    let library = Library::open(&folder)?;
    let mut tables = BTreeMap::new();
    for (name, caption) in TABLES {
        let of = |take: &&Take| {
            let told = !take.mixed || THROUGHOUT.contains(&name);
            take.is_recorded() && told && take.captions.iter().any(|c| c.contains(caption))
        };
        let clips = library.takes.iter().filter(of).map(|take| library.clip(take));
        let bodies: Vec<Body> =
            clips.map(|clip| Ok(Body::of(&clip?))).collect::<Result<_, Box<dyn Error>>>()?;
        let table = GaitTable::of(&bodies, if GAITS.contains(&name) { steady } else { whole });
        println!(
            "{name}: {} clips, {} cycles, {:.2} m/s, jerk {:.0} m/s³",
            table.clips, table.cycles, table.speed_m_s, table.jerk_m_s3
        );
        tables.insert(name, table);
    }
    let written: String = tables.iter().map(|(name, table)| text(name, table)).collect();
    std::fs::write(out, format!("{HEAD}{written}"))?;
    Ok(())
}

/// Formats a table as TOML, rounded to tenths.
fn text(name: &str, table: &GaitTable) -> String {
    let row = |values: &[f32]| {
        let values: Vec<String> = values.iter().map(|value| format!("{value:.1}")).collect();
        format!("[{}]", values.join(", "))
    };
    let mut text = format!(
        "\n[{name}]\nclips = {}\ncycles = {}\nspeed_m_s = {:.2}\njerk_m_s3 = {:.1}\n\
         jerk_deviation = {:.1}\njerk_spectrum = {}\n",
        table.clips,
        table.cycles,
        table.speed_m_s,
        table.jerk_m_s3,
        table.jerk_deviation,
        row(&table.jerk_spectrum)
    );
    for (joint, band) in table.bands() {
        let (mean, deviation) = (row(&band.mean), row(&band.deviation));
        text += &format!("[{name}.{joint}]\nmean = {mean}\ndeviation = {deviation}\n");
    }
    text
}
