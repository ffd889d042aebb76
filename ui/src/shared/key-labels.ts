import { t } from "../texts";

/** A line of the shortcut help: keys, and what they do. */
export interface Shortcut {
  keys: string[];
  words: string;
}

const named = ["Ctrl", "Shift", "Delete", "Backspace", "Space", "Home", "End"] as const;
const arrows: Record<string, string> = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓" };

/** The label of a key; letters and signs stand for themselves. */
export function keyLabel(key: string): string {
  const name = named.find((each) => each === key);
  return name ? t(`keys.${name}`) : (arrows[key] ?? key);
}

/** The label of a chord for tooltips: `Ctrl+Z`. */
export function chordLabel(...keys: string[]): string {
  return keys.map(keyLabel).join("+");
}
