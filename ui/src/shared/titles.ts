import type { ChangeKind, ClipShown } from "../host";
import { changeWords } from "./changes";

/** The longest name of a clip, characters. */
export const longestName = 120;

/** What a clip is called: the name it was given, or else its prompt. */
export function titleOf({ name, prompt }: Pick<ClipShown, "name" | "prompt">): string {
  return name ?? prompt;
}

/** The name of what an edit makes of a clip; null where that goes by its prompt, as its source does. */
export function nameAfter({ name }: Pick<ClipShown, "name">, change: ChangeKind): string | null {
  if (name == null) return null;
  const done = ` · ${changeWords(change)}`;
  const room = longestName - [...done].length;
  return [...name].slice(0, room).join("") + done;
}
