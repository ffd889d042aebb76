import { Quaternion, Vector3 } from "three";
import type { PulledLimb } from "../../../host";
import { chainOf, handOf, limbs } from "../joints";
import type { SkeletonJoints } from "./skeleton";

const down = new Vector3(0, -1, 0);

/** The lengths of arms and legs from the first to the last joint in `canonical.rs` of limber-animation, metres. */
export const canonicalArmM = 0.54;
export const canonicalLegM = Math.hypot(0.425) + Math.hypot(0.41, 0.012);

/**
 * The pose of the character, expressed as that of the canonical skeleton, on which corrections are
 * defined. Its joints have no rotation in its rest pose, a T-pose; limber-retarget transfers motion
 * as the rotation of each bone from there, in world space.
 */
export class CanonicalPose {
  private readonly joints: SkeletonJoints;
  /** For each bone, the inverse of its rotation in the world in the T-pose. */
  private readonly inverses = new Map<string, Quaternion>();
  private readonly limbsM = new Map<PulledLimb, number>();

  /** The character has to be in its rest pose. */
  constructor(joints: SkeletonJoints) {
    this.joints = joints;
    const turns = tPoseTurns(joints);
    for (const { bone, node } of joints.all) {
      const turn = turns.get(handOf(bone) ?? bone) ?? new Quaternion();
      this.inverses.set(bone, turn.clone().multiply(node.getWorldQuaternion(new Quaternion())).invert());
    }
    for (const limb of limbs) {
      const places = chainOf(limb).map((bone) => joints.vectorOf(bone));
      const [first, second, third] = places;
      if (first && second && third) this.limbsM.set(limb, first.distanceTo(second) + second.distanceTo(third));
    }
  }

  /** Which way a bone is turned in the world, from the T-pose; null if the character has no such bone. */
  rotationOf(bone: string): Quaternion | null {
    const inverse = this.inverses.get(bone);
    const node = this.joints.jointOf(bone)?.node;
    return inverse && node ? node.getWorldQuaternion(new Quaternion()).multiply(inverse) : null;
  }

  /** The rotation of a bone from the bone above it that a character has. */
  localRotationOf(bone: string): Quaternion | null {
    const rotation = this.rotationOf(bone);
    const above = rotation && this.boneAbove(bone);
    return above ? (this.rotationOf(above) ?? new Quaternion()).invert().multiply(rotation) : rotation;
  }

  private boneAbove(bone: string): string | null {
    let joint = this.joints.jointOf(bone);
    do {
      joint = joint?.parent == null ? null : (this.joints.all[joint.parent] ?? null);
    } while (joint && (joint.isTwist || !joint.isHuman));
    return joint?.bone ?? null;
  }

  /** Which way the hips face, as a rotation about the vertical. */
  facing(): Quaternion {
    const { y, w } = this.rotationOf("hips") ?? new Quaternion();
    return new Quaternion().setFromAxisAngle(new Vector3(0, 1, 0), 2 * Math.atan2(y, w));
  }

  /** How much longer this limb of the character is than the canonical one. */
  scaleOf(limb: PulledLimb): number {
    const isArm = limb === "leftHand" || limb === "rightHand";
    const scale = (this.limbsM.get(limb) ?? 0) / (isArm ? canonicalArmM : canonicalLegM);
    return scale > 1e-3 ? scale : 1;
  }
}

/**
 * The rotations of arms and legs from the rest pose to the T-pose, as in `t_pose.rs` but without
 * roll.
 */
function tPoseTurns(joints: SkeletonJoints): Map<string, Quaternion> {
  const turns = new Map<string, Quaternion>();
  for (const [hand, outwards] of [["leftHand", 1], ["rightHand", -1]] as const) {
    const forearm = straighten(joints, turns, chainOf(hand), new Vector3(outwards, 0, 0));
    if (forearm) turns.set(hand, forearm);
  }
  for (const foot of ["leftFoot", "rightFoot"] as const) straighten(joints, turns, chainOf(foot), down);
  return turns;
}

function straighten(
  joints: SkeletonJoints,
  turns: Map<string, Quaternion>,
  [upper, lower, end]: readonly [string, string, string],
  direction: Vector3,
): Quaternion | null {
  const [first, second, third] = [upper, lower, end].map((bone) => joints.vectorOf(bone));
  if (!first || !second || !third) return null;
  const upperTurn = new Quaternion().setFromUnitVectors(second.clone().sub(first).normalize(), direction);
  const along = third.sub(second).normalize().applyQuaternion(upperTurn);
  const lowerTurn = new Quaternion().setFromUnitVectors(along, direction).multiply(upperTurn);
  turns.set(upper, upperTurn);
  turns.set(lower, lowerTurn);
  return lowerTurn;
}
