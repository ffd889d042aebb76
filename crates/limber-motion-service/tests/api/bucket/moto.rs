//! Another S3 implementation (`tests/s3-server`), for a feature that the first lacks: presigned
//! URLs that set the file name and media type of the response.

use std::{
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use limber_client::motion::{FetchLimits, JobStatus, VariantId};
use limber_motion_service::{S3Keys, S3Place, StorePlace};

use crate::{
    models,
    port::Port,
    studio::{Studio, finished, until, walk},
};

struct Moto {
    server: Child,
    address: String,
    _port: Port,
}

impl Drop for Moto {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

fn installed() -> Option<PathBuf> {
    let target = Path::new(env!("CARGO_BIN_EXE_limber-motion")).ancestors().nth(2)?;
    let program = target.join("tools/s3-server/bin/moto_server");
    program.exists().then_some(program)
}

impl Moto {
    async fn start(program: &Path) -> Self {
        let port = Port::take();
        let address = port.address;
        let server = Command::new(program)
            .args(["-H", "127.0.0.1", "-p", &address.port().to_string()])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        let moto = Self { server, address: format!("http://{address}"), _port: port };
        let http = reqwest::Client::new();
        let bucket = format!("{}/studio-files", moto.address);
        until("the server has made a bucket", async || {
            let made = http.put(&bucket).send().await;
            made.is_ok_and(|made| made.status().is_success()).then_some(())
        })
        .await;
        moto
    }

    fn place(&self) -> StorePlace {
        let keys =
            S3Keys { id: "limber".to_owned(), secret: "limber".to_owned().into(), token: None };
        StorePlace::S3(Box::new(S3Place {
            bucket: "studio-files".to_owned(),
            prefix: String::new(),
            endpoint: Some(self.address.parse().expect("an address")),
            public_endpoint: None,
            region: "us-east-1".to_owned(),
            keys: Some(keys),
            path_style: true,
            redirect: true,
        }))
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn files_keep_their_names_and_types_in_the_store() {
    let Some(program) = installed() else {
        println!("skipped: tests/s3-server/requirements.txt says how to install the second server");
        return;
    };
    let _ = rustls::crypto::ring::default_provider().install_default();
    let moto = Moto::start(&program).await;
    let place = moto.place();
    let studio = Studio::open_with(|config| config.store = place).await;
    let client = studio.client();
    let _worker = studio.worker("cpu-0");
    let url = models::sent(&studio, models::hero()).await;
    let (status, body) = models::store(&studio, serde_json::json!({ "modelUrl": url })).await;
    assert_eq!(status, 200, "{body}");
    let job = client.submit(&walk(), None).await.expect("a job").job;
    assert!(matches!(finished(&client, &job).await, JobStatus::Succeeded { .. }));
    let entry = client.links(&job, VariantId::FIRST).await.expect("links");
    for (kind, media_type, ending) in [
        ("bvh", "text/plain; charset=utf-8", ".bvh"),
        ("fbx", "application/zip", ".zip"),
        ("glb", "model/gltf-binary", ".glb"),
    ] {
        let link = entry.url(kind).expect("a link");
        let answer = studio.http.get(link).send().await.expect("an answer");
        assert_eq!(answer.status(), 307);
        let there = answer.headers()["location"].to_str().expect("text").to_owned();
        assert!(there.starts_with(&moto.address), "{there}");
        let answer = studio.http.get(&there).send().await.expect("an answer");
        assert_eq!(answer.status(), 200);
        assert_eq!(answer.headers()["content-type"], media_type);
        let name = answer.headers()["content-disposition"].to_str().expect("text").to_owned();
        assert!(name.starts_with("attachment;") && name.contains(ending), "{name}");
        let head = studio.http.head(link).send().await.expect("an answer");
        let there = head.headers()["location"].to_str().expect("text").to_owned();
        assert_eq!(studio.http.head(&there).send().await.expect("an answer").status(), 200);
        let target = studio.files.path().join(format!("walk{ending}"));
        client.fetch(link, &target, FetchLimits::default()).await.expect("a file");
    }
}
