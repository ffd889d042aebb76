import type { ChangeKind } from "../host";
import { t } from "../texts";

/** What was done to a clip, in words; nothing when it was made of words alone. */
export function changeWords(change: ChangeKind | null | undefined): string | null {
  return change ? t(`shared.change.${change}`) : null;
}
