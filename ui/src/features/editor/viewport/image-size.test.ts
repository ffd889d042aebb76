import { expect, test } from "vitest";
import { imageSize } from "./image-size";

const buffer = (...bytes: number[]): ArrayBuffer => Uint8Array.from(bytes).buffer;
const pngHeader = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52];

test("reads the size of a PNG from its header", () => {
  expect(imageSize(buffer(...pngHeader, 0, 0, 0x20, 0, 0, 0, 1, 2))).toEqual({ width: 8192, height: 258 });
  expect(imageSize(buffer(...pngHeader))).toBeNull();
});

test("reads the size of a JPEG from its frame header, behind other segments", () => {
  const comment = [0xff, 0xfe, 0, 4, 1, 2];
  const tables = [0xff, 0xc4, 0, 3, 0];
  const frame = [0xff, 0xc2, 0, 17, 8, 1, 0, 2, 0, 3];
  expect(imageSize(buffer(0xff, 0xd8, ...comment, ...tables, ...frame))).toEqual({ width: 512, height: 256 });
});

test("returns no size for anything else, and always terminates", () => {
  for (const bytes of [[], [0xff, 0xd8], [0xff, 0xd8, 0xff, 0xe0, 0, 0, 0xff, 0xe0, 0, 0, 0, 0, 0], [..."GIF89a"].map((c) => c.charCodeAt(0))]) {
    expect(imageSize(buffer(...bytes))).toBeNull();
  }
});
