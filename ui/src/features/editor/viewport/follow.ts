import { add, between, minus, times, zero, type Vec3 } from "./vector";

/** The settling time of the camera behind the hips, as in `shot.rs` of limber-render. */
const settleS = 0.5;

/**
 * The path of a camera that follows another path, one point per frame: a critically damped spring, solved exactly. It
 * depends only on the clip, so a frame looks the same whether it was played or jumped to.
 */
export function smoothPath(path: readonly Vec3[], fps: number): Vec3[] {
  // (1 + ωt) e^(−ωt) = 0.1 at ωt ≈ 3.9
  const stiffness = 3.9 / settleS;
  const decay = Math.exp(-stiffness / fps);
  let place = path[0] ?? zero;
  let velocity = zero;
  return path.map((goal, frame) => {
    if (frame > 0) {
      const away = minus(place, goal);
      const pull = add(velocity, times(away, stiffness));
      place = add(goal, times(add(away, times(pull, 1 / fps)), decay));
      velocity = times(minus(velocity, times(pull, stiffness / fps)), decay);
    }
    return place;
  });
}

/** The point of a path at a fractional frame; before its start and after its end, the first and last point. */
export function pointAlong(path: readonly Vec3[], frame: number): Vec3 {
  const last = path.length - 1;
  const at = Math.min(Math.max(frame, 0), Math.max(last, 0));
  const before = Math.floor(at);
  const here = path[before] ?? zero;
  return between(here, path[Math.min(before + 1, last)] ?? here, at - before);
}

/** The time in the clip's animation for a fractional frame. Keys are at `frame / fps`. */
export function clipTime(frame: number, frames: number, fps: number): number {
  const last = Math.max(frames - 1, 0);
  return Math.min(Math.max(Number.isFinite(frame) ? frame : 0, 0), last) / fps;
}

/** The direction that the hips face, from the line between the upper legs, as a yaw; 0 if there are none. */
export function facingRad(leftLeg: Vec3 | null, rightLeg: Vec3 | null): number {
  if (!leftLeg || !rightLeg) return 0;
  const [x, , z] = minus(leftLeg, rightLeg);
  // (left − right) × up
  const [forwardX, forwardZ] = [-z, x];
  return forwardX ** 2 + forwardZ ** 2 > 1e-8 ? Math.atan2(forwardX, forwardZ) : 0;
}
