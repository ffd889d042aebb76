//! The folder for temporary files.

use std::{
    fs::{Permissions, create_dir, metadata, set_permissions},
    os::unix::fs::PermissionsExt,
    path::Path,
};

use limber_client::motion::JobStatus;

use crate::studio::{Studio, finished, walk};

fn let_others_read(folder: &Path) {
    set_permissions(folder, Permissions::from_mode(0o755)).expect("opened");
}

fn mode(folder: &Path) -> u32 {
    metadata(folder).expect("it exists").permissions().mode() & 0o7777
}

#[tokio::test]
async fn server_and_worker_make_a_readable_scratch_folder_private() {
    let place = tempfile::tempdir().expect("a folder");
    let scratch = place.path().join("scratch");
    create_dir(&scratch).expect("created");
    let_others_read(&scratch);
    let studio = Studio::open_with(|config| config.scratch.clone_from(&scratch)).await;
    assert_eq!(mode(&scratch), 0o700, "after the start of the server");
    let_others_read(&scratch);
    let _worker = studio.worker("cpu-0");
    let client = studio.client();
    let job = client.submit(&walk(), None).await.expect("a job").job;
    assert!(matches!(finished(&client, &job).await, JobStatus::Succeeded { .. }));
    assert_eq!(mode(&scratch), 0o700, "after the start of a worker");
}
