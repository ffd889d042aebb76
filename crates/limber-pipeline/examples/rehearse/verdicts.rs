//! What the judge says of folders of clips, side by side.

use std::{collections::HashMap, fs, path::Path};

use limber_animation::Clip;
use limber_cleanup::{FootLockingMode, contacts_of, lock_feet, measure};
use limber_judge::{
    Body, Class, Expected,
    gait::{jerk, steady, tables, whole},
    prompt_set, snap,
};
use serde::Serialize;

use crate::{Outcome, exchange::Folder};

/// (table of recorded people, prompt): whose jerk is compared.
const JERKS: [(&str, &str); 5] = [
    ("walk", "a person walks forward"),
    ("run", "a person runs forward"),
    ("jump", "a person jumps"),
    ("sit", "a person sits down, then stands up"),
    ("drink", "a person drinks with the right hand"),
];

/// What was found in one clip.
#[derive(Debug, Serialize)]
struct Row {
    say: String,
    seed: u64,
    obeys: bool,
    snap: Option<String>,
    faults: Vec<String>,
    classes: HashMap<&'static str, bool>,
    /// cm/s, as it came and after the feet were locked.
    skate: [f32; 2],
    /// mm, after the feet were locked.
    depth: f32,
    /// m/s³
    jerk: f32,
}

pub(crate) fn judge(folders: &[&str]) -> Outcome<()> {
    let expected: HashMap<&str, &Expected> =
        prompt_set().all().map(|expected| (expected.say.as_str(), expected)).collect();
    print!("{:<28} {:>6} {:>6}", "folder", "clips", "obey %");
    for (_, name) in Class::ALL {
        print!(" {name:>9}");
    }
    println!(
        " {:>6} {:>7} {:>7} {:>7} {:>6}  jerk / people's",
        "snaps", "skate", "locked", "depth", "jerk"
    );
    for folder in folders {
        let path = Path::new(folder);
        let clips = Folder::read(path)?;
        let rows: Vec<Row> = clips
            .each()
            .filter_map(|(line, clip)| {
                let expected = expected.get(line.request.say.as_str())?;
                Some(row(expected, line.request.seed, clip?))
            })
            .collect();
        let lines: Result<Vec<String>, _> = rows.iter().map(serde_json::to_string).collect();
        fs::write(path.join("verdicts.jsonl"), lines?.join("\n") + "\n")?;
        print_row(path, &rows);
        println!("  {}", beside_people(&clips).join(" "));
    }
    Ok(())
}

fn row(expected: &Expected, seed: u64, clip: &Clip) -> Row {
    let locked = lock_feet(clip, &contacts_of(clip), FootLockingMode::Auto);
    let body = Body::of(&locked);
    let verdict = expected.judge(&body);
    let (before, after) = (measure(clip), measure(&locked));
    Row {
        say: expected.say.clone(),
        seed,
        obeys: verdict.is_obeyed(),
        snap: snap(&body),
        faults: verdict.faults().map(str::to_owned).collect(),
        classes: Class::ALL
            .into_iter()
            .filter_map(|(class, name)| Some((name, verdict.of(class)?)))
            .collect(),
        skate: [before.foot_skate_cm_s, after.foot_skate_cm_s],
        depth: after.penetration_mm,
        jerk: jerk(&body, &whole(&body)),
    }
}

fn print_row(folder: &Path, rows: &[Row]) {
    let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let count = rows.len().max(1) as f32;
    let mean = |of: &dyn Fn(&Row) -> f32| rows.iter().map(of).sum::<f32>() / count;
    print!(
        "{name:<28} {:>6} {:>6.1}",
        rows.len(),
        100.0 * mean(&|row| f32::from(u8::from(row.obeys)))
    );
    for (_, name) in Class::ALL {
        let of: Vec<bool> = rows.iter().filter_map(|row| row.classes.get(name).copied()).collect();
        let well = of.iter().filter(|well| **well).count();
        print!(" {:>9.1}", 100.0 * well as f32 / of.len().max(1) as f32);
    }
    print!(
        " {:>6} {:>7.2} {:>7.2} {:>7.1} {:>6.0}",
        rows.iter().filter(|row| row.snap.is_some()).count(),
        mean(&|row| row.skate[0]),
        mean(&|row| row.skate[1]),
        mean(&|row| row.depth),
        mean(&|row| row.jerk),
    );
}

/// Our jerk as a multiple of people's, where people were recorded doing the same.
fn beside_people(clips: &Folder) -> Vec<String> {
    let of = |(name, prompt): (&str, &str)| {
        let table = &tables()[name];
        let found: Vec<f32> = clips
            .each()
            .filter(|(line, _)| line.request.say == prompt)
            .filter_map(|(_, clip)| {
                let body = Body::of(clip?);
                let part = if table.hip.is_some() { steady(&body) } else { whole(&body) };
                Some(jerk(&body, &part) / table.jerk_m_s3)
            })
            .collect();
        (!found.is_empty())
            .then(|| format!("{name} {:.2}", found.iter().sum::<f32>() / found.len() as f32))
    };
    JERKS.into_iter().filter_map(of).collect()
}
