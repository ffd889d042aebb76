import type { ChangeKind, ClipView } from "../host";
import { changeLabel } from "./change-kind";

/** Maximum length of a clip's name, in characters. */
export const maxNameLength = 120;

/** The title of a clip: its name, or else its prompt. */
export function titleOf({ name, prompt }: Pick<ClipView, "name" | "prompt">): string {
  return name ?? prompt;
}

/** The name of the result of an edit; null if it goes by its prompt, as its source does. */
export function nameAfter({ name }: Pick<ClipView, "name">, change: ChangeKind): string | null {
  if (name == null) return null;
  const done = ` · ${changeLabel(change)}`;
  const room = maxNameLength - [...done].length;
  return [...name].slice(0, room).join("") + done;
}
