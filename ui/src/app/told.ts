/** Keeps answers from overruling what was told while they were on their way: neither waits for the other. */
export class Told {
  private readonly listening = new Set<Set<string>>();

  /** Something was told of this one. */
  heard(id: string): void {
    for (const ids of this.listening) ids.add(id);
  }

  /** Asks for many. Answers of which ones something newer was told by then, and all others. */
  async since<Item extends { id: string }>(
    ask: () => Promise<Item[]>,
  ): Promise<{ newer: ReadonlySet<string>; others: Item[] }> {
    const newer = new Set<string>();
    this.listening.add(newer);
    try {
      const answer = await ask();
      return { newer, others: answer.filter(({ id }) => !newer.has(id)) };
    } finally {
      this.listening.delete(newer);
    }
  }
}

/** Of several answers to one question, on their way at once, takes none that a newer one overtook. */
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
