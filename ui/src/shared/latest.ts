/** An answer, with the ids of items that were updated while it was on its way. */
export type AnswerWithUpdates<Item> = { answer: Item[]; newer: ReadonlySet<string> };

/**
 * Tracks updates that arrive while answers are on their way, so that these do not overwrite them.
 */
export class UpdateTracker {
  private readonly listening = new Set<Set<string>>();

  /** Notes an update of an item. */
  markUpdated(id: string): void {
    for (const ids of this.listening) ids.add(id);
  }

  async during<Item>(ask: () => Promise<Item[]>): Promise<AnswerWithUpdates<Item>> {
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
export function merged<Item extends { id: string }>(shown: Item[], { answer, newer }: AnswerWithUpdates<Item>): Item[] {
  const updated = new Map(shown.filter(({ id }) => newer.has(id)).map((item) => [item.id, item]));
  const listed = new Set(answer.map(({ id }) => id));
  const fresh = [...updated.values()].filter(({ id }) => !listed.has(id));
  return [...fresh, ...answer.map((item) => updated.get(item.id) ?? item)];
}

/** Of several concurrent answers to a question, drops those that a newer one has overtaken. */
export class Latest {
  private latestTurn = 0;
  private latestAnsweredTurn = 0;

  async run<Answer>(ask: () => Promise<Answer>, use: (answer: Answer) => void): Promise<void> {
    this.latestTurn += 1;
    const turn = this.latestTurn;
    const answer = await ask();
    if (turn < this.latestAnsweredTurn) return;
    this.latestAnsweredTurn = turn;
    use(answer);
  }
}
