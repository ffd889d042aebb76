import type { ClipView } from "../../host";
import { changeLabel } from "../../shared/change-kind";
import { titleOf } from "../../shared/titles";
import { t } from "../../texts";

/** A line of the version tree. */
export interface VersionNode {
  clip: ClipView;
  depth: number;
  /** Number of parents that were deleted. */
  deletedParents: number;
  /** The other clip, if it was joined from two. */
  joinedWith: ClipView | null;
}

const most = 60;

/** How a version was made, in words. */
export function versionLabel(version: VersionNode): string {
  const made = changeLabel(version.clip.change) ?? t("editor.versions.fromWords");
  const other = version.joinedWith;
  return other === null ? made : t("editor.versions.joinedWith", { made, other: titleOf(other) });
}

/** Clips worth comparing with: its sources, its variants, then its other versions. */
export function comparisonClips(clip: ClipView, clips: ClipView[]): ClipView[] {
  const tree = versionTree(clip.id, clips).map((version) => version.clip);
  const parents = clip.madeFrom.flatMap((parent) => clips.filter((each) => each.id === parent));
  const variants = clips
    .filter((each) => each.jobId === clip.jobId)
    .sort((one, other) => one.variant - other.variant);
  const found = new Map([...parents, ...variants, ...tree].map((each) => [each.id, each]));
  found.delete(clip.id);
  return [...found.values()];
}

/** How a clip relates to the one it is compared with. */
export function comparisonLabel(other: ClipView, clip: ClipView): string {
  const { variant } = other;
  const prompt = titleOf(other);
  if (other.jobId === clip.jobId) return t("editor.viewer.variant", { variant, prompt });
  if (clip.madeFrom.includes(other.id)) return t("editor.viewer.origin", { prompt });
  return t("editor.viewer.version", { prompt, made: changeLabel(other.change) ?? t("editor.versions.fromWords") });
}

/** The version tree of a clip: its oldest known ancestor with all descendants. */
export function versionTree(id: string, clips: ClipView[]): VersionNode[] {
  const known = new Map(clips.map((clip) => [clip.id, clip]));
  const children = new Map<string, ClipView[]>();
  for (const clip of clips) {
    for (const parent of clip.madeFrom) {
      children.set(parent, [...(children.get(parent) ?? []), clip]);
    }
  }
  const root = oldest(id, known);
  const found: VersionNode[] = [];
  const seen = new Set<string>();
  const walk = (clip: ClipView, depth: number, parent: string | null): void => {
    if (seen.has(clip.id) || found.length >= most) return;
    seen.add(clip.id);
    const other = clip.madeFrom.find((each) => each !== parent);
    found.push({
      clip,
      depth,
      deletedParents: clip.madeFrom.filter((each) => !known.has(each)).length,
      joinedWith: (other !== undefined && known.get(other)) || null,
    });
    const next = [...(children.get(clip.id) ?? [])].sort((a, b) => a.madeAt.localeCompare(b.madeAt));
    for (const child of next) walk(child, depth + 1, clip.id);
  };
  if (root) walk(root, 0, null);
  return found;
}

function oldest(id: string, known: Map<string, ClipView>): ClipView | null {
  let clip = known.get(id) ?? null;
  const seen = new Set<string>();
  while (clip && !seen.has(clip.id)) {
    seen.add(clip.id);
    const parent: ClipView | undefined = known.get(clip.madeFrom[0] ?? "");
    if (!parent) break;
    clip = parent;
  }
  return clip;
}
