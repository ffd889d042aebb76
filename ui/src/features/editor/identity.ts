/**
 * Keys and layers of corrections and intervals of a draft have no names, and each step of the history may move them to
 * other places. A number follows each of them from state to state, so that what is selected stays the same one.
 */
const numbers = new WeakMap<object, number>();
let last = 0;

/** The number of a thing, which it gets when somebody asks first; it is larger than all numbers before. */
export function idOf(thing: object): number {
  const known = numbers.get(thing);
  if (known !== undefined) return known;
  last += 1;
  numbers.set(thing, last);
  return last;
}

/** Says that `next` is another state of `before`. */
export function stateOf<Thing extends object>(before: Thing, next: Thing): Thing {
  numbers.set(next, idOf(before));
  return next;
}
