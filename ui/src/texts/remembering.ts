import { language } from "./language.svelte";

// What is asked for again and again is of few kinds; whatever is of many is made anew.
const most = 4000;

/**
 * Keeps what was made of a key, for texts that come back with every card: finding one in the catalogue
 * and filling it in is most of what a card costs that comes into sight. Each language has its own.
 */
export function remembering<Made>(): (key: string, make: () => Made) => Made {
  const known = new Map<string, Made>();
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
