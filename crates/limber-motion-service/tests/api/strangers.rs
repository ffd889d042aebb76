//! Guessed and malformed requests, and access to other accounts' data.

use serde_json::{Value, json};

use crate::studio::{Studio, finished, read, until, walk};

/// Returns status and body without the request id.
async fn ask(studio: &Studio, cookie: &str, method: &str, path: &str, body: Value) -> (u16, Value) {
    let method = method.parse().expect("a method");
    let mut request = studio.http.request(method, studio.url(path)).header("cookie", cookie);
    if !body.is_null() {
        request = request.json(&body);
    }
    let (status, mut body) = read(request).await;
    if let Some(body) = body.as_object_mut() {
        body.remove("requestId");
    }
    (status, body)
}

async fn cookie_of(studio: &Studio, id: &str, secret: &str) -> String {
    let request = studio.http.get(studio.url("/account/v1/auth")).basic_auth(id, Some(secret));
    let answer = request.send().await.expect("an answer");
    let cookie = answer.headers()["set-cookie"].to_str().expect("text").to_owned();
    cookie.split(';').next().expect("a pair").to_owned()
}

#[tokio::test]
async fn another_accounts_job_gets_the_same_response_as_a_missing_one() {
    let studio = Studio::open().await;
    let client = studio.client();
    let _worker = studio.worker("cpu-0");
    let job = client.submit(&walk(), None).await.expect("a job").job;
    finished(&client, &job).await;
    let made = limber_motion_service::create_client(&studio.config, "stranger").await;
    let (id, secret) = made.expect("an account");
    let secret = secrecy::ExposeSecret::expose_secret(&secret);
    let cookie = cookie_of(&studio, &id, secret).await;
    let edit =
        |rid: &str| json!({ "params": [format!("t2m_rid={rid}"), "rerunRequest={\"rerun\":1}"] });
    for (method, path) in [
        ("GET", "/job/v1/status/{rid}"),
        ("GET", "/job/v1/download/{rid}?peek=1"),
        ("GET", "/job/v1/download/{rid}?variant_id=1"),
        ("GET", "/job/v1/cancel/{rid}"),
        ("DELETE", "/job/v1/purge/{rid}"),
        ("POST", "/job/v1/process/text2motion"),
    ] {
        let never = "aaaaaaaaaaaaaaaaaaaaaaaa";
        let of = async |rid: &str| {
            let body = if method == "POST" { edit(rid) } else { Value::Null };
            ask(&studio, &cookie, method, &path.replace("{rid}", rid), body).await
        };
        let (theirs, unknown) = (of(job.as_str()).await, of(never).await);
        assert_eq!(theirs, unknown, "{method} {path}");
        assert_eq!((theirs.0, &theirs.1["type"]), (404, &"job_not_found".into()), "{path}");
    }
    let (_, list) = ask(&studio, &cookie, "GET", "/job/v1/list", Value::Null).await;
    assert_eq!(list, json!({ "count": 0, "list": [] }));
}

#[tokio::test]
async fn at_most_a_hundred_ids_are_accepted_per_call() {
    let studio = Studio::open().await;
    let cookie = studio.cookie().await;
    let ids = |count: u32| {
        let ids: Vec<String> = (0..count).map(|n| format!("made_up_id_{n:08}")).collect();
        ids.join(",")
    };
    for call in ["status", "download"] {
        let of = async |count| {
            let path = format!("/job/v1/{call}/{}", ids(count));
            ask(&studio, &cookie, "GET", &path, Value::Null).await
        };
        let (status, body) = of(1000).await;
        assert_eq!((status, &body["param"]), (422, &"rid".into()), "{call}: {body}");
        assert!(body["message"].as_str().is_some_and(|text| text.contains("100")), "{body}");
        assert_eq!(of(100).await.0, 404, "{call}: a hundred are looked for");
    }
    let path = format!("/job/v1/cancel/{}", ids(2));
    assert_eq!(ask(&studio, &cookie, "GET", &path, Value::Null).await.0, 404);
}

