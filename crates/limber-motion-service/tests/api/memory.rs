//! Runs many jobs of all kinds, one after another, on a worker whose memory must not grow.
//!
//! `cargo xtask soak memory` runs this with five hundred jobs and a release build.

use limber_client::motion::{
    JobId, JobStatus, ModelId, MotionClient, Render, TextToMotion, VariantId,
};
use limber_pipeline::stock;
use rand::{RngExt, SeedableRng, rngs::SmallRng};

use crate::studio::{Studio, Worker, finished, until, walk};

const PROMPTS: [&str; 12] = [
    "a person walks forward",
    "a tired person walks",
    "a person runs forward",
    "a person walks in a circle while waving",
    "a person sits down, then stands up",
    "a person jumps twice",
    "a person does three jumping jacks",
    "a boxer throws a jab, then a cross",
    "a person kicks with the right leg",
    "a person dances the twist",
    "a person picks something up",
    "a person bows deeply",
];
/// Number of jobs in `cargo xtask test`, and how many of them are warm-up.
const FEW_JOBS: usize = 10;
const FIRST_JOBS: usize = 4;
/// How much the remaining, similar jobs may leave behind. When the worker still rendered previews
/// in its own process, they left three times as much.
const MOST_LEFT_KIB: u64 = 24 << 10;
/// In a long run, the worker loads every stock character once, in the first tenth. After that, no
/// tenth may exceed the second by more than this factor.
const MOST_GROWTH: f64 = 1.10;
/// From this many jobs on, memory is compared by tenths.
const MANY_JOBS: usize = 200;
/// One job in this many is a video.
const VIDEO_EVERY: usize = 25;

fn from_environment(name: &str) -> Option<u32> {
    std::env::var(name).ok()?.parse().ok()
}

/// Returns the private memory of a process in KiB, without mapped files.
fn own_memory_kib(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).expect("it runs");
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).expect("a line");
    line.trim().trim_end_matches(" kB").parse().expect("a number")
}

/// Returns a request for files of every format; cycles through the stock characters.
fn any_motion(number: usize, random: &mut SmallRng) -> TextToMotion {
    let characters = stock::list();
    let model = ModelId::parse(characters[number % characters.len()].id).expect("an id");
    TextToMotion {
        duration_s: Some(random.random_range(2..=10) as f32),
        seed: Some(number as u64),
        ..TextToMotion::new(PROMPTS[random.random_range(0..PROMPTS.len())], model)
    }
}

/// Waits for the job and its previews, and returns the worker's memory then, in KiB.
async fn done(studio: &Studio, client: &MotionClient, worker: &Worker, job: &JobId) -> u64 {
    let end = finished(client, job).await;
    assert!(matches!(end, JobStatus::Succeeded { .. }), "{end:?}");
    until("the preview is rendered", async || {
        (studio.rows_of("pictures_due").await == 0).then_some(())
    })
    .await;
    own_memory_kib(worker.id())
}

fn median(values: &[u64]) -> u64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    sorted[sorted.len() / 2]
}

/// Checks the worker's memory after each of many jobs.
fn judge_many(taken_kib: &[u64]) {
    let tenths: Vec<u64> = taken_kib.chunks(taken_kib.len().div_ceil(10)).map(median).collect();
    let told: Vec<u64> = tenths.iter().map(|kib| kib / 1024).collect();
    let largest = tenths[1..].iter().max().expect("tenths");
    let growth = *largest as f64 / tenths[1] as f64;
    println!("the worker's own memory by tenths, MiB: {told:?}; largest to second {growth:.2}");
    assert!(growth <= MOST_GROWTH, "it grows: {told:?}");
}

/// Checks the worker's memory after each of a few similar jobs.
fn judge_few(taken_kib: &[u64]) {
    println!("the worker's own memory after each job, KiB: {taken_kib:?}");
    let left = taken_kib[taken_kib.len() - 1].saturating_sub(taken_kib[FIRST_JOBS - 1]);
    assert!(left <= MOST_LEFT_KIB, "{left} KiB are left behind: {taken_kib:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn worker_memory_does_not_grow_with_jobs() {
    let jobs = from_environment("LIMBER_SOAK_JOBS").map_or(FEW_JOBS, |jobs| jobs as usize);
    assert!(jobs > FIRST_JOBS, "--jobs {jobs} are too few");
    let seed = from_environment("LIMBER_SOAK_SEED").unwrap_or(20_261_125);
    let mut random = SmallRng::seed_from_u64(seed.into());
    let studio = Studio::open_with(|config| config.pictures = true).await;
    let (client, worker) = (studio.client(), studio.worker("cpu-0"));
    let (mut taken_kib, mut last) = (Vec::new(), None);
    for number in 0..jobs {
        let rendered = last.take_if(|_| number % VIDEO_EVERY == VIDEO_EVERY - 1);
        let job = if let Some(motion) = rendered {
            let render = Render::new(motion, VariantId::FIRST);
            let render = Render { width: 256, height: 144, ..render };
            client.render(&render, None).await.expect("a job").job
        } else {
            let motion = if jobs < MANY_JOBS {
                TextToMotion { seed: Some(number as u64), ..walk() }
            } else {
                any_motion(number, &mut random)
            };
            let motion = client.submit(&motion, None).await.expect("a job").job;
            last.insert(motion).clone()
        };
        taken_kib.push(done(&studio, &client, &worker, &job).await);
    }
    if jobs < MANY_JOBS {
        judge_few(&taken_kib);
    } else {
        judge_many(&taken_kib);
    }
}
