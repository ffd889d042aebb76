import type { EventRead, PromptCheck, PromptReading, PromptRequest, Vocabulary } from "./host";
import { unknownWord } from "./fake-examples";

export const vocabulary: Vocabulary = {
  actions: [
    { family: "on foot", words: ["walk", "run", "jog", "sneak", "turn", "march", "limp", "tiptoe", "skip"] },
    { family: "up and down", words: ["jump", "hop", "sit down", "stand up", "crouch", "kneel"] },
    { family: "gestures", words: ["wave", "point", "clap", "bow", "nod", "salute", "shrug"] },
    { family: "fight", words: ["punch", "kick", "block", "uppercut"] },
    { family: "dance", words: ["dance", "twist", "salsa"] },
  ],
  directions: ["forward", "backward", "to the left", "to the right", "in a circle"],
  sides: ["with the left hand", "with the right hand", "with both hands"],
  speeds: ["slowly", "quickly"],
  manners: ["happily", "angrily", "tired", "carefully"],
  counts: ["once", "twice", "three times"],
};

const filling = /^(a|an|the|person|then|and|while|with|to|in|his|her|of|hand|leg|left|right|times)$/;
const acts = vocabulary.actions.flatMap(({ words }) => words);
const others = [vocabulary.directions, vocabulary.sides, vocabulary.speeds, vocabulary.manners, vocabulary.counts]
  .flat()
  .flatMap((words) => words.split(" "));

const stem = (word: string): string => word.replace(/(ies|es|s|ing|ed|e)$/, "").replace(/(.)\1$/, "$1");

/** A field that the fake engine does not support. */
const beyond = "size";

function step(name: string, words: string, said: Record<string, unknown> = {}): EventRead {
  const fields = Object.entries(said)
    .filter(([field]) => !["do", "while"].includes(field))
    .map(([field, value]) => ({ name: field, value: String(value), words: "", isPerformed: field !== beyond }));
  return { name, words, timing: "while" in said ? "together" : "then", fields, isPerformed: true };
}

function readingOf(events: EventRead[], notUnderstood: string[], script: string | null = null): PromptReading {
  const written = events.map(({ name }) => ({ do: name.replaceAll(" ", "-") }));
  return { events, scenery: [], notUnderstood, script: script ?? JSON.stringify({ version: 2, events: written }) };
}

/** Reads edited steps, which have no words. */
function reread(script: string, price: number): PromptCheck {
  const { events } = JSON.parse(script) as { events: ({ do: string } & Record<string, unknown>)[] };
  const steps = events.map((event) => step(event.do.replaceAll("-", " "), "", event));
  const text = events.map((event) => event.do).join(" > ");
  return { script: `v2 ${text}`, reading: readingOf(steps, [], script), skipped: [], nearest: [], warnings: [], price };
}

/** Reads a prompt: actions by their stems, everything else by a list. */
export function exampleCheck({ prompt, variants, script }: PromptRequest, creditsEach: number): PromptCheck {
  if (script) return reread(script, creditsEach * variants);
  const words = prompt.split(/[^\p{L}]+/u).filter(Boolean);
  const isAct = (word: string): string | undefined =>
    acts.find((act) => stem(act.split(" ")[0] ?? "") === stem(word.toLowerCase()));
  const steps = words.flatMap((word) => {
    const act = isAct(word);
    return act === undefined ? [] : [step(act, word)];
  });
  const found = steps.map(({ name }) => name);
  const skipped = words.filter(
    (word) => !isAct(word) && !filling.test(word.toLowerCase()) && !others.includes(word.toLowerCase()) && !/^(down|up)$/.test(word),
  );
  return {
    script: found.length ? found.join(" > ").replaceAll(/ (down|up)/g, "-$1") : null,
    reading: found.length ? readingOf(steps, skipped) : null,
    skipped,
    nearest: skipped.length || found.length === 0 ? ["wave", "walk", "jump"] : [],
    warnings: skipped.map(unknownWord),
    price: creditsEach * variants,
  };
}
