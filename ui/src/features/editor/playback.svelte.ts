import { untrack } from "svelte";
import type { Draft, Host, Span, ViewerView } from "../../host";
import type { DraftEditor } from "./draft.svelte";

type ViewerHost = Pick<
  Host,
  "viewerSeek" | "viewerPlay" | "viewerPlayBackwards" | "viewerSpeed" | "viewerInPlace" | "viewerLoop" | "viewerRange"
>;
/** How long reports of the viewer that contradict a request are ignored as outdated. */
const staleMs = 300;

/** The settings of a draft that affect playback. */
export type Settings = Pick<Draft, "speed" | "loops" | "inPlace">;

type Attempt = (work: () => Promise<void>) => Promise<void>;

/**
 * The playhead, driven by the viewer window while that shows this clip, otherwise by the editor's
 * own clock. Either way only the trimmed part is played.
 */
export class Playback {
  frame = $state(0);
  playing = $state(false);
  inViewer = $state(false);
  /** Whether it plays in reverse. */
  backwards = $state(false);
  /** J or K was pressed, so that L means play. */
  shuttling = false;
  private readonly draft: DraftEditor;
  private readonly fps: number;
  private readonly host: ViewerHost;
  private readonly attempt: Attempt;
  private readonly now: () => number;
  private request = 0;
  /** The fractional frame of the editor's own clock. */
  private fraction = 0;
  /** The clips that the viewer shows with this one. It plays everything when this changes. */
  private shownClips: string | null = null;
  /** The latest request to the viewer that it has not confirmed yet. */
  private requestedFrame: { value: number; until: number } | null = null;
  private requestedPlaying: { playing: boolean; backwards: boolean; until: number } | null = null;

  constructor(
    draft: DraftEditor,
    fps: number,
    host: ViewerHost,
    attempt: Attempt,
    now: () => number = () => performance.now(),
  ) {
    this.now = now;
    this.draft = draft;
    this.fps = fps;
    this.host = host;
    this.attempt = attempt;
    this.frame = draft.start;
  }

  /**
   * The frame within the trim, fractional while the editor's own clock plays. Not reactive:
   * renderers read it per picture.
   */
  get exactFrame(): number {
    const { start, end } = this.draft;
    if (!this.playing || this.inViewer || Math.floor(this.fraction) !== this.frame) return this.frame;
    return Math.min(Math.max(this.fraction, start), Math.max(end - 1, start));
  }

  /** Applies what the viewer window reports. */
  follow(shown: ViewerView | null): void {
    const ours = shown?.clips.includes(this.draft.id) ?? false;
    const shownClips = ours && shown ? shown.clips.join() : null;
    if (shownClips !== null && shownClips !== this.shownClips) this.enterViewer();
    if (!ours && this.inViewer) {
      this.halt();
      this.requestedFrame = this.requestedPlaying = null;
    }
    this.shownClips = shownClips;
    this.inViewer = ours;
    if (!shown || !ours) return;
    const requested = this.requestedPlaying;
    const isRequested = shown.playing === requested?.playing && shown.backwards === requested.backwards;
    if (isRequested || !this.isPending(requested)) {
      this.requestedPlaying = null;
      this.playing = shown.playing;
      this.backwards = shown.backwards;
    }
    if (this.isPending(this.requestedFrame) && !this.matchesRequest(shown.frame)) return;
    this.requestedFrame = null;
    this.frame = this.inClip(shown.frame);
  }

  toggle(): void {
    if (this.playing) this.pause();
    else this.play();
  }

  play(): void {
    const { start, end } = this.draft;
    this.halt();
    this.shuttling = false;
    if (this.frame < start || this.frame >= end - 1) this.seek(start);
    this.playing = true;
    if (this.inViewer) this.sendPlaying();
    else this.run();
  }

  pause(): void {
    this.halt();
    if (this.inViewer) this.sendPlaying();
  }

  /** Plays in reverse, towards the start of the trim. */
  playBackwards(): void {
    const { start, end } = this.draft;
    this.halt();
    if (this.frame <= start || this.frame >= end) this.seek(end - 1);
    this.shuttling = this.backwards = this.playing = true;
    if (this.inViewer) this.sendPlaying();
    else this.run();
  }

  stop(): void {
    this.pause();
    this.shuttling = true;
  }

  /** Moves the playhead, also outside the trim to look at what is cut off. */
  seek(frame: number): void {
    this.frame = this.inClip(frame);
    if (!this.inViewer) return;
    const wanted = this.frame;
    this.requestedFrame = { value: wanted, until: this.now() + staleMs };
    this.send(() => this.host.viewerSeek(wanted));
  }

