import { tick } from "svelte";

/** Scroll positions of the pages, which share one scrolling container. */
export class ScrollPositions {
  private readonly tops = new Map<string, number>();

  /** Notes that the box was scrolled; `place` is the page it shows, null while it is hidden. */
  save(box: HTMLElement | undefined, place: string | null): void {
    if (box && place !== null) this.tops.set(place, box.scrollTop);
  }

  /** Restores the scroll position of a page. */
  async restore(box: HTMLElement | undefined, place: string | null): Promise<void> {
    if (!box || place === null) return;
    const top = this.tops.get(place) ?? 0;
    box.scrollTop = top;
    // a long list knows its height only after it has measured its width
    await tick();
    box.scrollTop = top;
  }
}
