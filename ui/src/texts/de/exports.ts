import type { en } from "../en";
import type { Translation } from "../translation";

export const exports: Translation<typeof en.exports> = {
  title: "Export",
  some: "{{clips}}, davon {{trimmed}} gekürzt",
  whole: "{{prompt}}: {{length}}",
  trimmed: "{{prompt}}: {{length}}, gekürzt",
  programs: "Für welche Programme?",
  asMade: "Wie erstellt",
  go: "Ordner wählen und exportieren",
  noneChosen: "Wähle mindestens ein Programm.",
  written_one: "{{count}} Datei liegt jetzt in „{{folder}}“.",
  written_other: "{{count}} Dateien liegen jetzt in „{{folder}}“.",
  files: "Dateien",
  preset: {
    blender: "Mesh, Skelett und Bewegung in einer Datei.",
    unity: "Zieh sie in die Assets des Projekts.",
    unreal: "Zieh sie in den Content Browser.",
    fbx: "Für Maya, Cinema 4D, Houdini und andere.",
    mixamo: "Gelenke heißen wie bei Mixamo.",
    vrma: "Nur Bewegung, für VRM-Charaktere.",
    web: "Für three.js, Babylon.js und Model-Viewer.",
    bvh: "Bewegung ohne Mesh, für jedes Animationsprogramm.",
  },
  fbxName: "Einfaches FBX",
  webName: "Web",
  bvhName: "Nur Skelett",
};
