//! Health checks, for supervisors and operators.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
};

use limber_client::motion::JobStatus;
use tokio::{
    net::{TcpListener, TcpStream},
    sync::Notify,
};

use crate::studio::{Studio, finished, read, until, walk};

/// A proxy to a database, which can be cut off and restored.
struct Wire {
    port: u16,
    cut: Arc<(AtomicBool, Notify)>,
    /// Connections attempted while it was cut off.
    refused: Arc<AtomicUsize>,
}

impl Wire {
    async fn to(address: String) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        let cut = Arc::new((AtomicBool::new(false), Notify::new()));
        let refused = Arc::new(AtomicUsize::new(0));
        let (shared, counted) = (Arc::clone(&cut), Arc::clone(&refused));
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                if shared.0.load(SeqCst) {
                    counted.fetch_add(1, SeqCst);
                } else {
                    tokio::spawn(carry(client, address.clone(), Arc::clone(&shared)));
                }
            }
        });
        Self { port, cut, refused }
    }

    fn cut(&self) {
        self.cut.0.store(true, SeqCst);
        self.cut.1.notify_waiters();
    }

    fn mend(&self) {
        self.cut.0.store(false, SeqCst);
    }
}

async fn carry(mut client: TcpStream, address: String, cut: Arc<(AtomicBool, Notify)>) {
    let Ok(mut server) = TcpStream::connect(address).await else { return };
    tokio::select! {
        _ = tokio::io::copy_bidirectional(&mut client, &mut server) => {}
        () = cut.1.notified() => {}
    }
}

/// Opens a studio whose server and workers reach their database through the proxy.
async fn studio_on_a_wire() -> (Studio, Wire) {
    let mut studio = Studio::open().await;
    let mut url: url::Url = studio.database.url().parse().expect("an address");
    let host = url.host_str().expect("a host").to_owned();
    let wire = Wire::to(format!("{host}:{}", url.port().unwrap_or(5432))).await;
    url.set_host(Some("127.0.0.1")).expect("a host");
    url.set_port(Some(wire.port)).expect("a port");
    studio.config.database_url = url.as_str().to_owned().into();
    studio.kill_server().await;
    studio.start_server().await;
    (studio, wire)
}

async fn ask(studio: &Studio, path: &str) -> (u16, serde_json::Value) {
    read(studio.http.get(studio.url(path))).await
}

#[tokio::test]
async fn readiness_reports_workers_and_the_queue() {
    let studio = Studio::open().await;
    let client = studio.client();
    let job = client.submit(&walk(), None).await.expect("a job").job;
    let (status, body) = ask(&studio, "/health/ready").await;
    assert_eq!(status, 200, "jobs are accepted without workers too: {body}");
    assert_eq!((&body["workers"], &body["waiting"]), (&0.into(), &1.into()));
    assert!(body["notes"][0].as_str().is_some_and(|note| note.contains("limber-motion work")));
    let worker = studio.worker("cpu-0");
    finished(&client, &job).await;
    let (_, body) = ask(&studio, "/health/ready").await;
    assert_eq!((&body["workers"], &body["waiting"]), (&1.into(), &0.into()));
    assert_eq!(body["notes"], serde_json::json!([]));
    worker.kill();
    until("a killed worker is missed", async || {
        (ask(&studio, "/health/ready").await.1["workers"] == 0).then_some(())
    })
    .await;
}

#[tokio::test]
async fn the_service_survives_a_database_outage_without_loss() {
    let (studio, wire) = studio_on_a_wire().await;
    let client = studio.client();
    let worker = studio.worker("cpu-0");
    let job = client.submit(&walk(), None).await.expect("a job").job;
    let cookie = studio.cookie().await;
    wire.cut();
    assert_eq!(ask(&studio, "/health").await.0, 200, "a restart would not help");
    let (status, body) = ask(&studio, "/health/ready").await;
    assert_eq!((status, &body["type"]), (503, &"unavailable".into()), "{body}");
    let list = studio.http.get(studio.url("/job/v1/list")).header("cookie", &cookie);
    let answer = list.send().await.expect("an answer");
    assert_eq!(answer.status(), 503, "{}", answer.text().await.expect("text"));
    wire.mend();
    until("it is ready again", async || {
        (ask(&studio, "/health/ready").await.0 == 200).then_some(())
    })
    .await;
    assert!(matches!(finished(&client, &job).await, JobStatus::Succeeded { .. }));
    drop(worker);
}

