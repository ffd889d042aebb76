import type { ExportPreset } from "../../host";
import { t } from "../../texts";

/** Target programs in the order they are offered. */
export const presets = (): { id: ExportPreset; name: string; ending: string; words: string }[] => [
  { id: "blender", name: "Blender", ending: "FBX", words: t("exports.preset.blender") },
  { id: "unity", name: "Unity", ending: "FBX", words: t("exports.preset.unity") },
  { id: "unreal", name: "Unreal Engine", ending: "FBX", words: t("exports.preset.unreal") },
  { id: "fbx", name: t("exports.fbxName"), ending: "FBX", words: t("exports.preset.fbx") },
  { id: "mixamo", name: "Mixamo", ending: "FBX", words: t("exports.preset.mixamo") },
  { id: "web", name: t("exports.webName"), ending: "GLB", words: t("exports.preset.web") },
  { id: "vrma", name: "VRM", ending: "VRMA", words: t("exports.preset.vrma") },
  { id: "bvh", name: t("exports.bvhName"), ending: "BVH", words: t("exports.preset.bvh") },
];
