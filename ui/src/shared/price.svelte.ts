import { DebouncedRequest } from "./debounced-request";

/** The price of a request; submitting the request accepts the price that is shown. */
export class Price<Request> {
  /** Null while unknown. */
  credits = $state<number | null>(null);
  private readonly debounced: DebouncedRequest<Request, number>;

  constructor(ask: (request: Request) => Promise<number>) {
    this.debounced = new DebouncedRequest(ask, (credits) => (this.credits = credits));
  }

  /** The price that is accepted by submitting now. */
  get agreed(): number {
    return this.credits ?? 0;
  }

  /**
   * Requests the price after a short pause. Returns a function that cancels it while it is pending.
   */
  schedule(request: Request | null): () => void {
    return this.debounced.schedule(request);
  }

  sendNow(request: Request): Promise<void> {
    return this.debounced.sendNow(request);
  }
}
