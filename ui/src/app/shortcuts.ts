import { rooms, type Room } from "./state.svelte";

/** What a key press asks for, or null when it is none of ours. */
export type Wish =
  | { do: "generate" }
  | { do: "cancel" }
  | { do: "help" }
  | { do: "prompt" }
  | { do: "earlier" }
  | { do: "room"; room: Room };

/** Every shortcut, as the help shows it. */
export const shortcuts: { keys: string[]; words: string }[] = [
  { keys: ["Ctrl", "Enter"], words: "Generate" },
  { keys: ["/"], words: "Write a prompt" },
  { keys: ["↑", "↓"], words: "Earlier prompts, in the empty box" },
  { keys: ["Ctrl", "H"], words: "Earlier prompts and favourites, to search" },
  { keys: ["Esc"], words: "Cancel the newest job, or close a panel" },
  { keys: ["Ctrl", "1 … 6"], words: "Studio, Library, Characters, Queue, Account, Settings" },
  { keys: ["Ctrl", "A"], words: "Choose every clip of the library that was found" },
  { keys: ["G"], words: "Play the chosen clips side by side" },
  { keys: ["Ctrl", "E"], words: "Export the chosen clips; with Shift film the first" },
  { keys: ["Delete"], words: "Delete the chosen clips; Ctrl Z brings them back" },
  { keys: ["Tab"], words: "Next control; Enter or Space presses it" },
  { keys: ["?"], words: "This help" },
];

/** Shortcuts of the viewer window, which has its own keyboard. */
export const viewerShortcuts: { keys: string[]; words: string }[] = [
  { keys: ["Space"], words: "Play or pause" },
  { keys: ["←", "→"], words: "One frame back or on; with Shift ten" },
  { keys: ["Home", "End"], words: "First or last frame" },
  { keys: ["L"], words: "Loop" },
  { keys: ["[", "]"], words: "Slower, faster" },
  { keys: ["B", "S", "G", "C"], words: "Bones, skin, floor lines, contacts of the feet" },
  { keys: ["V"], words: "The camera follows" },
  { keys: ["R"], words: "In place, or with travel" },
  { keys: ["F"], words: "Frame the character" },
  { keys: ["1 … 4"], words: "Seen obliquely, from the front, the side, above" },
  { keys: ["H"], words: "All of its keys" },
];

/** Keys that kinds of inputs use themselves; every other input is a text. */
const ownKeys: Record<string, RegExp> = {
  checkbox: /^ $/,
  radio: /^Arrow/,
  range: /^(Arrow|Page|Home|End)/,
};

/**
 * Whether the focus is in something that takes this key itself: `writing` asks about texts alone,
 * `any` also about sliders, choices and buttons.
 */
export function takesKeys(event: KeyboardEvent, what: "writing" | "any"): boolean {
  const at = event.target;
  if (at instanceof HTMLTextAreaElement) return true;
  if (at instanceof HTMLInputElement) {
    const own = ownKeys[at.type];
    return own ? what === "any" && own.test(event.key) : true;
  }
  // Space presses a button that was reached by the keyboard; one that was clicked is left alone
  const isPress = event.key === " " && at instanceof HTMLButtonElement;
  return what === "any" && isPress && at.matches(":focus-visible");
}

type Press = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey">;

/** Reads one key press; `writing` says that the focus is in a text field. */
export function wishOf(press: Press, writing: boolean): Wish | null {
  const command = press.ctrlKey || press.metaKey;
  if (command && press.key === "Enter") return { do: "generate" };
  if (command && press.key.toLowerCase() === "h") return { do: "earlier" };
  if (command && !press.altKey) {
    const room = rooms[Number(press.key) - 1];
    return room ? { do: "room", room } : null;
  }
  if (press.key === "Escape") return { do: "cancel" };
  if (writing || press.altKey) return null;
  if (press.key === "?") return { do: "help" };
  if (press.key === "/") return { do: "prompt" };
  return null;
}
