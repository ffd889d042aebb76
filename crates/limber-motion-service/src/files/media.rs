//! Media types by file extension.

/// Returns the `Content-Type` of a file with this name.
pub(crate) fn media_type(file_name: &str) -> &'static str {
    match file_name.rsplit('.').next().unwrap_or_default() {
        "glb" | "vrma" => "model/gltf-binary",
        "bvh" => "text/plain; charset=utf-8",
        "png" => "image/png",
        "json" => "application/json",
        "zip" => "application/zip",
        "mp4" => "video/mp4",
        "gif" => "image/gif",
        _ => "application/octet-stream",
    }
}
