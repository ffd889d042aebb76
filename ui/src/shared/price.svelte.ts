import { Newest } from "./newest";

/** What a wish costs; whoever is shown it agrees to it by asking for the thing. */
export class Price<Wish> {
  /** null while nobody knows. */
  credits = $state<number | null>(null);
  private readonly newest: Newest<Wish, number>;

  constructor(ask: (wish: Wish) => Promise<number>) {
    this.newest = new Newest(ask, (credits) => (this.credits = credits));
  }

  /** What is agreed to by what is shown now. */
  get agreed(): number {
    return this.credits ?? 0;
  }

  /** Asks once nothing else is wished for a moment; what comes back ends the asking. */
  soon(wish: Wish | null): () => void {
    return this.newest.soon(wish);
  }

  now(wish: Wish): Promise<void> {
    return this.newest.now(wish);
  }
}
