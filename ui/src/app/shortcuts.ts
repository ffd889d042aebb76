import { commandIds, commands, keyboard, chordKeys, type Scope } from "../shared/keyboard.svelte";
import type { Shortcut } from "../shared/key-labels";
import { pages, type PageId } from "./app-state.svelte";
import { t } from "../texts";

/** The action of a key press, or null if it has none here. */
export type ShortcutAction =
  | { do: "generate" }
  | { do: "close" }
  | { do: "help" }
  | { do: "prompt" }
  | { do: "earlier" }
  | { do: "page"; page: PageId };

/** Shortcuts of the pages that cannot be changed. */
export const fixedShortcuts = (): Shortcut[] => [
  { keys: ["↑", "↓"], words: t("shortcuts.history") },
  { keys: ["Esc"], words: t("shortcuts.close") },
  { keys: ["Ctrl", "1 … 6"], words: t("shortcuts.pages") },
  { keys: ["1 … 8"], words: t("shortcuts.variant") },
  { keys: ["Ctrl", "A"], words: t("shortcuts.chooseAll") },
  { keys: ["G"], words: t("shortcuts.playTogether") },
  { keys: ["Ctrl", "E"], words: t("shortcuts.exportChosen") },
  { keys: ["Delete"], words: t("shortcuts.deleteChosen") },
  { keys: ["F2"], words: t("shortcuts.rename") },
  { keys: ["Tab"], words: t("shortcuts.next") },
];

/** Customisable shortcuts with their current keys, without commands that have none. */
export const customShortcuts = (isHere: (scope: Scope) => boolean): Shortcut[] =>
  commandIds
    .filter((id) => isHere(commands[id].scope))
    .flatMap((id) => keyboard.chordsOf(id).slice(0, 1).map((chord) => ({ keys: chordKeys(chord), words: t(`shortcuts.does.${id}`) })));

/** Shortcuts of the viewer window, which handles its own keyboard. */
export const viewerShortcuts = (): Shortcut[] => [
  { keys: ["Space"], words: t("shortcuts.playOrPause") },
  { keys: ["←", "→"], words: t("shortcuts.step") },
  { keys: ["Home", "End"], words: t("shortcuts.ends") },
  { keys: ["L"], words: t("shortcuts.loop") },
  { keys: ["[", "]"], words: t("shortcuts.viewer.speed") },
  { keys: ["B", "S", "G", "C"], words: t("shortcuts.viewer.show") },
  { keys: ["V"], words: t("shortcuts.viewer.follow") },
  { keys: ["R"], words: t("shortcuts.viewer.travel") },
  { keys: ["F"], words: t("shortcuts.viewer.frame") },
  { keys: ["1 … 4"], words: t("shortcuts.viewer.sides") },
  { keys: ["Shift", "P", "T"], words: t("shortcuts.viewer.keep") },
  { keys: ["H"], words: t("shortcuts.viewer.keys") },
];

/** Keys that kinds of inputs handle themselves; every other input is a text field. */
const ownKeys: Record<string, RegExp> = {
  checkbox: /^ $/,
  radio: /^Arrow/,
  range: /^(Arrow|Page|Home|End)/,
};

/**
 * Whether the focused element handles this key itself. `writing` considers text fields only, `any`
 * also sliders, choices and buttons.
 */
export function consumesKey(event: KeyboardEvent, what: "writing" | "any"): boolean {
  const at = event.target;
  if (at instanceof HTMLTextAreaElement) return true;
  // a select list uses arrows and letters
  if (at instanceof HTMLSelectElement) return what === "any";
  if (at instanceof HTMLInputElement) {
    const own = ownKeys[at.type];
    return own ? what === "any" && own.test(event.key) : true;
  }
  // Space presses a button focused by keyboard; a button that was clicked does not claim it
  const isPress = event.key === " " && at instanceof HTMLButtonElement;
  return what === "any" && isPress && at.matches(":focus-visible");
}

type Press = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">;

/** Returns the action of a key press; `writing` means that a text field has the focus. */
export function shortcutActionFor(press: Press, writing: boolean): ShortcutAction | null {
  const isCommand = press.ctrlKey || press.metaKey;
  const id = keyboard.commandOf(press, "pages");
  if (id && !(writing && !isCommand)) {
    if (id === "generate" || id === "prompt" || id === "earlier" || id === "help") return { do: id };
  }
  if (press.altKey) return null;
  if (isCommand) {
    const page = pages[Number(press.key) - 1];
    return page ? { do: "page", page } : null;
  }
  return press.key === "Escape" ? { do: "close" } : null;
}
