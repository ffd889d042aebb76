import { add, times, unit, type Vec3 } from "./vector";
import { cameraAxes, type OrbitCamera } from "./camera";

/**
 * Colours, lights and quality settings of limber-render (`palette.rs`, `overlay.rs`, `shadow.rs`), so that cards,
 * videos and the viewport look the same. A test compares them with those files. The shaders are imported from there.
 */

/** The dark backdrop, in sRGB. */
export const palette = {
  top: [0.098, 0.106, 0.122],
  bottom: [0.137, 0.149, 0.169],
  /** Added to the floor around the character. */
  pool: [0.125, 0.13, 0.137],
  line: [0.56, 0.62, 0.7],
  lineStrength: 0.26,
  /** Brightness of the floor in full shadow: 0 is black, 1 as without a shadow. */
  shade: 0.22,
  vignette: 0.3,
} as const;

/** Colours of bones by side, with alpha, and of contact rings. */
export const overlayColors = {
  left: [0.36, 0.78, 0.86, 0.94],
  right: [0.96, 0.66, 0.36, 0.94],
  middle: [0.86, 0.88, 0.92, 0.94],
  ring: [0.4, 0.88, 0.72],
} as const;

/** Adult height, to which shadows, bones and grid lines are scaled. */
export const adultHeightM = 1.75;

/** Towards the key light, which is fixed in the world. */
export const keyLight: Vec3 = unit([-0.62, 1.25, 0.66]);

export interface Lights {
  key: Vec3;
  /** Towards the fill light, which moves with the camera. */
  fill: Vec3;
  /** Towards the rim light, which moves with the camera. */
  rim: Vec3;
}

export function lightDirections(camera: OrbitCamera): Lights {
  const { right } = cameraAxes(camera);
  const level: Vec3 = [Math.sin(camera.yawRad), 0, Math.cos(camera.yawRad)];
  return {
    key: keyLight,
    fill: unit(add(add(times(level, 0.7), times(right, 0.8)), [0, 0.25, 0])),
    rim: unit(add(add(times(level, -0.9), times(right, 0.45)), [0, 0.75, 0])),
  };
}

/** Sizes of the shadow maps in pixels, and samples per pixel. */
export interface ShadowQuality {
  keyPx: number;
  heightPx: number;
  floorPx: number;
  taps: number;
  /** Side of the filter for the shadow on the character, in texels. */
  keyBox: number;
}

/**
 * Fast pictures have the small shadows of cards: without a graphics card, the web view needs most of the time of a
 * frame to compose the window.
 */
export const shadowQuality: Record<"fast" | "fine", ShadowQuality> = {
  fast: { keyPx: 256, heightPx: 64, floorPx: 56, taps: 8, keyBox: 1 },
  fine: { keyPx: 1024, heightPx: 192, floorPx: 256, taps: 20, keyBox: 3 },
};

/** The side of the body of a human bone, by its VRM name. */
export function sideOf(bone: string | null): "left" | "right" | "middle" {
  if (bone?.startsWith("left")) return "left";
  return bone?.startsWith("right") ? "right" : "middle";
}

/** Distance between grid lines: one metre, or a power of ten of it for very small and very large characters. */
export function gridSpacingM(scale: number): number {
  return 10 ** Math.round(Math.log10(scale));
}
