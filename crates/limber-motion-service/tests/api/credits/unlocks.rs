//! Paying for downloads.

use std::sync::Arc;

use limber_client::motion::{ListFilter, TextToMotion, VariantId};

use super::{balance, charged, near, studio_with};
use crate::studio::{finished, walk};

#[tokio::test]
async fn a_variant_is_charged_once_and_peeking_is_free() {
    let studio = studio_with(31).await;
    let client = studio.client();
    let _worker = studio.worker("cpu-0");
    let request = TextToMotion { variants: 2, ..walk() };
    let job = client.submit(&request, None).await.expect("a job").job;
    finished(&client, &job).await;
    assert!(near(balance(&client).await.credits, 2.7));
    let listed = client.list(&ListFilter::default()).await.expect("a list");
    let variants = listed[0].variants.as_ref().expect("variants");
    assert!(variants.values().all(|variant| !variant.download), "{listed:?}");
    for _ in 0..2 {
        let peeked = client.peek(&job, VariantId::FIRST).await.expect("an entry");
        assert_eq!((peeked.required, peeked.available), (Some(2.0), Some(2.7)));
        assert_eq!((peeked.variant_download_status, peeked.urls), (Some(false), Some(vec![])));
    }
    let path = format!("/job/v1/download/{job}");
    let head = studio.http.head(studio.url(&path)).header("cookie", studio.cookie().await);
    assert_eq!(head.send().await.expect("an answer").status(), 200);
    assert!(near(balance(&client).await.credits, 2.7), "nothing was paid yet");
    for _ in 0..2 {
        let entry = client.links(&job, VariantId::FIRST).await.expect("links");
        assert_eq!((entry.variant_download_status, entry.required), (Some(true), None));
        assert!(entry.url("glb").is_some());
        assert!(near(balance(&client).await.credits, 0.7));
    }
    assert!(near(charged(&client, &job).await, 2.4), "four tenths made, two taken home");
    let second = VariantId::new(2).expect("not 0");
    let locked = client.links(&job, second).await.expect("an entry");
    assert_eq!((locked.required, locked.available), (Some(2.0), Some(0.7)));
    assert_eq!((locked.variant_download_status, locked.urls), (Some(false), Some(vec![])));
    let listed = client.list(&ListFilter::default()).await.expect("a list");
    let variants = listed[0].variants.as_ref().expect("variants");
    assert!(variants["1"].download && !variants["2"].download);
    let none = client.links(&job, VariantId::new(9).expect("not 0")).await.expect("an entry");
    assert_eq!((none.variant_download_status, none.required), (Some(false), None));
    let peeked = client.peek(&job, VariantId::FIRST).await.expect("an entry");
    assert!(peeked.url("glb").is_some(), "what is paid for is shown");
    studio.audit().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn fifty_concurrent_calls_are_charged_once() {
    let studio = studio_with(1000).await;
    let client = Arc::new(studio.client());
    let _worker = studio.worker("cpu-0");
    let job = client.submit(&walk(), None).await.expect("a job").job;
    finished(&client, &job).await;
    let calls = (0..50).map(|_| {
        let (client, job) = (Arc::clone(&client), job.clone());
        tokio::spawn(async move {
            let entry = client.links(&job, VariantId::FIRST).await.expect("links");
            assert_eq!(entry.variant_download_status, Some(true));
        })
    });
    for call in calls.collect::<Vec<_>>() {
        call.await.expect("it answers");
    }
    assert!(near(balance(&client).await.credits, 100.0 - 0.2 - 2.0));
    assert_eq!(studio.rows_of("unlocks").await, 1);
    studio.audit().await;
}
