import { expect, test } from "vitest";
import { ticks } from "./scale";

test("labels of the ruler never overlap", () => {
  for (const [frames, fps, width] of [[90, 30, 900], [300, 30, 500], [1200, 60, 700], [5, 24, 900]] as const) {
    const large = ticks(frames, fps, width).filter((tick) => tick.words);
    expect(large.length).toBeGreaterThan(0);
    const apart = ((large[1]?.frame ?? frames) - (large[0]?.frame ?? 0)) * (width / frames);
    expect(apart).toBeGreaterThanOrEqual(60);
  }
});

test("a tick shows its second and frame", () => {
  expect(ticks(90, 30, 400).filter((tick) => tick.words).map((tick) => tick.words)).toContain("0.5 s · 15");
});

test("a second is at the frame of the displayed rate, and in the same place", () => {
  const own = ticks(150, 30, 800).find((tick) => tick.words.startsWith("1 s"));
  const at24 = ticks(120, 24, 800).find((tick) => tick.words.startsWith("1 s"));
  expect(at24?.words).toBe("1 s · 24");
  expect((at24?.frame ?? 0) / 120).toBeCloseTo((own?.frame ?? 1) / 150);
});
