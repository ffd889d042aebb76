import { expect, test } from "vitest";
import { lanesOf } from "./lanes";

const bars = (...spans: [start: number, end: number][]) => spans.map(([start, end], id) => ({ id, start, end }));
const lanes = (...spans: [start: number, end: number][]) => [...lanesOf(bars(...spans)).of].sort(([a], [b]) => a - b).map(([, lane]) => lane);

test("overlapping bars get different lanes, others share the first", () => {
  expect(lanes([0, 10], [10, 20], [25, 30])).toEqual([0, 0, 0]);
  expect(lanes([5, 15], [0, 10], [15, 20])).toEqual([1, 0, 0]);
  expect(lanes([3, 9], [3, 9])).toEqual([0, 1]);
});

test("a row has at most three lanes", () => {
  const many = lanesOf(Array.from({ length: 500 }, (_, id) => ({ id, start: 5, end: 6 })));
  expect(many.count).toBe(3);
  expect(many.of.get(499)).toBe(2);
  expect(lanesOf([]).count).toBe(1);
});
