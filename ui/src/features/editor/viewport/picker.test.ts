import { expect, test } from "vitest";
import { nearestJoint, reachPx, type ProjectedJoint } from "./picker";

const joint = (index: number, xPx: number, yPx: number, depthM = 4): ProjectedJoint => ({ joint: index, xPx, yPx, depthM });
const picked = (joints: ProjectedJoint[], xPx: number, yPx: number) => nearestJoint(joints, xPx, yPx)?.joint ?? null;

test("picks the nearest joint, in any order", () => {
  const joints = [joint(0, 100, 100), joint(1, 112, 100), joint(2, 300, 100)];
  expect(picked(joints, 103, 100)).toBe(0);
  expect(picked(joints, 110, 100)).toBe(1);
  expect(picked([...joints].reverse(), 110, 100)).toBe(1);
});

test("picks a joint within 24 pixels, and none beyond", () => {
  expect(reachPx).toBe(24);
  expect(picked([joint(0, 0, 0)], 24, 0)).toBe(0);
  expect(picked([joint(0, 0, 0)], 24.1, 0)).toBeNull();
  expect(picked([joint(0, 0, 0)], 18, 18)).toBeNull();
  expect(picked([], 0, 0)).toBeNull();
});

test("picks the frontmost of overlapping joints", () => {
  const joints = [joint(0, 50, 50, 5), joint(1, 51, 50, 3), joint(2, 50, 51, 7)];
  expect(picked(joints, 50, 50)).toBe(1);
  expect(picked([...joints].reverse(), 50, 50)).toBe(1);
});

test("never picks NaN positions", () => {
  expect(picked([joint(0, NaN, 0), joint(1, 5, 0)], 0, 0)).toBe(1);
});
