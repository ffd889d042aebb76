//! Where files are stored: in a folder, or in a bucket of an S3-compatible store.

use std::{
    fmt,
    path::{Path, PathBuf},
};

use secrecy::SecretString;
use url::Url;

use super::problems::Reader;

/// Where files are stored.
#[derive(Debug, Clone)]
pub enum StorePlace {
    /// A local or mounted folder that all servers and workers can access.
    Folder(PathBuf),
    /// A bucket of an S3-compatible store.
    S3(Box<S3Place>),
}

/// A bucket of an S3-compatible store, and how to access it.
#[derive(Debug, Clone)]
pub struct S3Place {
    /// Bucket name, from `s3://bucket/prefix` in `MOTIONSVC_STORE`.
    pub bucket: String,
    /// Prefix of all object keys, without leading or trailing slashes; may be empty.
    pub prefix: String,
    /// `MOTIONSVC_S3_ENDPOINT`: address of the S3-compatible store: `https://…`, or `http://…` on a
    /// network where nobody can listen. Default: Amazon's for the region.
    pub endpoint: Option<Url>,
    /// `MOTIONSVC_S3_PUBLIC_ENDPOINT`: address of the store for clients, if it differs.
    pub public_endpoint: Option<Url>,
    /// `MOTIONSVC_S3_REGION`: region of the bucket, default `us-east-1`.
    pub region: String,
    /// Access key. `None` uses the standard `AWS_…` variables or the machine's identity.
    pub keys: Option<S3Keys>,
    /// `MOTIONSVC_S3_PATH_STYLE`: `on` if the bucket is in the path and not in the host name.
    /// Default: `on` with an endpoint, `off` without.
    pub path_style: bool,
    /// `MOTIONSVC_S3_REDIRECT`: `on` (default) redirects downloads to the store, `off` passes all
    /// bytes through the service.
    pub redirect: bool,
}

/// Credentials for the store.
#[derive(Debug, Clone)]
pub struct S3Keys {
    /// `MOTIONSVC_S3_ACCESS_KEY_ID`: id of the access key for the bucket. Default: the usual
    /// `AWS_…` variables, or the identity of the machine.
    pub id: String,
    /// `MOTIONSVC_S3_SECRET_ACCESS_KEY`: the secret access key; required with the id.
    pub secret: SecretString,
    /// `MOTIONSVC_S3_SESSION_TOKEN`: session token of temporary credentials.
    pub token: Option<SecretString>,
}

impl fmt::Display for StorePlace {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(folder) => write!(formatter, "{}", folder.display()),
            Self::S3(place) => {
                let at = place.endpoint.as_ref().map_or("Amazon", Url::as_str);
                write!(formatter, "s3://{}/{} at {at}", place.bucket, place.prefix)
            }
        }
    }
}

const SETTINGS: [&str; 8] = [
    "MOTIONSVC_S3_ENDPOINT",
    "MOTIONSVC_S3_PUBLIC_ENDPOINT",
    "MOTIONSVC_S3_REGION",
    "MOTIONSVC_S3_ACCESS_KEY_ID",
    "MOTIONSVC_S3_SECRET_ACCESS_KEY",
    "MOTIONSVC_S3_SESSION_TOKEN",
    "MOTIONSVC_S3_PATH_STYLE",
    "MOTIONSVC_S3_REDIRECT",
];

pub(super) fn place_of(reader: &mut Reader<'_>) -> StorePlace {
    let text = reader.required("MOTIONSVC_STORE", "/srv/motion-files, or s3://bucket/prefix");
    if let Some(rest) = text.strip_prefix("s3://") {
        let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
        let prefix = prefix.trim_end_matches('/');
        if !is_bucket(bucket) || !is_prefix(prefix) {
            reader.problem(
                "MOTIONSVC_STORE",
                "must be s3://bucket or s3://bucket/prefix: a bucket of 3 to 63 lower-case \
                 letters, digits, `-` and `.`, and a prefix of segments of letters, digits, `-`, \
                 `_` and `.`",
            );
        }
        return StorePlace::S3(Box::new(s3_of(reader, bucket, prefix)));
    }
    for name in SETTINGS {
        if reader.text(name).is_some() {
            reader.problem(
                name,
                "is set, but MOTIONSVC_STORE is not an s3:// address; correct one of them",
            );
        }
    }
    let folder = if text.is_empty() { Ok(PathBuf::new()) } else { folder_of(&text) };
    StorePlace::Folder(folder.unwrap_or_else(|why| {
        reader.problem("MOTIONSVC_STORE", why);
        PathBuf::new()
    }))
}

