import { expect, test } from "vitest";
import { formatAge, formatLength, formatPosition } from "./time-labels";

test("formats a length in seconds and frames", () => {
  expect(formatLength(180, 30)).toBe("6.0 s · 180 frames");
  expect(formatLength(1, 30)).toBe("0.0 s · 1 frame");
});

test("formats an age", () => {
  const now = new Date("2026-05-10T12:00:00Z");
  expect(formatAge("2026-05-10T11:59:40Z", now)).toBe("just now");
  expect(formatAge("2026-05-10T11:15:00Z", now)).toBe("45 min ago");
  expect(formatAge("2026-05-10T02:00:00Z", now)).toBe("10 h ago");
  expect(formatAge("2026-05-09T10:00:00Z", now)).toBe("yesterday");
  expect(formatAge("2026-05-05T10:00:00Z", now)).toBe("5 days ago");
  expect(formatAge("not a date", now)).toBe("");
});

test("formats a position in seconds and as a frame", () => {
  expect(formatPosition(36, 30)).toBe("1.20 s · frame 36");
});
