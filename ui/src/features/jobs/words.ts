import type { JobState } from "../../host";

/** Whether a job still needs its worker, its files or its turn. */
export function isOpen(state: JobState): boolean {
  return ["waiting", "working", "retrying", "fetching"].includes(state.state);
}

/** Where a job stands, in one short sentence. */
export function stateWords(state: JobState): string {
  switch (state.state) {
    case "waiting":
      return state.place <= 1 ? "Next in the queue" : `${state.place - 1} before it in the queue`;
    case "working":
      return `Making it move · ${state.percent} %`;
    case "retrying":
      return "Something failed, trying again";
    case "fetching":
      return "Almost there: bringing the files in";
    case "done":
      return "Done";
    case "unpaid":
      return "Done, not paid for yet";
    case "failed":
      return "Did not work";
    case "cancelled":
      return "Cancelled";
  }
}

/** Whether somebody has to decide something before the results come. */
export function isAsking(state: JobState): boolean {
  return state.state === "unpaid";
}

/** How far the bar stands; null while there is nothing to measure. */
export function percentOf(state: JobState): number | null {
  if (state.state === "working") return state.percent;
  if (state.state === "fetching") return 99;
  return state.state === "waiting" ? 0 : null;
}
