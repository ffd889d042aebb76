import type { Correction, CorrectionKey, CorrectionLayer } from "../../../host";
import { idOf, withIdOf } from "../object-ids";
import { combineRotations } from "./angles";

export type Layers = readonly CorrectionLayer[];

/** Ids of keys and layers, stable through all states of the history. */
export type KeyId = number;
export type LayerId = number;

export const maxLayers = 100;
/** The most keys in all layers together. */
export const maxKeys = 500;
/** The farthest pull in one direction, in metres. */
export const maxOffsetM = 3;
/** Frames over which a new key fades in, and out again. */
const firstFade = 10;

/**
 * What a key affects: `pull leftHand`, `rotate head`. A layer has at most one such key per frame.
 */
export function subjectOf(what: Correction): string {
  return what.kind === "pull" ? `pull ${what.limb}` : `rotate ${what.joint}`;
}

/** The topmost visible key of the same joint at a frame; null if there is none. */
export function shownKeyAt(layers: Layers, about: Correction, frame: number): CorrectionKey | null {
  const shown = layers.filter(({ muted }) => !muted).reverse();
  return shown.map(({ keys }) => sameAt(keys, { frame, what: about })).find((key) => key !== null) ?? null;
}

/**
 * The layer for a change relative to the shown pose: the topmost, unless that is muted or has a key
 * of the same joint whose fade a new key would cut short here; then null, for a new layer.
 */
export function layerForChange(layers: Layers, about: Correction, frame: number): LayerId | null {
  const layer = layers.at(-1);
  if (!layer) return null;
  const reaches = (key: CorrectionKey) => frame > key.frame - Math.max(key.before, 1) && frame < key.frame + Math.max(key.after, 1);
  const isSaid = layer.keys.some((key) => subjectOf(key.what) === subjectOf(about) && reaches(key));
  return layer.muted || isSaid ? null : idOf(layer);
}

/** Combines two corrections of the same joint. */
export function combineCorrections(before: Correction, change: Correction): Correction {
  if (before.kind === "rotate" && change.kind === "rotate") {
    return { ...before, rotation: combineRotations(before.rotation, change.rotation) };
  }
  if (before.kind !== "pull" || change.kind !== "pull") return change;
  const sum = (part: "left" | "up" | "forward") => within(before.offset[part] + change.offset[part]);
  return { ...before, offset: { left: sum("left"), up: sum("up"), forward: sum("forward") } };
}

const within = (metres: number): number => Math.max(-maxOffsetM, Math.min(metres, maxOffsetM));

export function keysIn(layers: Layers): number {
  return layers.reduce((sum, { keys }) => sum + keys.length, 0);
}

export function keyOf(layers: Layers, id: KeyId | null): CorrectionKey | null {
  return (id === null ? undefined : layers.flatMap(({ keys }) => keys).find((key) => idOf(key) === id)) ?? null;
}

export function layerOf(layers: Layers, id: LayerId | null): CorrectionLayer | null {
  return layers.find((layer) => idOf(layer) === id) ?? null;
}

/** A key without effect yet; its fades stay within the clip. */
export function newKey(what: Correction, frame: number, frames: number): CorrectionKey {
  const [before, after] = [Math.min(firstFade, frame), Math.min(firstFade, frames - 1 - frame)];
  return { frame, what, before, after, ease: "smooth" };
}

/**
 * Adds a key to a layer, or to a new topmost one if there is no such layer, and returns the key
 * that is there afterwards. An existing key of the same joint at the same frame is kept.
 */
export function withAddedKey(layers: Layers, into: LayerId | null, key: CorrectionKey): { layers: Layers; key: CorrectionKey } {
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
  return layers.map((each) => (idOf(each) === id ? withIdOf(each, { ...each, ...changes }) : each));
}

export function withoutLayer(layers: Layers, id: LayerId): Layers {
  return layers.filter((each) => idOf(each) !== id);
}

/** Changes a key; null if the layer already has a key of the same joint at that frame. */
export function withKey(layers: Layers, id: KeyId, changes: Partial<CorrectionKey>): Layers | null {
  const [layer, own] = [layerWith(layers, id), keyOf(layers, id)];
  if (!layer || !own) return null;
  const next = withIdOf(own, { ...own, ...changes });
  const others = layer.keys.filter((each) => each !== own);
  if (sameAt(others, next)) return null;
  return withLayer(layers, idOf(layer), { keys: layer.keys.map((each) => (each === own ? next : each)) });
}

/**
 * The frame where a key ends up that is moved to `wanted`: within the clip, and not where its layer
 * already has a key of the same joint. Such frames are skipped in the direction of the move.
 */
export function freeFrame(layers: Layers, id: KeyId, wanted: number, frames: number): number | null {
  const [layer, own] = [layerWith(layers, id), keyOf(layers, id)];
  if (!layer || !own) return null;
  const same = layer.keys.filter((each) => each !== own && subjectOf(each.what) === subjectOf(own.what));
  const taken = new Set(same.map(({ frame }) => frame));
  const target = Math.max(0, Math.min(Math.round(wanted), frames - 1));
  const step = Math.sign(target - own.frame);
  if (step === 0) return own.frame;
  for (let frame = target; frame >= 0 && frame < frames; frame += step) if (!taken.has(frame)) return frame;
  // keys up to the end of the clip are in the way
  for (let frame = target; frame !== own.frame; frame -= step) if (!taken.has(frame)) return frame;
  return own.frame;
}

/**
 * The key before or after a frame, in any layer; null at either end. From the key `from`, if it is
 * at that frame, also another one at the same frame.
 */
export function neighbour(layers: Layers, frame: number, from: KeyId | null, step: -1 | 1): CorrectionKey | null {
  const keys = layers.flatMap(({ keys }) => keys).sort((one, other) => one.frame - other.frame);
  const at = keys.findIndex((key) => idOf(key) === from && key.frame === frame);
  if (at >= 0) return keys[at + step] ?? null;
  const there = keys.filter((key) => (step > 0 ? key.frame > frame : key.frame < frame));
  return there.at(step > 0 ? 0 : -1) ?? null;
}

export function withoutKey(layers: Layers, id: KeyId): Layers {
  const layer = layerWith(layers, id);
  return layer ? withLayer(layers, idOf(layer), { keys: layer.keys.filter((each) => idOf(each) !== id) }) : layers;
}

function layerWith(layers: Layers, id: KeyId): CorrectionLayer | null {
  return layers.find(({ keys }) => keys.some((key) => idOf(key) === id)) ?? null;
}

/** The frames that a key affects, clamped to the clip. */
export function frameRangeOf({ frame, before, after }: CorrectionKey, frames: number): { start: number; end: number } {
  return { start: Math.max(frame - before, 0), end: Math.min(frame + after + 1, frames) };
}

/** A name as the app accepts it: a single line. */
export function cleanName(name: string): string {
  return name.replaceAll(/\p{Cc}+/gu, " ").trim();
}

/** The key of the same joint at the same frame; null if there is none. */
function sameAt(keys: readonly CorrectionKey[], { frame, what }: Pick<CorrectionKey, "frame" | "what">): CorrectionKey | null {
  return keys.find((each) => each.frame === frame && subjectOf(each.what) === subjectOf(what)) ?? null;
}
