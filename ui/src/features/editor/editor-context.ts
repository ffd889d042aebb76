import type { ClipPart, Host, JobView, TimelineRate, ViewerLayer, ViewerView } from "../../host";

/** What the editor needs from the app around it. */
export interface EditorContext {
  host: Pick<
    Host,
    | "checkPrompt"
    | "clipDetails"
    | "clipStill"
    | "loopGap"
    | "corrections"
    | "keepCorrections"
    | "keepDraft"
    | "renameClip"
    | "editClip"
    | "editPrice"
    | "playClips"
    | "viewerSeek"
    | "viewerPlay"
    | "viewerPlayBackwards"
    | "viewerShow"
    | "viewerCompare"
    | "viewerSpeed"
    | "viewerInPlace"
    | "viewerFrameAll"
    | "viewerLoop"
    | "viewerRange"
  >;
  /** What the viewer window shows now. */
  viewer(): ViewerView | null;
  /** The layers that it shows, or will show when it opens. */
  layers(): readonly ViewerLayer[];
  /** Runs an action of the user; shows a message if it fails. */
  attempt(work: () => Promise<void>): Promise<void>;
  /** A job was submitted for the clip of this id. */
  onjob(job: JobView): void;
  onopen(id: string): void;
  /** Another frame rate for counting was chosen. */
  onrate(rate: TimelineRate): void;
  onexport(part: ClipPart, inPlace: boolean): void;
  onvideo(part: ClipPart): void;
  onclose(): void;
}
