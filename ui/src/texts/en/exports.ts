/** Clips as files for other programs. */
export const exports = {
  title: "Export",
  some: "{{clips}}, {{trimmed}} of them trimmed",
  whole: "{{prompt}}: {{length}}",
  trimmed: "{{prompt}}: {{length}}, trimmed",
  programs: "For which programs?",
  asMade: "As made",
  go: "Choose a folder and export",
  noneChosen: "Choose at least one program.",
  written_one: "{{count}} file was written to “{{folder}}”.",
  written_other: "{{count}} files were written to “{{folder}}”.",
  files: "Files",
  show: "Show in folder",
  preset: {
    blender: "Mesh, skeleton and motion in one file.",
    unity: "Drop it into the project’s Assets.",
    unreal: "Drag it into the Content Browser.",
    web: "For three.js, Babylon.js and model viewers.",
    bvh: "Motion without a mesh, for any animation tool.",
  },
  webName: "Web",
  bvhName: "Skeleton only",
} as const;
