import { tick } from "svelte";

/** Where the rooms were scrolled to, which share one box. */
export class Scrolls {
  private readonly tops = new Map<string, number>();

  /** Hears that the box was scrolled; `place` is what it shows, null while it is hidden. */
  moved(box: HTMLElement | undefined, place: string | null): void {
    if (box && place !== null) this.tops.set(place, box.scrollTop);
  }

  /** Goes where the room was left. */
  async enter(box: HTMLElement | undefined, place: string | null): Promise<void> {
    if (!box || place === null) return;
    const top = this.tops.get(place) ?? 0;
    box.scrollTop = top;
    // a long list has its height only once it knows how wide it is
    await tick();
    box.scrollTop = top;
  }
}
