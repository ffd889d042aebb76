import type { ClipShown, Host, ViewerLayer, ViewerShown } from "../../host";

type ViewerHost = Pick<Host, "playClips" | "viewerShow" | "viewerCompare">;

/** What the layers of the viewer are asked for with; the overlay is asked for by comparing. */
export const layers = ["skin", "bones", "contacts", "trails", "ghosts", "axes", "grid"] as const satisfies ViewerLayer[];
export type Layer = (typeof layers)[number];

/** So many clips fit side by side in one viewer. */
const most = 8;

/** What the viewer's window shows of this clip and of others; it opens when something is asked of it. */
export class ViewerLooks {
  /** The window is about to come, or to show other clips. */
  opening = $state(false);
  private readonly id: string;
  private readonly host: ViewerHost;
  private readonly viewer: () => ViewerShown | null;
  private readonly last: () => readonly ViewerLayer[];
  private readonly attempt: (work: () => Promise<void>) => Promise<void>;
  /** What the window is asked for, one after the other. */
  private queue: Promise<void> = Promise.resolve();
  /** Layers that it was asked for and does not show yet. */
  private readonly wished = new Map<Layer, boolean>();

  constructor(
    id: string,
    around: {
      host: ViewerHost;
      /** What the window shows now. */
      viewer: () => ViewerShown | null;
      /** The layers that it shows, or will show when it opens. */
      layers: () => readonly ViewerLayer[];
      attempt: (work: () => Promise<void>) => Promise<void>;
    },
  ) {
    this.id = id;
    this.host = around.host;
    this.viewer = around.viewer;
    this.last = around.layers;
    this.attempt = around.attempt;
  }

  has(layer: ViewerLayer): boolean {
    return this.last().includes(layer);
  }

  /** The clip that lies over this one, if any. */
  get over(): string | null {
    const shown = this.viewer();
    if (!shown || shown.clips[0] !== this.id || !this.has("overlay")) return null;
    return shown.clips[shown.compared] ?? null;
  }

  /** Also while the window is about to come. */
  toggle(layer: Layer): Promise<void> {
    const wanted = !(this.wished.get(layer) ?? this.has(layer));
    this.wished.set(layer, wanted);
    return this.next(async () => {
      // a later wish says all of it
      if (this.wished.get(layer) !== wanted) return;
      this.wished.delete(layer);
      if (!this.viewer()) await this.host.playClips([this.id]);
      await this.host.viewerShow(layer, wanted);
    });
  }

  open(): Promise<void> {
    return this.ask(() => this.host.playClips([this.id]));
  }

  /** Has an open window read its clips again. Which other clip is compared stays. */
  async reopen(): Promise<void> {
    const shown = this.viewer();
    if (!shown?.clips.includes(this.id)) return;
    await this.host.playClips(shown.clips);
    if (shown.compared > 1) await this.host.viewerCompare(shown.compared);
  }

  /** Lays another clip over this one; null shows this one alone. */
  compareWith(other: string | null): Promise<void> {
    if (other === null) return this.open();
    return this.ask(async () => {
      const shown = this.viewer();
      const at = shown?.clips[0] === this.id ? shown.clips.indexOf(other) : -1;
      if (at > 0) await this.host.viewerCompare(at);
      else await this.host.playClips([this.id, other]);
      await this.host.viewerShow("overlay", true);
    });
  }

  /** One over the other, or both side by side; the first of `rivals` when there is no other yet. */
  toggleOverlay(rivals: readonly ClipShown[]): Promise<void> {
    const shown = this.viewer();
    if (this.over !== null) return this.ask(() => this.host.viewerShow("overlay", false));
    const other = shown?.clips[0] === this.id ? shown.clips[shown.compared] : undefined;
    const wanted = other ?? rivals[0]?.id;
    return wanted === undefined ? Promise.resolve() : this.compareWith(wanted);
  }

  /** Lays the next of `rivals` over this one. */
  nextOver(rivals: readonly ClipShown[]): Promise<void> {
    const at = rivals.findIndex((each) => each.id === this.over);
    const wanted = rivals[(at + 1) % Math.max(rivals.length, 1)];
    return wanted ? this.compareWith(wanted.id) : Promise.resolve();
  }

  /** These beside each other, or this one alone again. */
  sideBySide(ids: readonly string[]): Promise<void> {
    const several = (this.viewer()?.clips.length ?? 0) > 1;
    if (several) return this.open();
    if (ids.length < 2) return Promise.resolve();
    return this.ask(async () => {
      await this.host.playClips(ids.slice(0, most));
      if (this.has("overlay")) await this.host.viewerShow("overlay", false);
    });
  }

  /** Asks for something, unless the window is at something else. */
  private ask(work: () => Promise<void>): Promise<void> {
    return this.opening ? Promise.resolve() : this.next(work);
  }

  private next(work: () => Promise<void>): Promise<void> {
    this.opening = true;
    const own = this.queue.then(() => this.attempt(work));
    this.queue = own;
    return own.then(() => {
      if (this.queue === own) this.opening = false;
    });
  }
}
