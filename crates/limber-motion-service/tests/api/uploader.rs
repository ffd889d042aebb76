//! The client library's uploads, against the real service.

mod kills;
mod proxy;

use std::{path::PathBuf, sync::Arc};

use limber_client::motion::{
    CharacterUpload, MotionClient, StoredModel, UploadControl, UploadEnvironment, UploadError,
    UploadPace, UploadProgress, Uploader,
};
use limber_domain::environment::Clock;
use limber_motion_service::Environment;

use crate::{
    models::hero,
    studio::{HandClock, Studio},
    upload::bytes,
};
use proxy::Proxy;

/// The given clock, and no randomness.
#[derive(Debug)]
pub(crate) struct Around(pub(crate) Arc<dyn Clock>);

impl Around {
    pub(crate) fn this_computer() -> Arc<Self> {
        Arc::new(Self(Environment::system().clock))
    }
}

impl UploadEnvironment for Around {
    fn now_ms(&self) -> i64 {
        self.0.now_ms()
    }

    fn random(&self) -> f64 {
        0.0
    }
}

/// Small parts and short waits.
pub(crate) fn brisk() -> UploadPace {
    UploadPace {
        first_piece: 256 << 10,
        largest_piece: 512 << 10,
        first_wait: std::time::Duration::from_millis(20),
        longest_wait: std::time::Duration::from_millis(500),
        ..UploadPace::default()
    }
}

struct Desk {
    folder: tempfile::TempDir,
    client: MotionClient,
    environment: Arc<Around>,
    control: UploadControl,
}

impl Desk {
    fn of(client: MotionClient) -> Self {
        Self {
            folder: tempfile::tempdir().expect("a folder"),
            client,
            environment: Around::this_computer(),
            control: UploadControl::default(),
        }
    }

