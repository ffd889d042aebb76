//! S3, first half: trembling is smoothed and standing feet are held, on the canonical skeleton.

use limber_animation::Clip;
use limber_cleanup::{contacts_of, filter_poses, lock_feet};

use crate::{Options, PipelineError};

/// Filter first, so that what the filter softens is held again.
pub(crate) fn correct(clip: &Clip, options: &Options) -> Result<Clip, PipelineError> {
    let filtered = filter_poses(clip, options.pose_filtering_strength);
    let contacts = contacts_of(&filtered);
    Ok(lock_feet(&filtered, &contacts, options.foot_locking))
}