  step(frames: number): void {
    this.pause();
    this.seek(this.frame + frames);
  }

  toFirst(): void {
    this.seek(this.draft.start);
  }

  toLast(): void {
    this.pause();
    this.seek(this.draft.end - 1);
  }

  /** Sends changed settings to the viewer. */
  settingsChanged({ speed, loops, inPlace }: Settings): void {
    if (!untrack(() => this.inViewer)) return;
    this.send(() => this.host.viewerSpeed(speed));
    this.send(() => this.host.viewerLoop(loops));
    this.send(() => this.host.viewerInPlace(inPlace));
  }

  /** Limits the viewer to the trimmed part, also next to a longer clip. */
  trimChanged(part: Span): void {
    if (untrack(() => this.inViewer)) this.send(() => this.host.viewerRange(part));
  }

  /** Makes the viewer window reload its files and continue where it was. */
  renew(reopen: () => Promise<void>): void {
    if (!this.inViewer) return;
    const { frame, playing, backwards } = this;
    this.send(async () => {
      await reopen();
      this.settingsChanged(this.draft.now);
      this.trimChanged({ start: this.draft.start, end: this.draft.end });
      [this.playing, this.backwards] = [playing, backwards];
      this.sendPlaying();
      this.seek(frame);
    });
  }

  private halt(): void {
    this.playing = this.backwards = false;
    cancelAnimationFrame(this.request);
  }

  /** Stops the editor's own clock; the viewer window goes on and plays the whole clip. */
  leave(): void {
    cancelAnimationFrame(this.request);
    if (this.inViewer) this.send(() => this.host.viewerRange(null));
  }

  private enterViewer(): void {
    cancelAnimationFrame(this.request);
    this.inViewer = true;
    this.settingsChanged(this.draft.now);
    this.trimChanged({ start: this.draft.start, end: this.draft.end });
  }

  /** The frame at which the editor's own clock starts or loops. */
  private get firstPlayedFrame(): number {
    return this.backwards ? this.draft.end - 1 : this.draft.start;
  }

  private isCutOff(frame: number): boolean {
    return frame < this.draft.start || frame >= this.draft.end;
  }

  /** Loops at the end of the trimmed part, or stops there. */
  private loopOrStop(): void {
    const { start, end } = this.draft;
    if (this.draft.now.loops) {
      this.frame = this.firstPlayedFrame;
    } else {
      this.frame = this.backwards ? start : end - 1;
      this.halt();
    }
  }

  private run(): void {
    let last = this.now();
    this.fraction = this.frame;
    const tick = (now: number): void => {
      if (!this.playing) return;
      // the playhead or the handles were moved in between
      if (this.isCutOff(this.frame)) this.frame = this.firstPlayedFrame;
      if (Math.floor(this.fraction) !== this.frame) this.fraction = this.frame;
      const sign = this.backwards ? -1 : 1;
      this.fraction += sign * (Math.max(now - last, 0) / 1000) * this.fps * this.draft.now.speed;
      last = now;
      if (this.isCutOff(this.fraction)) {
        this.loopOrStop();
        this.fraction = this.frame;
      } else if (Math.floor(this.fraction) !== this.frame) {
        this.frame = Math.floor(this.fraction);
      }
      if (this.playing) this.request = requestAnimationFrame(tick);
    };
    cancelAnimationFrame(this.request);
    this.request = requestAnimationFrame(tick);
  }

  private inClip(frame: number): number {
    return Math.max(0, Math.min(Math.round(frame), this.draft.frames - 1));
  }

  /** Whether a report may have been sent before the viewer received a request. */
  private isPending(requested: { until: number } | null): boolean {
    return requested !== null && this.now() < requested.until;
  }

  /** Whether a frame is the requested one, or one reached by playing on from it. */
  private matchesRequest(frame: number): boolean {
    const requested = this.requestedFrame?.value ?? frame;
    const played = this.playing ? (staleMs / 1000) * this.fps * this.draft.now.speed : 0;
    return this.backwards ? frame <= requested && frame >= requested - played : frame >= requested && frame <= requested + played;
  }

  /** Requests the playback state of the editor from the viewer. */
  private sendPlaying(): void {
    const { playing, backwards } = this;
    this.requestedPlaying = { playing, backwards, until: this.now() + staleMs };
    this.send(() => (backwards ? this.host.viewerPlayBackwards() : this.host.viewerPlay(playing)));
  }

  private send(work: () => Promise<void>): void {
    void this.attempt(work);
  }
}
