//! Both services as the studio starts them, and what other programs on the computer can reach.

use std::net::SocketAddr;

use limber_api::local::SECRET_HEADER;
use limber_postgres::{Cluster, ConnectVia};
use reqwest::{Method, RequestBuilder, StatusCode, header};
use secrecy::ExposeSecret;
use serde_json::Value;
use tempfile::TempDir;
use tokio::{sync::watch, task::JoinHandle};

use super::{Variables, identity, motion};
use crate::{
    child::Settings,
    client::Client,
    database::{IDENTITY, MOTION},
    health::wait_for_http,
    mail::{Mailbox, SmtpSink},
    plan::{APP_SECRET, Plan},
    port::Port,
    secrets::{Secrets, SecretsOfThisStart},
};

/// A generous timeout that no computer reaches.
const LIMIT: std::time::Duration = std::time::Duration::from_secs(120);

/// The studio with its services inside this process.
struct TestStudio {
    folder: TempDir,
    cluster: Cluster,
    smtp_sink: Option<SmtpSink>,
    plan: Plan,
    stop: watch::Sender<bool>,
    services: Vec<JoinHandle<anyhow::Result<()>>>,
    http: reqwest::Client,
}

impl TestStudio {
    async fn open() -> Self {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let folder = TempDir::new().expect("a temporary folder can be created");
        let root = folder.path();
        let prepared =
            Cluster::prepare(&root.join("database"), ConnectVia::Folder, [].into(), &|_| {}).await;
        let cluster =
            prepared.expect("PostgreSQL is available").start().await.expect("the server starts");
        for name in [IDENTITY, MOTION] {
            cluster.ensure_database(name).await.expect("a database");
        }
        let of_this_start = SecretsOfThisStart::draw(root).expect("the secrets can be created");
        let mailbox = Mailbox::new(root.join("mail")).into();
        let smtp_sink = SmtpSink::open(mailbox, of_this_start.smtp_password.clone())
            .expect("the mail server can be started");
        let files = root.join("motion");
        let ports = [(); 2].map(|()| Port::take().expect("a port is available"));
        let plan = Plan {
            identity: ports[0].address,
            motion: ports[1].address,
            mail: smtp_sink.address,
            client: Client::of(root, &cluster, &files).await.expect("the client can be registered"),
            files,
            secrets: Secrets::of(root).expect("the secrets can be created"),
            of_this_start,
        };
        let Settings(variables) = plan.settings(&cluster);
        let (stop, parent) = watch::channel(false);
        let services = start(variables, &parent, ports);
        for address in [plan.identity, plan.motion] {
            assert!(wait_for_http(address, LIMIT).await, "no response from {address}");
        }
        let http = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none());
        let http = http.no_proxy().build().expect("the HTTP client can be created");
        Self { folder, cluster, smtp_sink: Some(smtp_sink), plan, stop, services, http }
    }

    fn ask(&self, method: Method, address: SocketAddr, path: &str) -> RequestBuilder {
        self.http.request(method, format!("http://{address}{path}"))
    }

    fn with_secret(&self, request: RequestBuilder) -> RequestBuilder {
        request.header(SECRET_HEADER, self.plan.of_this_start.app.expose_secret())
    }

    /// Method and path of every route that a service documents.
    async fn routes(&self, address: SocketAddr) -> Vec<(Method, String)> {
        let request = self.with_secret(self.ask(Method::GET, address, "/openapi.json"));
        let described: Value = request
            .send()
            .await
            .expect("the service responds")
            .json()
            .await
            .expect("the response is JSON");
        let paths = described["paths"].as_object().expect("`paths` is an object");
        let routes = paths.iter().flat_map(|(path, methods)| {
            let path = path.replace(['{', '}'], "");
            let methods = methods.as_object().expect("the methods of a path are an object").keys();
            let methods = methods.filter_map(|method| method.to_uppercase().parse().ok());
            methods.map(move |method| (method, path.clone())).collect::<Vec<_>>()
        });
        routes.collect()
    }

    async fn close(self) {
        let _ = self.stop.send(true);
        for service in self.services {
            service
                .await
                .expect("the service did not panic")
                .expect("the service shut down cleanly");
        }
        drop(self.smtp_sink);
        self.cluster.stop().await.expect("the server stops");
        drop(self.folder);
    }
}

