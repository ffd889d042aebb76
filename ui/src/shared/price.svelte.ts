import { Newest } from "./newest";

/** The price of a request; submitting the request accepts the price that is shown. */
export class Price<Wish> {
  /** Null while unknown. */
  credits = $state<number | null>(null);
  private readonly newest: Newest<Wish, number>;

  constructor(ask: (wish: Wish) => Promise<number>) {
    this.newest = new Newest(ask, (credits) => (this.credits = credits));
  }

  /** The price that is accepted by submitting now. */
  get agreed(): number {
    return this.credits ?? 0;
  }

  /**
   * Requests the price after a short pause. Returns a function that cancels it while it is pending.
   */
  soon(wish: Wish | null): () => void {
    return this.newest.soon(wish);
  }

  now(wish: Wish): Promise<void> {
    return this.newest.now(wish);
  }
}
