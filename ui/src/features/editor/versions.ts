import type { ClipShown } from "../../host";

/** One line of the tree of versions. */
export interface Version {
  clip: ClipShown;
  depth: number;
  /** Parents that are in nobody's library any more. */
  lost: number;
  /** The other clip, when it was joined of two. */
  joinedWith: ClipShown | null;
}

const most = 60;

/** Where a clip came from and what became of it: its oldest known forebear and all its descent. */
export function versions(id: string, clips: ClipShown[]): Version[] {
  const known = new Map(clips.map((clip) => [clip.id, clip]));
  const children = new Map<string, ClipShown[]>();
  for (const clip of clips) {
    for (const parent of clip.madeFrom) {
      children.set(parent, [...(children.get(parent) ?? []), clip]);
    }
  }
  const root = oldest(id, known);
  const found: Version[] = [];
  const seen = new Set<string>();
  const walk = (clip: ClipShown, depth: number, parent: string | null): void => {
    if (seen.has(clip.id) || found.length >= most) return;
    seen.add(clip.id);
    const other = clip.madeFrom.find((each) => each !== parent);
    found.push({
      clip,
      depth,
      lost: clip.madeFrom.filter((each) => !known.has(each)).length,
      joinedWith: (other !== undefined && known.get(other)) || null,
    });
    const next = [...(children.get(clip.id) ?? [])].sort((a, b) => a.madeAt.localeCompare(b.madeAt));
    for (const child of next) walk(child, depth + 1, clip.id);
  };
  if (root) walk(root, 0, null);
  return found;
}

function oldest(id: string, known: Map<string, ClipShown>): ClipShown | null {
  let clip = known.get(id) ?? null;
  const seen = new Set<string>();
  while (clip && !seen.has(clip.id)) {
    seen.add(clip.id);
    const parent: ClipShown | undefined = known.get(clip.madeFrom[0] ?? "");
    if (!parent) break;
    clip = parent;
  }
  return clip;
}
