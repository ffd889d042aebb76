import { Quaternion, Vector3 } from "three";
import type { Correction, CorrectionEase, CorrectionKey } from "../../../host";
import { subjectOf, type Layers } from "../corrections/layers";

/** The keys of one subject, as lists by layer, from the lowest upwards; each list by frame. */
type Curves = readonly (readonly CorrectionKey[])[];

/** What differs between two states of the corrections, in one subject. */
export interface CorrectionChange {
  /** A key of the subject, for its joint or limb. */
  about: Correction;
  before: Curves;
  after: Curves;
}

/** The differences between two states of the corrections. */
export function changesBetween(before: Layers, after: Layers): CorrectionChange[] {
  if (before === after) return [];
  const [old, now] = [curvesOf(before), curvesOf(after)];
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((subject) => {
    const [from, to] = [old.get(subject) ?? [], now.get(subject) ?? []];
    const about = (from[0] ?? to[0])?.[0]?.what;
    return !about || JSON.stringify(from) === JSON.stringify(to) ? [] : [{ about, before: from, after: to }];
  });
}

/**
 * What a change adds to a frame that shows the state before; null if nothing. Frames may be
 * fractional.
 */
export function addedAt({ about, before, after }: CorrectionChange, frame: number): Correction | null {
  if (about.kind === "rotate") {
    const { x, y, z, w } = rotationAt(before, frame).invert().multiply(rotationAt(after, frame));
    return Math.hypot(x, y, z) < negligible ? null : { ...about, rotation: { x, y, z, w } };
  }
  const { x, y, z } = offsetAt(after, frame).sub(offsetAt(before, frame));
  return Math.hypot(x, y, z) < negligible ? null : { ...about, offset: { left: x, up: y, forward: z } };
}

/** Smaller offsets and rotations are ignored; metres, or the sine of half the angle. */
const negligible = 1e-6;

function curvesOf(layers: Layers): Map<string, CorrectionKey[][]> {
  const found = new Map<string, CorrectionKey[][]>();
  for (const { keys } of layers.filter(({ muted }) => !muted)) {
    const bySubject = new Map<string, CorrectionKey[]>();
    for (const key of keys) bySubject.set(subjectOf(key.what), [...(bySubject.get(subjectOf(key.what)) ?? []), key]);
    for (const [subject, curve] of bySubject) {
      found.set(subject, [...(found.get(subject) ?? []), curve.sort((one, other) => one.frame - other.frame)]);
    }
  }
  return found;
}

function rotationAt(curves: Curves, frame: number): Quaternion {
  const rotation = ({ what }: CorrectionKey): Quaternion => {
    if (what.kind === "pull") return new Quaternion();
    const { x, y, z, w } = what.rotation;
    return new Quaternion(x, y, z, w).normalize();
  };
  const blend = (from: Quaternion, to: Quaternion, share: number): Quaternion => from.clone().slerp(to, share);
  const values = curves.map((keys) => valueAt(keys, frame, rotation, new Quaternion(), blend));
  return values.reduce((sum, value) => sum.multiply(value), new Quaternion());
}

function offsetAt(curves: Curves, frame: number): Vector3 {
  const offset = ({ what }: CorrectionKey): Vector3 =>
    what.kind === "pull" ? new Vector3(what.offset.left, what.offset.up, what.offset.forward) : new Vector3();
  const blend = (from: Vector3, to: Vector3, share: number): Vector3 => from.clone().lerp(to, share);
  const values = curves.map((keys) => valueAt(keys, frame, offset, new Vector3(), blend));
  return values.reduce((sum, value) => sum.add(value), new Vector3());
}

/** The value of a curve at a frame, as in `curve.rs` of limber-cleanup. */
function valueAt<Value>(
  keys: readonly CorrectionKey[],
  frame: number,
  valueOf: (key: CorrectionKey) => Value,
  nothing: Value,
  blend: (from: Value, to: Value, share: number) => Value,
): Value {
  const behind = keys.findIndex((key) => key.frame > frame);
  const [last, next] = behind < 0 ? [keys.at(-1), undefined] : [keys[behind - 1], keys[behind]];
  const distance = last && next ? next.frame - last.frame : 0;
  if (last && next && last.after + next.before > distance) {
    return blend(valueOf(last), valueOf(next), gone(last.ease, (frame - last.frame) / distance));
  }
  for (const key of [last, next]) {
    const weight = key ? leftAt(key, frame) : 0;
    if (key && weight > 0) return blend(nothing, valueOf(key), weight);
  }
  return nothing;
}

/** How much of a key is left at a frame, 0 to 1. */
function leftAt(key: CorrectionKey, frame: number): number {
  const passed = Math.abs(frame - key.frame);
  const fade = frame < key.frame ? key.before : key.after;
  if (passed === 0) return 1;
  return passed >= fade ? 0 : 1 - gone(key.ease, passed / fade);
}

/** How much of a value is gone after this share of its fade. */
function gone(ease: CorrectionEase, share: number): number {
  switch (ease) {
    case "smooth":
      return smoothstep(share);
    case "gentle":
      return share ** 3 * (10 - 15 * share + 6 * share ** 2);
    case "hold":
      return smoothstep(2 * share - 1);
  }
}

function smoothstep(share: number): number {
  const at = Math.max(0, Math.min(share, 1));
  return at * at * (3 - 2 * at);
}
