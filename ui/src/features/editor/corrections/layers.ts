import type { Correction, CorrectionKey, CorrectionLayer } from "../../../host";
import { combined } from "./angles";

export type Layers = readonly CorrectionLayer[];

/** Which key of which layer. */
export interface KeyPlace {
  layer: number;
  key: number;
}

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
export function placeAt(layers: Layers, about: Correction, frame: number): KeyPlace | null {
  const subject = subjectOf(about);
  for (const [layer, { keys, muted }] of [...layers.entries()].reverse()) {
    const key = muted ? -1 : keys.findIndex((each) => each.frame === frame && subjectOf(each.what) === subject);
    if (key >= 0) return { layer, key };
  }
  return null;
}

/**
 * The layer that a change on top of what is shown goes into: `wanted`, unless that is muted or says something about the
 * same at this frame already, which a new key would end there; then a new one.
 */
export function layerForChange(layers: Layers, wanted: number, about: Correction, frame: number): number {
  const layer = layers[wanted];
  if (!layer) return layers.length;
  const reaches = (key: CorrectionKey) => frame > key.frame - Math.max(key.before, 1) && frame < key.frame + Math.max(key.after, 1);
  const isSaid = layer.keys.some((key) => subjectOf(key.what) === subjectOf(about) && reaches(key));
  return layer.muted || isSaid ? layers.length : wanted;
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

export function keyAt(layers: Layers, place: KeyPlace | null): CorrectionKey | null {
  return (place && layers[place.layer]?.keys[place.key]) ?? null;
}

/** A key that changes nothing yet; its fades end where the clip does. */
export function newKey(what: Correction, frame: number, frames: number): CorrectionKey {
  const [before, after] = [Math.min(firstFade, frame), Math.min(firstFade, frames - 1 - frame)];
  return { frame, what, before, after, ease: "smooth" };
}

/**
 * Adds a key to a layer, or to a new one at the top where there is no such layer, and says where it is. A layer
 * that has one about the same at the same frame stays as it is.
 */
export function added(layers: Layers, layer: number, key: CorrectionKey): { layers: Layers; place: KeyPlace } {
  const into = layers[layer];
  if (!into) {
    return { layers: [...layers, { ...newLayer(), keys: [key] }], place: { layer: layers.length, key: 0 } };
  }
  const same = sameAt(into.keys, key);
  if (same >= 0) return { layers, place: { layer, key: same } };
  const later = into.keys.findIndex(({ frame }) => frame > key.frame);
  const at = later < 0 ? into.keys.length : later;
  const keys = [...into.keys.slice(0, at), key, ...into.keys.slice(at)];
  return { layers: withLayer(layers, layer, { keys }), place: { layer, key: at } };
}

export function newLayer(): CorrectionLayer {
  return { name: "", muted: false, keys: [] };
}

export function withLayer(layers: Layers, layer: number, changes: Partial<CorrectionLayer>): Layers {
  return layers.map((each, at) => (at === layer ? { ...each, ...changes } : each));
}

export function withoutLayer(layers: Layers, layer: number): Layers {
  return layers.filter((_, at) => at !== layer);
}

/** Changes a key; null where the layer says something about the same at that frame already. */
export function withKey(layers: Layers, place: KeyPlace, changes: Partial<CorrectionKey>): Layers | null {
  const { layer, key } = place;
  const keys = layers[layer]?.keys ?? [];
  const own = keys[key];
  if (!own) return null;
  const next = { ...own, ...changes };
  const same = sameAt(keys, next);
  if (same >= 0 && same !== key) return null;
  return withLayer(layers, layer, { keys: keys.map((each, at) => (at === key ? next : each)) });
}

export function withoutKey(layers: Layers, { layer, key }: KeyPlace): Layers {
  return withLayer(layers, layer, { keys: (layers[layer]?.keys ?? []).filter((_, at) => at !== key) });
}

/** The frames that a key reaches, without what would lie outside of the clip. */
export function reachOf({ frame, before, after }: CorrectionKey, frames: number): { start: number; end: number } {
  return { start: Math.max(frame - before, 0), end: Math.min(frame + after + 1, frames) };
}

/** A name as the app takes it: one line. */
export function cleanName(name: string): string {
  return name.replaceAll(/\p{Cc}+/gu, " ").trim();
}

/** The place of the key that says something about the same at the same frame; -1 where there is none. */
function sameAt(keys: readonly CorrectionKey[], { frame, what }: CorrectionKey): number {
  return keys.findIndex((each) => each.frame === frame && subjectOf(each.what) === subjectOf(what));
}
