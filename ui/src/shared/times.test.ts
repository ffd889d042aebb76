import { expect, test } from "vitest";
import { ago, length, moment } from "./times";

test("a length is told in seconds and frames together", () => {
  expect(length(180, 30)).toBe("6.0 s · 180 frames");
  expect(length(1, 30)).toBe("0.0 s · 1 frame");
});

test("ages are told in the words people use", () => {
  const now = new Date("2026-05-10T12:00:00Z");
  expect(ago("2026-05-10T11:59:40Z", now)).toBe("just now");
  expect(ago("2026-05-10T11:15:00Z", now)).toBe("45 min ago");
  expect(ago("2026-05-10T02:00:00Z", now)).toBe("10 h ago");
  expect(ago("2026-05-09T10:00:00Z", now)).toBe("yesterday");
  expect(ago("2026-05-05T10:00:00Z", now)).toBe("5 days ago");
  expect(ago("not a date", now)).toBe("");
});

test("a moment is told in seconds and as a frame", () => {
  expect(moment(36, 30)).toBe("1.20 s · frame 36");
});
