/** How long a request must stay unchanged before it is sent, in milliseconds. */
const pauseMs = 250;

/** Debounces requests that change while the user edits; only the answer to the latest counts. */
export class DebouncedRequest<Request, Answer> {
  private readonly ask: (request: Request) => Promise<Answer>;
  private readonly answered: (answer: Answer | null) => void;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private question = 0;

  /** `answered` is called with null if there is no request or no answer. */
  constructor(ask: (request: Request) => Promise<Answer>, answered: (answer: Answer | null) => void) {
    this.ask = ask;
    this.answered = answered;
  }

  /**
   * Sends a request after a short pause. Returns a function that cancels it while it is pending.
   */
  schedule(request: Request | null): () => void {
    clearTimeout(this.timer);
    this.question += 1;
    if (request === null) this.answered(null);
    else this.timer = setTimeout(() => void this.sendNow(request), pauseMs);
    return () => clearTimeout(this.timer);
  }

  async sendNow(request: Request): Promise<void> {
    const question = ++this.question;
    // errors are reported on submission
    const answer = await this.ask(request).catch(() => null);
    if (question === this.question) this.answered(answer);
  }
}