fn start(
    variables: Variables,
    parent: &watch::Receiver<bool>,
    [identity_port, motion_port]: [Port; 2],
) -> Vec<JoinHandle<anyhow::Result<()>>> {
    let (of_motion, parents) = (variables.clone(), [parent.clone(), parent.clone()]);
    let [parent, parent_of_motion] = parents;
    vec![
        tokio::spawn(identity::serve(variables, parent, move |_| identity_port.listener())),
        tokio::spawn(async move {
            motion::serve(&of_motion, parent_of_motion, move |_| motion_port.listener()).await
        }),
    ]
}

async fn status(request: RequestBuilder) -> StatusCode {
    request.send().await.expect("the service responds").status()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_route_requires_the_secret_and_rejects_web_pages() {
    let studio = TestStudio::open().await;
    for address in [studio.plan.identity, studio.plan.motion] {
        let routes = studio.routes(address).await;
        assert!(routes.len() > 15, "{routes:?}");
        for (method, path) in routes {
            let ask = || studio.ask(method.clone(), address, &path);
            let is_opened = method == Method::GET && path == "/verify";
            let without = status(ask()).await;
            assert_eq!(without == StatusCode::FORBIDDEN, !is_opened, "{method} {path}: {without}");
            for (name, value) in [
                (header::ORIGIN.as_str(), "http://page.example"),
                (header::ORIGIN.as_str(), "tauri://localhost"),
                ("sec-fetch-site", "same-origin"),
                (header::HOST.as_str(), "page.example"),
            ] {
                let status_code = status(studio.with_secret(ask()).header(name, value)).await;
                let may = is_opened && name == "sec-fetch-site";
                assert_eq!(
                    status_code == StatusCode::FORBIDDEN,
                    !may,
                    "{method} {path} {name}: {status_code}"
                );
            }
            let guessed = ask().header(SECRET_HEADER, "guess");
            assert_eq!(status(guessed).await == StatusCode::FORBIDDEN, !is_opened);
        }
        let nowhere = studio.ask(Method::GET, address, "/nowhere");
        assert_eq!(status(nowhere).await, StatusCode::FORBIDDEN, "unknown paths are rejected too");
        let nowhere = studio.ask(Method::GET, address, "/nowhere");
        assert_eq!(status(studio.with_secret(nowhere)).await, StatusCode::NOT_FOUND);
    }
    studio.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn emails_reach_the_mailbox_and_their_links_open_in_a_browser() {
    let studio = TestStudio::open().await;
    let body = serde_json::json!({"email": "ada@example.com", "password": "correct horse"});
    let sign_up = studio.ask(Method::POST, studio.plan.identity, "/signup");
    let created =
        studio.with_secret(sign_up).json(&body).send().await.expect("the service responds");
    assert_eq!(created.status(), StatusCode::OK);
    let mailbox = Mailbox::new(studio.folder.path().join("mail"));
    let link = loop {
        let messages = mailbox.list().expect("the mailbox can be listed");
        if let Some((_, link)) = messages.first().and_then(|message| message.links.first().cloned())
        {
            break link;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    };
    let opened = studio.http.get(link.expose_secret());
    let opened = opened.header("sec-fetch-mode", "navigate").header("sec-fetch-dest", "document");
    let led = opened.header("sec-fetch-site", "none").send().await.expect("the service responds");
    assert_eq!(led.status(), StatusCode::SEE_OTHER);
    let to = led.headers()[header::LOCATION].to_str().expect("the header is text").to_owned();
    assert!(to.starts_with("limber://auth/callback"), "the link leads to the app");
    assert!(!to.contains("error"), "the link was accepted");
    studio.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_takes_the_mail_servers_port_while_the_account_service_runs() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let mut studio = TestStudio::open().await;
    let address = studio.plan.mail;
    // as if the app were killed
    studio.smtp_sink = None;
    while std::net::TcpStream::connect(address).is_ok() {
        tokio::task::yield_now().await;
    }
    let bound = std::net::TcpListener::bind(address).map(drop).map_err(|error| error.kind());
    assert_eq!(bound, Err(std::io::ErrorKind::AddrInUse));
    studio.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn services_do_not_start_without_a_secret() {
    let (_stop, parent) = watch::channel(false);
    for variables in [Variables::new(), [(APP_SECRET.to_owned(), String::new())].into()] {
        let ports = [(); 2].map(|()| Port::take().expect("a port is available"));
        for service in start(variables, &parent, ports) {
            let ended = service.await.expect("the service did not panic");
            let error = ended.expect_err("the service does not start without a secret");
            assert!(error.to_string().contains("secret"), "{error:#}");
        }
    }
}
