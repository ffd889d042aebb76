import type { ClipShown, ViewerLayer, ViewerShown } from "./host";

/** Stands for the viewer's window: counts frames by a timer, as fast as the clip asks. */
export class FakeViewer {
  speed = 1;
  loops = true;
  inPlace = false;
  private layers: ViewerLayer[] = ["skin", "grid"];
  private shown: ViewerShown | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly tell: (shown: ViewerShown | null) => void;

  constructor(tell: (shown: ViewerShown | null) => void) {
    this.tell = tell;
  }

  open(clips: string[], { frames, fps }: ClipShown): void {
    // two clips in one place stay so when there are two
    if (clips.length < 2 || !this.shown) this.layers = this.layers.filter((each) => each !== "overlay");
    const start = { frame: 0, playing: true, backwards: false };
    this.show({ clips, frames, fps, ...start, layers: this.layers, compared: 1 });
  }

  close(): void {
    this.show(null);
  }

  seek(frame: number): void {
    if (this.shown) this.show({ ...this.shown, frame });
  }

  play(playing: boolean, backwards = false): void {
    if (this.shown) this.show({ ...this.shown, playing, backwards });
  }

  look(layer: ViewerLayer, enabled: boolean): void {
    if (!this.shown || (layer === "overlay" && this.shown.clips.length < 2)) return;
    this.layers = [...this.layers.filter((each) => each !== layer), ...(enabled ? [layer] : [])];
    this.show({ ...this.shown, layers: this.layers });
  }

  compare(place: number): void {
    if (this.shown?.clips[place]) this.show({ ...this.shown, compared: place });
  }

  private show(shown: ViewerShown | null): void {
    this.shown = shown;
    this.tell(shown);
    clearTimeout(this.timer);
    if (shown?.playing) this.timer = setTimeout(() => this.step(shown), 1000 / shown.fps / this.speed);
  }

  private step(shown: ViewerShown): void {
    const next = shown.frame + (shown.backwards ? -1 : 1);
    const other = shown.backwards ? shown.frames - 1 : 0;
    if (next >= 0 && next < shown.frames) this.show({ ...shown, frame: next });
    else if (this.loops) this.show({ ...shown, frame: other });
    else this.show({ ...shown, playing: false, backwards: false });
  }
}
