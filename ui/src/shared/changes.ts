import type { Change, ChangeKind } from "../host";
import { t } from "../texts";

/** What was done to a clip, in words; nothing when it was made of words alone. */
export function changeWords(change: ChangeKind | null | undefined): string | null {
  return change ? t(`shared.change.${change}`) : null;
}

/** What a change is once it is made. */
export function kindOf(change: Change): ChangeKind {
  const kinds = { paint: "painted", join: "joined", overlap: "joined", loop: "looped", refine: "refined", cut: "cut" } as const;
  return kinds[change.kind];
}
