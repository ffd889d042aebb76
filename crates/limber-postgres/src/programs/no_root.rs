//! Windows has no root user. There, PostgreSQL drops administrator rights by itself.

use std::path::Path;

use crate::PostgresError;

pub(super) const fn is_root() -> bool {
    false
}

#[expect(clippy::unnecessary_wraps, reason = "can fail on other systems")]
pub(super) const fn write_shims(_: &Path, _: &Path) -> Result<(), PostgresError> {
    Ok(())
}
