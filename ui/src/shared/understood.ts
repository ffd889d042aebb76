import { remembering } from "../texts";

/** One thing the person does, in words for a chip: `wave · right · 3 ×`. */
export interface Understood {
  words: string;
  /** Whether it happens together with what stands before it. */
  together: boolean;
}

const known = remembering<Understood[]>();

/** A script's text form as chips: `walk dir:backward > jump x3 + wave side:left`. */
export function understood(script: string): Understood[] {
  return known(script, () => chips(script));
}

function chips(script: string): Understood[] {
  return script
    .split(">")
    .flatMap((step) => step.split("+").map((act, place) => ({ act, together: place > 0 })))
    .map(({ act, together }) => ({ words: words(act), together }))
    .filter(({ words }) => words !== "");
}

function words(act: string): string {
  const [action = "", ...rest] = act.trim().split(/\s+/);
  return [action.replaceAll("-", " "), ...rest.map(argument)].join(" · ");
}

function argument(word: string): string {
  const count = /^x(\d+)$/.exec(word);
  if (count) return `${count[1]} ×`;
  const [name = "", ...values] = word.split(":");
  const value = values.join(" ").replaceAll("-", " ");
  switch (name) {
    case "angle":
      return angle(value);
    case "for":
      return value.replace(/([\d.]+)(\w+)/, "$1 $2");
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
