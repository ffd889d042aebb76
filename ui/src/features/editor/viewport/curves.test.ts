import { expect, test } from "vitest";
import { rotationOf } from "../corrections/angles";
import { curvesOf, type JointSample } from "./curves";

const still = rotationOf([0, 0, 0]);
const samples = (count: number, sample: (frame: number) => Partial<JointSample>): JointSample[] =>
  Array.from({ length: count }, (_, frame) => ({ rotation: still, place: [0, 0, 0], ...sample(frame) }));

test("height is relative to the floor, and speed is measured between neighbouring frames", () => {
  const { heightCm, speedCmS } = curvesOf("head", samples(4, (frame) => ({ place: [0.02 * frame, 1.5, 0] })), 30);
  expect([...heightCm].map((each) => Math.round(each))).toEqual([150, 150, 150, 150]);
  expect([...speedCmS].map((each) => Math.round(each))).toEqual([60, 60, 60, 60]);
});

test("rotation curves have no jumps beyond 180 degrees", () => {
  const { rotationDeg } = curvesOf("hips", samples(19, (frame) => ({ rotation: rotationOf([0, 0, 20 * frame]) })), 30);
  expect([...rotationDeg[2]].map((each) => Math.round(each))).toEqual(Array.from({ length: 19 }, (_, frame) => 20 * frame));
  const [x, y] = curvesOf("hips", samples(13, (frame) => ({ rotation: rotationOf([0, 10 * frame, 0]) })), 30).rotationDeg;
  expect([...y].map((each) => Math.round(each))).toEqual(Array.from({ length: 13 }, (_, frame) => 10 * frame));
  expect(Math.max(...x.map(Math.abs))).toBeLessThan(1);
});

test("a single frame has no speed", () => {
  expect([...curvesOf("head", samples(1, () => ({})), 30).speedCmS]).toEqual([0]);
});
