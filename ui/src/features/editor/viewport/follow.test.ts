import { expect, test } from "vitest";
import { clipTime, facingRad, pointAlong, smoothPath } from "./follow";
import type { Vec3 } from "./vector";

test("the camera follows the hips without overshooting", () => {
  const step: Vec3[] = [[0, 0, 0], ...Array.from({ length: 60 }, (): Vec3 => [1, 0, 0])];
  const path = smoothPath(step, 30).map(([x]) => x);
  expect(path[0]).toBe(0);
  for (const [at, x] of path.entries()) {
    expect(x).toBeGreaterThanOrEqual(path[Math.max(at - 1, 0)] ?? 0);
    expect(x).toBeLessThanOrEqual(1);
  }
  // 90 % after half a second
  expect(path[15]).toBeGreaterThan(0.88);
  expect(path[15]).toBeLessThan(0.92);
});

test("interpolates the path between frames and clamps it at the ends", () => {
  const path: Vec3[] = [[0, 0, 0], [2, 0, 0]];
  expect(pointAlong(path, 0.25)[0]).toBe(0.5);
  expect(pointAlong(path, -3)[0]).toBe(0);
  expect(pointAlong(path, 9)[0]).toBe(2);
  expect(pointAlong([], 1)).toEqual([0, 0, 0]);
});

test("maps a frame to the time of its key, within the animation", () => {
  expect(clipTime(45, 90, 30)).toBe(1.5);
  expect(clipTime(45.5, 90, 30)).toBeCloseTo(1.51667);
  expect(clipTime(200, 90, 30)).toBeCloseTo(89 / 30);
  for (const frame of [-1, NaN, Infinity]) expect(clipTime(frame, 90, 30)).toBe(0);
  expect(clipTime(0, 0, 30)).toBe(0);
});

test("the hips face perpendicular to the line from the right to the left leg", () => {
  expect(facingRad([0.1, 1, 0], [-0.1, 1, 0])).toBeCloseTo(0);
  // turned to the left: the left leg is behind
  expect(facingRad([0, 1, -0.1], [0, 1, 0.1])).toBeCloseTo(Math.PI / 2);
  expect(facingRad(null, [0, 1, 0])).toBe(0);
  expect(facingRad([0, 1, 0], [0, 2, 0])).toBe(0);
});
