import type { BoneShown, RigShown } from "../../../host";

export type Tone = "good" | "fair" | "bad" | "none";

export const groupNames: Record<BoneShown["group"], string> = {
  body: "Body",
  head: "Neck and head",
  leftArm: "Left arm",
  rightArm: "Right arm",
  leftLeg: "Left leg",
  rightLeg: "Right leg",
  leftFingers: "Left fingers",
  rightFingers: "Right fingers",
};

/** Pairs of groups that stand side by side. */
export const groupRows: BoneShown["group"][][] = [
  ["body", "head"],
  ["leftArm", "rightArm"],
  ["leftLeg", "rightLeg"],
  ["leftFingers", "rightFingers"],
];

/** How sure the whole report is, as a tone and in words. */
export function confidenceWords(confidence: number): { tone: Tone; words: string } {
  if (confidence >= 0.9) return { tone: "good", words: "Sure: nobody needs to look it over" };
  if (confidence >= 0.7) return { tone: "fair", words: "Fairly sure: look over what was guessed" };
  return { tone: "bad", words: "Not sure: please confirm the bones" };
}

/** Which joint a bone has now, who said so, and how that reads. */
export interface BoneState {
  joint: string | null;
  tone: Tone;
  words: string;
  /** Somebody chose it, and can take that back. */
  isChosen: boolean;
}

export function boneState(bone: BoneShown, chosen: Record<string, string>): BoneState {
  const own = chosen[bone.bone];
  if (own !== undefined) {
    return { joint: own, tone: "good", words: "chosen by you", isChosen: true };
  }
  if (bone.by === "person") {
    // what was found before is told only once this is saved
    return { joint: null, tone: "good", words: "as it was found, once saved", isChosen: false };
  }
  const joint = bone.joint ?? null;
  if (joint === null || bone.by == null) {
    const tone = bone.required ? "bad" : "none";
    return { joint: null, tone, words: bone.required ? "missing" : "not there", isChosen: false };
  }
  if (bone.by === "shape") {
    return { joint, tone: bone.confidence < 0.7 ? "fair" : "good", words: "guessed from the shape", isChosen: false };
  }
  const words = bone.by === "declared" ? "declared by the file" : "found by name";
  return { joint, tone: "good", words, isChosen: false };
}

/** What a person chose earlier, as `mapCharacter` wants it. */
export function chosenIn(rig: RigShown): Record<string, string> {
  const chosen = rig.bones.filter((bone) => bone.by === "person" && bone.joint);
  return Object.fromEntries(chosen.map((bone) => [bone.bone, bone.joint ?? ""]));
}

/** Bones that would share one joint, as a sentence; null when every joint has one bone. */
export function clash(rig: RigShown, chosen: Record<string, string>): string | null {
  const taken = new Map<string, BoneShown>();
  for (const bone of rig.bones) {
    const { joint } = boneState(bone, chosen);
    if (joint === null) continue;
    const other = taken.get(joint);
    if (other) return `${other.words} and ${bone.words.toLowerCase()} have the same joint, “${joint}”. Choose another one for one of them.`;
    taken.set(joint, bone);
  }
  return null;
}

/** The facts of a report, each with its name. */
export function facts(rig: RigShown): { name: string; words: string }[] {
  const poses: Record<string, string> = { T: "T-pose", A: "A-pose" };
  const fingers =
    rig.fingersLeft === rig.fingersRight
      ? rig.fingersLeft === 0 ? "none" : `${rig.fingersLeft} on each hand`
      : `${rig.fingersLeft} left, ${rig.fingersRight} right`;
  return [
    { name: "Names", words: rig.convention },
    { name: "Rest pose", words: poses[rig.restPose] ?? "neither T nor A" },
    { name: "Height", words: `${rig.heightM.toFixed(2)} m` },
    { name: "Face", words: rig.faceShapes ? `${rig.faceShapes} of 52 shapes` : "does not move" },
    { name: "Fingers", words: fingers },
  ];
}
