import { expect, test } from "vitest";
import type { Correction, CorrectionKey } from "../../../host";
import { anglesOf, rotationOf } from "../corrections/angles";
import { amountOn, handlesOf, linesOf, marksOf, percentDown, pointsOf, rangeOf, withAmount } from "./curve";

const values = (...numbers: number[]) => Float32Array.from(numbers);
const curves = {
  ...{ bone: "head", heightCm: values(150, 160), speedCmS: values(0, 300) },
  rotationDeg: [values(0, 10), values(-30, 0), values(5, 5)] as const,
};
const key = (what: Correction): CorrectionKey => ({ frame: 0, what, before: 1, after: 1, ease: "smooth" });
const pull = key({ kind: "pull", limb: "leftHand", offset: { left: 0.1, up: 0.2, forward: 0 } });
const turn = key({ kind: "rotate", joint: "head", rotation: rotationOf([10, 20, 30]) });

test("the three axes share a scale with a margin", () => {
  const lines = linesOf(curves, "rotation");
  expect(lines.map(({ name }) => name)).toEqual(["x", "y", "z"]);
  const range = rangeOf(lines, "rotation");
  expect(range.low).toBeCloseTo(-33.2);
  expect(range.high).toBeCloseTo(13.2);
  expect(percentDown(range.high, range)).toBe(0);
  expect(percentDown(range.low, range)).toBeCloseTo(100);
});

test("a constant value is a flat line, and speed starts at zero", () => {
  const still = rangeOf([{ name: "height", values: values(100, 100.1) }], "height");
  expect(still.high - still.low).toBeGreaterThan(10);
  const slow = rangeOf([{ name: "speed", values: values(1, 2) }], "speed");
  expect(percentDown(0, slow)).toBeGreaterThan(90);
  expect(slow.high).toBeGreaterThan(40);
  expect(rangeOf([], "rotation").high).toBeGreaterThan(0);
});

test("a point is at the centre of its frame", () => {
  expect(pointsOf(values(0, 10), { low: 0, high: 10 })).toBe("0.5,100.00 1.5,0.00");
});

test("marks a few round values at any scale", () => {
  expect(marksOf({ low: -33, high: 13 })).toEqual([-20, 0]);
  expect(marksOf({ low: 0, high: 300 })).toEqual([0, 100, 200, 300]);
  expect(marksOf({ low: 0.01, high: 0.02 }).length).toBeLessThan(5);
});

test("a rotation has a handle per axis, a position one on the height, and neither on the speed", () => {
  expect([handlesOf(turn, "rotation"), handlesOf(turn, "height"), handlesOf(pull, "speed")]).toEqual([["x", "y", "z"], [], []]);
  expect(handlesOf(pull, "height")).toEqual(["height"]);
  expect(amountOn(pull, "height")).toBe(20);
  expect(amountOn(turn, "z")).toBeCloseTo(30);
});

test("changes one amount within the limits and keeps the others", () => {
  expect(withAmount(pull, "height", 35)).toMatchObject({ offset: { left: 0.1, up: 0.35, forward: 0 } });
  expect(withAmount(pull, "height", 9999)).toMatchObject({ offset: { up: 3 } });
  const turned = withAmount(turn, "x", 40);
  expect(turned.kind === "rotate" && anglesOf(turned.rotation).map(Math.round)).toEqual([40, 20, 30]);
  const far = withAmount(turn, "y", 200);
  expect(far.kind === "rotate" && Math.round(anglesOf(far.rotation)[1])).toBe(90);
});
