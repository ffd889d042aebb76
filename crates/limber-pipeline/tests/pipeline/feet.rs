//! `footLockingMode=always` on standing and on moving feet.

use limber_cleanup::FootLockingMode;
use limber_pipeline::Options;

use crate::{mannequin, request, walked};

#[test]
fn overreaching_foot_locks_are_released() {
    for prompt in [
        "a person stands and waves",
        "a person walks forward",
        "a person runs forward",
        "a person shuffles",
        "a person dances the twist",
        "a person turns left",
        "a person jumps",
    ] {
        let made = |foot_locking| {
            let options = Options { foot_locking, formats: Vec::new(), ..Options::default() };
            walked(&request(prompt, options), mannequin()).expect("it works").metrics
        };
        let (auto, always) = (made(FootLockingMode::Auto), made(FootLockingMode::Always));
        println!(
            "{prompt}: auto {:.2}, always {:.2} and at most {:.1} cm/s",
            auto.foot_skate_cm_s, always.foot_skate_cm_s, always.foot_skate_max_cm_s
        );
        assert!(always.foot_skate_cm_s <= 1.0, "{prompt}: {always:?}");
    }
}
