/** How long a wish must have stayed the same before it is asked about. */
const pauseMs = 250;

/** Asks about what somebody is still changing, once it rests; only the answer to the newest question counts. */
export class Newest<Wish, Answer> {
  private readonly ask: (wish: Wish) => Promise<Answer>;
  private readonly answered: (answer: Answer | null) => void;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private question = 0;

  /** `answered` hears null where nothing is wished for or nobody knows. */
  constructor(ask: (wish: Wish) => Promise<Answer>, answered: (answer: Answer | null) => void) {
    this.ask = ask;
    this.answered = answered;
  }

  /** Asks once nothing else is wished for a moment; what comes back ends the asking. */
  soon(wish: Wish | null): () => void {
    clearTimeout(this.timer);
    this.question += 1;
    if (wish === null) this.answered(null);
    else this.timer = setTimeout(() => void this.now(wish), pauseMs);
    return () => clearTimeout(this.timer);
  }

  async now(wish: Wish): Promise<void> {
    const question = ++this.question;
    // what is wrong with the wish is told when it is handed in
    const answer = await this.ask(wish).catch(() => null);
    if (question === this.question) this.answered(answer);
  }
}
