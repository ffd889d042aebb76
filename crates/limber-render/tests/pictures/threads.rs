//! What a thread leaves behind that drew a picture and ended: nothing.

use limber_render::{PictureSize, View, thumbnail};

use crate::{
    camera,
    mannequin::{mannequin, raised_arm},
    studio,
};

const SMALL: PictureSize = PictureSize::new(64, 80);
/// They load the driver and let the allocator have its way.
const FIRST: usize = 5;
const MORE: usize = 24;
/// A context alone takes more than two; without one all of them together take next to nothing.
const MOST_GROWTH_MB: u64 = 20;

fn draw_on_a_thread_of_its_own() {
    let drawing = std::thread::spawn(|| {
        thumbnail(&mannequin(), &raised_arm(), 0.5, SMALL).expect("it draws");
    });
    drawing.join().expect("it drew");
}

/// What this process keeps in memory of its own, where the system tells.
fn own_memory_mb() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"))?;
    let kib: u64 = line.trim().trim_end_matches(" kB").parse().ok()?;
    Some(kib / 1024)
}

#[test]
fn a_thread_that_drew_and_ended_leaves_no_context_behind() {
    if studio(SMALL).is_none() {
        return;
    }
    for _ in 0..FIRST {
        draw_on_a_thread_of_its_own();
    }
    let Some(before) = own_memory_mb() else {
        println!("skipped: this system does not tell what a process takes");
        return;
    };
    for _ in 0..MORE {
        draw_on_a_thread_of_its_own();
    }
    let growth = own_memory_mb().expect("it told before").saturating_sub(before);
    assert!(growth <= MOST_GROWTH_MB, "{MORE} threads left {growth} MB behind");
}

#[test]
fn studios_on_one_thread_may_end_in_any_order() {
    let Some(mut first) = studio(SMALL) else { return };
    let (clip, eye) = (raised_arm(), camera(View::Front));
    let drawn = first.picture(&clip, 0.5, &eye).expect("it draws");
    let [second, mut third] = [(); 2].map(|()| studio(SMALL).expect("there is OpenGL"));
    drop(second);
    assert!(third.picture(&clip, 0.5, &eye).expect("it draws") == drawn);
    drop(third);
    assert!(first.picture(&clip, 0.5, &eye).expect("it draws") == drawn);
}
