import { keyboard, type CommandId } from "../../shared/keyboard.svelte";
import type { Layer } from "./looks.svelte";

/** The editor action of a key press, or null if it has none. */
export type EditWish =
  | { do: "play" | "first" | "last" | "in" | "out" | "paint" | "loop" }
  | { do: "inPlace" | "frameAll" | "rename" | "make" }
  | { do: "backwards" | "stop" | "compare" | "overlay" | "nextOver" }
  | { do: "layer"; layer: Layer }
  | { do: "undo" | "redo" | "delete" | "export" | "film" | "close" }
  | { do: "step"; frames: number }
  | { do: "correction"; step: -1 | 1 }
  | { do: "variant"; number: number };

type Press = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">;

/** Editor actions of the keyboard commands. */
const wishes: Partial<Record<CommandId, EditWish>> = {
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
  film: { do: "film" },
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
export function editWishOf(press: Press, writing: boolean): EditWish | null {
  if (press.altKey) return null;
  if (press.key === "Escape") return { do: "close" };
  const isCommand = press.ctrlKey || press.metaKey;
  const id = keyboard.commandOf(press, "editor");
  const wish = id && wishes[id];
  if (wish) {
    // a text field has its own undo
    const isOfText = !isCommand || wish.do === "undo" || wish.do === "redo";
    return writing && isOfText ? null : wish;
  }
  const number = /^[1-8]$/.test(press.key) ? Number(press.key) : null;
  return number && !isCommand && !writing ? { do: "variant", number } : null;
}
