import type { ClipView, Host, ViewerLayer, ViewerView } from "../../host";

type ViewerHost = Pick<Host, "playClips" | "viewerShow" | "viewerCompare">;

/** The layers that the viewer can toggle; the overlay is controlled by comparing clips. */
export const layers = ["skin", "bones", "contacts", "trails", "ghosts", "axes", "grid"] as const satisfies ViewerLayer[];
export type Layer = (typeof layers)[number];

/** The most clips shown side by side. */
const most = 8;

/** What the viewer window shows of this clip and others; the window opens on the first request. */
export class ViewerWindow {
  /** The window is opening, or loading other clips. */
  opening = $state(false);
  private readonly id: string;
  private readonly host: ViewerHost;
  private readonly viewer: () => ViewerView | null;
  private readonly last: () => readonly ViewerLayer[];
  private readonly attempt: (work: () => Promise<void>) => Promise<void>;
  /** Requests to the window, run one at a time. */
  private queue: Promise<void> = Promise.resolve();
  /** Requested layer states that the window does not show yet. */
  private readonly requested = new Map<Layer, boolean>();

  constructor(
    id: string,
    context: {
      host: ViewerHost;
      /** What the window shows now. */
      viewer: () => ViewerView | null;
      /** The layers that it shows, or will show when it opens. */
      layers: () => readonly ViewerLayer[];
      attempt: (work: () => Promise<void>) => Promise<void>;
    },
  ) {
    this.id = id;
    this.host = context.host;
    this.viewer = context.viewer;
    this.last = context.layers;
    this.attempt = context.attempt;
  }

  has(layer: ViewerLayer): boolean {
    return this.last().includes(layer);
  }

  /** The clip overlaid on this one, if any. */
  get overlaid(): string | null {
    const shown = this.viewer();
    if (!shown || shown.clips[0] !== this.id || !this.has("overlay")) return null;
    return shown.clips[shown.compared] ?? null;
  }

  /** Toggles a layer, also while the window is opening. */
  toggle(layer: Layer): Promise<void> {
    const wanted = !(this.requested.get(layer) ?? this.has(layer));
    this.requested.set(layer, wanted);
    return this.next(async () => {
      // a later request supersedes this one
      if (this.requested.get(layer) !== wanted) return;
      this.requested.delete(layer);
      if (!this.viewer()) await this.host.playClips([this.id]);
      await this.host.viewerShow(layer, wanted);
    });
  }

  open(): Promise<void> {
    return this.ask(() => this.host.playClips([this.id]));
  }

  /** Makes an open window reload its clips. The compared clip stays the same. */
  async reopen(): Promise<void> {
    const shown = this.viewer();
    if (!shown?.clips.includes(this.id)) return;
    await this.host.playClips(shown.clips);
    if (shown.compared > 1) await this.host.viewerCompare(shown.compared);
  }

  /** Overlays another clip on this one; null shows this one alone. */
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

  /**
   * Toggles between overlay and side by side; without a second clip, adds the first of `comparisonClips`.
   */
  toggleOverlay(comparisonClips: readonly ClipView[]): Promise<void> {
    const shown = this.viewer();
    if (this.overlaid !== null) return this.ask(() => this.host.viewerShow("overlay", false));
    const other = shown?.clips[0] === this.id ? shown.clips[shown.compared] : undefined;
    const wanted = other ?? comparisonClips[0]?.id;
    return wanted === undefined ? Promise.resolve() : this.compareWith(wanted);
  }

  /** Overlays the next of `comparisonClips`. */
  overlayNext(comparisonClips: readonly ClipView[]): Promise<void> {
    const at = comparisonClips.findIndex((each) => each.id === this.overlaid);
    const wanted = comparisonClips[(at + 1) % Math.max(comparisonClips.length, 1)];
    return wanted ? this.compareWith(wanted.id) : Promise.resolve();
  }

  /** Shows these clips side by side, or this one alone again. */
  sideBySide(ids: readonly string[]): Promise<void> {
    const several = (this.viewer()?.clips.length ?? 0) > 1;
    if (several) return this.open();
    if (ids.length < 2) return Promise.resolve();
    return this.ask(async () => {
      await this.host.playClips(ids.slice(0, most));
      if (this.has("overlay")) await this.host.viewerShow("overlay", false);
    });
  }

  /** Runs a request, unless the window is busy. */
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
