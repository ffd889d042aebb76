import type { ClipView } from "../host";
import { memoizeByLanguage } from "../texts";

/** One action of a script, in words for a chip: `wave · right · 3 ×`. */
export interface ScriptChip {
  words: string;
  /** Whether it runs alongside the one before it. */
  together: boolean;
}

/** Whether the clip is meant to loop: through an edit, or its prompt and options. */
export function shouldLoop({ change, script }: Pick<ClipView, "change" | "script">): boolean {
  return change === "looped" || /(^|\s)loop:true(?=\s|$)/.test(script ?? "");
}

const known = memoizeByLanguage<ScriptChip[]>();

/**
 * The text form of a script as chips: `v2 walk direction:backward > wave count:3 while:0`, and of
 * clips of earlier versions `walk dir:backward > jump x3 + wave side:left`.
 */
export function scriptChips(script: string): ScriptChip[] {
  return known(script, () => chips(script));
}

function chips(script: string): ScriptChip[] {
  const [, events] = /^v2\s+(.*?)(?: \| .*)?$/.exec(script.trim()) ?? [];
  return events === undefined ? chipsOfVersion1(script) : events.split(" > ").map(chip);
}

/** Fields about other events or the whole clip are not part of a chip. */
const relations = /^(while|as_soon_as|beat_of|beat|until|continues):/;

function chip(event: string): ScriptChip {
  const [action = "", ...fields] = event.trim().split(/\s+/);
  const values = fields.filter((field) => !relations.test(field)).map(argument);
  const together = fields.some((field) => field.startsWith("while:"));
  return { words: [action.replaceAll(/[-.]/g, " "), ...values].join(" · "), together };
}

function chipsOfVersion1(script: string): ScriptChip[] {
  return script
    .split(">")
    .flatMap((step) => step.split("+").map((act, place) => ({ act, together: place > 0 })))
    .map(({ act, together }) => ({ words: words(act), together }))
    .filter(({ words }) => words !== "");
}

function words(act: string): string {
  const [action = "", ...rest] = act.trim().split(/\s+/);
  return [action.replaceAll("-", " "), ...rest.map(argument)].filter(Boolean).join(" · ");
}

function argument(word: string): string {
  const count = /^x(\d+)$/.exec(word);
  if (count) return `${count[1]} ×`;
  const [name = "", ...values] = word.split(":");
  const value = values.join(" ").replaceAll("-", " ");
  switch (name) {
    case "loop":
    case "start":
    case "end":
      // applies to the whole clip, whichever event it is attached to
      return "";
    case "angle":
      return angle(value);
    case "for":
      return value.replace(/([\d.]+)(\w+)/, "$1 $2");
    case "count":
      return `${value} ×`;
    case "degrees":
      return angle(value);
    case "seconds":
      return `${value} s`;
    case "meters":
      return `${value} m`;
    case "steps":
      return `${value} steps`;
    case "size":
      return Number(value) < 1 ? "small" : "big";
    case "manners":
      return value.replaceAll(/=[\d.]+/g, "").replaceAll(",", ", ");
    case "speed":
    case "tempo":
      return Number(value) < 1 ? "slowly" : "quickly";
    default:
      return value;
  }
}

function angle(value: string): string {
  const number = Number.parseFloat(value);
  const degrees = value.endsWith("rad") ? (number * 180) / Math.PI : number;
  return `${Math.round(degrees)}°`;
}
