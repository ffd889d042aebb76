import { expect, test } from "vitest";
import type { Correction, CorrectionKey, CorrectionLayer } from "../../../host";
import { anglesOf, rotationOf } from "./angles";
import { idOf } from "../object-ids";
import { withAddedKey, freeFrame, combineCorrections, keyOf, layerForChange, neighbour, shownKeyAt, withKey, withLayer, withoutLayer } from "./layers";

const up = (metres: number): Correction => ({ kind: "pull", limb: "leftHand", offset: { left: 0, up: metres, forward: 0 } });
const bent = (degrees: number): Correction => ({ kind: "rotate", joint: "head", rotation: rotationOf([degrees, 0, 0]) });
const key = (frame: number, what = up(0.1)): CorrectionKey => ({ frame, what, before: 5, after: 5, ease: "smooth" });
const layer = (muted: boolean, ...keys: CorrectionKey[]): CorrectionLayer => ({ name: "", muted, keys });

test("finds the topmost visible key of the same subject at a frame", () => {
  const layers = [layer(false, key(10)), layer(false, key(10, bent(5)), key(10)), layer(true, key(10))];
  expect(shownKeyAt(layers, up(0), 10)).toBe(layers[1]?.keys[1]);
  expect(shownKeyAt(layers, bent(0), 10)).toBe(layers[1]?.keys[0]);
  expect(shownKeyAt(layers, up(0), 11)).toBeNull();
});

test("adds a change to a layer where it cuts off no visible correction", () => {
  const topmost = layer(false, key(10));
  const layers = [layer(false), topmost];
  expect(layerForChange([], up(0), 10)).toBeNull();
  expect(layerForChange(layers, up(0), 12)).toBeNull();
  expect(layerForChange(layers, up(0), 15)).toBe(idOf(topmost));
  expect(layerForChange(layers, bent(0), 12)).toBe(idOf(topmost));
  expect(layerForChange([layer(true)], bent(0), 12)).toBeNull();
});

test("keys and layers keep their identity when they move", () => {
  const [low, high] = [layer(false, key(3)), layer(false, key(10))];
  const id = idOf(high.keys[0]!);
  const earlier = withAddedKey([low, high], idOf(high), key(5, bent(4))).layers;
  const moved = withKey(earlier, id, { frame: 40 })!;
  const alone = withLayer(withoutLayer(moved, idOf(low)), idOf(high), { name: "High" });
  expect(alone).toHaveLength(1);
  expect(alone[0]).toMatchObject({ name: "High" });
  expect(keyOf(alone, id)).toMatchObject({ frame: 40 });
  expect(keyOf(alone, idOf(low.keys[0]!))).toBeNull();
});

test("combines two corrections, within the limits", () => {
  const turned = combineCorrections(bent(20), bent(15));
  expect(turned.kind === "rotate" && anglesOf(turned.rotation)[0]).toBeCloseTo(35);
  expect(combineCorrections(up(0.1), up(0.25))).toEqual(up(0.35));
  expect(combineCorrections(up(2.9), up(1))).toEqual(up(3));
});

test("combines rotations in the space of the first one", () => {
  const first: Correction = { kind: "rotate", joint: "head", rotation: rotationOf([90, 0, 0]) };
  const then: Correction = { kind: "rotate", joint: "head", rotation: rotationOf([0, 30, 0]) };
  const both = combineCorrections(first, then);
  expect(both.kind === "rotate" && anglesOf(both.rotation).map(Math.round)).toEqual([90, 30, 0]);
});

test("finds neighbouring keys across layers, also at the same frame", () => {
  const [a, b, c, d] = [key(30), key(10), key(30), key(50, bent(5))];
  const layers = [layer(false, a, b), layer(true, c, d)];
  const at = (frame: number, from: CorrectionKey | null, step: -1 | 1) => neighbour(layers, frame, from && idOf(from), step);
  expect([at(0, null, 1), at(10, b, 1), at(30, a, 1), at(30, c, 1), at(50, d, 1)]).toEqual([b, a, c, d, null]);
  expect([at(149, null, -1), at(50, d, -1), at(30, c, -1), at(30, a, -1), at(10, b, -1)]).toEqual([d, c, a, b, null]);
  // the playhead has left the selected one
  expect([at(20, d, 1), at(40, b, -1)]).toEqual([a, c]);
  expect(neighbour([], 5, null, 1)).toBeNull();
});

test("moves a key past others of its joint and stops at the ends of the clip", () => {
  const own = key(50);
  const layers = [layer(false, own, key(60), key(61), key(98), key(99), key(55, bent(5))), layer(false, key(70))];
  const to = (wanted: number) => freeFrame(layers, idOf(own), wanted, 100);
  expect([to(55), to(60), to(70), to(98), to(400), to(-3), to(50), to(52.4)]).toEqual([55, 62, 70, 97, 97, 0, 50, 52]);
  expect(freeFrame(layers, -1, 5, 100)).toBeNull();
  const twice = key(50);
  expect(freeFrame([layer(false, own, twice)], idOf(own), 50, 100)).toBe(50);
});
