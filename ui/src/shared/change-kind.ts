import type { Change, ChangeKind } from "../host";
import { t } from "../texts";

/** The edit that a clip was made by, in words; null if it was made from a prompt alone. */
export function changeLabel(change: ChangeKind | null | undefined): string | null {
  return change ? t(`shared.change.${change}`) : null;
}

/** The kind of an edit. */
export function changeKindOf(change: Change): ChangeKind {
  const kinds = { paint: "painted", join: "joined", overlap: "joined", loop: "looped", refine: "refined", cut: "cut" } as const;
  return kinds[change.kind];
}
