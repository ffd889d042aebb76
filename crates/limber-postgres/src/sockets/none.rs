//! Windows: PostgreSQL is not set up to use sockets in private folders, so servers use ports.

use std::{
    io,
    path::{Path, PathBuf},
};

use postgresql_embedded::Settings;

#[expect(clippy::unnecessary_wraps, reason = "can fail on other systems")]
pub(crate) fn listen(_: &Path, _: &mut Settings) -> io::Result<Option<PathBuf>> {
    Ok(None)
}

pub(crate) const fn unlink(_: &Path) {}
