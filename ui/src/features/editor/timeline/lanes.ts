/** Bars beyond this many on top of each other share the last lane, so that the row stays low. */
const maxLanes = 3;

export interface Bar {
  id: number;
  start: number;
  /** Exclusive. */
  end: number;
}

/** The lanes of a row, by the ids of its bars. */
export interface Lanes {
  count: number;
  of: ReadonlyMap<number, number>;
}

/** Distributes bars over lanes, so that bars that overlap in time are shown one below the other. */
export function lanesOf(bars: readonly Bar[]): Lanes {
  /** Where the last bar of each lane ends. */
  const ends: number[] = [];
  const of = new Map<number, number>();
  for (const { id, start, end } of [...bars].sort((one, other) => one.start - other.start)) {
    const free = ends.findIndex((each) => each <= start);
    const lane = free >= 0 ? free : Math.min(ends.length, maxLanes - 1);
    ends[lane] = Math.max(end, ends[lane] ?? 0);
    of.set(id, lane);
  }
  return { count: Math.max(ends.length, 1), of };
}
