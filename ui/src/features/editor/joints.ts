import type { PulledLimb } from "../../host";
import { bones } from "../../texts/en/bones";

/** A human bone, by its VRM 1.0 name. */
export type Bone = keyof typeof bones;

/** Bones that are not part of the stored motion. */
const unmoved: readonly string[] = ["jaw", "leftEye", "rightEye"];

export const limbs = ["leftHand", "rightHand", "leftFoot", "rightFoot"] as const satisfies PulledLimb[];

/** The joints that can be corrected, from the hips outwards. */
export const correctable: readonly Bone[] = (Object.keys(bones) as Bone[]).filter((bone) => !unmoved.includes(bone));

export function isCorrectable(bone: string): bone is Bone {
  return (correctable as readonly string[]).includes(bone);
}

export function isLimb(bone: string): bone is PulledLimb {
  return (limbs as readonly string[]).includes(bone);
}

/** The hand that a finger joint belongs to; null for other joints. */
export function handOf(bone: string): PulledLimb | null {
  const [, side] = /^(left|right)(?:Thumb|Index|Middle|Ring|Little)/.exec(bone) ?? [];
  return side === undefined ? null : side === "left" ? "leftHand" : "rightHand";
}

/** The joints of a limb for inverse kinematics, from shoulder or hip to wrist or ankle. */
export function chainOf(limb: PulledLimb): readonly [Bone, Bone, Bone] {
  switch (limb) {
    case "leftHand":
      return ["leftUpperArm", "leftLowerArm", limb];
    case "rightHand":
      return ["rightUpperArm", "rightLowerArm", limb];
    case "leftFoot":
      return ["leftUpperLeg", "leftLowerLeg", limb];
    case "rightFoot":
      return ["rightUpperLeg", "rightLowerLeg", limb];
  }
}