    /// Writes a character file of at least `length` bytes; the padding is ignored by parsers.
    fn character(&self, length: usize) -> CharacterUpload {
        let path = self.path("hero.glb");
        std::fs::write(&path, padded(length)).expect("written");
        CharacterUpload::of(path)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    async fn upload(
        &self,
        upload: &CharacterUpload,
        seen: &mut Vec<UploadProgress>,
    ) -> Result<StoredModel, UploadError> {
        let uploader = Uploader {
            client: &self.client,
            notes: self.path("notes.json"),
            environment: Arc::clone(&self.environment) as Arc<dyn UploadEnvironment>,
            pace: brisk(),
            control: self.control.clone(),
        };
        uploader.run(upload, &mut |progress| seen.push(progress)).await
    }
}

/// Returns the hero with an additional chunk, which GLB parsers must ignore.
pub(crate) fn padded(length: usize) -> Vec<u8> {
    let mut glb = hero().to_vec();
    if glb.len() + 8 < length {
        let chunk = bytes((length - glb.len() - 8) & !3);
        glb.extend((chunk.len() as u32).to_le_bytes());
        glb.extend(b"XTRA");
        glb.extend(chunk);
        let whole = glb.len() as u32;
        glb[8..12].copy_from_slice(&whole.to_le_bytes());
    }
    glb
}

#[tokio::test]
async fn a_character_is_uploaded_in_parts_and_stored() {
    let studio = Studio::open().await;
    let desk = Desk::of(studio.client());
    let mut upload = desk.character(5 << 20);
    upload.name = Some("My hero".to_owned());
    let picture = desk.path("hero.png");
    image::RgbaImage::new(64, 64).save(&picture).expect("written");
    upload.thumbnail = Some(picture);
    let mut seen = Vec::new();
    let stored = desk.upload(&upload, &mut seen).await.expect("stored");
    let models = desk.client.models().await.expect("a list");
    assert_eq!((&models[0].id, models[0].name.as_str()), (&stored.model_id, "My hero"));
    assert!(models[0].thumb.is_some());
    let last = seen.last().expect("progress");
    assert_eq!(last.stored, last.total);
    assert!(seen.len() > 9, "{} steps", seen.len());
    assert!(seen.windows(2).all(|pair| pair[0].stored <= pair[1].stored), "{seen:?}");
    assert!(seen.iter().any(|progress| progress.bytes_per_second.is_some()));
    assert!(!desk.path("notes.json").exists(), "no secrets are left behind");
}

#[tokio::test]
async fn a_paused_upload_resumes_where_it_stopped() {
    let mut studio = Studio::open().await;
    let proxy = Proxy::before(&mut studio).await;
    let desk = Desk::of(proxy.client(&studio));
    let upload = desk.character(4 << 20);
    let control = desk.control.clone();
    let mut seen = Vec::new();
    let uploader = Uploader {
        client: &desk.client,
        notes: desk.path("notes.json"),
        environment: Around::this_computer(),
        pace: brisk(),
        control: control.clone(),
    };
    let paused = uploader
        .run(&upload, &mut |progress| {
            if progress.stored > 1 << 20 {
                control.pause();
            }
            seen.push(progress);
        })
        .await;
    assert!(matches!(paused, Err(UploadError::Paused)), "{paused:?}");
    let stored = seen.last().expect("progress").stored;
    assert!(stored < 4 << 20, "{stored}");
    desk.control.resume();
    let mut again = Vec::new();
    desk.upload(&upload, &mut again).await.expect("stored");
    assert!(again[0].stored >= stored, "{} after {stored}", again[0].stored);
    let whole = std::fs::metadata(&upload.model).expect("it exists").len();
    assert!(proxy.sent() < whole + (64 << 10), "nothing is sent twice: {}", proxy.sent());
}

#[tokio::test]
async fn a_cancelled_upload_leaves_nothing_on_client_or_server() {
    let studio = Studio::open().await;
    let desk = Desk::of(studio.client());
    let upload = desk.character(4 << 20);
    let control = desk.control.clone();
    let uploader = Uploader {
        client: &desk.client,
        notes: desk.path("notes.json"),
        environment: Around::this_computer(),
        pace: brisk(),
        control: control.clone(),
    };
    let cancelled = uploader
        .run(&upload, &mut |progress| {
            if progress.stored > 1 << 20 {
                control.cancel();
            }
        })
        .await;
    assert!(matches!(cancelled, Err(UploadError::Cancelled)), "{cancelled:?}");
    assert!(studio.uploads().is_empty());
    assert!(!desk.path("notes.json").exists());
}

#[tokio::test]
async fn a_file_that_changes_during_upload_is_sent_again() {
    let studio = Studio::open().await;
    let desk = Desk::of(studio.client());
    let upload = desk.character(4 << 20);
    let (path, mut changed) = (upload.model.clone(), false);
    let uploader = Uploader {
        client: &desk.client,
        notes: desk.path("notes.json"),
        environment: Around::this_computer(),
        pace: brisk(),
        control: UploadControl::default(),
    };
    let stored = uploader
        .run(&upload, &mut |progress| {
            if progress.stored > 1 << 20 && !changed {
                changed = true;
                std::fs::write(&path, padded(3 << 20)).expect("written");
            }
        })
        .await;
    stored.expect("stored");
    let (_, kept) = studio.only_upload();
    assert_eq!(kept, padded(3 << 20), "the new file, and only that");
}

#[tokio::test]
async fn a_file_damaged_after_arrival_is_sent_again() {
    let studio = Studio::open().await;
    let desk = Desk::of(studio.client());
    let upload = desk.character(1 << 20);
    let (folder, mut is_spoiled) = (studio.files.path().join("files/uploads"), false);
    let uploader = Uploader {
        client: &desk.client,
        notes: desk.path("notes.json"),
        environment: Around::this_computer(),
        pace: brisk(),
        control: UploadControl::default(),
    };
    let stored = uploader
        .run(&upload, &mut |progress| {
            if progress.stored == progress.total && !is_spoiled {
                is_spoiled = true;
                let mut files = std::fs::read_dir(&folder).expect("a folder");
                let file = files.next().expect("a file").expect("it is readable").path();
                let bytes = std::fs::read(&file).expect("it exists");
                std::fs::write(file, &bytes[..bytes.len() / 2]).expect("truncated");
            }
        })
        .await;
    stored.expect("stored");
    assert!(is_spoiled);
    assert_eq!(studio.only_upload().1, padded(1 << 20), "the stored bytes are intact");
}

#[tokio::test]
async fn an_upload_that_the_service_forgot_restarts() {
    let clock = HandClock::now();
    let studio = Studio::open_at(&clock, |_| {}).await;
    let mut desk = Desk::of(studio.client());
    desk.environment = Arc::new(Around(Arc::clone(&clock) as Arc<dyn Clock>));
    let upload = desk.character(4 << 20);
    desk.control.pause();
    let control = desk.control.clone();
    let uploader = Uploader {
        client: &desk.client,
        notes: desk.path("notes.json"),
        environment: Arc::clone(&desk.environment) as Arc<dyn UploadEnvironment>,
        pace: brisk(),
        control: control.clone(),
    };
    control.resume();
    let paused = uploader
        .run(&upload, &mut |progress| {
            if progress.stored > 1 << 20 {
                control.pause();
            }
        })
        .await;
    assert!(matches!(paused, Err(UploadError::Paused)), "{paused:?}");
    // only the service has forgotten the session
    studio.sql("update upload_sessions set state = 'terminated', ended_ms = created_ms").await;
    control.resume();
    let mut seen = Vec::new();
    desk.upload(&upload, &mut seen).await.expect("stored");
    assert!(seen.iter().any(|progress| progress.stored == 0), "from the beginning");
    // too old for both sides
    let second = desk.character(3 << 20);
    std::fs::write(desk.path("notes.json"), "{").expect("written");
    clock.forward(8 * 24 * 3600 * 1000);
    desk.upload(&second, &mut seen).await.expect("unreadable notes are ignored");
}

#[tokio::test]
async fn a_too_large_file_is_rejected_at_once() {
    let studio = Studio::open_with(|config| config.max_model_mib = 1).await;
    let desk = Desk::of(studio.client());
    let upload = desk.character(2 << 20);
    let refused = desk.upload(&upload, &mut Vec::new()).await;
    let Err(UploadError::Motion(error)) = refused else { panic!("{refused:?}") };
    assert_eq!(error.status(), Some(413));
    assert!(error.to_string().contains("1 MiB"), "{error}");
}

#[tokio::test]
async fn broken_connections_only_cost_time() {
    let mut studio = Studio::open().await;
    let proxy = Proxy::before(&mut studio).await;
    let desk = Desk::of(proxy.client(&studio));
    let upload = desk.character(4 << 20);
    proxy.cut_every(700_000);
    let mut seen = Vec::new();
    desk.upload(&upload, &mut seen).await.expect("stored");
    let (_, kept) = studio.only_upload();
    assert_eq!(kept, std::fs::read(&upload.model).expect("it exists"));
    assert!(proxy.cuts() >= 3, "{}", proxy.cuts());
    assert!(seen.iter().any(|progress| progress.is_interrupted), "problems are reported");
    assert!(!seen.last().expect("progress").is_interrupted, "and so is their end");
    let again = proxy.sent() - kept.len() as u64;
    assert!(again <= (proxy.cuts() + 1) * brisk().largest_piece, "{again} bytes sent again");
}
