import type { ClipShown } from "../host";

/**
 * Updates clips, newest first, after some have changed: `there` holds those of the changed ones
 * that still exist, newest first; the others were deleted. Unchanged clips keep their identity.
 */
export function withChanged(clips: readonly ClipShown[], changed: string[], there: readonly ClipShown[]): ClipShown[] {
  const ids = new Set(changed);
  const all: ClipShown[] = [];
  let next = 0;
  for (const clip of clips) {
    if (ids.has(clip.id)) continue;
    for (let one = there[next]; one && isBefore(one, clip); one = there[next]) {
      all.push(one);
      next += 1;
    }
    all.push(clip);
  }
  return [...all, ...there.slice(next)];
}

function isBefore(one: ClipShown, other: ClipShown): boolean {
  return one.madeAt === other.madeAt ? one.variant < other.variant : one.madeAt > other.madeAt;
}
