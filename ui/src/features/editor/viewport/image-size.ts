/** Larger images are not decoded. */
export const maxImageSide = 8192;

const isPng = (view: DataView): boolean => view.byteLength >= 24 && view.getUint32(0) === 0x89504e47;
const isJpeg = (view: DataView): boolean => view.byteLength >= 4 && view.getUint16(0) === 0xffd8;

/**
 * The size of a PNG or JPEG from its header, or null for anything else. It is read before decoding, because a small
 * file can decode to gigabytes.
 */
export function imageSize(bytes: ArrayBuffer): { width: number; height: number } | null {
  const view = new DataView(bytes);
  if (isPng(view)) return { width: view.getUint32(16), height: view.getUint32(20) };
  if (!isJpeg(view)) return null;
  let at = 2;
  while (at + 9 <= view.byteLength && view.getUint8(at) === 0xff) {
    const kind = view.getUint8(at + 1);
    // the start-of-frame markers; C4, C8 and CC are other segments
    if (kind >= 0xc0 && kind <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(kind)) {
      return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    }
    at += 2 + Math.max(view.getUint16(at + 2), 2);
  }
  return null;
}
