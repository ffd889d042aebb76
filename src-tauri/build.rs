//! Prepares the desktop window: Tauri's generated context.

fn main() {
    #[cfg(feature = "desktop")]
    tauri_build::build();
}
