/** The document of a GLB, as far as tests change it. */
interface Document {
  accessors: object[];
  bufferViews: object[];
  buffers: [{ byteLength: number }];
  nodes: { name?: string; [part: string]: unknown }[];
  materials: { pbrMetallicRoughness: object; [part: string]: unknown }[];
  [list: string]: unknown;
}

const jsonKind = 0x4e4f534a;
const binaryKind = 0x004e4942;
const float = 5126;

export interface FixtureOptions {
  /** Position of the hips along Z in each frame, metres. */
  path: readonly number[];
  fps: number;
  /**
   * Number of textured materials, each with an image that is drawn and a normal map that is not.
   */
  textured: number;
  /** Changes the document as the last step. */
  change?: (document: Document) => void;
}

/** The GLB of a clip: a stock character, imported with `?url&inline`, whose hips move. For tests. */
export function clipGlb(stock: string, { path, fps, textured, change }: FixtureOptions): ArrayBuffer {
  const { document, binary } = unpacked(Uint8Array.from(atob(stock.slice(stock.indexOf(",") + 1)), (letter) => letter.charCodeAt(0)));
  const chunks: Uint8Array[] = [binary];
  let length = binary.length;
  const view = (bytes: Uint8Array): number => {
    document.bufferViews.push({ buffer: 0, byteOffset: length, byteLength: bytes.length });
    chunks.push(bytes, new Uint8Array(-bytes.length & 3));
    length += bytes.length + (-bytes.length & 3);
    return document.bufferViews.length - 1;
  };
  const accessor = (type: string, numbers: number[], count: number): number => {
    const bufferView = view(new Uint8Array(Float32Array.from(numbers).buffer));
    document.accessors.push({ bufferView, componentType: float, count, type, min: [0], max: [count / fps] });
    return document.accessors.length - 1;
  };
  const input = accessor("SCALAR", path.map((_, frame) => frame / fps), path.length);
  const output = accessor("VEC3", path.flatMap((z) => [0, 1, z]), path.length);
  const node = document.nodes.findIndex(({ name }) => name === "hips");
  document["animations"] = [{ samplers: [{ input, output }], channels: [{ sampler: 0, target: { node, path: "translation" } }] }];
  const images = Array.from({ length: 2 * textured }, (_, at) => ({ bufferView: view(pngHeader(16 + at)), mimeType: "image/png" }));
  document["images"] = images;
  document["textures"] = images.map((_, source) => ({ source }));
  document.materials.slice(0, textured).forEach((material, at) => {
    material.pbrMetallicRoughness = { ...material.pbrMetallicRoughness, baseColorTexture: { index: 2 * at } };
    material["normalTexture"] = { index: 2 * at + 1 };
  });
  document.buffers[0].byteLength = length;
  change?.(document);
  return packed(document, joined(chunks, length));
}

/** A PNG header with a size, and nothing else. */
function pngHeader(side: number): Uint8Array {
  const words = [0x89504e47, 0x0d0a1a0a, 13, 0x49484452, side, side];
  const bytes = new Uint8Array(24);
  words.forEach((word, at) => new DataView(bytes.buffer).setUint32(4 * at, word));
  return bytes;
}

function unpacked(bytes: Uint8Array): { document: Document; binary: Uint8Array } {
  const length = new DataView(bytes.buffer).getUint32(12, true);
  return { document: JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + length))) as Document, binary: bytes.slice(28 + length) };
}

function packed(document: Document, binary: Uint8Array): ArrayBuffer {
  const text = new TextEncoder().encode(JSON.stringify(document));
  const json = joined([text, new Uint8Array(-text.length & 3).fill(0x20)], text.length + (-text.length & 3));
  const head = (numbers: number[]) => new Uint8Array(Uint32Array.from(numbers).buffer);
  const all = 28 + json.length + binary.length;
  const parts = [head([0x46546c67, 2, all, json.length, jsonKind]), json, head([binary.length, binaryKind]), binary];
  return joined(parts, all).buffer;
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
