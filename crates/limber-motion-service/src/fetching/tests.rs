//! Tests against a local server, which production code would refuse to contact.

use std::net::SocketAddr;

use axum::{
    Router,
    body::Body,
    http::{StatusCode, header},
    response::Redirect,
    routing::get,
};
use bytes::Bytes;

use super::*;

const LIMIT: u64 = 1000;
const CONTEXT: ReadContext<'_> = ReadContext { account: "one", scratch: "a" };
/// Timeout for responses that never come.
const SHORT: Duration = Duration::from_millis(300);

async fn served() -> SocketAddr {
    let endless = || async {
        let piece = || std::future::ready(Ok::<_, io::Error>(Bytes::from_static(&[7; 100])));
        Body::from_stream(futures_util::stream::repeat_with(piece).then(|piece| piece))
    };
    let silent =
        || async { Body::from_stream(futures_util::stream::pending::<Result<Bytes, io::Error>>()) };
    let router = Router::new()
        .route("/models/My%20hero.v2.glb", get(|| async { "a character" }))
        .route("/long", get(|| async { vec![7_u8; LIMIT as usize + 1] }))
        .route("/endless", get(endless))
        .route("/silent", get(silent))
        .route("/gone", get(|| async { StatusCode::GONE }))
        .route("/moved", get(|| async { Redirect::temporary("/models/My%20hero.v2.glb") }))
        .route("/round", get(|| async { Redirect::temporary("/round") }))
        .route("/away", get(|| async { Redirect::temporary("http://127.0.0.1:9/hero.glb") }))
        .route("/file", get(|| async { [(header::LOCATION, "file:///etc/hostname")] }));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move { axum::serve(listener, router).await });
    address
}

fn without_walls(place: SocketAddr, folder: &Path) -> Fetcher {
    let mut fetcher =
        Fetcher::new(&[place.to_string()], folder.to_owned(), LIMIT).expect("a client");
    let allowed = Arc::new(Allowed { hosts: vec![place.to_string()], walls: false });
    fetcher.http = client(&allowed).build().expect("a client");
    fetcher.allowed = allowed;
    fetcher
}

fn url(text: &str) -> Url {
    Url::parse(text).expect("an address")
}

#[tokio::test]
async fn a_fetched_file_is_named_after_its_url() {
    let place = served().await;
    let folder = tempfile::tempdir().expect("a folder");
    let fetcher = without_walls(place, folder.path());
    for path in ["models/My%20hero.v2.glb?secret=1", "moved"] {
        let address = url(&format!("http://{place}/{path}"));
        assert!(fetcher.allows(&address));
        let fetched = fetcher.fetch(&address, CONTEXT).await.expect("fetched");
        assert_eq!(std::fs::read(&fetched.file).expect("it exists"), b"a character");
        let name = if path == "moved" { "moved" } else { "My hero.v2" };
        assert_eq!(fetched.name, name);
        drop(fetched);
        assert!(!folder.path().join("a").exists(), "it goes when it is not needed any more");
    }
}

#[tokio::test]
async fn size_time_and_redirects_are_limited() {
    let place = served().await;
    let folder = tempfile::tempdir().expect("a folder");
    let patient = without_walls(place, folder.path());
    for (path, wanted) in [
        ("long", "TooLarge { limit_bytes: 1000 }"),
        ("endless", "TooLarge { limit_bytes: 1000 }"),
        ("silent", "TooSlow"),
        ("gone", "Status(410)"),
        ("nowhere", "Status(404)"),
        ("round", "Unreachable"),
        ("away", "Unreachable"),
    ] {
        let mut fetcher = patient.clone();
        if path == "silent" {
            fetcher.patience = SHORT;
        }
        let refusal = fetcher.fetch(&url(&format!("http://{place}/{path}")), CONTEXT).await;
        assert_eq!(format!("{:?}", refusal.expect_err("nothing")), wanted, "{path}");
        assert!(!folder.path().join("a").exists(), "{path} leaves nothing");
    }
}

#[tokio::test]
async fn concurrent_fetches_are_limited() {
    let place = served().await;
    let folder = tempfile::tempdir().expect("a folder");
    let mut fetcher = without_walls(place, folder.path());
    fetcher.patience = SHORT;
    let silent = url(&format!("http://{place}/silent"));
    // two accounts taking turns, then one account alone, which must leave a slot to others
    for (accounts, wanted) in [(["one", "other"], AT_ONCE), (["one", "one"], AT_ONCE - 1)] {
        let fetching = (0..AT_ONCE + 1).map(|number| {
            let (fetcher, silent, account) = (&fetcher, &silent, accounts[number % 2]);
            async move {
                let context = ReadContext { account, scratch: &number.to_string() };
                fetcher.fetch(silent, context).await.expect_err("silent")
            }
        });
        let refusals = futures_util::future::join_all(fetching).await;
        let busy = refusals.iter().filter(|refusal| matches!(refusal, FetchRefusal::Busy)).count();
        assert_eq!(AT_ONCE + 1 - busy, wanted, "{accounts:?}");
    }
}

#[test]
fn only_listed_hosts_and_https_are_allowed() {
    let hosts = ["files.example", "other.example:8443", "127.0.0.1", "8.8.8.8", "[::1]"];
    let hosts = hosts.map(str::to_owned).to_vec();
    let allowed = Allowed { hosts, walls: true };
    for good in [
        "https://files.example/hero.glb",
        "https://FILES.example:443/a/b?c=d",
        "https://other.example:8443/hero.glb",
        "https://8.8.8.8/hero.glb",
    ] {
        assert!(allowed.allows(&url(good)), "{good}");
    }
    for bad in [
        "http://files.example/hero.glb",
        "https://files.example:8443/hero.glb",
        "https://other.example/hero.glb",
        "https://files.example.evil.example/hero.glb",
        "https://evil.example/files.example",
        "https://me:secret@files.example/hero.glb",
        "https://127.0.0.1/hero.glb",
        "https://0x7f000001/hero.glb",
        "https://[::1]/hero.glb",
        "ftp://files.example/hero.glb",
        "file:///etc/hostname",
        "data:text/plain,hero",
    ] {
        assert!(!allowed.allows(&url(bad)), "{bad}");
    }
}

#[tokio::test]
async fn a_listed_host_on_this_computer_is_not_contacted() {
    let place = served().await;
    let folder = tempfile::tempdir().expect("a folder");
    let port = place.port();
    let hosts = [format!("localhost:{port}")];
    let fetcher = Fetcher::new(&hosts, folder.path().to_owned(), LIMIT).expect("a client");
    let address = url(&format!("https://localhost:{port}/moved"));
    assert!(fetcher.allows(&address), "by its name");
    let refusal = fetcher.fetch(&address, CONTEXT).await.expect_err("not public");
    assert!(matches!(refusal, FetchRefusal::Unreachable), "{refusal:?}");
}

#[test]
fn unusual_urls_give_harmless_names() {
    for (address, name) in [
        ("https://a.example/", "model"),
        ("https://a.example/..%2f..%2fetc%2fpasswd.glb", "etcpasswd"),
        ("https://a.example/%E8%B5%B0%E3%82%8B.vrm", "走る"),
        ("https://a.example/%00%0a.glb", "model"),
    ] {
        assert_eq!(name_of(&url(address)), name, "{address}");
    }
    assert_eq!(name_of(&url(&format!("https://a.example/{}.glb", "x".repeat(500)))).len(), 80);
}
