import type { ClipView } from "../host";

/**
 * Updates clips, newest first, after some have changed: `current` holds those of the changed ones
 * that still exist, newest first; the others were deleted. Unchanged clips keep their identity.
 */
export function applyClipChanges(clips: readonly ClipView[], changed: string[], current: readonly ClipView[]): ClipView[] {
  const ids = new Set(changed);
  const all: ClipView[] = [];
  let next = 0;
  for (const clip of clips) {
    if (ids.has(clip.id)) continue;
    for (let one = current[next]; one && isBefore(one, clip); one = current[next]) {
      all.push(one);
      next += 1;
    }
    all.push(clip);
  }
  return [...all, ...current.slice(next)];
}

function isBefore(one: ClipView, other: ClipView): boolean {
  return one.madeAt === other.madeAt ? one.variant < other.variant : one.madeAt > other.madeAt;
}
