import type { AppError } from "../host";
import type { IconName } from "../shared/Icon.svelte";
import type { Words } from "../texts";

export type Toast = {
  id: number;
  tone: "good" | "bad";
  message: Words;
  detail: string | null;
  /** What the toast offers to do; it stays until that is done or it is closed, unless it passes. */
  offer: Offer | null;
  /** Whether what it speaks of is still so. Read at every change of the app's state. */
  holds: () => boolean;
};

export type Offer = {
  words: string;
  icon?: IconName;
  take: () => void;
  /** Takes back what was just done, so that Ctrl+Z means it. */
  undoes?: boolean;
  /** Is no loss when it is missed: a good toast goes by itself all the same, only later. */
  passes?: boolean;
};

/** What a toast says. Without `holds` it is true for good. */
export type Telling = Pick<AppError, "message"> & {
  detail?: string | null;
  offer?: Offer | null;
  holds?: () => boolean;
};

const most = 3;
const shownMs = 5000;
const offeredMs = 15_000;

/** What was told lately, oldest first. */
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

  /** Takes back what the newest toast offers to. Answers whether one does. */
  takeOffer(): boolean {
    const toast = [...this.all].reverse().find((each) => each.offer?.undoes);
    toast?.offer?.take();
    if (toast) this.dismiss(toast.id);
    return toast !== undefined;
  }

  dismiss(id: number): void {
    this.all = this.all.filter((toast) => toast.id !== id);
  }

  /** Closes the newest. Answers whether there was one. */
  dismissNewest(): boolean {
    const newest = this.all.at(-1);
    if (newest) this.dismiss(newest.id);
    return newest !== undefined;
  }

  /** Ends those whose matter is over; in an effect, so that it is looked at again when something changes. */
  sweep(): void {
    const over = this.all.filter((toast) => !toast.holds());
    if (over.length) this.all = this.all.filter((toast) => !over.includes(toast));
  }
}
