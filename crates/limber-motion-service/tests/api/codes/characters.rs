//! Faulty characters: errors when they are stored, and when a job uses them.

use limber_client::motion::{JobStatus, ModelId, TextToMotion};
use serde_json::{Value, json};

use super::cause_of;
use crate::{
    models::{hero, sent, store},
    studio::{Studio, finished, walk},
    within::work,
};

fn hero_but(change: impl FnOnce(&mut Value)) -> Vec<u8> {
    changed(hero(), change)
}

/// Returns the GLB with a modified JSON chunk.
fn changed(file: &[u8], change: impl FnOnce(&mut Value)) -> Vec<u8> {
    let word = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().expect("four")) as usize;
    let length = word(12);
    let mut description: Value = serde_json::from_slice(&file[20..20 + length]).expect("JSON");
    change(&mut description);
    let mut text = serde_json::to_vec(&description).expect("plain data");
    text.resize(text.len().next_multiple_of(4), b' ');
    let rest = &file[20 + length..];
    let whole = u32::try_from(20 + text.len() + rest.len()).expect("small");
    let mut made = file[..8].to_vec();
    made.extend(whole.to_le_bytes());
    made.extend(u32::try_from(text.len()).expect("small").to_le_bytes());
    made.extend(b"JSON");
    made.extend(text);
    made.extend(rest);
    made
}

fn nodes(description: &mut Value) -> &mut Vec<Value> {
    description["nodes"].as_array_mut().expect("nodes")
}

async fn refusal(studio: &Studio, file: &[u8]) -> (u16, Value, String) {
    let url = sent(studio, file).await;
    let (status, body) = store(studio, json!({ "modelUrl": url })).await;
    (status, body["code"].clone(), body["message"].to_string())
}

#[tokio::test]
async fn every_reason_to_reject_a_character_has_a_code() {
    let studio = Studio::open().await;
    let no_skin = hero_but(|description| {
        description.as_object_mut().expect("an object").remove("skins");
        for node in nodes(description) {
            node.as_object_mut().expect("an object").remove("skin");
        }
    });
    let (status, code, message) = refusal(&studio, &no_skin).await;
    assert_eq!((status, &code), (422, &905.into()), "{message}");
    let one_leg = hero_but(|description| {
        let nodes = nodes(description);
        let leg = nodes.iter().position(|node| node["name"] == "leftUpperLeg").expect("a leg");
        for node in nodes.iter_mut() {
            if let Some(children) = node["children"].as_array_mut() {
                children.retain(|child| *child != json!(leg));
            }
        }
        description["scenes"][0]["nodes"].as_array_mut().expect("roots").push(json!(leg));
    });
    let (status, code, message) = refusal(&studio, &one_leg).await;
    assert_eq!((status, &code), (422, &902.into()), "{message}");
    let giant = hero_but(|description| {
        let roots: Vec<usize> = description["scenes"][0]["nodes"]
            .as_array()
            .expect("roots")
            .iter()
            .filter_map(|root| usize::try_from(root.as_u64()?).ok())
            .collect();
        for root in roots {
            nodes(description)[root]["scale"] = json!([9.0, 9.0, 9.0]);
        }
    });
    let (status, code, message) = refusal(&studio, &giant).await;
    assert_eq!((status, &code), (422, &909.into()), "{message}");
    assert_eq!(studio.rows_of("models").await, 0);
}

/// Returns the hero with these joints this many times as far from their parents.
fn hero_with(joints: &[&str], times: f64) -> Vec<u8> {
    hero_but(|description| {
        let wanted = |node: &&mut Value| joints.iter().any(|joint| node["name"] == *joint);
        for node in nodes(description).iter_mut().filter(wanted) {
            for axis in node["translation"].as_array_mut().expect("a place") {
                *axis = json!(axis.as_f64().expect("a number") * times);
            }
        }
    })
}

async fn stored(studio: &Studio, file: &[u8]) -> ModelId {
    let url = sent(studio, file).await;
    let (status, body) = store(studio, json!({ "modelUrl": url })).await;
    assert_eq!(status, 200, "{body}");
    ModelId::parse(body["modelId"].as_str().expect("an id")).expect("an id")
}

