import { expect, test } from "vitest";
import { AdaptiveQuality } from "./quality";

function frames(quality: AdaptiveQuality, count: number, ms: number): void {
  for (let frame = 0; frame < count; frame += 1) quality.frameTook(ms);
}

test("slow frames reduce the quality, a single slow one does not", () => {
  const quality = new AdaptiveQuality();
  frames(quality, 5, 16);
  frames(quality, 1, 90);
  expect(quality.current).toBe("fine");
  frames(quality, 6, 60);
  expect(quality.current).toBe("fast");
});

test("fast frames restore it once, so that it does not flicker", () => {
  const quality = new AdaptiveQuality();
  frames(quality, 6, 60);
  frames(quality, 89, 16);
  expect(quality.current).toBe("fast");
  frames(quality, 1, 16);
  expect(quality.current).toBe("fine");
  frames(quality, 6, 60);
  frames(quality, 500, 16);
  expect(quality.current).toBe("fast");
});

test("pauses do not count as slow frames", () => {
  const quality = new AdaptiveQuality();
  for (let round = 0; round < 20; round += 1) {
    frames(quality, 3, 60);
    quality.reset();
  }
  frames(quality, 20, 5000);
  expect(quality.current).toBe("fine");
});
