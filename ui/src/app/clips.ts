import type { ClipShown } from "../host";

/**
 * Clips, newest first, after some have changed: `there` are those of them that are there now, newest first
 * too; the others are gone. Who did not change is the same object as before.
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
