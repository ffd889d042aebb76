import type { JobState } from "../../host";
import { t } from "../../texts";

/** Whether a job is waiting, running or fetching its files. */
export function isActive(state: JobState): boolean {
  return ["waiting", "working", "retrying", "fetching"].includes(state.state);
}

/** The state of a job with this many variants, in a short sentence. */
export function jobStateLabel(state: JobState, variants = 1): string {
  switch (state.state) {
    case "waiting":
      return state.place <= 1 ? t("jobs.state.next") : t("jobs.state.before", { before: state.place - 1 });
    case "working":
      return t(variants > 1 ? "jobs.state.workingOn" : "jobs.state.working", {
        stage: t(`jobs.stage.${state.stage}`),
        percent: state.percent,
        variant: state.variant,
        variants,
      });
    default:
      return t(`jobs.state.${state.state}`);
  }
}

/** Whether the job waits for a decision of the user. */
export function awaitsPayment(state: JobState): boolean {
  return state.state === "unpaid";
}

/** Progress in per cent; null if there is nothing to measure. */
export function jobPercent(state: JobState): number | null {
  if (state.state === "working") return state.percent;
  if (state.state === "fetching") return 99;
  return state.state === "waiting" ? 0 : null;
}

/** Processing time in words. */
export function processingTimeLabel(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 90) return t("jobs.doubt.seconds", { count: seconds });
  return t("jobs.doubt.minutes", { count: Math.round(seconds / 60) });
}
