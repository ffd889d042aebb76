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
