// Prompts are in English whatever the language of the window is, because the engine reads English.

/** Maximum length of a prompt, in characters. */
export const maxPromptLength = 1024;

/** Examples of what the engine understands: order, count, side, manner. */
export const examples = [
  "A person walks forward, then waves with the right hand",
  "Sneaks forward, then runs",
  "Jumps twice, then bows",
  "Walks in a circle while waving",
  "Kicks with the left leg, then punches with the right hand",
  "Walks backward slowly, then sits down",
  "Dances happily",
] as const;

/** Placeholders of prompt fields. */
export const promptExamples = {
  whole: examples[0],
  two: "walks forward, then waves",
  bridge: "Takes a step",
  interval: "Waves with the left hand",
} as const;
