import type { CorrectionRotation } from "../../../host";

/** Intrinsic rotations about the joint's X axis, then the rotated Y and Z axes; degrees. */
export type Angles = [number, number, number];

/** The ranges of the angles. ±90° suffice for the second axis, as the others cover the rest. */
export const maxAnglesDeg: Angles = [180, 90, 180];

const degree = Math.PI / 180;

/** The product of two rotations: `b` in the space of `a`. */
export function combineRotations(a: CorrectionRotation, b: CorrectionRotation): CorrectionRotation {
  return {
    x: a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
    y: a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
    z: a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
    w: a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
  };
}

/**
 * The angles that rotations were made from. They cannot be recovered from the rotation in gimbal
 * lock (second angle ±90°), where the other two would jump while a user types.
 */
const sources = new WeakMap<CorrectionRotation, Angles>();

/** The formulas of three.js for the order XYZ; three.js itself is only loaded with the 3D view. */
export function rotationOf(angles: Angles): CorrectionRotation {
  const [cx, cy, cz] = angles.map((angle) => Math.cos((angle * degree) / 2)) as Angles;
  const [sx, sy, sz] = angles.map((angle) => Math.sin((angle * degree) / 2)) as Angles;
  const rotation = {
    x: sx * cy * cz + cx * sy * sz,
    y: cx * sy * cz - sx * cy * sz,
    z: cx * cy * sz + sx * sy * cz,
    w: cx * cy * cz - sx * sy * sz,
  };
  sources.set(rotation, angles);
  return rotation;
}

/**
 * The angles that a rotation was made from, or else the equivalent ones within {@link maxAnglesDeg}.
 */
export function anglesOf(rotation: CorrectionRotation): Angles {
  return sources.get(rotation) ?? found(rotation);
}

function found({ x, y, z, w }: CorrectionRotation): Angles {
  const sine = Math.max(-1, Math.min(2 * (x * z + w * y), 1));
  // gimbal lock: the first and third axis coincide, so the first takes the whole angle
  const isUpright = Math.abs(sine) > 1 - 1e-7;
  const about = isUpright
    ? [Math.atan2(2 * (y * z + w * x), 1 - 2 * (x * x + z * z)), 0]
    : [
        Math.atan2(2 * (w * x - y * z), 1 - 2 * (x * x + y * y)),
        Math.atan2(2 * (w * z - x * y), 1 - 2 * (y * y + z * z)),
      ];
  const [first = 0, third = 0] = about;
  return [first / degree, Math.asin(sine) / degree, third / degree];
}
