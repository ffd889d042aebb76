//! Measures how much eight variants of a prompt differ, and eight consecutive seeds.

use limber_animation::Clip;
use limber_bench::{amount, median, verdict};
use limber_pipeline::{Cancel, Composer, Prompt, Request, Seed, make};

use crate::prompts;

/// Minimum distance of two variants, averaged over the joints of the body and over the clip, in
/// metres.
const APART_M: f32 = 0.03;
const VARIANTS: u32 = 8;
/// Number of body joints, without fingers.
const BODY: usize = 22;

/// Maps a number to a seed and a variant.
type Way = fn(u32) -> (u64, u32);

/// Prints the rows. Returns whether variants differ enough.
pub(crate) fn judge() -> bool {
    let variants = amount(VARIANTS, 2);
    println!("\nvariety: nearest two of {variants}, target ≥ {} cm", 100.0 * APART_M);
    let ways: [(&str, Way); 2] = [
        ("variants of seed 1", |number| (1, number)),
        ("seeds 1 to 8", |number| (u64::from(number), 1)),
    ];
    let mut met = true;
    for (name, way) in ways {
        let nearest = |prompt: &str| {
            of((1..=variants).map(way).map(|(seed, variant)| made(prompt, seed, variant)))
        };
        let mut rows: Vec<(f32, &str)> = prompts()
            .map(|asked| (nearest(&asked.say).unwrap_or(0.0), asked.say.as_str()))
            .collect();
        rows.sort_by(|a, b| a.0.total_cmp(&b.0));
        let alike = rows.iter().filter(|row| row.0 < APART_M).count();
        for (metres, prompt) in rows.iter().take(alike.clamp(3, 40)) {
            println!("  {:4.1} cm  {prompt}", 100.0 * metres);
        }
        let median_m = median(rows.iter().map(|row| f64::from(row.0)).collect());
        let reached = alike == 0 && !rows.is_empty();
        println!(
            "{name}: {alike} of {} prompts have two nearer, median of the nearest {:.1} cm: {}",
            rows.len(),
            100.0 * median_m,
            verdict(reached)
        );
        met &= reached;
    }
    met
}

fn made(prompt: &str, seed: u64, variant: u32) -> Option<Clip> {
    let prompt = Prompt::parse(prompt).ok()?;
    let request = Request { variant, ..Request::new(prompt, Seed(seed)) };
    make(&request, &Composer, &Cancel::default(), &mut |_| {}).ok().map(|made| made.clip)
}

/// Returns the distance of the two most similar clips, in metres.
fn of(clips: impl Iterator<Item = Option<Clip>>) -> Option<f32> {
    let clips: Vec<_> = clips.collect::<Option<Vec<_>>>()?;
    let places: Vec<_> = clips.iter().map(Clip::world_positions).collect();
    let pairs = (0..places.len()).flat_map(|first| (0..first).map(move |second| (first, second)));
    pairs
        .map(|(first, second)| {
            let frames = || places[first].iter().zip(&places[second]);
            let sum: f32 = frames()
                .flat_map(|(a, b)| a.iter().zip(b).take(BODY).map(|(a, b)| a.distance(*b)))
                .sum();
            sum / (frames().count() * BODY) as f32
        })
        .min_by(f32::total_cmp)
}
