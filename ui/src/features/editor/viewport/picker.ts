/** A joint in the picture: pixels from the top left corner, and the distance along the line of sight. */
export interface ProjectedJoint {
  /** Its index in the skeleton. */
  joint: number;
  xPx: number;
  yPx: number;
  depthM: number;
}

/** A joint farther away than this is not picked. */
export const reachPx = 24;
/** Of joints whose distances differ by no more than this, the front one is picked. */
const tolerancePx = 2;

/** The joint nearest to a point of the picture; null if none is within reach. */
export function nearestJoint(joints: readonly ProjectedJoint[], xPx: number, yPx: number): ProjectedJoint | null {
  let best: { joint: ProjectedJoint; offPx: number } | null = null;
  for (const joint of joints) {
    const offPx = Math.hypot(joint.xPx - xPx, joint.yPx - yPx);
    if (!(offPx <= reachPx)) continue;
    const isNearer = !best || offPx < best.offPx - tolerancePx;
    const isInFront = best && offPx <= best.offPx + tolerancePx && joint.depthM < best.joint.depthM;
    if (isNearer || isInFront) best = { joint, offPx };
  }
  return best?.joint ?? null;
}
