import type { BoneView, RigView } from "../../../host";
import { formatNumber, t } from "../../../texts";
import { bones } from "../../../texts/en/bones";

export type Tone = "good" | "fair" | "bad" | "none";

/** Pairs of groups that are shown side by side. */
export const groupRows: BoneView["group"][][] = [
  ["body", "head"],
  ["leftArm", "rightArm"],
  ["leftLeg", "rightLeg"],
  ["leftFingers", "rightFingers"],
];

/** Confidence in the whole mapping, as a tone and in words. */
export function confidenceLabel(confidence: number): { tone: Tone; words: string } {
  if (confidence >= 0.9) return { tone: "good", words: t("rig.sure.good") };
  if (confidence >= 0.7) return { tone: "fair", words: t("rig.sure.fair") };
  return { tone: "bad", words: t("rig.sure.bad") };
}

/** The name of a bone from the catalogue; for unknown bones, the studio's name. */
export function boneName({ bone, words }: Pick<BoneView, "bone" | "words">): string {
  return isKnown(bone) ? t(`bones.${bone}`) : words;
}

function isKnown(bone: string): bone is keyof typeof bones {
  return Object.hasOwn(bones, bone);
}

/** Joints that the user assigned to bones; null for bones marked as missing. */
export type BoneMapping = Record<string, string | null>;

/** The joint that a bone is mapped to, who mapped it, and how that is shown. */
export interface BoneState {
  joint: string | null;
  tone: Tone;
  words: string;
  /** The user assigned it in this session and can undo that. */
  isChosen: boolean;
}

export function boneState(bone: BoneView, chosen: BoneMapping): BoneState {
  const own = chosen[bone.bone];
  if (own !== undefined) {
    const words = own === null ? t("rig.state.declined") : t("rig.state.chosen");
    return { joint: own, tone: "good", words, isChosen: true };
  }
  if (bone.by === "person") {
    // the earlier automatic result is known only after saving
    return { joint: null, tone: "good", words: t("rig.state.found"), isChosen: false };
  }
  const joint = bone.joint ?? null;
  if (joint === null || bone.by == null) {
    const tone = bone.required ? "bad" : "none";
    return { joint: null, tone, words: bone.required ? t("rig.state.missing") : t("rig.state.absent"), isChosen: false };
  }
  if (bone.by === "shape") {
    return { joint, tone: bone.confidence < 0.7 ? "fair" : "good", words: t("rig.state.shape"), isChosen: false };
  }
  const words = bone.by === "declared" ? t("rig.state.declared") : t("rig.state.name");
  return { joint, tone: "good", words, isChosen: false };
}

/** Earlier assignments by the user, as `mapCharacter` expects them. */
export function mappingOf(rig: RigView): BoneMapping {
  const chosen = rig.bones.filter((bone) => bone.by === "person");
  return Object.fromEntries(chosen.map((bone) => [bone.bone, bone.joint ?? null]));
}

/** A sentence about bones that share a joint; null if there are none. */
export function conflict(rig: RigView, chosen: BoneMapping): string | null {
  const taken = new Map<string, BoneView>();
  for (const bone of rig.bones) {
    const { joint } = boneState(bone, chosen);
    if (joint === null) continue;
    const other = taken.get(joint);
    if (other) return t("rig.clash", { one: boneName(other), other: boneName(bone), joint });
    taken.set(joint, bone);
  }
  return null;
}

/** The facts of a report with their labels. */
export function facts(rig: RigView): { name: string; words: string }[] {
  const { fingersLeft: left, fingersRight: right, restPose: pose } = rig;
  const fingers =
    left === right
      ? left === 0 ? t("rig.facts.noFingers") : t("rig.facts.each", { fingers: left })
      : t("rig.facts.different", { left, right });
  return [
    { name: t("rig.facts.names"), words: rig.convention },
    { name: t("rig.facts.pose"), words: pose === "T" || pose === "A" ? t(`rig.facts.${pose}`) : t("rig.facts.neither") },
    { name: t("rig.facts.height"), words: t("rig.facts.metres", { metres: formatNumber(rig.heightM, 2) }) },
    {
      name: t("rig.facts.face"),
      words: rig.faceShapes ? t("rig.facts.shapes", { shapes: rig.faceShapes }) : t("rig.facts.stillFace"),
    },
    { name: t("rig.facts.fingers"), words: fingers },
  ];
}
