//! Edits GLB files by hand: converts the document to JSON and back.

use serde_json::Value;

/// Returns the JSON document and the data of a GLB.
pub(crate) fn open(file: &[u8]) -> (Value, Vec<u8>) {
    let length =
        u32::from_le_bytes(file[12..16].try_into().expect("the slice has four bytes")) as usize;
    let json = serde_json::from_slice(&file[20..20 + length]).expect("the JSON chunk is valid");
    (json, file.get(28 + length..).unwrap_or_default().to_vec())
}

pub(crate) fn close(json: &Value, data: &[u8]) -> Vec<u8> {
    let mut text = json.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut file = b"glTF\x02\0\0\0".to_vec();
    let word =
        |length: usize| u32::try_from(length).expect("the file is small enough").to_le_bytes();
    file.extend(word(12 + 8 + text.len() + 8 + data.len()));
    file.extend(word(text.len()));
    file.extend(b"JSON");
    file.extend(text);
    file.extend(word(data.len()));
    file.extend(b"BIN\0");
    file.extend(data);
    file
}

/// Returns the file with its JSON document changed.
pub(crate) fn changed(file: &[u8], change: impl FnOnce(&mut Value)) -> Vec<u8> {
    let (mut json, data) = open(file);
    change(&mut json);
    close(&json, &data)
}

/// Returns the file as text with embedded data.
pub(crate) fn as_text(file: &[u8]) -> Vec<u8> {
    use base64::Engine as _;
    let (mut json, data) = open(file);
    let data = base64::engine::general_purpose::STANDARD.encode(data);
    json["buffers"][0]["uri"] = Value::from(format!("data:application/octet-stream;base64,{data}"));
    json.to_string().into_bytes()
}

/// Returns the index of a node by name.
pub(crate) fn node(json: &Value, name: &str) -> usize {
    let nodes = json["nodes"].as_array().expect("the file has nodes");
    nodes.iter().position(|node| node["name"] == name).expect("the node exists")
}
