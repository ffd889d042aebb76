//! A thread that rendered and ended leaves nothing behind.

use limber_render::{PictureSize, View, thumbnail};

use crate::{
    camera,
    mannequin::{mannequin, raised_arm},
    studio,
};

const SMALL: PictureSize = PictureSize::new(64, 80);
/// Warm-up threads: they load the driver and grow the allocator's pools.
const FIRST: usize = 5;
const MORE: usize = 24;
/// A leaked context takes more than 2 MB; without leaks, all threads together take almost nothing.
const MOST_GROWTH_MB: u64 = 20;

fn draw_on_a_thread_of_its_own() {
    let drawing = std::thread::spawn(|| {
        thumbnail(&mannequin(), &raised_arm(), 0.5, SMALL).expect("it renders");
    });
    drawing.join().expect("it rendered");
}

/// Returns the anonymous memory of this process in MiB, if the system reports it.
fn own_memory_mb() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"))?;
    let kib: u64 = line.trim().trim_end_matches(" kB").parse().ok()?;
    Some(kib / 1024)
}

#[test]
fn a_finished_render_thread_releases_its_context() {
    if studio(SMALL).is_none() {
        return;
    }
    for _ in 0..FIRST {
        draw_on_a_thread_of_its_own();
    }
    let Some(before) = own_memory_mb() else {
        println!("skipped: this system does not report a process's memory");
        return;
    };
    for _ in 0..MORE {
        draw_on_a_thread_of_its_own();
    }
    let growth = own_memory_mb().expect("it was reported before").saturating_sub(before);
    assert!(growth <= MOST_GROWTH_MB, "{MORE} threads left {growth} MB behind");
}

#[test]
fn studios_on_one_thread_may_end_in_any_order() {
    let Some(mut first) = studio(SMALL) else { return };
    let (clip, eye) = (raised_arm(), camera(View::Front));
    let drawn = first.picture(&clip, 0.5, &eye).expect("it renders");
    let [second, mut third] = [(); 2].map(|()| studio(SMALL).expect("there is OpenGL"));
    drop(second);
    assert!(third.picture(&clip, 0.5, &eye).expect("it renders") == drawn);
    drop(third);
    assert!(first.picture(&clip, 0.5, &eye).expect("it renders") == drawn);
}
