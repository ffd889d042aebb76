//! Tests against a stand-in for the motion service over HTTP.

use std::{
    sync::{Mutex, OnceLock},
    time::Duration,
};

use axum::{
    Json, Router,
    extract::{Request, State},
    http::{Method, StatusCode},
    response::{IntoResponse, Response},
};
use limber_animation::{Image, ImageEncoding, Material};
use limber_client::{
    identity::{IdentityClient, IdentityOptions},
    motion::MotionClient,
};
use limber_formats::{fbx, glb};
use limber_pipeline::stock;
use serde_json::json;

use super::*;
use crate::{
    app::HERE,
    testing,
    views::{SessionState, Who},
};

/// A motion service that accepts one upload.
#[derive(Default)]
struct StandIn {
    base: OnceLock<String>,
    /// Query of each request for an address to upload to.
    asked: Mutex<Vec<String>>,
    /// The bytes that were uploaded.
    file: Mutex<Vec<u8>>,
}

impl StandIn {
    async fn start() -> Arc<Self> {
        let server = Arc::new(Self::default());
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
        let address = listener.local_addr().expect("an address");
        server.base.set(format!("http://{address}")).expect("it is set once");
        let router = Router::new().fallback(answer).with_state(Arc::clone(&server));
        tokio::spawn(async move { axum::serve(listener, router).await });
        server
    }

    fn base(&self) -> &str {
        self.base.get().expect("it is started")
    }
}

async fn answer(State(server): State<Arc<StandIn>>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let base = server.base();
    let path = parts.uri.path();
    if path.ends_with("/auth") {
        return (StatusCode::OK, [("set-cookie", "svcsess=x; Path=/")]).into_response();
    }
    if path.ends_with("/getModelUploadUrl") {
        lock(&server.asked).push(parts.uri.query().unwrap_or_default().to_owned());
        let url = format!("{base}/object");
        return Json(json!({ "modelUrl": url, "thumbUrl": url })).into_response();
    }
    if path.ends_with("/storeModel") {
        let id = "abcdefghijklmnopqrstuv";
        return Json(json!({ "modelId": id, "faceDataType": 0, "handDataType": 2 }))
            .into_response();
    }
    if parts.method == Method::POST {
        return (StatusCode::CREATED, [("location", format!("{base}/session"))]).into_response();
    }
    let range = parts.headers["content-range"].to_str().expect("the header is text").to_owned();
    let total = range.rsplit('/').next().expect("a size");
    let bytes = axum::body::to_bytes(body, 1 << 30).await.expect("the whole piece");
    let mut file = lock(&server.file);
    file.extend_from_slice(&bytes);
    match file.len() {
        0 => StatusCode::PERMANENT_REDIRECT.into_response(),
        stored if stored.to_string() == total => StatusCode::OK.into_response(),
        stored => {
            let range = format!("bytes=0-{}", stored - 1);
            (StatusCode::PERMANENT_REDIRECT, [("range", range)]).into_response()
        }
    }
}

/// An app that is signed in to this service.
fn signed_in(folder: &Path, server: &StandIn) -> App {
    let app = testing::app(folder);
    let url = server.base().parse().expect("an address");
    let identity = IdentityClient::new(&url, &IdentityOptions::default()).expect("a client");
    let motion = MotionClient::new(server.base(), "limber", "secret".into()).expect("a client");
    *lock(&app.inner.services) =
        Some(Arc::new(Services { studio: HERE.to_owned(), identity, motion }));
    let who = Who { email: None, phone: None, anonymous: true };
    *lock(&app.inner.session) = SessionState::SignedIn { who, remembered: false };
    app
}