fn s3_of(reader: &mut Reader<'_>, bucket: &str, prefix: &str) -> S3Place {
    let endpoint = address(reader, "MOTIONSVC_S3_ENDPOINT");
    let path_style = usize::from(endpoint.is_some());
    let region = reader.text("MOTIONSVC_S3_REGION").unwrap_or_else(|| "us-east-1".to_owned());
    if !region.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_') {
        reader.problem("MOTIONSVC_S3_REGION", "must be a name like eu-central-1");
    }
    S3Place {
        bucket: bucket.to_owned(),
        prefix: prefix.to_owned(),
        endpoint,
        public_endpoint: address(reader, "MOTIONSVC_S3_PUBLIC_ENDPOINT"),
        region,
        keys: keys_of(reader),
        path_style: reader.choice("MOTIONSVC_S3_PATH_STYLE", ["off", "on"], path_style) == 1,
        redirect: reader.choice("MOTIONSVC_S3_REDIRECT", ["off", "on"], 1) == 1,
    }
}

fn keys_of(reader: &mut Reader<'_>) -> Option<S3Keys> {
    let id = reader.text("MOTIONSVC_S3_ACCESS_KEY_ID");
    let secret = reader.text("MOTIONSVC_S3_SECRET_ACCESS_KEY").map(SecretString::from);
    let token = reader.text("MOTIONSVC_S3_SESSION_TOKEN").map(SecretString::from);
    match (id, secret) {
        (Some(id), Some(secret)) => return Some(S3Keys { id, secret, token }),
        (None, None) if token.is_none() => {}
        (None, None) => {
            reader.problem(
                "MOTIONSVC_S3_SESSION_TOKEN",
                "is set, but the access key that it belongs to is not",
            );
        }
        (Some(_), None) => {
            reader.problem(
                "MOTIONSVC_S3_SECRET_ACCESS_KEY",
                "is missing, although the access key id is set",
            );
        }
        (None, Some(_)) => {
            reader.problem(
                "MOTIONSVC_S3_ACCESS_KEY_ID",
                "is missing, although the secret access key is set",
            );
        }
    }
    None
}

/// Reads the address of a host, without path, query or fragment.
fn address(reader: &mut Reader<'_>, name: &str) -> Option<Url> {
    let text = reader.text(name)?;
    let url = Url::parse(&text).ok().filter(|url| {
        let bare = url.path() == "/" && url.query().is_none() && url.fragment().is_none();
        let nobody = url.username().is_empty() && url.password().is_none();
        matches!(url.scheme(), "http" | "https") && url.has_host() && bare && nobody
    });
    if url.is_none() {
        reader.problem(
            name,
            "must be an address like https://s3.example:9000, with nothing after it",
        );
    }
    url
}

fn is_bucket(name: &str) -> bool {
    let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
    (3..=63).contains(&name.len())
        && name.bytes().all(|b| plain(b) || b == b'-' || b == b'.')
        && name.bytes().next().is_some_and(plain)
        && name.bytes().last().is_some_and(plain)
}

fn is_prefix(prefix: &str) -> bool {
    let word = |word: &str| {
        let plain = |b: u8| b.is_ascii_alphanumeric() || b"-_.".contains(&b);
        !word.is_empty() && word != "." && word != ".." && word.bytes().all(plain)
    };
    prefix.is_empty() || prefix.split('/').all(word)
}

fn folder_of(text: &str) -> Result<PathBuf, &'static str> {
    match Url::parse(text) {
        Ok(url) if url.scheme() == "file" => url
            .to_file_path()
            .map_err(|()| "is a file:// address that does not name a folder on this computer"),
        Ok(url) if url.scheme().len() > 1 => {
            Err("must be a folder, a file:// address or s3://bucket/prefix")
        }
        _ if Path::new(text).is_absolute() => Ok(PathBuf::from(text)),
        // `serve` and `work` may be started in different folders and would then use different files
        _ => Err(
            "must be an absolute path such as /srv/motion-files, so that it does not depend on the \
             folder that a program is started in",
        ),
    }
}
