//! Packs files into a ZIP without compression, because they are compressed already.
//!
//! Source: PKWARE, *.ZIP File Format Specification* (APPNOTE), 6.3.

use flate2::Crc;

const LOCAL: u32 = 0x0403_4B50;
const CENTRAL: u32 = 0x0201_4B50;
const END: u32 = 0x0605_4B50;
/// Version needed to extract: 2.0, the first with folders.
const VERSION: u16 = 20;
/// File names are UTF-8.
const FLAGS: u16 = 1 << 11;
/// 1 January 1980, the earliest date in a ZIP: a fixed date gives the same bytes for the same
/// files.
const FIRST_DAY: u16 = (1 << 5) | 1;

/// Returns a ZIP of files by name, with `/` between folders; `None` if it would exceed 4 GiB or
/// 65,534 files, the limits of ZIP without extensions.
pub(crate) fn stored(files: &[(String, &[u8])]) -> Option<Vec<u8>> {
    let count = u16::try_from(files.len()).ok().filter(|count| *count < u16::MAX)?;
    let mut zip = Vec::new();
    let mut central = Vec::new();
    for (name, bytes) in files {
        let offset = u32::try_from(zip.len()).ok()?;
        let mut crc = Crc::new();
        crc.update(bytes);
        let head = head(name, crc.sum(), u32::try_from(bytes.len()).ok()?)?;
        zip.extend(LOCAL.to_le_bytes());
        zip.extend(&head);
        zip.extend(name.as_bytes());
        zip.extend(*bytes);
        central.extend(CENTRAL.to_le_bytes());
        central.extend(VERSION.to_le_bytes());
        central.extend(&head);
        // no comment, disk 0, no attributes
        central.extend([0; 10]);
        central.extend(offset.to_le_bytes());
        central.extend(name.as_bytes());
    }
    let start = u32::try_from(zip.len()).ok()?;
    let length = u32::try_from(central.len()).ok()?;
    start.checked_add(length)?;
    zip.extend(central);
    zip.extend(END.to_le_bytes());
    zip.extend([0; 4]);
    zip.extend(count.to_le_bytes());
    zip.extend(count.to_le_bytes());
    zip.extend(length.to_le_bytes());
    zip.extend(start.to_le_bytes());
    zip.extend([0; 2]);
    Some(zip)
}

/// Returns the header fields that the local header and the central directory share.
fn head(name: &str, crc: u32, length: u32) -> Option<Vec<u8>> {
    let stored = 0_u16;
    let mut head = Vec::new();
    for number in [VERSION, FLAGS, stored, 0, FIRST_DAY] {
        head.extend(number.to_le_bytes());
    }
    for number in [crc, length, length] {
        head.extend(number.to_le_bytes());
    }
    head.extend(u16::try_from(name.len()).ok()?.to_le_bytes());
    head.extend([0; 2]);
    Some(head)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn archives_can_be_unpacked() {
        let files = [
            ("walk.fbx".to_owned(), &b"movement"[..]),
            ("textures/haut_\u{e4}.png".to_owned(), &b""[..]),
        ];
        let zip = stored(&files).expect("the file is small enough");
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("walk.zip");
        std::fs::write(&path, &zip).expect("the file can be written");
        let unpacked = std::process::Command::new("python3")
            .args([
                "-c",
                "import sys,zipfile;z=zipfile.ZipFile(sys.argv[1]);print(z.testzip(),\
                   [(i.filename,i.file_size) for i in z.infolist()],z.read('walk.fbx'))",
            ])
            .arg(&path)
            .env("PYTHONIOENCODING", "utf-8")
            .output();
        let Ok(unpacked) = unpacked else {
            println!("skipped: python3 is not available");
            return;
        };
        let said = String::from_utf8_lossy(&unpacked.stdout).into_owned();
        let meant = "None [('walk.fbx', 8), ('textures/haut_\u{e4}.png', 0)] b'movement'\n";
        assert_eq!(said, meant, "{}", String::from_utf8_lossy(&unpacked.stderr));
    }

    #[test]
    fn the_end_record_locates_the_directory() {
        let zip = stored(&[("a".to_owned(), &b"xyz"[..])]).expect("the file is small enough");
        let end = zip.len() - 22;
        let number = |at: usize| {
            u32::from_le_bytes([zip[at], zip[at + 1], zip[at + 2], zip[at + 3]]) as usize
        };
        assert_eq!(zip[end..end + 4], END.to_le_bytes());
        let start = number(end + 16);
        assert_eq!((start, start + number(end + 12)), (30 + 1 + 3, end));
        assert_eq!(zip[start..start + 4], CENTRAL.to_le_bytes());
        assert_eq!(
            zip,
            stored(&[("a".to_owned(), &b"xyz"[..])]).expect("the file is small enough")
        );
    }
}
