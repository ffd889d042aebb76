import { expect, test } from "vitest";
import { checkGlb } from "./glb";
import { ViewportError } from "./unavailable";

const sound = {
  accessors: [{ count: 100, type: "VEC3" }],
  nodes: [{}],
  meshes: [{}],
  animations: [{}],
  buffers: [{ byteLength: 4 }],
};

function glb(document: unknown, change: (view: DataView) => void = () => undefined): ArrayBuffer {
  const json = new TextEncoder().encode(typeof document === "string" ? document : JSON.stringify(document));
  const bytes = new ArrayBuffer(20 + json.length);
  const view = new DataView(bytes);
  [0x46546c67, 2, bytes.byteLength, json.length, 0x4e4f534a].forEach((word, at) => view.setUint32(4 * at, word, true));
  new Uint8Array(bytes).set(json, 20);
  change(view);
  return bytes;
}

function reason(bytes: ArrayBuffer): string | null {
  try {
    checkGlb(bytes);
    return null;
  } catch (error) {
    expect(error).toBeInstanceOf(ViewportError);
    return (error as ViewportError).reason;
  }
}

test("accepts a clip with a mesh and an animation", () => {
  expect(reason(glb(sound))).toBeNull();
});

test("rejects damaged files as unreadable", () => {
  const damages: ArrayBuffer[] = [
    new ArrayBuffer(0),
    new ArrayBuffer(20),
    glb("{"),
    glb("null"),
    glb(sound, (view) => view.setUint32(4, 1, true)),
    glb(sound, (view) => view.setUint32(12, 0xffffffff, true)),
    glb({ ...sound, meshes: [] }),
    glb({ ...sound, animations: undefined }),
    glb({ ...sound, accessors: [{ count: -1, type: "VEC3" }] }),
    glb({ ...sound, accessors: [{ count: 1, type: "VEC9" }] }),
    glb({ ...sound, accessors: {} }),
  ];
  for (const bytes of damages) expect(reason(bytes)).toBe("unreadable");
});

test("rejects files with external references as unreadable", () => {
  expect(reason(glb({ ...sound, buffers: [{ uri: "https://example.org/a.bin" }] }))).toBe("unreadable");
  expect(reason(glb({ ...sound, images: [{ uri: "data:image/png;base64,AA==" }] }))).toBe("unreadable");
});

test("rejects a small file that would unpack to gigabytes as too large", () => {
  expect(reason(glb({ ...sound, accessors: [{ count: 1e9, type: "MAT4" }] }))).toBe("tooLarge");
  expect(reason(glb({ ...sound, nodes: Array.from({ length: 20_001 }, () => ({})) }))).toBe("tooLarge");
});
