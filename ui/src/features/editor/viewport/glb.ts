import { ViewportError } from "./unavailable";

const magic = 0x46546c67;
const jsonKind = 0x4e4f534a;
const headBytes = 20;
/** Limit for the sum of all accessors: a hundred times a detailed character. */
const maxNumbers = 64_000_000;
const maxNodes = 20_000;

const numbersPer: Record<string, number> = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT2: 4, MAT3: 9, MAT4: 16 };

/** The fields of list entries that are read; each entry has only some of them. */
interface Entry {
  count?: unknown;
  type?: unknown;
  uri?: unknown;
}

const lists = ["accessors", "nodes", "meshes", "animations", "buffers", "images"] as const;
type Document = Record<(typeof lists)[number], Entry[]>;

/**
 * Checks a GLB before it is unpacked: it must be self-contained and have a mesh and an animation, and its accessors
 * must fit into memory. Sparse or overlapping accessors can be a thousand times the size of the file.
 *
 * @throws ViewportError
 */
export function checkGlb(bytes: ArrayBuffer): void {
  const document = documentOf(bytes);
  if ([...document.buffers, ...document.images].some(({ uri }) => uri !== undefined)) throw unreadable("it refers to other files");
  if (document.meshes.length === 0) throw unreadable("it has no mesh");
  if (document.animations.length === 0) throw unreadable("it has no animation");
  const numbers = document.accessors.reduce((sum, accessor) => sum + numbersIn(accessor), 0);
  const isLarge = numbers > maxNumbers || document.nodes.length > maxNodes;
  if (isLarge) throw new ViewportError("tooLarge", `${numbers} numbers in its accessors`);
}

function unreadable(detail: string): ViewportError {
  return new ViewportError("unreadable", detail);
}

function documentOf(bytes: ArrayBuffer): Document {
  const view = new DataView(bytes);
  if (bytes.byteLength < headBytes || view.getUint32(0, true) !== magic) throw unreadable("it is not a GLB");
  const length = view.getUint32(12, true);
  if (view.getUint32(4, true) !== 2 || view.getUint32(16, true) !== jsonKind) throw unreadable("it is not glTF 2.0");
  if (headBytes + length > bytes.byteLength) throw unreadable("it is truncated");
  const document = parsed(new TextDecoder().decode(new Uint8Array(bytes, headBytes, length)));
  if (typeof document !== "object" || document === null) throw unreadable("its JSON is invalid");
  return withLists(document as Record<string, unknown>);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Missing lists are empty; anything else in place of a list, or in a list, is not glTF. */
function withLists(document: Record<string, unknown>): Document {
  const read = lists.map((name) => {
    const list = document[name] ?? [];
    const isList = Array.isArray(list) && list.every((entry) => typeof entry === "object" && entry !== null);
    if (!isList) throw unreadable(`its ${name} are invalid`);
    return [name, list];
  });
  return Object.fromEntries(read) as Document;
}

function numbersIn({ count, type }: Entry): number {
  const per = numbersPer[String(type)];
  if (typeof count !== "number" || !(count >= 0) || per === undefined) throw unreadable("an accessor is invalid");
  return count * per;
}
