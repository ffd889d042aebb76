//! HTTP at the byte level, so that no library normalises what is sent.

use limber_api::identity::ErrorCode;
use reqwest::Url;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::waiting::PATIENCE;

/// A request before serialisation.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) method: String,
    /// Request target as sent, encoded or not.
    pub(crate) target: Vec<u8>,
    pub(crate) headers: Vec<(String, Vec<u8>)>,
    pub(crate) body: Vec<u8>,
}

impl Request {
    pub(crate) fn new(method: &str, target: impl Into<Vec<u8>>) -> Self {
        Self { method: method.into(), target: target.into(), headers: Vec::new(), body: Vec::new() }
    }

    pub(crate) fn header(mut self, name: &str, value: impl Into<Vec<u8>>) -> Self {
        self.headers.push((name.to_owned(), value.into()));
        self
    }

    pub(crate) fn bearer(self, token: &str) -> Self {
        self.header("Authorization", format!("Bearer {token}"))
    }

    pub(crate) fn json(self, body: impl Into<Vec<u8>>) -> Self {
        Self { body: body.into(), ..self }.header("Content-Type", "application/json")
    }

    /// Returns everything up to the body. `Content-Length` is that of the body unless `length` is
    /// given.
    pub(crate) fn head(&self, length: Option<usize>) -> Vec<u8> {
        let mut bytes = [self.method.as_bytes(), b" ", &self.target, b" HTTP/1.1\r\n"].concat();
        for (name, value) in &self.headers {
            bytes.extend([name.as_bytes(), b": ", value, b"\r\n"].concat());
        }
        let length = length.unwrap_or(self.body.len());
        let end = format!("Host: a\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n");
        bytes.extend(end.into_bytes());
        bytes
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        [self.head(None), self.body.clone()].concat()
    }
}

/// A response. The status is 0 if the connection was closed without one.
#[derive(Debug)]
pub(crate) struct RawResponse {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl RawResponse {
    fn read(bytes: &[u8]) -> Self {
        // Sent before the response if the client asked for it.
        let bytes = bytes.strip_prefix(b"HTTP/1.1 100 Continue\r\n\r\n").unwrap_or(bytes);
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").unwrap_or(bytes.len());
        let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
        let status = head.split(' ').nth(1).and_then(|word| word.parse().ok()).unwrap_or(0);
        Self { status, head, body: bytes.get(end + 4..).unwrap_or_default().to_vec() }
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().skip(1).find_map(|line| {
            let (found, value) = line.split_once(": ")?;
            found.eq_ignore_ascii_case(name).then_some(value)
        })
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }

    /// Returns what is wrong with it as a response to any request whatsoever.
    pub(crate) fn problem(&self) -> Option<String> {
        match self.status {
            200..=399 => None,
            400..=499 => self.problem_of_error(),
            _ => Some(format!("status {}", self.status)),
        }
    }

    /// Returns how it deviates from the documented error shape.
    pub(crate) fn problem_of_error(&self) -> Option<String> {
        let body = self.json();
        let known = ["code", "error_code", "msg", "error_id", "weak_password"];
        let says = |name: &str| body[name].as_str().is_some_and(|text| !text.is_empty());
        let Some(fields) = body.as_object() else { return Some("no JSON object".to_owned()) };
        // OAuth errors of `grant_type=id_token`.
        if says("error") && fields.keys().all(|name| name.starts_with("error")) {
            return None;
        }
        let code = body["error_code"].as_str().and_then(ErrorCode::parse);
        let good = body["code"] == self.status
            && code.is_some()
            && says("msg")
            && fields.keys().all(|name| known.contains(&name.as_str()))
            && self.header("content-type") == Some("application/json");
        (!good).then(|| format!("not the documented error: {body}"))
    }
}

pub(crate) async fn connect(base: &Url) -> TcpStream {
    let place = (base.host_str().expect("a host"), base.port().expect("a port"));
    TcpStream::connect(place).await.expect("the service listens")
}

/// Reads until the service closes the connection.
pub(crate) async fn read(stream: &mut TcpStream) -> RawResponse {
    let mut bytes = Vec::new();
    // A reset also ends the response; what came before it counts.
    let reading = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut bytes)).await;
    assert!(
        reading.is_ok(),
        "the connection did not end after {PATIENCE:?}: {}",
        String::from_utf8_lossy(&bytes)
    );
    RawResponse::read(&bytes)
}

/// Sends a request on a connection of its own.
pub(crate) async fn ask(base: &Url, request: &Request) -> RawResponse {
    let mut stream = connect(base).await;
    // The service may close the connection before the whole request has been sent.
    let _ = stream.write_all(&request.bytes()).await;
    read(&mut stream).await
}
