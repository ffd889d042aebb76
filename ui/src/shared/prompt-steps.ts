import type { EventTiming, FieldRead, PromptReading } from "../host";
import { t } from "../texts";

// Editing the steps of a prompt: edits change the script, never the words.

const sides = ["left", "right", "both", "alternating"] as const;
const directions = [
  "forward",
  "backward",
  "left",
  "right",
  "forward-left",
  "forward-right",
  "backward-left",
  "backward-right",
  "up",
  "down",
  "clockwise",
  "counterclockwise",
  "inward",
  "outward",
] as const;

/** The editable fields of a step. */
export type StepField = "side" | "count" | "size" | "speed" | "direction";
export type StepValue = string | number;

/** The standard values. Sizes and speeds are factors of the default, as in scripts. */
export const fieldOptions: readonly { field: StepField; values: readonly StepValue[] }[] = [
  { field: "side", values: ["left", "right", "both"] },
  { field: "count", values: [1, 2, 3, 4, 5] },
  { field: "size", values: [0.5, 1.5, 2] },
  { field: "speed", values: [0.5, 1.5, 2.5] },
  {
    field: "direction",
    values: ["forward", "backward", "left", "right", "up", "down", "clockwise", "counterclockwise"],
  },
];

/** Factors from here on count as "most". */
const mostFactor = 2;

function level(factor: number): "less" | "usual" | "more" | "most" {
  if (factor === 1) return "usual";
  if (factor < 1) return "less";
  return factor < mostFactor ? "more" : "most";
}

/** A value of a step in words, for a chip: `left`, `3 ×`, `bigger`. */
export function fieldLabel(name: string, value: StepValue): string {
  const text = String(value);
  const side = sides.find((each) => each === text);
  const direction = directions.find((each) => each === text);
  switch (name) {
    case "side":
      return side ? t(`shared.steps.sides.${side}`) : text;
    case "direction":
      return direction ? t(`shared.steps.directions.${direction}`) : text;
    case "count":
      return t("shared.steps.times", { count: Number(value) });
    case "size":
      return t(`shared.steps.sizes.${level(Number(value))}`);
    case "speed":
      return t(`shared.steps.speeds.${level(Number(value))}`);
    case "steps":
      return t("shared.steps.paces", { count: Number(value) });
    case "degrees":
      return `${Math.round(Number(value))}°`;
    case "seconds":
      return t("shared.steps.seconds", { seconds: Number(value) });
    case "meters":
      return t("shared.steps.meters", { meters: Number(value) });
    case "still":
      return t("shared.steps.still", { what: spelled(text) });
    case "avoid":
      return t("shared.steps.avoid", { what: spelled(text) });
    default:
      return spelled(text);
  }
}

function spelled(value: string): string {
  return value.replaceAll("-", " ");
}

/** A step in words: `wave · right · 3 ×`. */
export function stepLabel({ name, fields }: { name: string; fields: readonly FieldRead[] }): string {
  return [name, ...fields.map((field) => fieldLabel(field.name, field.value))].join(" · ");
}

/** The words that a step and its fields came from, without duplicates. */
export function sourceWords({ words, fields }: { words: string; fields: readonly FieldRead[] }): string {
  const sources = [words, ...fields.map((field) => field.words)].filter((each) => each !== "");
  return [...new Set(sources)].join(" … ");
}

/** The value of a field of a step; null if it is not set. */
export function fieldValue(fields: readonly FieldRead[], field: StepField): StepValue | null {
  const value = fields.find(({ name }) => name === field)?.value;
  if (value === undefined) return null;
  return field === "side" || field === "direction" ? value : Number(value);
}

type ScriptEvent = Record<string, unknown>;

interface ParsedScript {
  events: ScriptEvent[];
}

/** The reading with another value of a field; null unsets it. */
export function withField(
  reading: PromptReading,
  place: number,
  field: StepField,
  value: StepValue | null,
): PromptReading {
  const script = JSON.parse(reading.script) as ParsedScript;
  const event = script.events[place];
  if (!event) return reading;
  if (value === null) delete event[field];
  else event[field] = value;
  const changed = { name: field, value: String(value), words: "", isPerformed: true };
  const fields = (before: readonly FieldRead[]): FieldRead[] => {
    if (value === null) return before.filter(({ name }) => name !== field);
    const isThere = before.some(({ name }) => name === field);
    return isThere ? before.map((each) => (each.name === field ? changed : each)) : [...before, changed];
  };
  const events = reading.events.map((each, at) => (at === place ? { ...each, fields: fields(each.fields) } : each));
  return { ...reading, events, script: JSON.stringify(script) };
}

/** Fields that say when a step begins. */
const timings = ["while", "as_soon_as", "beat_of", "beat"] as const;
/** Fields that refer to another step by index. */
const references = ["while", "as_soon_as", "beat_of", "until", "continues"] as const;

/**
 * The reading without a step, unless it is the last one. Steps that referred to it take over its
 * timing.
 */
export function withoutStep(reading: PromptReading, place: number): PromptReading {
  const script = JSON.parse(reading.script) as ParsedScript;
  const gone = script.events[place];
  if (!gone || script.events.length < 2) return reading;
  script.events.forEach((event, at) => {
    if (at !== place && event["until"] === place) delete event["until"];
    if (event["continues"] === place) delete event["continues"];
  });
  inherit(script.events, place, gone);
  for (const event of script.events) {
    for (const field of references) {
      const other = event[field];
      if (typeof other === "number" && other > place) event[field] = other - 1;
    }
  }
  script.events.splice(place, 1);
  const events = reading.events
    .filter((_, at) => at !== place)
    .map((each, at) => ({ ...each, timing: timingOf(script.events[at] ?? {}) }));
  return { ...reading, events, script: JSON.stringify(script) };
}

/**
 * Transfers the timing of a removed step to those that depended on it. Of the steps that ran
 * alongside it, the first takes over its timing and the others run alongside the first.
 */
function inherit(events: ScriptEvent[], place: number, gone: ScriptEvent): void {
  const begins = Object.fromEntries(Object.entries(gone).filter(([name]) => timings.some((each) => each === name)));
  let heir: number | null = null;
  events.forEach((event, at) => {
    const isMeant = event["while"] === place || event["as_soon_as"] === place || event["beat_of"] === place;
    if (!isMeant) return;
    const goesAlong = event["while"] === place;
    for (const field of timings) delete event[field];
    if (goesAlong && heir !== null) {
      event["while"] = heir;
    } else {
      Object.assign(event, begins);
      if (goesAlong) heir = at;
    }
  });
}

function timingOf(event: ScriptEvent): EventTiming {
  if ("while" in event) return "together";
  return "as_soon_as" in event || "beat_of" in event ? "onMoment" : "then";
}

/** Marks in edited steps what the engine supports of them, according to a check. */
export function markPerformed(reading: PromptReading, checked: PromptReading | null): PromptReading {
  if (checked?.events.length !== reading.events.length) return reading;
  const events = reading.events.map((event, at) => {
    const seen = checked.events[at];
    if (seen?.name !== event.name) return event;
    const fields = event.fields.map((field) => {
      const same = seen.fields.find(({ name }) => name === field.name);
      return { ...field, isPerformed: same?.isPerformed ?? field.isPerformed };
    });
    return { ...event, fields, isPerformed: seen.isPerformed };
  });
  return { ...reading, events };
}
