//! S3, first half: smooths jitter and locks standing feet, on the canonical skeleton.

use limber_animation::Clip;
use limber_cleanup::{contacts_of, filter_poses, lock_feet};

use crate::{Options, PipelineError};

/// Filters first, so that feet moved by the filter are locked again.
pub(crate) fn smooth_and_lock_feet(clip: &Clip, options: &Options) -> Result<Clip, PipelineError> {
    let filtered = filter_poses(clip, options.pose_filtering_strength);
    let contacts = contacts_of(&filtered);
    Ok(lock_feet(&filtered, &contacts, options.foot_locking))
}
