import { expect, test } from "vitest";
import { left, size } from "./sizes";

test("sizes have the unit that suits them", () => {
  expect([0, 950, 12_300, 7_540_000, 184_000_000, 84_200_000_000].map(size)).toEqual([
    "0 B",
    "950 B",
    "12 kB",
    "7.5 MB",
    "184 MB",
    "84 GB",
  ]);
  expect(size(999_700)).toBe("1.0 MB");
});

test("the time that is left is told only when there is a speed", () => {
  expect(left(120_000_000, 8_000_000)).toBe("15 s left");
  expect(left(1_800_000_000, 8_000_000)).toBe("4 min left");
  expect(left(1, 0)).toBe("");
});
