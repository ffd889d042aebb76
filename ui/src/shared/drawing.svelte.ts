import { shownError, type AppError } from "../host";

/** So long nothing may change before a picture is drawn, milliseconds. */
const pauseMs = 250;

/** A picture that takes a while to draw: the newest that was wished for, a moment after the wish. */
export class Drawing {
  picture = $state.raw<string | null>(null);
  busy = $state(false);
  error = $state.raw<AppError | null>(null);
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** Only the newest counts. */
  private asked = 0;

  /** The picture of before stays until this one is there. */
  wish(draw: () => Promise<string>): void {
    this.cancel();
    const number = this.asked;
    this.timer = setTimeout(() => void this.draw(draw, number), pauseMs);
  }

  /** Nothing is wished for any more. */
  cancel(): void {
    clearTimeout(this.timer);
    this.asked += 1;
    this.busy = false;
  }

  private async draw(draw: () => Promise<string>, number: number): Promise<void> {
    this.busy = true;
    try {
      const drawn = await draw();
      if (number !== this.asked) return;
      this.picture = drawn;
      this.error = null;
    } catch (thrown) {
      if (number === this.asked) this.error = shownError(thrown);
    } finally {
      if (number === this.asked) this.busy = false;
    }
  }
}
