//! `GET /character/v1/listModels`.

use crate::studio::{Studio, read};

#[tokio::test]
async fn stock_characters_come_when_asked_for_with_both_spellings_of_the_id() {
    let studio = Studio::open().await;
    assert_eq!(studio.get("/character/v1/listModels").await, (200, serde_json::json!([])));
    let models = studio.client().models().await.expect("a list");
    assert!(models.len() >= 2, "{models:?}");
    assert!(models.windows(2).all(|pair| pair[0].name <= pair[1].name));
    for model in &models {
        assert_eq!(model.id, model.upper_id);
        assert_eq!(model.id.as_str().len(), 22);
        let glb =
            studio.http.get(model.glb.as_deref().expect("a link")).send().await.expect("an answer");
        assert_eq!(glb.status(), 200);
        assert!(glb.bytes().await.expect("bytes").starts_with(b"glTF"));
    }
    let count = async |query: &str| {
        let (_, body) = studio.get(&format!("/character/v1/listModels?{query}")).await;
        body.as_array().expect("a bare array").len()
    };
    let first = &models[0];
    assert_eq!(count(&format!("stockModel=all&modelId={}", first.id)).await, 1);
    assert_eq!(count("stockModel=all&modelId=unknown").await, 0);
    assert_eq!(
        count(&format!("stockModel=all&searchToken={}", first.name.to_uppercase())).await,
        1
    );
    assert_eq!(count("stockModel=stock_game").await, 0);
}

#[tokio::test]
async fn a_switch_wraps_the_list_for_clients_that_expect_it() {
    let studio = Studio::open_with(|config| config.list_models_wrapped = true).await;
    let request = studio.http.get(studio.url("/character/v1/listModels?stockModel=all"));
    let (_, body) = read(request.header("cookie", studio.cookie().await)).await;
    assert_eq!(body["count"], body["list"].as_array().expect("a list").len());
    assert!(studio.client().models().await.expect("the client reads both").len() >= 2);
}
