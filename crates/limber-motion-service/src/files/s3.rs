//! Stores files in an S3-compatible bucket, and creates presigned URLs to it.

use std::{fmt, sync::Arc, time::Duration};

use object_store::{
    BackoffConfig, ClientOptions, RetryConfig,
    aws::{AmazonS3, AmazonS3Builder},
    path::Path as Key,
    signer::{Method, SignedUrlOptions, Signer},
};
use secrecy::ExposeSecret;
use url::Url;

use super::FilesError;
use crate::config::S3Place;

/// How long a request to an unresponsive store is retried. After that, jobs are retried by the
/// queue's rules, and requests by their clients.
const PATIENCE: Duration = Duration::from_secs(20);
const CONNECTING: Duration = Duration::from_secs(5);
/// Time limit of one request; the largest carries 8 MiB.
const ANSWERING: Duration = Duration::from_secs(60);

/// Creates presigned URLs.
#[derive(Clone)]
pub(super) struct Signatures(Arc<dyn Signer>);

impl fmt::Debug for Signatures {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Signatures")
    }
}

impl Signatures {
    /// Returns a presigned URL of an object, valid for `life`, that is served with these headers.
    pub(super) async fn sign(
        &self,
        method: Method,
        key: &Key,
        life: Duration,
        headers: &[(&str, &str)],
    ) -> Result<Url, FilesError> {
        let query = headers.iter().map(|(name, value)| (format!("response-{name}"), *value));
        let options = SignedUrlOptions::default().with_query(query);
        self.0.signed_url_opts(method, key, life, &options).await.map_err(FilesError::Store)
    }
}

/// Opens the bucket. Also returns the signer, if downloads are redirected to the store.
pub(super) fn open(place: &S3Place) -> Result<(AmazonS3, Option<Signatures>), FilesError> {
    // fails if another part of the program has installed a provider already, which is fine
    let _ = rustls::crypto::ring::default_provider().install_default();
    let objects = builder(place, place.endpoint.as_ref()).build().map_err(FilesError::Store)?;
    if !place.redirect {
        return Ok((objects, None));
    }
    // the signature covers the host, so it has to be the public one
    let public = place.public_endpoint.as_ref().or(place.endpoint.as_ref());
    let signer = builder(place, public).build().map_err(FilesError::Store)?;
    Ok((objects, Some(Signatures(Arc::new(signer)))))
}

fn builder(place: &S3Place, endpoint: Option<&Url>) -> AmazonS3Builder {
    let mut builder = match &place.keys {
        Some(keys) => {
            let builder = AmazonS3Builder::new()
                .with_access_key_id(&keys.id)
                .with_secret_access_key(keys.secret.expose_secret());
            match &keys.token {
                Some(token) => builder.with_token(token.expose_secret()),
                None => builder,
            }
        }
        None => AmazonS3Builder::from_env(),
    };
    if let Some(endpoint) = endpoint {
        let mut address = endpoint.clone();
        if !place.path_style {
            // `object_store` expects the complete host here, including the bucket
            let host = format!("{}.{}", place.bucket, endpoint.host_str().unwrap_or_default());
            let _ = address.set_host(Some(&host));
        }
        builder = builder.with_endpoint(address.as_str().trim_end_matches('/'));
    }
    let plain = endpoint.is_some_and(|endpoint| endpoint.scheme() == "http");
    let client = ClientOptions::new()
        .with_allow_http(plain)
        .with_connect_timeout(CONNECTING)
        .with_timeout(ANSWERING);
    let retry = RetryConfig {
        backoff: BackoffConfig { max_backoff: Duration::from_secs(5), ..BackoffConfig::default() },
        max_retries: 8,
        retry_timeout: PATIENCE,
    };
    builder
        .with_bucket_name(&place.bucket)
        .with_region(&place.region)
        .with_virtual_hosted_style_request(!place.path_style)
        // not every S3-compatible store supports bulk delete
        .with_disable_bulk_delete(true)
        .with_client_options(client)
        .with_retry(retry)
}
