/** Why a clip cannot be shown in the viewport. Each has a sentence in the texts. */
export type UnavailableReason = "missing" | "tooLarge" | "unreadable" | "noGraphics" | "lost";

/** A clip cannot be shown; `message` is for the log. */
export class ViewportError extends Error {
  readonly reason: UnavailableReason;

  constructor(reason: UnavailableReason, detail: string) {
    super(detail);
    this.reason = reason;
  }
}
