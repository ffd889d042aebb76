/** How long a wish must have stayed the same before its price is asked for. */
const pauseMs = 250;

/** What a wish costs; whoever is shown it agrees to it by asking for the thing. */
export class Price<Wish> {
  /** null while nobody knows. */
  credits = $state<number | null>(null);
  private readonly ask: (wish: Wish) => Promise<number>;
  /** Only the answer to the newest question counts. */
  private question = 0;

  constructor(ask: (wish: Wish) => Promise<number>) {
    this.ask = ask;
  }

  /** What is agreed to by what is shown now. */
  get agreed(): number {
    return this.credits ?? 0;
  }

  /** Asks once nothing else is wished for a moment; what comes back ends the asking. */
  soon(wish: Wish | null): () => void {
    this.question += 1;
    if (!wish) {
      this.credits = null;
      return () => {};
    }
    const timer = setTimeout(() => void this.now(wish), pauseMs);
    return () => clearTimeout(timer);
  }

  async now(wish: Wish): Promise<void> {
    const question = ++this.question;
    // what is wrong with the wish is told when it is handed in
    const credits = await this.ask(wish).catch(() => null);
    if (question === this.question) this.credits = credits;
  }
}
