use super::*;

fn paused() -> Playback {
    let mut playback = Playback::new(180, Fps::DEFAULT);
    playback.pause();
    playback
}

#[test]
fn playback_can_stop_on_every_frame() {
    let mut playback = paused();
    for frame in 0..180 {
        playback.seek(frame);
        assert_eq!(playback.frame(), frame);
    }
    playback.seek(9_999);
    assert_eq!(playback.frame(), 179);
}

#[test]
fn a_loop_restarts_after_a_full_last_frame() {
    let mut playback = Playback::new(30, Fps::DEFAULT);
    playback.advance(0.99);
    assert_eq!(playback.frame(), 29);
    playback.advance(0.02);
    assert_eq!((playback.frame(), playback.is_playing()), (0, true));
}

#[test]
fn without_a_loop_it_stops_on_the_last_frame_and_playing_starts_again() {
    let mut playback = Playback::new(30, Fps::DEFAULT);
    playback.set_looping(false);
    playback.advance(5.0);
    assert_eq!((playback.frame(), playback.is_playing()), (29, false));
    playback.play();
    assert_eq!((playback.frame(), playback.is_playing()), (0, true));
}

#[test]
fn backwards_every_frame_is_shown_as_long_as_forwards() {
    let mut playback = Playback::new(30, Fps::DEFAULT);
    playback.pause();
    playback.seek(0);
    playback.play_backwards();
    // in steps of half a frame, from the middle of the first
    playback.advance(1.0 / 120.0);
    let shown: Vec<_> = (0..60)
        .map(|_| {
            let frame = playback.frame();
            playback.advance(1.0 / 60.0);
            frame
        })
        .collect();
    let expected: Vec<_> = (0..30).rev().flat_map(|frame| [frame, frame]).collect();
    assert_eq!(shown, expected);
    assert!(playback.is_playing() && playback.is_backwards());
}

#[test]
fn backwards_without_a_loop_it_stops_on_the_first_frame_and_starts_again_at_the_last() {
    let mut playback = Playback::new(30, Fps::DEFAULT);
    playback.set_looping(false);
    playback.seek(3);
    playback.play_backwards();
    playback.advance(0.05);
    assert_eq!((playback.frame(), playback.is_playing()), (1, true));
    playback.advance(5.0);
    assert_eq!((playback.frame(), playback.is_playing()), (0, false));
    playback.play_backwards();
    assert_eq!((playback.frame(), playback.is_playing()), (29, true));
    playback.play();
    assert!(!playback.is_backwards());
}

#[test]
fn single_steps_wrap_around_a_loop_and_long_ones_stop_at_the_ends() {
    let mut playback = paused();
    playback.step(-1);
    assert_eq!(playback.frame(), 179);
    playback.step(1);
    assert_eq!(playback.frame(), 0);
    playback.step(-10);
    assert_eq!(playback.frame(), 0);
    playback.step(10);
    assert_eq!(playback.frame(), 10);
}

#[test]
fn half_speed_takes_twice_as_long() {
    let mut playback = Playback::new(180, Fps::DEFAULT);
    playback.set_speed(0.5);
    playback.advance(2.0);
    assert_eq!(playback.frame(), 30);
}

#[test]
fn speeds_stay_within_their_range() {
    let mut playback = paused();
    for _ in 0..20 {
        playback.change_speed(true);
    }
    assert!((playback.speed() - MAX_SPEED).abs() < 1e-6);
    playback.set_speed(f32::NAN);
    playback.set_speed(0.0);
    assert!((playback.speed() - MIN_SPEED).abs() < 1e-6);
}

/// 90 frames with the range 30 to 59, paused on its first frame.
fn trimmed() -> Playback {
    let mut playback = Playback::new(90, Fps::DEFAULT);
    playback.pause();
    playback.set_range(FrameRange::new(30, 59));
    playback.seek(30);
    playback
}

/// Frames displayed in this many updates of the given length.
fn shown(playback: &mut Playback, pictures: usize, each_s: Seconds) -> Vec<FrameIndex> {
    std::iter::repeat_with(|| {
        let frame = playback.frame();
        playback.advance(each_s);
        frame
    })
    .take(pictures)
    .collect()
}

#[test]
fn a_part_loops_with_all_its_frames_and_no_others() {
    // in steps of half a frame, offset by a quarter, so that none lies on a frame boundary
    let each_s = 1.0 / 60.0;
    let mut playback = trimmed();
    playback.play();
    playback.advance(each_s / 2.0);
    let twice = |frame: FrameIndex| [frame, frame];
    let forwards: Vec<_> = (30..60).chain(30..60).flat_map(twice).collect();
    assert_eq!(shown(&mut playback, 120, each_s), forwards);
    playback.pause();
    playback.seek(30);
    playback.play_backwards();
    playback.advance(each_s / 2.0);
    let backwards: Vec<_> = (30..60).rev().chain((30..60).rev()).flat_map(twice).collect();
    assert_eq!(shown(&mut playback, 120, each_s), backwards);
}

