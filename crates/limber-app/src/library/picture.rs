//! Pictures as the interface wants them.

use base64::{Engine, engine::general_purpose::STANDARD};

use crate::shown::Picture;

/// The first bytes of every PNG, its `IHDR` included up to the height.
const PNG_HEAD_BYTES: usize = 24;
const PNG_MAGIC: &[u8] = b"\x89PNG\r\n\x1a\n";

/// A picture as `data:` URL. Only PNG and JPEG pass.
pub(crate) fn data_url(bytes: &[u8]) -> Option<String> {
    let kind = if bytes.starts_with(PNG_MAGIC) {
        "png"
    } else if bytes.starts_with(b"\xff\xd8\xff") {
        "jpeg"
    } else {
        return None;
    };
    Some(format!("data:image/{kind};base64,{}", STANDARD.encode(bytes)))
}

/// Reads how a moving picture is laid out. Its cells are squares, about as many across as down, so
/// the size of the picture and the length of the clip tell how many there are.
pub(crate) fn read(png: &[u8], clip_frames: u32, clip_fps: u32) -> Option<Picture> {
    let (width, height) = size(png).filter(|&(width, height)| width > 0 && height > 0)?;
    let duration_s = f64::from(clip_frames.max(1)) / f64::from(clip_fps.max(1));
    let fps = PACES.into_iter().find(|&fps| {
        let (columns, rows) = layout(cells(duration_s, fps));
        width % columns == 0 && width / columns * rows == height
    })?;
    let frames = cells(duration_s, fps);
    let (columns, rows) = layout(frames);
    Some(Picture { data_url: data_url(png)?, columns, rows, frames, fps })
}

/// Pictures per second, the usual one first.
const PACES: [u32; 8] = [10, 12, 15, 8, 24, 30, 6, 4];
/// No moving picture has more cells.
const MOST_CELLS: u32 = 240;

fn cells(duration_s: f64, fps: u32) -> u32 {
    let wanted = (duration_s * f64::from(fps)).round().clamp(1.0, f64::from(MOST_CELLS));
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "1 to 240")]
    let cells = wanted as u32;
    cells
}

/// Columns and rows of so many square cells.
fn layout(cells: u32) -> (u32, u32) {
    let columns = cells.isqrt();
    let columns = if columns * columns < cells { columns + 1 } else { columns };
    (columns, cells.div_ceil(columns))
}

fn size(png: &[u8]) -> Option<(u32, u32)> {
    let head = png.get(..PNG_HEAD_BYTES)?;
    if !head.starts_with(PNG_MAGIC) || &head[12..16] != b"IHDR" {
        return None;
    }
    let number = |at: usize| head[at..at + 4].try_into().map(u32::from_be_bytes).ok();
    Some((number(16)?, number(20)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn png(width: u32, height: u32) -> Vec<u8> {
        let mut bytes = PNG_MAGIC.to_vec();
        bytes.extend([0, 0, 0, 13]);
        bytes.extend(b"IHDR");
        bytes.extend(width.to_be_bytes());
        bytes.extend(height.to_be_bytes());
        bytes
    }

    #[test]
    fn the_cells_of_a_moving_picture_follow_from_its_size_and_the_clip() {
        // 3 s at 10 pictures per second: 30 cells, 6 by 5
        let picture = read(&png(6 * 160, 5 * 160), 90, 30).expect("a picture");
        assert_eq!((picture.columns, picture.rows, picture.frames), (6, 5, 30));
        assert_eq!(picture.fps, 10);
        assert!(picture.data_url.starts_with("data:image/png;base64,"));
        // 4.8 s at 10: 48 cells, the last row has a hole
        let picture = read(&png(7 * 160, 7 * 160), 144, 30).expect("a picture");
        assert_eq!((picture.columns, picture.rows, picture.frames), (7, 7, 48));
    }

    #[test]
    fn what_is_no_picture_is_no_picture() {
        assert!(read(b"GIF89a", 90, 30).is_none());
        assert!(read(&png(0, 0), 90, 30).is_none());
        assert!(data_url(b"<svg onload=alert(1)>").is_none());
    }
}
