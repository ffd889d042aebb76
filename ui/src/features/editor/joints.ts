import type { PulledLimb } from "../../host";
import { bones } from "../../texts/en/bones";

/** A human bone, by its VRM 1.0 name. */
export type Bone = keyof typeof bones;

/** The movement that is kept does not hold them. */
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

/** The hand that a joint of a finger belongs to; null for other joints. */
export function handOf(bone: string): PulledLimb | null {
  const [, side] = /^(left|right)(?:Thumb|Index|Middle|Ring|Little)/.exec(bone) ?? [];
  return side === undefined ? null : side === "left" ? "leftHand" : "rightHand";
}

/** The joints that bend to bring a hand or foot somewhere, from the shoulder or hip to the wrist or ankle. */
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
