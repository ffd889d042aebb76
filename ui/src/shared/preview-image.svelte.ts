import { toAppError, type AppError } from "../host";

/** How long nothing may change before a picture is drawn, in milliseconds. */
const pauseMs = 250;

/** A picture that takes time to draw: the last one requested, after a short pause. */
export class PreviewImage {
  picture = $state.raw<string | null>(null);
  busy = $state(false);
  error = $state.raw<AppError | null>(null);
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** Number of the latest request; older ones are ignored. */
  private latestRequest = 0;

  /** Requests a picture. The previous one stays until it is ready. */
  request(draw: () => Promise<string>): void {
    this.cancel();
    const number = this.latestRequest;
    this.timer = setTimeout(() => void this.draw(draw, number), pauseMs);
  }

  /** Withdraws the request. */
  cancel(): void {
    clearTimeout(this.timer);
    this.latestRequest += 1;
    this.busy = false;
  }

  private async draw(draw: () => Promise<string>, number: number): Promise<void> {
    this.busy = true;
    try {
      const drawn = await draw();
      if (number !== this.latestRequest) return;
      this.picture = drawn;
      this.error = null;
    } catch (thrown) {
      if (number === this.latestRequest) this.error = toAppError(thrown);
    } finally {
      if (number === this.latestRequest) this.busy = false;
    }
  }
}
