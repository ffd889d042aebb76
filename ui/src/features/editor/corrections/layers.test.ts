import { expect, test } from "vitest";
import type { Correction, CorrectionKey, CorrectionLayer } from "../../../host";
import { anglesOf, rotationOf } from "./angles";
import { idOf } from "../identity";
import { added, further, keyOf, layerForChange, shownKeyAt, withKey, withLayer, withoutLayer } from "./layers";

const up = (metres: number): Correction => ({ kind: "pull", limb: "leftHand", offset: { left: 0, up: metres, forward: 0 } });
const bent = (degrees: number): Correction => ({ kind: "rotate", joint: "head", rotation: rotationOf([degrees, 0, 0]) });
const key = (frame: number, what = up(0.1)): CorrectionKey => ({ frame, what, before: 5, after: 5, ease: "smooth" });
const layer = (muted: boolean, ...keys: CorrectionKey[]): CorrectionLayer => ({ name: "", muted, keys });

test("the key at a frame is the topmost that is shown and about the same", () => {
  const layers = [layer(false, key(10)), layer(false, key(10, bent(5)), key(10)), layer(true, key(10))];
  expect(shownKeyAt(layers, up(0), 10)).toBe(layers[1]?.keys[1]);
  expect(shownKeyAt(layers, bent(0), 10)).toBe(layers[1]?.keys[0]);
  expect(shownKeyAt(layers, up(0), 11)).toBeNull();
});

test("a change goes where it ends no correction that is shown at its frame", () => {
  const topmost = layer(false, key(10));
  const layers = [layer(false), topmost];
  expect(layerForChange([], up(0), 10)).toBeNull();
  expect(layerForChange(layers, up(0), 12)).toBeNull();
  expect(layerForChange(layers, up(0), 15)).toBe(idOf(topmost));
  expect(layerForChange(layers, bent(0), 12)).toBe(idOf(topmost));
  expect(layerForChange([layer(true)], bent(0), 12)).toBeNull();
});

test("a key and a layer are the same ones in all states, wherever they come to stand", () => {
  const [low, high] = [layer(false, key(3)), layer(false, key(10))];
  const id = idOf(high.keys[0]!);
  const earlier = added([low, high], idOf(high), key(5, bent(4))).layers;
  const moved = withKey(earlier, id, { frame: 40 })!;
  const alone = withLayer(withoutLayer(moved, idOf(low)), idOf(high), { name: "High" });
  expect(alone).toHaveLength(1);
  expect(alone[0]).toMatchObject({ name: "High" });
  expect(keyOf(alone, id)).toMatchObject({ frame: 40 });
  expect(keyOf(alone, idOf(low.keys[0]!))).toBeNull();
});

test("one correction after another is both, as far as anything is pulled", () => {
  const turned = further(bent(20), bent(15));
  expect(turned.kind === "rotate" && anglesOf(turned.rotation)[0]).toBeCloseTo(35);
  expect(further(up(0.1), up(0.25))).toEqual(up(0.35));
  expect(further(up(2.9), up(1))).toEqual(up(3));
});

test("rotations follow each other in the space that the first one leads to", () => {
  const first: Correction = { kind: "rotate", joint: "head", rotation: rotationOf([90, 0, 0]) };
  const then: Correction = { kind: "rotate", joint: "head", rotation: rotationOf([0, 30, 0]) };
  const both = further(first, then);
  expect(both.kind === "rotate" && anglesOf(both.rotation).map(Math.round)).toEqual([90, 30, 0]);
});
