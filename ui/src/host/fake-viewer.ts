import type { ClipShown, ViewerShown } from "./host";

/** Stands for the viewer's window: counts frames by a timer, as fast as the clip asks. */
export class FakeViewer {
  speed = 1;
  loops = true;
  private shown: ViewerShown | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly tell: (shown: ViewerShown | null) => void;

  constructor(tell: (shown: ViewerShown | null) => void) {
    this.tell = tell;
  }

  open(clips: string[], first: ClipShown): void {
    this.show({ clips, frames: first.frames, fps: first.fps, frame: 0, playing: true });
  }

  close(): void {
    this.show(null);
  }

  seek(frame: number): void {
    if (this.shown) this.show({ ...this.shown, frame });
  }

  play(playing: boolean): void {
    if (this.shown) this.show({ ...this.shown, playing });
  }

  private show(shown: ViewerShown | null): void {
    this.shown = shown;
    this.tell(shown);
    clearTimeout(this.timer);
    if (shown?.playing) this.timer = setTimeout(() => this.step(shown), 1000 / shown.fps / this.speed);
  }

  private step(shown: ViewerShown): void {
    const next = shown.frame + 1;
    if (next < shown.frames) this.show({ ...shown, frame: next });
    else if (this.loops) this.show({ ...shown, frame: 0 });
    else this.show({ ...shown, playing: false });
  }
}
