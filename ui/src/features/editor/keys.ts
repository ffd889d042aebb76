import type { Shortcut } from "../../shared/keys";
import type { Layer } from "./looks.svelte";
import { t } from "../../texts";

/** What a key press asks of the editor, or null when it is none of its own. */
export type EditWish =
  | { do: "play" | "first" | "last" | "in" | "out" | "paint" | "loop" }
  | { do: "inPlace" | "frameAll" | "rename" | "make" }
  | { do: "backwards" | "stop" | "compare" | "overlay" | "nextOver" }
  | { do: "layer"; layer: Layer }
  | { do: "undo" | "redo" | "delete" | "export" | "film" | "close" }
  | { do: "step"; frames: number }
  | { do: "variant"; number: number };

/** The editor's shortcuts, as the help shows them. */
export const editShortcuts = (): Shortcut[] => [
  { keys: ["Ctrl", "Enter"], words: t("shortcuts.editor.make") },
  { keys: ["Space"], words: t("shortcuts.playOrPause") },
  { keys: ["J", "K"], words: t("shortcuts.editor.shuttle") },
  { keys: ["←", "→"], words: t("shortcuts.step") },
  { keys: ["Home", "End"], words: t("shortcuts.ends") },
  { keys: ["I", "O"], words: t("shortcuts.editor.trim") },
  { keys: ["P"], words: t("shortcuts.editor.paint") },
  { keys: ["Delete"], words: t("shortcuts.editor.remove") },
  { keys: ["L"], words: t("shortcuts.loop") },
  { keys: ["1 … 8"], words: t("shortcuts.editor.variant") },
  { keys: ["G"], words: t("shortcuts.editor.compare") },
  { keys: ["R", "F"], words: t("shortcuts.editor.inPlace") },
  { keys: ["S", "B"], words: t("shortcuts.editor.bodies") },
  { keys: ["C", "M"], words: t("shortcuts.editor.feet") },
  { keys: ["Shift", "O"], words: t("shortcuts.editor.ghosts") },
  { keys: ["X"], words: t("shortcuts.editor.axes") },
  { keys: ["A", "N"], words: t("shortcuts.editor.overlay") },
  { keys: ["F2"], words: t("shortcuts.rename") },
  { keys: ["Ctrl", "Z"], words: t("shortcuts.editor.undo") },
  { keys: ["Ctrl", "E"], words: t("shortcuts.editor.export") },
  { keys: ["Esc"], words: t("shortcuts.editor.back") },
];

type Press = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">;

const plain: Record<string, EditWish> = {
  " ": { do: "play" },
  Home: { do: "first" },
  End: { do: "last" },
  i: { do: "in" },
  o: { do: "out" },
  p: { do: "paint" },
  l: { do: "loop" },
  j: { do: "backwards" },
  k: { do: "stop" },
  r: { do: "inPlace" },
  f: { do: "frameAll" },
  g: { do: "compare" },
  a: { do: "overlay" },
  n: { do: "nextOver" },
  s: { do: "layer", layer: "skin" },
  x: { do: "layer", layer: "axes" },
  b: { do: "layer", layer: "bones" },
  c: { do: "layer", layer: "contacts" },
  m: { do: "layer", layer: "trails" },
  F2: { do: "rename" },
  Delete: { do: "delete" },
  Backspace: { do: "delete" },
};

const commands: Record<string, EditWish> = {
  y: { do: "redo" },
  e: { do: "export" },
};

/** Reads one key press; `writing` says that the focus is in something that takes keys itself. */
export function editWishOf(press: Press, writing: boolean): EditWish | null {
  const key = press.key.length === 1 ? press.key.toLowerCase() : press.key;
  if (press.altKey) return null;
  if (press.ctrlKey || press.metaKey) {
    if (key === "Enter") return { do: "make" };
    // a text field has its own undo
    if (writing && key !== "e") return null;
    if (key === "z") return { do: press.shiftKey ? "redo" : "undo" };
    if (key === "e" && press.shiftKey) return { do: "film" };
    return commands[key] ?? null;
  }
  if (key === "Escape") return { do: "close" };
  if (writing) return null;
  if (key === "o" && press.shiftKey) return { do: "layer", layer: "ghosts" };
  if (key === "ArrowLeft" || key === "ArrowRight") {
    const frames = press.shiftKey ? 10 : 1;
    return { do: "step", frames: key === "ArrowLeft" ? -frames : frames };
  }
  const number = /^[1-8]$/.test(key) ? Number(key) : null;
  return number ? { do: "variant", number } : (plain[key] ?? null);
}
