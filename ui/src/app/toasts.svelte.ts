import type { AppError } from "../host";
import type { IconName } from "../shared/Icon.svelte";
import type { Words } from "../texts";

export type Toast = {
  id: number;
  tone: "good" | "bad";
  message: Words;
  detail: string | null;
  /**
   * An action that the toast offers; the toast then stays until it is used or closed, unless it
   * `passes`.
   */
  offer: Offer | null;
  /** Whether the message is still true. Evaluated on every change of the app's state. */
  holds: () => boolean;
};

export type Offer = {
  words: string;
  icon?: IconName;
  take: () => void;
  /** The action undoes what was just done, so that Ctrl+Z triggers it. */
  undoes?: boolean;
  /** A success toast with this offer still times out, only later. */
  passes?: boolean;
};

/** Contents of a toast. Without `holds` it stays true. */
export type Telling = Pick<AppError, "message"> & {
  detail?: string | null;
  offer?: Offer | null;
  holds?: () => boolean;
};

const most = 3;
const shownMs = 5000;
const offeredMs = 15_000;

/** Recent messages, oldest first. */
export class Toasts {
  all = $state<Toast[]>([]);
  private next = 1;

  tell(tone: Toast["tone"], { message, detail = null, offer = null, holds = () => true }: Telling): number {
    const toast = { id: this.next, tone, message, detail, offer, holds };
    this.next += 1;
    this.all = [...this.all.slice(1 - most), toast];
    const lasts = offer ? offeredMs : shownMs;
    if (tone === "good" && (!offer || offer.passes)) setTimeout(() => this.dismiss(toast.id), lasts);
    return toast.id;
  }

  /** Takes the newest offer to undo something. Returns whether there was one. */
  takeOffer(): boolean {
    const toast = [...this.all].reverse().find((each) => each.offer?.undoes);
    toast?.offer?.take();
    if (toast) this.dismiss(toast.id);
    return toast !== undefined;
  }

  dismiss(id: number): void {
    this.all = this.all.filter((toast) => toast.id !== id);
  }

  /** Closes the newest toast. Returns whether there was one. */
  dismissNewest(): boolean {
    const newest = this.all.at(-1);
    if (newest) this.dismiss(newest.id);
    return newest !== undefined;
  }

  /**
   * Removes toasts that are no longer true. Call it in an effect, which tracks what they depend on.
   */
  sweep(): void {
    const over = this.all.filter((toast) => !toast.holds());
    if (over.length) this.all = this.all.filter((toast) => !over.includes(toast));
  }
}
