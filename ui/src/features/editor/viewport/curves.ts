import { anglesOf, type Angles } from "../corrections/angles";
import type { CorrectionRotation } from "../../../host";
import { length, minus, type Vec3 } from "./vector";

/** The motion of a joint, one value per frame of the clip. */
export interface JointCurves {
  bone: string;
  /**
   * About the axes X, Y and Z, relative to the parent joint, in degrees; continuous beyond half a
   * turn.
   */
  rotationDeg: readonly [Float32Array, Float32Array, Float32Array];
  /** Above the floor. */
  heightCm: Float32Array;
  speedCmS: Float32Array;
}

/** A joint in one frame. */
export interface JointSample {
  rotation: CorrectionRotation;
  /** Position in world space, metres. */
  place: Vec3;
}

export function curvesOf(bone: string, samples: readonly JointSample[], fps: number): JointCurves {
  const places = samples.map(({ place }) => place);
  const angles = continuous(samples.map(({ rotation }) => anglesOf(rotation)));
  const about = (axis: 0 | 1 | 2) => Float32Array.from(angles, (each) => each[axis]);
  return {
    bone,
    rotationDeg: [about(0), about(1), about(2)],
    heightCm: Float32Array.from(places, ([, y]) => 100 * y),
    speedCmS: Float32Array.from(places, (_, frame) => 100 * speedAt(places, frame, fps)),
  };
}

/** Central difference of the position; at the ends of the clip, one-sided. */
function speedAt(places: readonly Vec3[], frame: number, fps: number): number {
  const [first, last] = [Math.max(frame - 1, 0), Math.min(frame + 1, places.length - 1)];
  const [from, to] = [places[first], places[last]];
  return from && to && last > first ? (length(minus(to, from)) * fps) / (last - first) : 0;
}

/** Unwraps angles, so that they do not jump by full turns. */
function continuous(frames: readonly Angles[]): Angles[] {
  let before: Angles | null = null;
  return frames.map((angles) => {
    const last: Angles = before ?? angles;
    // the equivalent Euler angles, with the second axis past a quarter turn
    const [x, y, z] = angles;
    const other: Angles = [x + 180, 180 - y, z + 180];
    const [one, two] = [nearTo(angles, last), nearTo(other, last)];
    before = off(two, last) < off(one, last) - 1e-3 ? two : one;
    return before;
  });
}

const nearTo = (angles: Angles, last: Angles): Angles =>
  angles.map((angle, at) => angle - 360 * Math.round((angle - (last[at] ?? 0)) / 360)) as Angles;

const off = (angles: Angles, last: Angles): number => angles.reduce((sum, angle, at) => sum + Math.abs(angle - (last[at] ?? 0)), 0);
