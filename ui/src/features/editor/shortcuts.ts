import { keyboard, type CommandId } from "../../shared/keyboard.svelte";
import type { Layer } from "./viewer-window.svelte";

/** The editor action of a key press, or null if it has none. */
export type EditorAction =
  | { do: "play" | "first" | "last" | "in" | "out" | "paint" | "loop" }
  | { do: "inPlace" | "frameAll" | "rename" | "make" }
  | { do: "backwards" | "stop" | "compare" | "overlay" | "nextOver" }
  | { do: "layer"; layer: Layer }
  | { do: "undo" | "redo" | "delete" | "export" | "renderVideo" | "close" }
  | { do: "step"; frames: number }
  | { do: "correction"; step: -1 | 1 }
  | { do: "variant"; number: number };

type Press = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">;

/** Editor actions of the keyboard commands. */
const actions: Partial<Record<CommandId, EditorAction>> = {
  play: { do: "play" },
  backwards: { do: "backwards" },
  stop: { do: "stop" },
  loop: { do: "loop" },
  stepBack: { do: "step", frames: -1 },
  stepOn: { do: "step", frames: 1 },
  leapBack: { do: "step", frames: -10 },
  leapOn: { do: "step", frames: 10 },
  previousCorrection: { do: "correction", step: -1 },
  nextCorrection: { do: "correction", step: 1 },
  first: { do: "first" },
  last: { do: "last" },
  trimIn: { do: "in" },
  trimOut: { do: "out" },
  paint: { do: "paint" },
  remove: { do: "delete" },
  make: { do: "make" },
  undo: { do: "undo" },
  redo: { do: "redo" },
  rename: { do: "rename" },
  export: { do: "export" },
  film: { do: "renderVideo" },
  inPlace: { do: "inPlace" },
  frameAll: { do: "frameAll" },
  skin: { do: "layer", layer: "skin" },
  bones: { do: "layer", layer: "bones" },
  contacts: { do: "layer", layer: "contacts" },
  trails: { do: "layer", layer: "trails" },
  ghosts: { do: "layer", layer: "ghosts" },
  axes: { do: "layer", layer: "axes" },
  compare: { do: "compare" },
  overlay: { do: "overlay" },
  nextOver: { do: "nextOver" },
};

/**
 * Returns the action of a key press; `writing` means that the focused element handles keys itself.
 */
export function editorActionFor(press: Press, writing: boolean): EditorAction | null {
  if (press.altKey) return null;
  if (press.key === "Escape") return { do: "close" };
  const isCommand = press.ctrlKey || press.metaKey;
  const id = keyboard.commandOf(press, "editor");
  const action = id && actions[id];
  if (action) {
    // a text field has its own undo
    const isOfText = !isCommand || action.do === "undo" || action.do === "redo";
    return writing && isOfText ? null : action;
  }
  const number = /^[1-8]$/.test(press.key) ? Number(press.key) : null;
  return number && !isCommand && !writing ? { do: "variant", number } : null;
}
