/** What a key press asks of the editor, or null when it is none of its own. */
export type EditWish =
  | { do: "play" | "first" | "last" | "in" | "out" | "paint" | "loop" }
  | { do: "backwards" | "stop" | "compare" }
  | { do: "undo" | "redo" | "delete" | "export" | "film" | "close" }
  | { do: "step"; frames: number }
  | { do: "variant"; number: number };

/** The editor's shortcuts, as the help shows them. */
export const editShortcuts: { keys: string[]; words: string }[] = [
  { keys: ["Space"], words: "Play or pause" },
  { keys: ["J", "K"], words: "Play backwards, stop; then L plays forwards" },
  { keys: ["←", "→"], words: "One frame back or on; with Shift ten" },
  { keys: ["Home", "End"], words: "First or last frame" },
  { keys: ["I", "O"], words: "The clip begins or ends here" },
  { keys: ["P"], words: "A painted interval begins, then ends here" },
  { keys: ["Delete"], words: "Remove the chosen interval" },
  { keys: ["L"], words: "Loop" },
  { keys: ["1 … 8"], words: "That variant of the same job" },
  { keys: ["G"], words: "All variants side by side in the viewer, or this one alone" },
  { keys: ["Ctrl", "Z"], words: "Undo; with Ctrl Y redo" },
  { keys: ["Ctrl", "E"], words: "Export; with Shift render a film" },
  { keys: ["Esc"], words: "Back to the clips" },
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
  g: { do: "compare" },
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
    // a text field has its own undo
    if (writing && key !== "e") return null;
    if (key === "z") return { do: press.shiftKey ? "redo" : "undo" };
    if (key === "e" && press.shiftKey) return { do: "film" };
    return commands[key] ?? null;
  }
  if (key === "Escape") return { do: "close" };
  if (writing) return null;
  if (key === "ArrowLeft" || key === "ArrowRight") {
    const frames = press.shiftKey ? 10 : 1;
    return { do: "step", frames: key === "ArrowLeft" ? -frames : frames };
  }
  const number = /^[1-8]$/.test(key) ? Number(key) : null;
  return number ? { do: "variant", number } : (plain[key] ?? null);
}
