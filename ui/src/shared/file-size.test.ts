import { expect, test } from "vitest";
import { formatTimeLeft, formatFileSize } from "./file-size";

test("sizes have suitable units", () => {
  expect([0, 950, 12_300, 7_540_000, 184_000_000, 84_200_000_000].map(formatFileSize)).toEqual([
    "0 B",
    "950 B",
    "12 kB",
    "7.5 MB",
    "184 MB",
    "84 GB",
  ]);
  expect(formatFileSize(999_700)).toBe("1.0 MB");
});

test("the remaining time is known only with a speed", () => {
  expect(formatTimeLeft(120_000_000, 8_000_000)).toBe("15 s left");
  expect(formatTimeLeft(1_800_000_000, 8_000_000)).toBe("4 min left");
  expect(formatTimeLeft(1, 0)).toBe("");
});
