//! Kills client and server (SIGKILL), alternately and at random moments, during uploads.
//!
//! `cargo xtask soak uploads` runs this with 200 MB files for minutes.

use std::{
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::Duration,
};

use limber_client::motion::{CharacterUpload, MotionClient, UploadControl, UploadPace, Uploader};
use secrecy::{ExposeSecret, SecretString};

use super::{Around, Proxy, padded};
use crate::studio::{Studio, Worker};

const BASE: &str = "LIMBER_TEST_UPLOAD_BASE";
const CLIENT: &str = "LIMBER_TEST_UPLOAD_CLIENT";
const FILE: &str = "LIMBER_TEST_UPLOAD_FILE";
const NOTES: &str = "LIMBER_TEST_UPLOAD_NOTES";
/// Maximum size of a part, which is also the most that a kill may cost.
const LARGEST_PIECE: u64 = 4 << 20;

fn from_environment(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// The client process that the other test starts and kills.
#[tokio::test]
async fn uploads_as_the_environment_configures() {
    let word = |name: &str| std::env::var(name).ok();
    let (Some(base), Some(client), Some(file), Some(notes)) =
        (word(BASE), word(CLIENT), word(FILE), word(NOTES))
    else {
        println!("skipped: this is the client that another test starts and kills");
        return;
    };
    let _ = rustls::crypto::ring::default_provider().install_default();
    let (id, secret) = client.split_once(' ').expect("id and secret");
    let client = MotionClient::new(&base, id, SecretString::from(secret.to_owned()));
    let client = client.expect("an address");
    let uploader = Uploader {
        client: &client,
        notes: PathBuf::from(notes),
        environment: Around::this_computer(),
        pace: UploadPace {
            first_piece: 1 << 20,
            largest_piece: LARGEST_PIECE,
            first_wait: Duration::from_millis(100),
            longest_wait: Duration::from_millis(500),
            ..UploadPace::default()
        },
        control: UploadControl::default(),
    };
    let stored = uploader.run(&CharacterUpload::of(file), &mut |_| {}).await;
    stored.expect("the character is stored in the end");
}

struct Sender(Child);

impl Sender {
    fn start(proxy: &Proxy, studio: &Studio, folder: &Path) -> Self {
        let child = Command::new(std::env::current_exe().expect("this program"))
            .args([
                "--exact",
                "uploader::kills::uploads_as_the_environment_configures",
                "--nocapture",
            ])
            .env(BASE, &proxy.base)
            .env(CLIENT, format!("{} {}", studio.id, studio.secret.expose_secret()))
            .env(FILE, folder.join("hero.glb"))
            .env(NOTES, folder.join("notes.json"))
            .stdout(Stdio::null())
            .spawn();
        Self(child.expect("it starts"))
    }

    /// Returns whether the upload has finished.
    fn is_done(&mut self) -> bool {
        match self.0.try_wait().expect("a child") {
            Some(status) => {
                assert!(status.success(), "the client gave up: {status}");
                true
            }
            None => false,
        }
    }
}

impl Drop for Sender {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A small random number generator, so that runs are reproducible.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        // the low bits of such a generator have short periods
        (self.0 >> 32) % below
    }
}

/// Upper bound; uploads finish earlier however often they are interrupted.
const LONGEST: Duration = Duration::from_secs(540);

/// Uploads a file while killing client and server; returns the number of kills of each.
async fn send_while_killing(
    studio: &mut Studio,
    server: &mut Option<Worker>,
    proxy: &Proxy,
    folder: &Path,
    dice: &mut Dice,
    most: u64,
) -> (u64, u64) {
    let (mut clients, mut servers) = (0, 0);
    let mut sender = Sender::start(proxy, studio, folder);
    loop {
        tokio::time::sleep(Duration::from_millis(150 + dice.roll(900))).await;
        if sender.is_done() {
            return (clients, servers);
        }
        if clients + servers >= most {
            continue;
        }
        if dice.roll(2) == 0 {
            clients += 1;
            drop(sender);
            sender = Sender::start(proxy, studio, folder);
        } else {
            servers += 1;
            server.take().expect("it runs").kill();
            tokio::time::sleep(Duration::from_millis(dice.roll(300))).await;
            *server = Some(studio.start_server_process().await);
        }
    }
}

#[tokio::test]
async fn the_file_arrives_complete_despite_kills_with_little_resent() {
    let soak_seconds = from_environment("LIMBER_SOAK_SECONDS");
    let seed = from_environment("LIMBER_SOAK_SEED").unwrap_or(1);
    let (length, most) = soak_seconds.map_or((40_000_000, 6), |s| (200_000_000, s / 3));
    let mut studio = Studio::open().await;
    let proxy = Proxy::before(&mut studio).await;
    proxy.slow_down(30_000_000);
    let mut server = Some(studio.start_server_process().await);
    let folder = tempfile::tempdir().expect("a folder");
    let file = padded(length);
    std::fs::write(folder.path().join("hero.glb"), &file).expect("written");
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15 ^ seed);
    let mut all = (0, 0);
    let mut files = 0;
    while all.0 + all.1 < most {
        let before = proxy.sent();
        let left = most - all.0 - all.1;
        let path = folder.path();
        let sending = send_while_killing(&mut studio, &mut server, &proxy, path, &mut dice, left);
        let kills = tokio::time::timeout(LONGEST, sending).await.expect("the file arrives");
        let again = (proxy.sent() - before).saturating_sub(file.len() as u64);
        let number = kills.0 + kills.1;
        // in addition to the file, there are the headers of a few hundred requests
        let allowed = number * LARGEST_PIECE + (256 << 10);
        assert!(again <= allowed, "{again} bytes sent again with {number} kills");
        println!("{length} bytes, {} + {} kills, {again} bytes sent again", kills.0, kills.1);
        all = (all.0 + kills.0, all.1 + kills.1);
        files += 1;
        assert!(studio.uploads().values().any(|kept| *kept == file), "the file is right");
        let folder = studio.files.path().join("files/uploads");
        std::fs::remove_dir_all(&folder).and_then(|()| std::fs::create_dir(&folder)).expect("io");
    }
    println!("{files} files of {length} bytes, {} client and {} server kills", all.0, all.1);
}
