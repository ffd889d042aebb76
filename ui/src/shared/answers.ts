/** An answer, with the ids of items that were updated while it was on its way. */
export type Answered<Item> = { answer: Item[]; newer: ReadonlySet<string> };

/**
 * Tracks updates that arrive while answers are on their way, so that these do not overwrite them.
 */
export class Told {
  private readonly listening = new Set<Set<string>>();

  /** Notes an update of an item. */
  heard(id: string): void {
    for (const ids of this.listening) ids.add(id);
  }

  async since<Item>(ask: () => Promise<Item[]>): Promise<Answered<Item>> {
    const newer = new Set<string>();
    this.listening.add(newer);
    try {
      return { answer: await ask(), newer };
    } finally {
      this.listening.delete(newer);
    }
  }
}

/** A list in the order of the answer. Updated items are taken from `shown`; new ones come first. */
export function merged<Item extends { id: string }>(shown: Item[], { answer, newer }: Answered<Item>): Item[] {
  const told = new Map(shown.filter(({ id }) => newer.has(id)).map((item) => [item.id, item]));
  const listed = new Set(answer.map(({ id }) => id));
  const fresh = [...told.values()].filter(({ id }) => !listed.has(id));
  return [...fresh, ...answer.map((item) => told.get(item.id) ?? item)];
}

/** Of several concurrent answers to a question, drops those that a newer one has overtaken. */
export class Latest {
  private asked = 0;
  private answered = 0;

  async take<Answer>(ask: () => Promise<Answer>, use: (answer: Answer) => void): Promise<void> {
    this.asked += 1;
    const turn = this.asked;
    const answer = await ask();
    if (turn < this.answered) return;
    this.answered = turn;
    use(answer);
  }
}
