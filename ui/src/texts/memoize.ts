import { language } from "./language.svelte";

// The cache is cleared beyond this many entries; the keys that recur are far fewer.
const most = 4000;

/**
 * Caches texts by key that every card needs: looking one up in the catalogue and formatting it is
 * most of the cost of a new card. Each language has its own cache.
 */
export function memoizeByLanguage<Value>(): (key: string, make: () => Value) => Value {
  const known = new Map<string, Value>();
  return (key, make) => {
    const spoken = `${language.now} ${key}`;
    let made = known.get(spoken);
    if (made === undefined) {
      if (known.size >= most) known.clear();
      made = make();
      known.set(spoken, made);
    }
    return made;
  };
}
