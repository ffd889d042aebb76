import { expect, test } from "vitest";
import { ticks } from "./scale";

test("words of the ruler never stand closer than they are wide", () => {
  for (const [frames, fps, width] of [[90, 30, 900], [300, 30, 500], [1200, 60, 700], [5, 24, 900]] as const) {
    const large = ticks(frames, fps, width).filter((tick) => tick.words);
    expect(large.length).toBeGreaterThan(0);
    const apart = ((large[1]?.frame ?? frames) - (large[0]?.frame ?? 0)) * (width / frames);
    expect(apart).toBeGreaterThanOrEqual(60);
  }
});

test("a mark says its second and its frame", () => {
  expect(ticks(90, 30, 400).filter((tick) => tick.words).map((tick) => tick.words)).toContain("0.5 s · 15");
});

test("at another rate a second stands at that rate's frame, and at the same place", () => {
  const own = ticks(150, 30, 800).find((tick) => tick.words.startsWith("1 s"));
  const film = ticks(120, 24, 800).find((tick) => tick.words.startsWith("1 s"));
  expect(film?.words).toBe("1 s · 24");
  expect((film?.frame ?? 0) / 120).toBeCloseTo((own?.frame ?? 1) / 150);
});
