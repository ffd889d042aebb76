//! Compares generated motion with motion capture: gait curves within their bands, and jerk. Needs
//! only the committed tables.

use limber_bench::{all_or, amount, verdict};
use limber_judge::{
    Body,
    gait::{GaitTable, POINTS, cycles, jerk, jerk_spectrum, steady, tables, whole},
};

use crate::feet::kept;

/// Minimum fraction of the gait cycle in which a curve is within two standard deviations of the
/// human mean.
const LEAST_INSIDE: f32 = 0.85;
/// Allowed ratio of generated to human jerk.
const JERK_RATIO: std::ops::RangeInclusive<f32> = 0.7..=1.4;
const SEEDS: u64 = 4;
/// Long enough for some steady steps, in seconds.
const GAIT_S: f32 = 8.0;

/// (table, prompt)
const GAITS: [(&str, &str); 2] =
    [("walk", "a person walks forward"), ("run", "a person runs forward")];
const JERKS: [(&str, &str); 5] = [
    ("walk", "a person walks forward"),
    ("run", "a person runs forward"),
    ("jump", "a person jumps"),
    ("sit", "a person sits down, then stands up"),
    ("drink", "a person drinks with the right hand"),
];

/// Prints the rows. Returns whether all targets are met.
pub(crate) fn judge() -> bool {
    println!(
        "\nbeside recorded people: share of the cycle within two deviations, target ≥ {:.0} %",
        100.0 * LEAST_INSIDE
    );
    let mut met = true;
    for (name, prompt) in all_or(GAITS, 1) {
        met &= bands(name, prompt, &tables()[name]);
    }
    println!(
        "jerk as a multiple of people's, target {} to {}; then at 1-3, 4-6, 7-10, 11-15 Hz",
        JERK_RATIO.start(),
        JERK_RATIO.end()
    );
    for (name, prompt) in all_or(JERKS, 1) {
        met &= smoothness(name, prompt, &tables()[name]);
    }
    met
}

fn bodies(prompt: &str, length_s: Option<f32>) -> Vec<Body> {
    (1..=amount(SEEDS, 1))
        .filter_map(|seed| Some(Body::of(&kept(prompt, length_s, seed)?.clip)))
        .collect()
}

/// Prints the row of a gait. Returns whether its targets are met.
fn bands(name: &str, prompt: &str, table: &GaitTable) -> bool {
    let found: Vec<_> = bodies(prompt, Some(GAIT_S)).iter().flat_map(cycles).collect();
    let mut met = !found.is_empty();
    print!(
        "  {name:<6} {:>3} cycles, theirs {:>3} of {:.2} m/s:",
        found.len(),
        table.cycles,
        table.speed_m_s
    );
    for (joint, (name, band)) in table.bands().enumerate() {
        let count = found.len().max(1) as f32;
        let mean: Vec<f32> = (0..POINTS)
            .map(|place| found.iter().map(|cycle| cycle.joints[joint][place]).sum::<f32>() / count)
            .collect();
        let inside = band.share_inside(&mean);
        met &= inside >= LEAST_INSIDE;
        print!("  {name} {:>5.1} %", 100.0 * inside);
    }
    println!("  {}", verdict(met));
    met
}

fn smoothness(name: &str, prompt: &str, table: &GaitTable) -> bool {
    let is_gait = table.hip.is_some();
    let bodies = bodies(prompt, is_gait.then_some(GAIT_S));
    let part = |body: &Body| if is_gait { steady(body) } else { whole(body) };
    let mean =
        bodies.iter().map(|body| jerk(body, &part(body))).sum::<f32>() / bodies.len().max(1) as f32;
    let ratio = mean / table.jerk_m_s3;
    let met = JERK_RATIO.contains(&ratio);
    let spectra: Vec<Vec<f32>> = bodies
        .iter()
        .map(|body| jerk_spectrum(body, &part(body)))
        .filter(|spectrum| !spectrum.is_empty())
        .collect();
    let parts = [0..3, 3..6, 6..10, 10..15].map(|bins| {
        let square = |of: &[f32]| of[bins.clone()].iter().map(|value| value * value).sum::<f32>();
        let ours = spectra.iter().map(|spectrum| square(spectrum)).sum::<f32>();
        (ours / spectra.len().max(1) as f32 / square(&table.jerk_spectrum)).sqrt()
    });
    println!(
        "  {name:<6} {mean:>5.0} to {:>5.0} m/s³ ({} clips): {ratio:>5.2}  [{}]  {}",
        table.jerk_m_s3,
        table.clips,
        parts.map(|part| format!("{part:.2}")).join(", "),
        verdict(met)
    );
    met
}
