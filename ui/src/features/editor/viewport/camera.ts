import { add, between, cross, dot, minus, times, zero, type Vec3 } from "./vector";

/**
 * A camera that orbits a target. It follows the rules of `camera.rs` in limber-render, so that the viewport starts with
 * the same picture as cards and videos.
 */
export interface OrbitCamera {
  /** The centre of the picture. */
  target: Vec3;
  distanceM: number;
  /** 0 looks at the character's front (from +Z); positive moves the eye to its left (+X). */
  yawRad: number;
  /** 0 is level; positive looks down from above. */
  pitchRad: number;
}

/** Vertical. */
export const fieldOfViewRad = 0.52;
/** Margin around framed points, as a share of the picture. */
const margin = 0.1;
/** Almost straight down; straight down there is no "up". */
const maxPitchRad = Math.PI / 2 - 0.01;
/** Just below the floor. */
const minPitchRad = -0.2;
/** The clipping planes, as shares of the distance to the target. */
export const nearShare = 0.03;
export const farShare = 60;
const nearestM = 1e-4;
const maxOffsetM = 1e5;
/** The time constant of the damping: after it, 63 % of a move is done. */
const dampingS = 0.05;

/** Named views, relative to the direction that the character faces. */
export const presets = ["threeQuarter", "front", "side", "back"] as const;
export type Preset = (typeof presets)[number];

const angles: Record<Preset, { yawRad: number; pitchRad: number }> = {
  threeQuarter: { yawRad: 0.55, pitchRad: 0.13 },
  front: { yawRad: 0, pitchRad: 0.06 },
  side: { yawRad: Math.PI / 2, pitchRad: 0.06 },
  back: { yawRad: Math.PI, pitchRad: 0.06 },
};

export const defaultCamera: OrbitCamera = { target: [0, 0.9, 0], distanceM: 4, ...angles.threeQuarter };

export interface Axes {
  /** Unit vectors to the right and to the top of the picture, and from the target to the camera. */
  right: Vec3;
  up: Vec3;
  backward: Vec3;
}

export function cameraAxes({ yawRad, pitchRad }: OrbitCamera): Axes {
  const level = Math.cos(pitchRad);
  const backward: Vec3 = [Math.sin(yawRad) * level, Math.sin(pitchRad), Math.cos(yawRad) * level];
  const right: Vec3 = [Math.cos(yawRad), 0, -Math.sin(yawRad)];
  return { right, up: cross(backward, right), backward };
}

export function eyePosition(camera: OrbitCamera): Vec3 {
  return add(camera.target, times(cameraAxes(camera).backward, camera.distanceM));
}

/** The height of the picture at the target. */
export function visibleHeightM(camera: OrbitCamera): number {
  return 2 * camera.distanceM * Math.tan(fieldOfViewRad / 2);
}

/** The same angle between −π and π. */
function wrapped(rad: number): number {
  return rad - 2 * Math.PI * Math.round(rad / (2 * Math.PI));
}

/** Turns to a named view of a character that faces this way; target and distance stay. */
export function lookFrom(camera: OrbitCamera, preset: Preset, facingRad: number): OrbitCamera {
  const { yawRad, pitchRad } = angles[preset];
  return { ...camera, yawRad: wrapped(yawRad + facingRad), pitchRad };
}

/** Turns around the target, within limits just below the floor and just below the zenith. */
export function orbited(camera: OrbitCamera, yawRad: number, pitchRad: number): OrbitCamera {
  const pitch = Math.min(Math.max(camera.pitchRad + pitchRad, minPitchRad), maxPitchRad);
  return { ...camera, yawRad: wrapped(camera.yawRad + yawRad), pitchRad: pitch };
}

/**
 * Moves sideways so that the point under the pointer stays there. The pointer's movement is given as shares of the
 * picture's height, right and down positive.
 */
export function panned(camera: OrbitCamera, right: number, down: number): OrbitCamera {
  const axes = cameraAxes(camera);
  const way = minus(times(axes.up, down), times(axes.right, right));
  return { ...camera, target: add(camera.target, times(way, visibleHeightM(camera))) };
}

/** Multiplies the distance; below 1 goes nearer. */
export function zoomed(camera: OrbitCamera, factor: number): OrbitCamera {
  if (!Number.isFinite(factor) || factor <= 0) return camera;
  return { ...camera, distanceM: Math.min(Math.max(camera.distanceM * factor, nearestM), maxOffsetM) };
}

/** Moves target and distance so that all points are visible, centred, with a margin. */
export function framed(camera: OrbitCamera, points: readonly Vec3[], aspect: number): OrbitCamera {
  if (points.length === 0 || !points.every((point) => point.every(Number.isFinite))) return camera;
  const { right, up, backward } = cameraAxes(camera);
  const target = [right, up, backward].reduce((sum: Vec3, axis) => {
    const along = points.map((point) => dot(point, axis));
    const low = along.reduce((least, each) => Math.min(least, each), Infinity);
    const high = along.reduce((most, each) => Math.max(most, each), -Infinity);
    return add(sum, times(axis, (low + high) / 2));
  }, zero);
  const tall = Math.tan(fieldOfViewRad / 2) * (1 - 2 * margin);
  const wide = tall * aspect;
  const distanceM = points.reduce((most, point) => {
    const way = minus(point, target);
    const needed = Math.max(Math.abs(dot(way, up)) / tall, Math.abs(dot(way, right)) / wide);
    return Math.max(most, needed + dot(way, backward));
  }, nearestM);
  return { ...camera, target, distanceM };
}

/** A point in the picture: −1 to 1 to the right and up, and its distance along the line of sight. */
export interface Projected {
  x: number;
  y: number;
  depthM: number;
}

/** Projects a point of the world; null if it is behind the camera. */
export function project(camera: OrbitCamera, aspect: number, point: Vec3): Projected | null {
  const { right, up, backward } = cameraAxes(camera);
  const way = minus(point, eyePosition(camera));
  const depthM = -dot(way, backward);
  if (depthM < camera.distanceM * nearShare) return null;
  const tall = depthM * Math.tan(fieldOfViewRad / 2);
  return { x: dot(way, right) / (tall * aspect), y: dot(way, up) / tall, depthM };
}

/** Moves towards a goal without overshooting. Returns `goal` itself when it has arrived. */
export function damped(shown: OrbitCamera, goal: OrbitCamera, seconds: number): OrbitCamera {
  const share = 1 - Math.exp(-Math.max(seconds, 0) / dampingS);
  const yawLeft = wrapped(goal.yawRad - shown.yawRad);
  const pitchLeft = goal.pitchRad - shown.pitchRad;
  const farther = goal.distanceM / shown.distanceM;
  const aside = minus(goal.target, shown.target);
  const still = 1e-4;
  const rests =
    Math.abs(yawLeft) < still &&
    Math.abs(pitchLeft) < still &&
    Math.abs(farther - 1) < still &&
    Math.hypot(...aside) < still * goal.distanceM;
  if (rests || share >= 1) return goal;
  return {
    target: between(shown.target, goal.target, share),
    distanceM: shown.distanceM * farther ** share,
    yawRad: wrapped(shown.yawRad + yawLeft * share),
    pitchRad: shown.pitchRad + pitchLeft * share,
  };
}
