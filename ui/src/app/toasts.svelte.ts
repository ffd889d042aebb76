import type { AppError } from "../host";
import type { IconName } from "../shared/Icon.svelte";
import type { MessageText } from "../texts";

export type Toast = {
  id: number;
  tone: "good" | "bad";
  message: MessageText;
  detail: string | null;
  /**
   * An action in the toast; the toast then stays until it is used or closed, unless it
   * `expires`.
   */
  action: ToastAction | null;
  /** Whether the message is still true. Evaluated on every change of the app's state. */
  isRelevant: () => boolean;
};

export type ToastAction = {
  words: string;
  icon?: IconName;
  run: () => void;
  /** The action undoes what was just done, so that Ctrl+Z triggers it. */
  undoes?: boolean;
  /** A success toast with this action still times out, only later. */
  expires?: boolean;
};

/** Contents of a toast. Without `isRelevant` it stays true. */
export type ToastContent = Pick<AppError, "message"> & {
  detail?: string | null;
  action?: ToastAction | null;
  isRelevant?: () => boolean;
};

const maxToasts = 3;
const durationMs = 5000;
const durationWithActionMs = 15_000;

/** Recent messages, oldest first. */
export class Toasts {
  all = $state<Toast[]>([]);
  private next = 1;

  show(tone: Toast["tone"], { message, detail = null, action = null, isRelevant = () => true }: ToastContent): number {
    const toast = { id: this.next, tone, message, detail, action, isRelevant };
    this.next += 1;
    this.all = [...this.all.slice(1 - maxToasts), toast];
    const duration = action ? durationWithActionMs : durationMs;
    if (tone === "good" && (!action || action.expires)) setTimeout(() => this.dismiss(toast.id), duration);
    return toast.id;
  }

  /** Runs the newest undo action. Returns whether there was one. */
  runUndo(): boolean {
    const toast = [...this.all].reverse().find((each) => each.action?.undoes);
    toast?.action?.run();
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
  removeOutdated(): void {
    const outdated = this.all.filter((toast) => !toast.isRelevant());
    if (outdated.length) this.all = this.all.filter((toast) => !outdated.includes(toast));
  }
}
