/**
 * Keys and layers of corrections and intervals of a draft have no ids, and each step of the history
 * may move them. A number follows each of them from state to state, so that the selection is
 * stable.
 */
const numbers = new WeakMap<object, number>();
let last = 0;

/** The number of an object, assigned on first use; larger than all numbers before. */
export function idOf(thing: object): number {
  const known = numbers.get(thing);
  if (known !== undefined) return known;
  last += 1;
  numbers.set(thing, last);
  return last;
}

/** Marks `next` as a later state of `before`. */
export function withIdOf<Thing extends object>(before: Thing, next: Thing): Thing {
  numbers.set(next, idOf(before));
  return next;
}
