import type { Vec3 } from "./vector";

/** An axis-aligned box in metres. Empty while `low` is above `high`. */
export interface Box {
  low: [number, number, number];
  high: [number, number, number];
}

export const emptyBox = (): Box => ({ low: [Infinity, Infinity, Infinity], high: [-Infinity, -Infinity, -Infinity] });
export const isEmpty = (box: Box): boolean => !(box.low[0] <= box.high[0]);
export const centerOf = ({ low, high }: Box): Vec3 => [
  (low[0] + high[0]) / 2,
  (low[1] + high[1]) / 2,
  (low[2] + high[2]) / 2,
];
export const sizeOf = ({ low, high }: Box): Vec3 => [high[0] - low[0], high[1] - low[1], high[2] - low[2]];

export function expand(box: Box, x: number, y: number, z: number): void {
  const { low, high } = box;
  low[0] = Math.min(low[0], x);
  low[1] = Math.min(low[1], y);
  low[2] = Math.min(low[2], z);
  high[0] = Math.max(high[0], x);
  high[1] = Math.max(high[1], y);
  high[2] = Math.max(high[2], z);
}

export function cornersOf({ low, high }: Box): Vec3[] {
  const bit = (index: number, axis: 0 | 1 | 2) => (index & (1 << axis) ? high[axis] : low[axis]);
  return Array.from({ length: 8 }, (_, index): Vec3 => [bit(index, 0), bit(index, 1), bit(index, 2)]);
}

export function movedBy({ low, high }: Box, offset: Vec3): Box {
  const moved = (corner: Box["low"]): Box["low"] => [corner[0] + offset[0], corner[1] + offset[1], corner[2] + offset[2]];
  return { low: moved(low), high: moved(high) };
}

/** Expands a box in world space by one in the space of a joint; `matrix` is the joint's, in column-major order. */
export function expandByTransformed(world: Box, local: Box, matrix: ArrayLike<number>): void {
  if (isEmpty(local)) return;
  const center = centerOf(local);
  const size = sizeOf(local);
  const m = (at: number) => matrix[at] ?? 0;
  for (const axis of [0, 1, 2] as const) {
    const middle = m(axis) * center[0] + m(4 + axis) * center[1] + m(8 + axis) * center[2] + m(12 + axis);
    const reach = (Math.abs(m(axis)) * size[0] + Math.abs(m(4 + axis)) * size[1] + Math.abs(m(8 + axis)) * size[2]) / 2;
    world.low[axis] = Math.min(world.low[axis], middle - reach);
    world.high[axis] = Math.max(world.high[axis], middle + reach);
  }
}

/** The skinned vertices of a mesh, as flat arrays. */
export interface SkinnedVertices {
  /** Three per vertex. */
  positions: ArrayLike<number>;
  /** Four per vertex. */
  joints: ArrayLike<number>;
  weights: ArrayLike<number>;
}

/** The joint with the largest weight on a vertex. */
export function dominantJoint({ joints, weights }: SkinnedVertices, vertex: number): number {
  let best = 4 * vertex;
  for (let at = best + 1; at < 4 * vertex + 4; at += 1) {
    if ((weights[at] ?? 0) > (weights[best] ?? 0)) best = at;
  }
  return joints[best] ?? 0;
}

/** Grid cells along the height of a character. */
const cells = 72;

/**
 * Reduces the triangles of a mesh by vertex clustering (Rossignac & Borrel 1993), as `coarse.rs` in limber-render does
 * for shadows: all vertices in a grid cell that follow the same joint are merged into the first of them.
 */
export function simplifiedIndices(mesh: SkinnedVertices, indices: ArrayLike<number>, heightM: number): Uint32Array {
  const cell = heightM / cells;
  if (!(Number.isFinite(cell) && cell > 0)) return Uint32Array.from(indices);
  const first = new Map<string, number>();
  const count = mesh.positions.length / 3;
  const merged = new Uint32Array(count);
  for (let vertex = 0; vertex < count; vertex += 1) {
    const at = (axis: number) => Math.floor((mesh.positions[3 * vertex + axis] ?? 0) / cell);
    const key = `${at(0)} ${at(1)} ${at(2)} ${mesh.joints[4 * vertex] ?? 0}`;
    const known = first.get(key);
    if (known === undefined) first.set(key, vertex);
    merged[vertex] = known ?? vertex;
  }
  const indicesLeft: number[] = [];
  for (let at = 0; at + 2 < indices.length; at += 3) {
    const [a, b, c] = [0, 1, 2].map((corner) => merged[indices[at + corner] ?? 0] ?? 0) as [number, number, number];
    if (a !== b && b !== c && c !== a) indicesLeft.push(a, b, c);
  }
  return Uint32Array.from(indicesLeft);
}