#[test]
fn no_frame_outside_the_part_is_shown_at_any_display_rate() {
    let last_s = 59.0 / 30.0;
    for each_s in [0.0003, 1.0 / 144.0, 1.0 / 60.0, 1.0 / 30.0, 0.1, 0.25, 1.0, 1.0001, 7.3] {
        for speed in [MIN_SPEED, 0.25, 1.0, MAX_SPEED] {
            let mut playback = trimmed();
            playback.set_speed(speed);
            for backwards in [false, true] {
                if backwards {
                    playback.play_backwards();
                } else {
                    playback.play();
                }
                for _ in 0..2_000 {
                    playback.advance(each_s);
                    let (frame, time_s) = (playback.frame(), playback.time_s());
                    assert!((30..60).contains(&frame), "{frame}: {each_s} {speed}");
                    assert!((1.0..=last_s).contains(&time_s), "{time_s}: {each_s} {speed}");
                }
            }
        }
    }
}

#[test]
fn without_a_loop_a_part_stops_on_its_last_frame_and_restarts_on_its_first() {
    let mut playback = trimmed();
    playback.set_looping(false);
    playback.play();
    playback.advance(0.5);
    assert_eq!((playback.frame(), playback.is_playing()), (45, true));
    playback.advance(5.0);
    assert_eq!((playback.frame(), playback.is_playing()), (59, false));
    playback.play();
    assert_eq!((playback.frame(), playback.is_playing()), (30, true));
    playback.play_backwards();
    assert_eq!(playback.frame(), 59);
    playback.advance(5.0);
    assert_eq!((playback.frame(), playback.is_playing()), (30, false));
}

#[test]
fn while_paused_frames_outside_a_part_can_be_shown() {
    for outside in [0, 29, 60, 89] {
        let mut playback = trimmed();
        playback.seek(outside);
        assert_eq!(playback.frame(), outside);
        playback.play();
        assert_eq!(playback.frame(), 30);
        // not possible while playing
        playback.seek(outside);
        assert_eq!((playback.frame(), playback.is_playing()), (30, true));
        playback.pause();
        playback.seek(outside);
        playback.play_backwards();
        assert_eq!(playback.frame(), 59);
        playback.seek(outside);
        assert_eq!((playback.frame(), playback.is_playing()), (59, true));
    }
}

#[test]
fn a_moved_part_moves_playback_only_while_playing() {
    let mut playback = trimmed();
    playback.seek(40);
    playback.set_range(FrameRange::new(50, 70));
    assert_eq!(playback.frame(), 40);
    playback.play();
    playback.advance(0.1);
    playback.set_range(FrameRange::new(10, 60));
    assert_eq!(playback.frame(), 53, "playback inside the part continues");
    playback.set_range(FrameRange::new(10, 20));
    assert_eq!(playback.frame(), 10);
    playback.set_range(None);
    playback.advance(1.0);
    assert_eq!(playback.frame(), 40);
}

#[test]
fn single_steps_wrap_around_a_looping_part() {
    let mut playback = trimmed();
    playback.step(-1);
    assert_eq!(playback.frame(), 59);
    playback.step(1);
    assert_eq!(playback.frame(), 30);
    playback.step(-10);
    assert_eq!(playback.frame(), 20);
    playback.step(1);
    assert_eq!(playback.frame(), 21, "also outside of it");
    playback.seek_last();
    assert_eq!(playback.frame(), 59);
    playback.set_looping(false);
    playback.step(1);
    assert_eq!(playback.frame(), 60);
    playback.seek_first();
    playback.step(-1);
    assert_eq!(playback.frame(), 29);
}

#[test]
fn a_part_is_clamped_to_the_clip_and_removed_with_it() {
    let mut playback = trimmed();
    playback.set_range(FrameRange::new(80, 500));
    assert_eq!(playback.range(), (80, 89));
    playback.set_range(FrameRange::new(200, u32::MAX));
    assert_eq!(playback.range(), (89, 89));
    playback.play();
    playback.advance(3.21);
    assert_eq!((playback.frame(), playback.is_playing()), (89, true));
    playback.set_speed(0.5);
    let other = playback.for_clips(20, Fps::DEFAULT);
    assert_eq!((other.range(), other.frame(), other.speed()), ((0, 19), 0, 0.5));
}

#[test]
fn one_frame_plays_without_trouble() {
    let mut playback = Playback::new(1, Fps::DEFAULT);
    playback.advance(10.0);
    playback.step(1);
    assert_eq!(playback.frame(), 0);
}