#[tokio::test]
async fn unequal_legs_are_605_but_fine_without_physics() {
    let studio = Studio::open().await;
    let client = studio.client();
    let _worker = studio.worker("cpu-0");
    let limping = hero_with(&["leftFoot"], 1.0 / 3.0);
    let model = stored(&studio, &limping).await;
    let request = TextToMotion { model, ..walk() };
    let job = client.submit(&request, None).await.expect("a job").job;
    let cause = cause_of(&client, &job).await;
    assert_eq!(cause.codes, [605]);
    assert!(cause.text.contains("dis=s"), "{}", cause.text);
    let job = client.submit(&TextToMotion { physics: false, ..request }, None).await;
    let end = finished(&client, &job.expect("a job").job).await;
    assert!(matches!(end, JobStatus::Succeeded { .. }), "{end:?}");
}

#[tokio::test]
async fn a_damaged_stored_character_is_901() {
    let studio = Studio::open().await;
    let client = studio.client();
    let model = stored(&studio, hero()).await;
    let link = client.models().await.expect("a list")[0].glb.clone().expect("a link");
    std::fs::write(super::object(&studio, &link), "no longer a character").expect("written");
    let _worker = studio.worker("cpu-0");
    let job = client.submit(&TextToMotion { model, ..walk() }, None).await.expect("a job").job;
    assert_eq!(cause_of(&client, &job).await.codes, [901]);
}

#[tokio::test]
async fn legs_that_cannot_be_retargeted_are_903() {
    let studio = Studio::open().await;
    let client = studio.client();
    let _worker = studio.worker("cpu-0");
    let legs = ["leftLowerLeg", "rightLowerLeg", "leftFoot", "rightFoot"];
    let model = stored(&studio, &hero_with(&legs, 0.0005)).await;
    let request = TextToMotion { model, physics: false, ..walk() };
    let job = client.submit(&request, None).await.expect("a job").job;
    let cause = cause_of(&client, &job).await;
    assert_eq!(cause.codes, [903]);
    assert!(cause.text.contains("legs"), "{}", cause.text);
}

#[tokio::test]
async fn a_face_with_two_shapes_of_one_name_is_907() {
    let studio = Studio::open().await;
    let nova = limber_pipeline::stock::find("nova").expect("a character with a face");
    let twice = changed(nova.glb, |description| {
        let meshes = description["meshes"].as_array_mut().expect("meshes");
        let names = meshes.iter_mut().find_map(|mesh| mesh.pointer_mut("/extras/targetNames"));
        let names = names.expect("a face");
        names[1] = names[0].clone();
    });
    let (status, code, message) = refusal(&studio, &twice).await;
    assert_eq!((status, &code), (422, &907.into()), "{message}");
    assert!(message.contains("name of its own"), "{message}");
    assert_eq!(studio.rows_of("models").await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_character_that_cannot_be_read_in_time_is_704() {
    let studio = Studio::open().await;
    let client = studio.client();
    let model = stored(&studio, hero()).await;
    let link = client.models().await.expect("a list")[0].glb.clone().expect("a link");
    let object = super::object(&studio, &link);
    let shelf = object.parent().expect("a folder");
    std::fs::rename(shelf, shelf.with_extension("away")).expect("moved");
    std::fs::write(shelf, "in the way").expect("a file");
    let _working = work(&studio, |_| {});
    let request = TextToMotion { model, ..walk() };
    let job = client.submit(&request, None).await.expect("a job").job;
    let cause = cause_of(&client, &job).await;
    assert_eq!((cause.codes, cause.kind.as_str()), (vec![704], "PipelineError"));
    assert!(cause.text.contains("the character cannot be read now"), "{}", cause.text);
    std::fs::remove_file(shelf).expect("removed");
    std::fs::rename(shelf.with_extension("away"), shelf).expect("restored");
    let job = client.submit(&request, None).await.expect("a job").job;
    assert!(matches!(finished(&client, &job).await, JobStatus::Succeeded { .. }));
}
