import type { ClipPart, Host, LoopGap } from "../../host";

/** How well the trimmed part loops while the handles move: only the latest range is measured. */
export class LoopGapMeter {
  /** The result for the range measured last; null while nothing is known. */
  gap = $state.raw<LoopGap | null>(null);
  private readonly host: Pick<Host, "loopGap">;
  private wanted: ClipPart | null = null;
  private asked = "";
  private isMeasuring = false;

  constructor(host: Pick<Host, "loopGap">) {
    this.host = host;
  }

  measure(part: ClipPart): void {
    const key = `${part.trimLeft} ${part.trimRight}`;
    if (key === this.asked) return;
    this.asked = key;
    this.wanted = part;
    if (!this.isMeasuring) void this.ask();
  }

  private async ask(): Promise<void> {
    this.isMeasuring = true;
    while (this.wanted) {
      const part = this.wanted;
      this.wanted = null;
      // clips of earlier versions may lack the data; they can be edited without it
      this.gap = await this.host.loopGap(part).catch(() => null);
    }
    this.isMeasuring = false;
  }
}
