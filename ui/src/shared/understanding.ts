import type { PromptCheck, PromptReading } from "../host";
import type { Changed } from "./changed.svelte";
import { meantBy } from "./passed";
import { performedAs, stepsOf } from "./steps";
import { understood, type Understood } from "./understood";
import { inWords, t } from "../texts";

/** How a prompt is understood. */
export interface Understanding {
  /** The steps with all that is known of them, to be changed; null where only their words are known. */
  reading: PromptReading | null;
  steps: readonly Understood[];
  /** Which words are passed over, as a sentence; null where there are none. */
  passed: string | null;
  /** What else there is to say, a sentence each. */
  remarks: readonly string[];
  /** Actions near a word that is not known. */
  nearest: readonly string[];
  /** That word; null where none is meant. */
  meant: string | null;
}

/** Codes of what is told with the words that are passed over, and with what is near them. */
const toldElsewhere: ReadonlySet<string> = new Set(["unknown-word", "nothing-known", "no-movement"]);

/** What was found of a prompt, with what somebody changed of its steps. */
export function understandingOf(check: PromptCheck | null, changed: Changed | null): Understanding {
  const told = check?.reading ?? null;
  const reading = changed?.reading ? performedAs(changed.reading, told) : told;
  const steps = reading ? stepsOf(reading) : understood(check?.script ?? "");
  const { skipped = [], nearest = [], warnings = [] } = check ?? {};
  const [first] = nearest;
  return {
    reading,
    steps,
    passed: passedOver(skipped, steps.length > 0),
    remarks: warnings.filter(({ code }) => !toldElsewhere.has(code)).map(inWords),
    nearest,
    meant: first === undefined ? null : meantBy(first, skipped),
  };
}

function passedOver(skipped: readonly string[], isUnderstood: boolean): string | null {
  const words = quoted(skipped);
  if (isUnderstood) return words ? t("shared.understood.passed", { words }) : null;
  return words ? t("shared.understood.nothingUnknown", { words }) : t("shared.understood.nothing");
}

/** Words as they stand in a sentence: `“cup”, “hat”`. */
export function quoted(words: readonly string[]): string {
  return words.map((word) => t("shared.understood.quoted", { word })).join(", ");
}
