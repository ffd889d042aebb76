import type { ClipView, Span, ViewerLayer, ViewerView } from "./host";

/** Simulates the viewer window: advances frames by a timer at the clip's frame rate. */
export class FakeViewer {
  speed = 1;
  loops = true;
  inPlace = false;
  private layers: ViewerLayer[] = ["skin", "grid"];
  private shown: ViewerView | null = null;
  /** The range that is played; other frames are shown only while paused. */
  private part: Span = { start: 0, end: 1 };
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly tell: (shown: ViewerView | null) => void;

  constructor(tell: (shown: ViewerView | null) => void) {
    this.tell = tell;
  }

  open(clips: string[], { frames, fps }: ClipView): void {
    // an overlay stays as long as there are two clips
    if (clips.length < 2 || !this.shown) this.layers = this.layers.filter((each) => each !== "overlay");
    this.part = { start: 0, end: frames };
    const start = { frame: 0, playing: true, backwards: false };
    this.show({ clips, frames, fps, ...start, layers: this.layers, compared: 1 });
  }

  close(): void {
    this.show(null);
  }

  seek(frame: number): void {
    if (this.shown) this.show(this.entered({ ...this.shown, frame }));
  }

  play(playing: boolean, backwards = false): void {
    if (!this.shown) return;
    const { start, end } = this.part;
    const [first, last] = backwards ? [end - 1, start] : [start, end - 1];
    const ended = playing && !this.loops && this.shown.frame === last;
    this.show(this.entered({ ...this.shown, frame: ended ? first : this.shown.frame, playing, backwards }));
  }

  playPart(part: Span | null): void {
    if (!this.shown) return;
    const { frames } = this.shown;
    const end = Math.min(part?.end ?? frames, frames);
    this.part = { start: Math.min(part?.start ?? 0, end - 1), end };
    const next = this.entered(this.shown);
    if (next !== this.shown) this.show(next);
  }

  look(layer: ViewerLayer, enabled: boolean): void {
    if (!this.shown || (layer === "overlay" && this.shown.clips.length < 2)) return;
    this.layers = [...this.layers.filter((each) => each !== layer), ...(enabled ? [layer] : [])];
    this.show({ ...this.shown, layers: this.layers });
  }

  compare(place: number): void {
    if (this.shown?.clips[place]) this.show({ ...this.shown, compared: place });
  }

  private show(shown: ViewerView | null): void {
    this.shown = shown;
    this.tell(shown);
    clearTimeout(this.timer);
    if (shown?.playing) this.timer = setTimeout(() => this.step(shown), 1000 / shown.fps / this.speed);
  }

  /** Playback from outside the range starts at its first frame, in reverse at its last. */
  private entered(shown: ViewerView): ViewerView {
    const { start, end } = this.part;
    if (!shown.playing || (shown.frame >= start && shown.frame < end)) return shown;
    return { ...shown, frame: shown.backwards ? end - 1 : start };
  }

  private step(shown: ViewerView): void {
    const { start, end } = this.part;
    const next = shown.frame + (shown.backwards ? -1 : 1);
    const other = shown.backwards ? end - 1 : start;
    if (next >= start && next < end) this.show({ ...shown, frame: next });
    else if (this.loops) this.show({ ...shown, frame: other });
    else this.show({ ...shown, playing: false, backwards: false });
  }
}
