import { expect, test } from "vitest";
import type { Correction, CorrectionEase, CorrectionKey, CorrectionLayer } from "../../../host";
import { anglesOf, rotationOf } from "../corrections/angles";
import type { Layers } from "../corrections/layers";
import { addedAt, changesBetween } from "./correction-changes";

const up = (metres: number): Correction => ({ kind: "pull", limb: "leftHand", offset: { left: 0, up: metres, forward: 0 } });
const bent = (degrees: number): Correction => ({ kind: "rotate", joint: "head", rotation: rotationOf([degrees, 0, 0]) });
const key = (frame: number, what: Correction, fade = 8, ease: CorrectionEase = "smooth"): CorrectionKey => ({ frame, what, before: fade, after: fade, ease });
const layer = (...keys: CorrectionKey[]): CorrectionLayer => ({ name: "", muted: false, keys });

/** What is added at a frame, in metres upwards or degrees about X, summed up. */
function withAddedKey(before: Layers, after: Layers, frame: number): number {
  const found = changesBetween(before, after).flatMap((change) => addedAt(change, frame) ?? []);
  return found.reduce((sum, what) => sum + (what.kind === "pull" ? what.offset.up : anglesOf(what.rotation)[0]), 0);
}

test.each<[CorrectionEase, number, number]>([
  ["smooth", 2, 1 - 0.15625],
  ["gentle", 2, 1 - 0.103515625],
  ["hold", 4, 1],
  ["hold", 6, 0.5],
])("a new correction fades as in the app (%s, %d frames of 8)", (ease, passed, left) => {
  for (const [what, full, digits] of [[up(0.4), 0.4, 6], [bent(40), 40, 4]] as const) {
    const now = [layer(key(50, what, 8, ease))];
    expect(withAddedKey([], now, 50)).toBeCloseTo(full, digits);
    expect(withAddedKey([], now, 50 + passed)).toBeCloseTo(full * left, digits);
    expect(withAddedKey([], now, 50 - passed)).toBeCloseTo(full * left, digits);
    expect([withAddedKey([], now, 58), withAddedKey([], now, 42)]).toEqual([0, 0]);
  }
});

test("a correction without fades changes only its frame", () => {
  const now = [layer(key(50, up(0.4), 0))];
  expect([49, 49.5, 50, 50.5, 51].map((frame) => withAddedKey([], now, frame))).toEqual([0, 0, 0.4, 0, 0]);
});

test("corrections contained in the file are not added again, wherever they move", () => {
  const before = [layer(key(50, bent(40)))];
  expect(withAddedKey(before, [layer(key(54, bent(40)))], 50)).toBeCloseTo(-20, 4);
  expect(withAddedKey(before, [layer(key(54, bent(40)))], 54)).toBeCloseTo(20, 4);
  expect(withAddedKey(before, [layer(key(50, bent(55)))], 50)).toBeCloseTo(15, 4);
  expect(withAddedKey(before, [], 50)).toBeCloseTo(-40, 4);
  expect(withAddedKey(before, [{ ...layer(key(50, bent(40))), muted: true }], 50)).toBeCloseTo(-40, 4);
  expect(changesBetween(before, structuredClone(before))).toEqual([]);
  expect(changesBetween(before, [layer(key(50, bent(40)), key(50, up(0.1)))])).toHaveLength(1);
});

test("adjacent corrections blend, and layers add up", () => {
  const meeting = [layer(key(60, up(0.3)), key(50, up(0.1)))];
  expect(withAddedKey([], meeting, 55)).toBeCloseTo(0.2, 6);
  expect(withAddedKey([], [layer(key(50, up(0.1), 5), key(60, up(0.3), 5))], 55)).toBe(0);
  const low = layer(key(50, bent(10)));
  expect(withAddedKey([low], [low, layer(key(54, bent(30)))], 54)).toBeCloseTo(30, 4);
  const two = [{ ...low, keys: [key(50, { kind: "rotate", joint: "head", rotation: rotationOf([90, 0, 0]) })] }, layer(key(50, { kind: "rotate", joint: "head", rotation: rotationOf([0, 30, 0]) }))];
  const [change] = changesBetween([], two);
  const what = change && addedAt(change, 50);
  expect(what?.kind === "rotate" && anglesOf(what.rotation).map(Math.round)).toEqual([90, 30, 0]);
});

test("compares 500 corrections joint by joint", () => {
  const keys = Array.from({ length: 500 }, (_, at) => key(at % 150, { kind: "rotate", joint: `joint${at % 50}`, rotation: rotationOf([5, 0, 0]) }));
  const moved = keys.map((each, at) => (at === 420 ? { ...each, frame: 149 } : each));
  expect(changesBetween([layer(...keys)], [layer(...moved)]).map(({ about }) => about)).toEqual([expect.objectContaining({ joint: "joint20" })]);
});
