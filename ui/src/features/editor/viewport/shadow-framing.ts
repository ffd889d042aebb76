import { Matrix4, Vector3 } from "three";
import { centerOf, sizeOf, type Box } from "./bounds";
import { keyLight } from "./look";

/** The projections of the shadow maps for one pose, as in `shadow.rs` of limber-render. */
export interface ShadowFraming {
  /** From world space to the key light's clip space. */
  key: Matrix4;
  /** From world space to the clip space of the view from below. */
  fromBelow: Matrix4;
  /** Width, height and depth of the key light's view. */
  keySpanM: number;
  /** Heights at depth 0 and 1 of the view from below. */
  heightRangeM: [number, number];
  /** The square of floor that is lit: centre x and z, half its side; and the scale of the character. */
  patch: [number, number, number, number];
}

const up = new Vector3(0, 1, 0);

export function shadowFraming(bounds: Box, scale: number): ShadowFraming {
  const radius = Math.max(Math.hypot(...sizeOf(bounds)) / 2, 0.1 * scale) * 1.02;
  const center = new Vector3(...centerOf(bounds));
  const eye = center.clone().addScaledVector(new Vector3(...keyLight), radius);
  const view = new Matrix4().lookAt(eye, center, up).setPosition(eye).invert();
  const project = new Matrix4().makeOrthographic(-radius, radius, radius, -radius, 0, 2 * radius);
  const patch = patchOf(bounds, scale);
  const heightRangeM: [number, number] = [-0.05 * scale, 0.6 * scale];
  return {
    key: project.multiply(view),
    fromBelow: viewFromBelow(patch, heightRangeM),
    keySpanM: 2 * radius,
    heightRangeM,
    patch,
  };
}

/** The square of floor that the character and its shadow cover. */
function patchOf({ low, high }: Box, scale: number): ShadowFraming["patch"] {
  const reach = Math.max(high[1], 0) / keyLight[1];
  const throwX = -keyLight[0] * reach;
  const throwZ = -keyLight[2] * reach;
  const [lowX, highX] = [Math.min(low[0], low[0] + throwX), Math.max(high[0], high[0] + throwX)];
  const [lowZ, highZ] = [Math.min(low[2], low[2] + throwZ), Math.max(high[2], high[2] + throwZ)];
  const half = Math.max(highX - lowX, highZ - lowZ) / 2 + 0.35 * scale;
  return [(lowX + highX) / 2, (lowZ + highZ) / 2, half * 1.1, scale];
}

/** Looks up through the floor; depth increases with height. */
function viewFromBelow(patch: ShadowFraming["patch"], [low, high]: [number, number]): Matrix4 {
  const across = 1 / patch[2];
  const upScale = 2 / (high - low);
  return new Matrix4(
    across, 0, 0, -patch[0] * across,
    0, 0, across, -patch[1] * across,
    0, upScale, 0, -1 - low * upScale,
    0, 0, 0, 1,
  );
}
