//! HEAD requests have no side effects.

use reqwest::Method;
use sqlx::PgPool;

use crate::{
    credits::studio_with,
    studio::{Studio, read, walk},
};

/// GET routes with side effects, required by existing clients.
const ACTING: [&str; 3] =
    ["/account/v1/auth", "/character/v1/getModelUploadUrl", "/job/v1/cancel/{rid}"];
/// Tables that the server itself changes at any time.
const OWN_AFFAIRS: &str = "('stock_contents', 'released_contents', 'file_store')";

/// Returns a hash of all rows, for each table.
async fn everything(pool: &PgPool) -> Vec<(String, String)> {
    let tables = format!(
        "select table_name::text from information_schema.tables where table_schema = 'public'
             and table_name not in {OWN_AFFAIRS} order by table_name"
    );
    let tables: Vec<String> = sqlx::query_scalar(sqlx::AssertSqlSafe(tables))
        .fetch_all(pool)
        .await
        .expect("there are tables");
    assert!(tables.len() > 10, "{tables:?}");
    let mut all = Vec::new();
    for table in tables {
        let rows = format!(
            "select md5(coalesce(string_agg(t::text, '|' order by t::text), '')) from {table} t"
        );
        let rows = sqlx::query_scalar(sqlx::AssertSqlSafe(rows)).fetch_one(pool).await;
        all.push((table, rows.expect("they are readable")));
    }
    all
}

/// Fills in the parameters of a path.
pub(crate) fn filled(path: &str, job: &str) -> String {
    let values = [
        ("{rids}", job),
        ("{rid}", job),
        ("{statuses}", "PROGRESS"),
        ("{processor}", "text2motion"),
        ("{model_id}", "abc"),
        ("{content}", "0"),
        ("{name}", "walk.glb"),
    ];
    let filled =
        values.iter().fold(path.to_owned(), |path, (name, value)| path.replace(name, value));
    assert!(!filled.contains('{'), "no value is defined for {filled}");
    filled
}

/// Returns every operation in the OpenAPI description.
pub(crate) async fn described(studio: &Studio) -> Vec<(Method, String)> {
    let (status, description) = read(studio.http.get(studio.url("/openapi.json"))).await;
    assert_eq!(status, 200);
    let mut operations = Vec::new();
    for (path, item) in description["paths"].as_object().expect("paths") {
        for method in item.as_object().expect("operations").keys() {
            let method = method.to_uppercase().parse().expect("a method");
            operations.push((method, path.clone()));
        }
    }
    operations
}

#[tokio::test]
async fn head_changes_nothing_anywhere() {
    use secrecy::ExposeSecret;

    let studio = studio_with(50).await;
    let client = studio.client();
    let job = client.submit(&walk(), None).await.expect("a job").job;
    client.balance().await.expect("the wallet now exists");
    let cookie = studio.cookie().await;
    let pool = PgPool::connect(studio.database.url()).await.expect("the database");
    let gets = described(&studio).await.into_iter().filter(|(method, _)| *method == Method::GET);
    let paths: Vec<String> = gets.map(|(_, path)| path).collect();
    for path in ACTING {
        assert!(paths.iter().any(|known| known == path), "{path} is a GET");
    }
    for path in paths {
        let before = everything(&pool).await;
        // with both credentials and cookie, as some clients send
        let head = studio.http.head(studio.url(&filled(&path, job.as_str())));
        let head = head.basic_auth(&studio.id, Some(studio.secret.expose_secret()));
        let answer = head.header("cookie", &cookie).send().await.expect("an answer");
        let status = answer.status().as_u16();
        assert_eq!(everything(&pool).await, before, "{path}");
        assert!(status < 500, "{path}: {status}");
        if ACTING.contains(&path.as_str()) {
            assert_eq!(status, 405, "{path}");
            assert_eq!(answer.headers()["allow"], "GET", "{path}");
            assert!(!answer.headers().contains_key("set-cookie"), "{path}");
        }
    }
    pool.close().await;
}