#[tokio::test]
async fn a_worker_that_is_started_before_its_database_waits_for_it() {
    let (mut studio, wire) = studio_on_a_wire().await;
    let client = studio.client();
    let job = client.submit(&walk(), None).await.expect("a job").job;
    wire.cut();
    // only the worker must try to connect
    studio.kill_server().await;
    let before = wire.refused.load(SeqCst);
    let _worker = studio.worker("cpu-0");
    until("the worker has tried to connect", async || {
        (wire.refused.load(SeqCst) > before).then_some(())
    })
    .await;
    wire.mend();
    studio.start_server().await;
    assert!(matches!(finished(&client, &job).await, JobStatus::Succeeded { .. }));
}

#[tokio::test]
async fn doctor_checks_database_files_pipeline_and_workers() {
    let studio = Studio::open().await;
    let output = studio.run("doctor", &[]).await;
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{told}");
    for line in ["ok    database", "ok    files", "ok    pipeline", "ok    workers: none"] {
        assert!(told.contains(line), "{line}: {told}");
    }
    let _worker = studio.worker("cpu-0");
    until("the worker is seen", async || {
        (ask(&studio, "/health/ready").await.1["workers"] == 1).then_some(())
    })
    .await;
    let told = studio.run("doctor", &[]).await.stdout;
    assert!(String::from_utf8_lossy(&told).contains("ok    workers: 1 is connected"));
    let broken = [("MOTIONSVC_DATABASE_URL", "postgres://nobody@127.0.0.1:9/none")];
    let output = studio.run("doctor", &broken).await;
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(!output.status.success());
    assert!(told.contains("FAIL  database") && told.contains("MOTIONSVC_DATABASE_URL"), "{told}");
    let wrong = [("MOTIONSVC_MAX_VARIANTS", "99"), ("MOTIONSVC_TRACES", "perhaps")];
    let output = studio.run("doctor", &wrong).await;
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(told.contains("MOTIONSVC_MAX_VARIANTS") && told.contains("MOTIONSVC_TRACES"), "{told}");
}

#[tokio::test]
async fn unknown_settings_are_reported_with_the_nearest_known_one() {
    let studio = Studio::open().await;
    let slip = [("MOTIONSVC_MAX_VARIANT", "4"), ("MOTIONSVC_LOG", "warn")];
    let noted = "MOTIONSVC_MAX_VARIANT is not a setting of this service; did you mean \
                 MOTIONSVC_MAX_VARIANTS?";
    let doctor = studio.run("doctor", &slip).await;
    let told = String::from_utf8_lossy(&doctor.stdout).into_owned();
    assert!(doctor.status.success() && told.contains(&format!("note  {noted}")), "{told}");
    let started = studio.run("migrate", &slip).await;
    let told = String::from_utf8_lossy(&started.stderr).into_owned();
    assert!(started.status.success() && told.contains(noted), "{told}");
    // all settings of the studio itself are known
    assert_eq!(told.matches("is not a setting").count(), 1, "{told}");
}

#[tokio::test]
async fn a_worker_with_another_file_store_takes_no_jobs_and_doctor_reports_it() {
    let mut studio = Studio::open().await;
    let client = studio.client();
    let right = studio.files.path().join("files").to_string_lossy().into_owned();
    let other = studio.files.path().join("other").to_string_lossy().into_owned();
    studio.set("MOTIONSVC_STORE", other.as_str());
    let _astray = studio.worker("lost-sheep");
    let job = client.submit(&walk(), None).await.expect("a job").job;
    until("it has detected the difference", async || {
        (studio.rows_of("workers where state = 'astray'").await == 1).then_some(())
    })
    .await;
    let output = studio.run("doctor", &[("MOTIONSVC_STORE", right.as_str())]).await;
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(!output.status.success() && told.contains("FAIL  one store"), "{told}");
    assert!(told.contains("lost-sheep"), "{told}");
    let output = studio.run("doctor", &[("MOTIONSVC_STORE", other.as_str())]).await;
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        !output.status.success() && told.contains("points to a different file store"),
        "{told}"
    );
    let output = studio.run("doctor", &[("MOTIONSVC_STORE", "files")]).await;
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(told.contains("MOTIONSVC_STORE must be an absolute path"), "{told}");

    studio.set("MOTIONSVC_STORE", right.as_str());
    let _right = studio.worker("cpu-0");
    assert!(matches!(finished(&client, &job).await, JobStatus::Succeeded { .. }));
    studio.check_files(&client, &job, 1).await;
}
