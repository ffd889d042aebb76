//! `getModelUploadUrl` and uploads to its URLs, as in "Uploading a file" in
//! `docs/src/motion-http.md`.

mod addresses;
mod broken;
mod kills;
mod rules;
mod storage_client;
mod vectors;

use md5::{Digest, Md5};
use reqwest::Response;
use serde_json::Value;

use crate::studio::{PATIENCE, Studio, read};

pub(crate) const STEP: usize = 256 << 10;

/// Returns pseudo-random bytes, the same every time.
pub(crate) fn bytes(length: usize) -> Vec<u8> {
    let mut state = 0x9e37_79b9_u32;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state.to_le_bytes()
    };
    let mut made = Vec::with_capacity(length + 4);
    while made.len() < length {
        made.extend(next());
    }
    made.truncate(length);
    made
}

pub(crate) fn md5_header(bytes: &[u8]) -> String {
    use base64::{Engine as _, engine::general_purpose::STANDARD};
    STANDARD.encode(Md5::digest(bytes))
}

/// Returns the signed URLs for the model and the thumbnail.
pub(crate) async fn addresses(studio: &Studio, query: &str) -> (String, String) {
    let (status, body) = studio.get(&format!("/character/v1/getModelUploadUrl?{query}")).await;
    assert_eq!(status, 200, "{body}");
    let url = |name: &str| body[name].as_str().expect("an address").to_owned();
    (url("modelUrl"), url("thumbUrl"))
}

/// An upload session, driven request by request.
pub(crate) struct Session<'a> {
    pub(crate) studio: &'a Studio,
    pub(crate) url: String,
}

impl<'a> Session<'a> {
    pub(crate) async fn start(studio: &'a Studio) -> Self {
        let (model, _) = addresses(studio, "name=hero&modelExt=glb").await;
        Self::start_at(studio, &model).await
    }

    pub(crate) async fn start_at(studio: &'a Studio, model: &str) -> Self {
        let request = studio.http.post(model).header("x-storage-resumable", "start");
        let answer = request.header("content-length", "0").send().await.expect("an answer");
        assert_eq!(answer.status(), 201);
        let url = answer.headers()["location"].to_str().expect("text").to_owned();
        assert!(url.starts_with(&studio.base), "{url}");
        assert!(answer.bytes().await.expect("nothing").is_empty());
        Self { studio, url }
    }

    pub(crate) async fn put(&self, range: &str, body: &[u8]) -> Response {
        self.put_with(range, body, &[]).await
    }

    pub(crate) async fn put_with(
        &self,
        range: &str,
        body: &[u8],
        headers: &[(&str, &str)],
    ) -> Response {
        let mut request = self.studio.http.put(&self.url).body(body.to_vec());
        request = request.header("content-length", body.len().to_string());
        if !range.is_empty() {
            request = request.header("content-range", range);
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        request.send().await.expect("an answer")
    }

    /// Sends a part of `whole`, giving the total length; returns status and `Range`.
    pub(crate) async fn piece(&self, whole: &[u8], first: usize, end: usize) -> Standing {
        let range = format!("bytes {first}-{}/{}", end - 1, whole.len());
        standing(&self.put(&range, &whole[first..end]).await)
    }

    pub(crate) async fn ask(&self, total: &str) -> Standing {
        standing(&self.put(&format!("bytes */{total}"), &[]).await)
    }

    pub(crate) async fn refusal(&self, range: &str, body: &[u8]) -> (u16, String) {
        let answer = self.put(range, body).await;
        let status = answer.status().as_u16();
        let text = answer.text().await.expect("a body");
        let body: Value = serde_json::from_str(&text)
            .unwrap_or_else(|_| panic!("{status} with {text:?} is not a refusal"));
        (status, body["type"].as_str().expect("a type").to_owned())
    }

    pub(crate) async fn cancel(&self) -> u16 {
        let request = self.studio.http.delete(&self.url).header("content-length", "0");
        read(request).await.0
    }
}

/// Status, and the `Range` header if there is one.
pub(crate) type Standing = (u16, Option<String>);

pub(crate) fn standing(answer: &Response) -> Standing {
    assert!(!answer.headers().contains_key("location"), "308 is not a redirect here");
    let range = answer.headers().get("range").map(|range| range.to_str().expect("text").to_owned());
    (answer.status().as_u16(), range)
}

pub(crate) fn goes_on(last: usize) -> Standing {
    (308, Some(format!("bytes=0-{last}")))
}

pub(crate) const DONE: Standing = (200, None);
pub(crate) const NOTHING_YET: Standing = (308, None);

/// A raw connection, to send a request in pieces.
pub(crate) struct Wire(tokio::net::TcpStream);

impl Wire {
    /// Sends the head of a PUT, and the beginning of its body.
    pub(crate) async fn put(url: &str, range: &str, length: usize, body: &[u8]) -> Self {
        use tokio::io::AsyncWriteExt;
        let url = url::Url::parse(url).expect("an address");
        let place = (url.host_str().expect("a host"), url.port().expect("a port"));
        let mut stream = tokio::net::TcpStream::connect(place).await.expect("it listens");
        let range =
            if range.is_empty() { String::new() } else { format!("content-range: {range}\r\n") };
        let head = format!(
            "PUT {} HTTP/1.1\r\nhost: x\r\n{range}content-length: {length}\r\n\r\n",
            &url[url::Position::BeforePath..]
        );
        stream.write_all(head.as_bytes()).await.expect("it reads");
        let mut wire = Self(stream);
        wire.send(body).await;
        wire
    }

    /// Sends more of the body.
    pub(crate) async fn send(&mut self, body: &[u8]) {
        use tokio::io::AsyncWriteExt;
        self.0.write_all(body).await.expect("it reads");
        self.0.flush().await.expect("it reads");
    }

    /// Returns the response.
    pub(crate) async fn answer(mut self) -> String {
        use tokio::io::AsyncReadExt;
        let mut text = Vec::new();
        let mut piece = [0; 4096];
        while let Ok(Ok(count)) = tokio::time::timeout(PATIENCE, self.0.read(&mut piece)).await {
            text.extend_from_slice(&piece[..count]);
            if count == 0 || text.windows(4).any(|four| four == b"\r\n\r\n") {
                break;
            }
        }
        String::from_utf8_lossy(&text).into_owned()
    }
}
