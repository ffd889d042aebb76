import type { ClipPart, Host, JobShown, TimelineRate, ViewerLayer, ViewerShown } from "../../host";

/** What the editor needs of the app around it. */
export interface EditorTools {
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
  /** What the viewer's window shows now. */
  viewer(): ViewerShown | null;
  /** The layers that it shows, or will show when it opens. */
  layers(): readonly ViewerLayer[];
  /** Does something for the person; when it fails, says so. */
  attempt(work: () => Promise<void>): Promise<void>;
  /** A job was handed in for the clip of this id. */
  onjob(job: JobShown): void;
  onopen(id: string): void;
  /** Somebody wants timelines to count in other frames. */
  onrate(rate: TimelineRate): void;
  onexport(part: ClipPart, inPlace: boolean): void;
  onfilm(part: ClipPart): void;
  onclose(): void;
}