#[tokio::test]
async fn mangled_cookies_are_ignored() {
    let studio = Studio::open().await;
    let cookie = studio.cookie().await;
    let (name, value) = cookie.split_once('=').expect("a pair");
    let (session, mac) = value.rsplit_once('.').expect("a signature");
    let mut mangled = vec![
        String::new(),
        session.to_owned(),
        format!("{session}."),
        format!(".{mac}"),
        format!("{session}.{session}"),
        format!("{mac}.{session}"),
        format!("{value}A"),
        format!("{session}.{}", mac.to_uppercase()),
        value.replace("s%3A", "t%3A"),
        value.repeat(40),
        "%00%ff%fe".to_owned(),
        "s%3A%2e%2e%2f.x".to_owned(),
    ];
    for place in (0..value.len()).step_by(5) {
        let mut bytes = value.as_bytes().to_vec();
        bytes[place] = if bytes[place] == b'x' { b'y' } else { b'x' };
        mangled.push(String::from_utf8(bytes).expect("ASCII"));
        mangled.push(value[..place].to_owned());
    }
    for value in mangled {
        let cookie = format!("{name}={value}");
        let (status, body) = ask(&studio, &cookie, "GET", "/job/v1/list", Value::Null).await;
        assert_eq!((status, &body["type"]), (401, &"not_authenticated".into()), "{cookie}");
    }
    let twice = format!("{name}=nonsense; {cookie}; Path");
    assert_eq!(ask(&studio, &twice, "GET", "/job/v1/list", Value::Null).await.0, 200);
}

#[tokio::test]
async fn a_link_opens_only_the_file_it_was_signed_for() {
    let studio = Studio::open().await;
    let client = studio.client();
    let _worker = studio.worker("cpu-0");
    let job = client.submit(&walk(), None).await.expect("a job").job;
    finished(&client, &job).await;
    let entry = until("there are links", async || {
        client.links(&job, limber_client::motion::VariantId::FIRST).await.ok()
    })
    .await;
    let (glb, bvh) = (entry.url("glb").expect("a link"), entry.url("bvh").expect("a link"));
    let (glb_path, glb_query) = glb.split_once('?').expect("a query");
    let (bvh_path, bvh_query) = bvh.split_once('?').expect("a query");
    let get = async |url: String| studio.http.get(url).send().await.expect("an answer").status();
    // links work repeatedly until they expire, because players and download managers return
    for _ in 0..3 {
        assert_eq!(get(glb.to_owned()).await, 200);
    }
    let longer = glb_query.replace("expires=", "expires=9");
    let (content, name) = glb_path.rsplit_once('/').expect("a name");
    for forged in [
        format!("{glb_path}?{bvh_query}"),
        format!("{bvh_path}?{glb_query}"),
        format!("{glb_path}?{longer}"),
        format!("{glb_path}?{}", &glb_query[..glb_query.len() - 1]),
        glb_path.to_owned(),
        format!("{content}/other.exe?{glb_query}"),
        format!("{content}/..%2f{name}?{glb_query}"),
    ] {
        assert_eq!(get(forged.clone()).await, 403, "{forged}");
    }
}

#[tokio::test]
async fn strings_that_postgresql_cannot_store_cause_no_internal_errors() {
    let studio = Studio::open().await;
    let cookie = studio.cookie().await;
    let store = json!({ "modelId": "a\u{0}b", "modelName": "x" });
    let mapped = json!({ "modelId": "abc", "overrides": { "leftHand": "a\u{0}b" } });
    let process =
        json!({ "params": ["prompt=walks\u{0}", "model=\u{0}", "name=\u{0}", "\u{0}=\u{0}"] });
    for (method, path, body, expected) in [
        ("DELETE", "/character/v1/deleteModel/a%00b", Value::Null, 200),
        ("POST", "/character/v1/storeModel", store, 404),
        ("POST", "/character/v1/storeModel", mapped, 422),
        ("POST", "/job/v1/process/text2motion", process, 404),
        ("POST", "/job/v1/process/a%00b", json!({ "params": [] }), 422),
        ("GET", "/job/v1/status/a%00b", Value::Null, 404),
        ("GET", "/job/v1/cancel/a%00b", Value::Null, 404),
        ("DELETE", "/job/v1/purge/a%00b", Value::Null, 404),
        ("GET", "/job/v1/list?search=%00", Value::Null, 200),
        ("GET", "/job/v1/list?before=1,%00", Value::Null, 422),
        ("GET", "/job/v1/list/%00", Value::Null, 422),
        ("GET", "/character/v1/listModels?searchToken=%00&modelId=%00", Value::Null, 200),
        ("GET", "/character/v1/getModelUploadUrl?name=%00", Value::Null, 200),
    ] {
        let (status, body) = ask(&studio, &cookie, method, path, body).await;
        assert_eq!(status, expected, "{method} {path}: {body}");
    }
}