/// Waits until an upload has succeeded or failed.
async fn ended(app: &App, id: &str) -> UploadState {
    let ending = async {
        loop {
            let uploads = app.uploads().expect("the studio is ready");
            let upload = uploads.into_iter().find(|upload| upload.id == id).expect("it is listed");
            if matches!(upload.state, UploadState::Done { .. } | UploadState::Failed { .. }) {
                return upload.state;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), ending).await.expect("the upload ends")
}

fn code_of(state: &UploadState) -> &str {
    match state {
        UploadState::Failed { error } => &error.message.code,
        other => panic!("{other:?}"),
    }
}

/// Creates a file of this size without writing it.
fn hollow(file: &Path, bytes: u64) {
    let made = std::fs::File::create(file).expect("created");
    made.set_len(bytes).expect("a hole takes no room");
}

/// Returns an image, and an FBX that references it as `cloth.png` but does not embed it.
fn parted() -> (Vec<u8>, Vec<u8>) {
    let stock = &stock::list()[0];
    let mut character = stock.character().expect("it is ours").clone();
    let bytes = stock.portrait.to_vec();
    let encoding = ImageEncoding::Png;
    character.images = vec![Image { name: "cloth".to_owned(), encoding, bytes: bytes.clone() }];
    for material in &mut character.materials {
        *material = Material {
            name: material.name.clone(),
            base_color_image: Some(0),
            ..Material::default()
        };
    }
    let mut file = fbx::write_character(&character).expect("it is whole");
    let held = b"\x07Content";
    let at = file.windows(held.len()).position(|bytes| bytes == held).expect("it holds the image");
    // rename the record, so that no reader finds the embedded data
    file[at + 1] = b'X';
    (bytes, file)
}

#[test]
fn invalid_character_files_are_rejected_before_upload() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, bytes: &[u8]| {
        let file = folder.path().join(name);
        std::fs::write(&file, bytes).expect("written");
        file
    };
    let hero = write("Hero.GLB", b"glTF");
    assert_eq!(fault_of(&hero), None);
    assert_eq!(fault_of(&write("notes.txt", b"x")), Some(Notice::CharacterFormats));
    assert_eq!(fault_of(&write("empty.fbx", b"")), Some(Notice::CharacterFileEmpty));
    let gone = fault_of(&folder.path().join("gone.vrm"));
    assert_eq!(gone, Some(Notice::CharacterFileUnreadable));
    let large = folder.path().join("large.fbx");
    hollow(&large, MAX_CHARACTER_BYTES);
    assert_eq!(fault_of(&large), None);
    hollow(&large, MAX_CHARACTER_BYTES + 1);
    assert_eq!(fault_of(&large), Some(Notice::FileTooLarge { most_mib: 200 }));
    assert_eq!(characters_at(folder.path()), [hero, large]);
}

#[test]
fn file_dialogs_offer_every_character_whatever_its_case() {
    let endings = character_endings();
    for ending in CHARACTER_EXTENSIONS {
        assert!(endings.contains(&ending.to_owned()), "{ending}");
        assert!(endings.contains(&ending.to_uppercase()), "{ending}");
    }
    let folder = tempfile::tempdir().expect("a folder");
    for ending in endings {
        let file = folder.path().join(format!("hero.{ending}"));
        std::fs::write(&file, b"glTF").expect("written");
        assert_eq!(fault_of(&file), None, "{ending}");
    }
}

#[tokio::test]
async fn textures_next_to_an_fbx_are_uploaded_with_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let hero = folder.path().join("hero.fbx");
    let (cloth, file) = parted();
    std::fs::write(&hero, file).expect("written");
    std::fs::create_dir(folder.path().join("textures")).expect("created");
    std::fs::write(folder.path().join("textures/cloth.png"), &cloth).expect("written");
    let server = StandIn::start().await;
    let app = signed_in(&folder.path().join("data"), &server);
    let shown = app.upload_characters(vec![hero]).await.expect("listed");
    let state = ended(&app, &shown[0].id).await;
    assert!(matches!(state, UploadState::Done { .. }), "{state:?}");
    let asked = lock(&server.asked).clone();
    assert!(asked.len() == 1 && asked[0].contains("modelExt=glb"), "{asked:?}");
    let sent = glb::read(&lock(&server.file)).expect("a single file").character;
    let images: Vec<&[u8]> = sent.images.iter().map(|image| &image.bytes[..]).collect();
    assert_eq!(images, [&cloth[..]]);
}

#[tokio::test]
async fn files_that_no_studio_reads_are_not_sent() {
    let folder = tempfile::tempdir().expect("a folder");
    let hero = folder.path().join("hero.glb");
    hollow(&hero, MAX_CHARACTER_BYTES + 1);
    let server = StandIn::start().await;
    let app = signed_in(&folder.path().join("data"), &server);
    let shown = app.upload_characters(vec![hero]).await.expect("listed");
    assert_eq!(code_of(&shown[0].state), "file-too-large");
    app.resume_upload(&shown[0].id).expect("tried again");
    assert_eq!(code_of(&ended(&app, &shown[0].id).await), "file-too-large");
    assert!(lock(&server.asked).is_empty(), "nothing is uploaded");
}
