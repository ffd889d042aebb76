import { t } from "../texts";

/** One line of the help: its keys, and what they do. */
export interface Shortcut {
  keys: string[];
  words: string;
}

const named = ["Ctrl", "Shift", "Delete", "Backspace", "Space", "Home", "End"] as const;
const arrows: Record<string, string> = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓" };

/** What stands on a key; letters and signs stand for themselves. */
export function keyName(key: string): string {
  const name = named.find((each) => each === key);
  return name ? t(`keys.${name}`) : (arrows[key] ?? key);
}

/** Keys pressed together, as tooltips tell them: `Ctrl+Z`. */
export function chord(...keys: string[]): string {
  return keys.map(keyName).join("+");
}
