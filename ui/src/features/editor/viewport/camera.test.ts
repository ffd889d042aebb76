import { expect, test } from "vitest";
import {
  cameraAxes,
  damped,
  defaultCamera,
  eyePosition,
  framed,
  lookFrom,
  orbited,
  panned,
  presets,
  project,
  zoomed,
  type OrbitCamera,
} from "./camera";
import { cornersOf } from "./bounds";
import { dot, length, minus, type Vec3 } from "./vector";

const body = cornersOf({ low: [-0.7, 0, -0.2], high: [0.7, 1.8, 0.3] });
const reach = (camera: OrbitCamera, aspect: number, points: readonly Vec3[]) =>
  Math.max(...points.map((point) => Math.max(...["x", "y"].map((axis) => Math.abs(project(camera, aspect, point)?.[axis as "x"] ?? 9)))));

test("framing shows every corner with a margin, for every preset and aspect ratio", () => {
  for (const preset of presets) {
    for (const aspect of [0.4, 1, 1.78]) {
      const most = reach(framed(lookFrom(defaultCamera, preset, 0.4), body, aspect), aspect, body);
      expect(most).toBeLessThan(0.9);
      expect(most).toBeGreaterThan(0.5);
    }
  }
});

test("framing keeps the direction and ignores NaN", () => {
  const camera = orbited(defaultCamera, 1, 0.3);
  const near = framed(camera, body, 1);
  expect([near.yawRad, near.pitchRad]).toEqual([camera.yawRad, camera.pitchRad]);
  expect(framed(camera, [], 1)).toBe(camera);
  expect(framed(camera, [[NaN, 0, 0]], 1)).toBe(camera);
});

test("presets look from the named side, whichever way the character faces", () => {
  for (const facing of [0, 2, -3]) {
    const front: Vec3 = [Math.sin(facing), 0, Math.cos(facing)];
    const left: Vec3 = [Math.cos(facing), 0, -Math.sin(facing)];
    const towards = (preset: (typeof presets)[number]) => cameraAxes(lookFrom(defaultCamera, preset, facing)).backward;
    expect(dot(towards("front"), front)).toBeGreaterThan(0.99);
    expect(dot(towards("back"), front)).toBeLessThan(-0.99);
    expect(dot(towards("side"), left)).toBeGreaterThan(0.99);
    expect(dot(towards("threeQuarter"), front)).toBeGreaterThan(0.7);
    expect(dot(towards("threeQuarter"), left)).toBeGreaterThan(0.4);
  }
});

test("orbiting is limited below the zenith and just below the floor", () => {
  expect(orbited(defaultCamera, 10, 10).pitchRad).toBeLessThan(Math.PI / 2);
  expect(orbited(defaultCamera, 0, -10).pitchRad).toBeCloseTo(-0.2);
  expect(Math.abs(orbited(defaultCamera, 10, 0).yawRad)).toBeLessThanOrEqual(Math.PI);
});

test("panning keeps the point under the pointer", () => {
  const camera = framed(defaultCamera, body, 1);
  const moved = project(panned(camera, 0.1, -0.2), 1, camera.target);
  expect(moved?.x).toBeCloseTo(0.2);
  expect(moved?.y).toBeCloseTo(0.4);
});

test("zooming is limited and ignores NaN", () => {
  expect(zoomed(defaultCamera, 0.5).distanceM).toBe(2);
  expect(zoomed(defaultCamera, 1e-30).distanceM).toBe(1e-4);
  for (const factor of [0, -1, NaN, Infinity]) expect(zoomed(defaultCamera, factor)).toBe(defaultCamera);
});

test("points behind the camera are not projected", () => {
  const behind = eyePosition(zoomed(defaultCamera, 1.5));
  expect(project(defaultCamera, 1, behind)).toBeNull();
});

test("a damped camera approaches its target the short way round without overshooting", () => {
  const goal = { ...defaultCamera, yawRad: -3, distanceM: 2, target: [0, 1, 0] as Vec3 };
  let camera: OrbitCamera = { ...defaultCamera, yawRad: 3 };
  let left = length(minus(goal.target, camera.target));
  for (let step = 0; step < 200 && camera !== goal; step += 1) {
    camera = damped(camera, goal, 1 / 60);
    expect(Math.abs(camera.yawRad)).toBeGreaterThanOrEqual(3 - 1e-9);
    expect(camera.distanceM).toBeGreaterThanOrEqual(2);
    const now = length(minus(goal.target, camera.target));
    expect(now).toBeLessThanOrEqual(left);
    left = now;
  }
  expect(camera).toBe(goal);
});
