import type { Correction, CorrectionKey, CorrectionLayer } from "../../../host";
import { idOf, stateOf } from "../identity";
import { combined } from "./angles";

export type Layers = readonly CorrectionLayer[];

/** Which key, and which layer: the same through all states of the history, wherever they stand. */
export type KeyId = number;
export type LayerId = number;

export const mostLayers = 100;
/** So many keys all layers together may have. */
export const mostKeys = 500;
/** Further than that nothing is pulled in one direction. */
export const farthestM = 3;
/** How long a new key takes to come, and to go again. */
const firstFade = 10;

/** What a key is about: `pull leftHand`, `rotate head`. One layer says it once for each frame. */
export function subjectOf(what: Correction): string {
  return what.kind === "pull" ? `pull ${what.limb}` : `rotate ${what.joint}`;
}

/** The topmost key that is shown and about the same at a frame; null where there is none. */
export function shownKeyAt(layers: Layers, about: Correction, frame: number): CorrectionKey | null {
  const shown = layers.filter(({ muted }) => !muted).reverse();
  return shown.map(({ keys }) => sameAt(keys, { frame, what: about })).find((key) => key !== null) ?? null;
}

/**
 * The layer that a change on top of what is shown goes into: the topmost, unless that is muted or says something about
 * the same at this frame already, which a new key would end there; then a new one, which is null.
 */
export function layerForChange(layers: Layers, about: Correction, frame: number): LayerId | null {
  const layer = layers.at(-1);
  if (!layer) return null;
  const reaches = (key: CorrectionKey) => frame > key.frame - Math.max(key.before, 1) && frame < key.frame + Math.max(key.after, 1);
  const isSaid = layer.keys.some((key) => subjectOf(key.what) === subjectOf(about) && reaches(key));
  return layer.muted || isSaid ? null : idOf(layer);
}

/** One correction after another about the same. */
export function further(before: Correction, change: Correction): Correction {
  if (before.kind === "rotate" && change.kind === "rotate") {
    return { ...before, rotation: combined(before.rotation, change.rotation) };
  }
  if (before.kind !== "pull" || change.kind !== "pull") return change;
  const sum = (part: "left" | "up" | "forward") => within(before.offset[part] + change.offset[part]);
  return { ...before, offset: { left: sum("left"), up: sum("up"), forward: sum("forward") } };
}

const within = (metres: number): number => Math.max(-farthestM, Math.min(metres, farthestM));

export function keysIn(layers: Layers): number {
  return layers.reduce((sum, { keys }) => sum + keys.length, 0);
}

export function keyOf(layers: Layers, id: KeyId | null): CorrectionKey | null {
  return (id === null ? undefined : layers.flatMap(({ keys }) => keys).find((key) => idOf(key) === id)) ?? null;
}

export function layerOf(layers: Layers, id: LayerId | null): CorrectionLayer | null {
  return layers.find((layer) => idOf(layer) === id) ?? null;
}

/** A key that changes nothing yet; its fades end where the clip does. */
export function newKey(what: Correction, frame: number, frames: number): CorrectionKey {
  const [before, after] = [Math.min(firstFade, frame), Math.min(firstFade, frames - 1 - frame)];
  return { frame, what, before, after, ease: "smooth" };
}

/**
 * Adds a key to a layer, or to a new one at the top where there is no such layer, and says which key is there. A layer
 * that has one about the same at the same frame stays as it is.
 */
export function added(layers: Layers, into: LayerId | null, key: CorrectionKey): { layers: Layers; key: CorrectionKey } {
  const layer = layerOf(layers, into);
  if (!layer) return { layers: [...layers, { ...newLayer(), keys: [key] }], key };
  const same = sameAt(layer.keys, key);
  if (same) return { layers, key: same };
  const later = layer.keys.findIndex(({ frame }) => frame > key.frame);
  const at = later < 0 ? layer.keys.length : later;
  const keys = [...layer.keys.slice(0, at), key, ...layer.keys.slice(at)];
  return { layers: withLayer(layers, idOf(layer), { keys }), key };
}

export function newLayer(): CorrectionLayer {
  return { name: "", muted: false, keys: [] };
}

export function withLayer(layers: Layers, id: LayerId, changes: Partial<CorrectionLayer>): Layers {
  return layers.map((each) => (idOf(each) === id ? stateOf(each, { ...each, ...changes }) : each));
}

export function withoutLayer(layers: Layers, id: LayerId): Layers {
  return layers.filter((each) => idOf(each) !== id);
}

/** Changes a key; null where the layer says something about the same at that frame already. */
export function withKey(layers: Layers, id: KeyId, changes: Partial<CorrectionKey>): Layers | null {
  const [layer, own] = [layerWith(layers, id), keyOf(layers, id)];
  if (!layer || !own) return null;
  const next = stateOf(own, { ...own, ...changes });
  const others = layer.keys.filter((each) => each !== own);
  if (sameAt(others, next)) return null;
  return withLayer(layers, idOf(layer), { keys: layer.keys.map((each) => (each === own ? next : each)) });
}

export function withoutKey(layers: Layers, id: KeyId): Layers {
  const layer = layerWith(layers, id);
  return layer ? withLayer(layers, idOf(layer), { keys: layer.keys.filter((each) => idOf(each) !== id) }) : layers;
}

function layerWith(layers: Layers, id: KeyId): CorrectionLayer | null {
  return layers.find(({ keys }) => keys.some((key) => idOf(key) === id)) ?? null;
}

/** The frames that a key reaches, without what would lie outside of the clip. */
export function reachOf({ frame, before, after }: CorrectionKey, frames: number): { start: number; end: number } {
  return { start: Math.max(frame - before, 0), end: Math.min(frame + after + 1, frames) };
}

/** A name as the app takes it: one line. */
export function cleanName(name: string): string {
  return name.replaceAll(/\p{Cc}+/gu, " ").trim();
}

/** The key that says something about the same at the same frame; null where there is none. */
function sameAt(keys: readonly CorrectionKey[], { frame, what }: Pick<CorrectionKey, "frame" | "what">): CorrectionKey | null {
  return keys.find((each) => each.frame === frame && subjectOf(each.what) === subjectOf(what)) ?? null;
}
