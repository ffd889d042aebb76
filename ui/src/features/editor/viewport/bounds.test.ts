import { expect, test } from "vitest";
import { cornersOf, dominantJoint, emptyBox, expand, expandByTransformed, isEmpty, movedBy, simplifiedIndices } from "./bounds";

test("transforms a box with its joint", () => {
  const local = emptyBox();
  expand(local, 0, 0, 0);
  expand(local, 2, 0, 0);
  const world = emptyBox();
  // a quarter turn around z, one metre up
  expandByTransformed(world, local, [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1]);
  expect(world.low).toEqual([0, 1, 0]);
  expect(world.high).toEqual([0, 3, 0]);
  expect(movedBy(world, [1, 0, 0]).high).toEqual([1, 3, 0]);
  expect(new Set(cornersOf(world).map(String)).size).toBe(2);
});

test("an empty box has no effect", () => {
  const world = emptyBox();
  expandByTransformed(world, emptyBox(), [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
  expect(isEmpty(world)).toBe(true);
});

/** A square of 60 × 60 vertices, a metre wide, that all follow joint 3. */
function sheet() {
  const count = 3600;
  const positions = Array.from({ length: count }, (_, at) => [(at % 60) / 59, Math.floor(at / 60) / 59, 0]).flat();
  const joints = Array.from({ length: count }, () => [7, 3, 0, 0]).flat();
  const weights = Array.from({ length: count }, () => [0.2, 0.8, 0, 0]).flat();
  const squares = Array.from({ length: 59 * 59 }, (_, at) => Math.floor(at / 59) * 60 + (at % 59));
  const indices = squares.flatMap((at) => [at, at + 1, at + 60, at + 1, at + 61, at + 60]);
  return { positions, joints, weights, indices };
}

test("simplification reduces triangles, leaves no degenerate ones, and keeps the extent", () => {
  const mesh = sheet();
  const simplified = simplifiedIndices(mesh, mesh.indices, 3.6);
  expect(simplified.length).toBeGreaterThan(0);
  expect(4 * simplified.length).toBeLessThan(mesh.indices.length);
  const farthest = Math.max(...[...simplified].map((vertex) => mesh.positions[3 * vertex] ?? 0));
  expect(farthest).toBeGreaterThan(0.95);
  for (let at = 0; at < simplified.length; at += 3) expect(new Set(simplified.subarray(at, at + 3)).size).toBe(3);
  expect([...simplifiedIndices(mesh, mesh.indices, 0)]).toEqual(mesh.indices);
});

test("assigns a vertex to the joint with the largest weight", () => {
  expect(dominantJoint(sheet(), 59)).toBe(3);
});
