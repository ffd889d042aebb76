import type { ChangeKind, ClipShown } from "../host";
import { changeWords } from "./changes";

/** Maximum length of a clip's name, in characters. */
export const longestName = 120;

/** The title of a clip: its name, or else its prompt. */
export function titleOf({ name, prompt }: Pick<ClipShown, "name" | "prompt">): string {
  return name ?? prompt;
}

/** The name of the result of an edit; null if it goes by its prompt, as its source does. */
export function nameAfter({ name }: Pick<ClipShown, "name">, change: ChangeKind): string | null {
  if (name == null) return null;
  const done = ` · ${changeWords(change)}`;
  const room = longestName - [...done].length;
  return [...name].slice(0, room).join("") + done;
}
