import { sentence } from "./fake-failure";
import type { BoneView, JointView, RigView } from "./host";

type Group = BoneView["group"];

const words = (bone: string): string => {
  const lower = bone.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return lower.charAt(0).toUpperCase() + lower.slice(1);
};

const sided = (side: "left" | "right", bones: string[]): string[] =>
  bones.map((bone) => `${side}${bone.charAt(0).toUpperCase()}${bone.slice(1)}`);

const arm = ["shoulder", "upperArm", "lowerArm", "hand"];
const leg = ["upperLeg", "lowerLeg", "foot", "toes"];
const fingers = ["thumb", "index", "middle", "ring", "little"].flatMap((finger) =>
  (finger === "thumb" ? ["Metacarpal", "Proximal", "Distal"] : ["Proximal", "Intermediate", "Distal"]).map(
    (part) => `${finger}${part}`,
  ),
);

const groups: [Group, string[]][] = [
  ["body", ["hips", "spine", "chest", "upperChest"]],
  ["head", ["neck", "head", "jaw", "leftEye", "rightEye"]],
  ["leftArm", sided("left", arm)],
  ["rightArm", sided("right", arm)],
  ["leftLeg", sided("left", leg)],
  ["rightLeg", sided("right", leg)],
  ["leftFingers", sided("left", fingers)],
  ["rightFingers", sided("right", fingers)],
];

const optional = /Shoulder|chest|Toes|neck|jaw|Eye|Metacarpal|Proximal|Intermediate|Distal/i;
/** Bones that this skeleton lacks, and bones that were guessed from unusual names. */
const missing = new Set(["jaw", "upperChest"]);
const guessed = new Set(["leftToes", "rightToes", "spine", "leftLowerArm"]);

const jointOf = (bone: string): string => `rig:${words(bone).replaceAll(" ", "_")}`;

function joints(): JointView[] {
  const tree: JointView[] = [{ name: "Armature", depth: 0 }];
  for (const [group, bones] of groups) {
    const first = group === "body" ? 1 : group.endsWith("Fingers") ? 6 : 3;
    bones.forEach((bone, at) => {
      if (missing.has(bone)) return;
      const depth = group.endsWith("Fingers") ? first + (at % 3) : first + at;
      tree.push({ name: jointOf(bone), depth });
    });
  }
  return [...tree, { name: "rig:Prop_R", depth: 7 }, { name: "rig:Hair_01", depth: 5 }];
}

function bone(group: Group, name: string, chosen: Record<string, string | null>): BoneView {
  const own = chosen[name];
  const by = own !== undefined ? "person" : missing.has(name) ? null : guessed.has(name) ? "shape" : "name";
  return {
    bone: name,
    words: words(name),
    group,
    required: !optional.test(name),
    joint: own !== undefined ? own : by === null ? null : jointOf(name),
    by,
    confidence: by === "person" ? 1 : by === null ? 0 : by === "shape" ? 0.62 : 0.98,
  };
}

/** A skeleton with mostly known names, with the user's assignments. */
export function exampleRig(chosen: Record<string, string | null>): RigView {
  const asked = [...guessed].filter((each) => chosen[each] === undefined).length;
  return {
    convention: "Part names",
    confidence: 0.96 - 0.04 * asked,
    restPose: "A",
    heightM: 1.72,
    faceShapes: 0,
    fingersLeft: 5,
    fingersRight: 5,
    warnings: [sentence("2 meshes hang on no joint and were left out.")],
    bones: groups.flatMap(([group, bones]) => bones.map((each) => bone(group, each, chosen))),
    joints: joints(),
  };
}
