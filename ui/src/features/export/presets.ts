import type { ExportPreset } from "../../host";

/** What clips can be written for, in the order they are offered. */
export const presets: { id: ExportPreset; name: string; ending: string; words: string }[] = [
  { id: "blender", name: "Blender", ending: "GLB", words: "Mesh, skeleton and motion in one file." },
  { id: "unity", name: "Unity", ending: "FBX", words: "Drop it into the project’s Assets." },
  { id: "unreal", name: "Unreal Engine", ending: "FBX", words: "Drag it into the Content Browser." },
  { id: "web", name: "Web", ending: "GLB", words: "For three.js, Babylon.js and model viewers." },
  { id: "bvh", name: "Skeleton only", ending: "BVH", words: "Motion without a mesh, for any animation tool." },
];
