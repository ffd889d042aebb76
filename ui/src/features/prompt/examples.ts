/** Prompts that show what the engine understands: order, count, side, manner. */
export const examples = [
  "A person walks forward, then waves with the right hand",
  "Sneaks forward, then runs",
  "Jumps twice, then bows",
  "Walks in a circle while waving",
  "Kicks with the left leg, then punches with the right hand",
  "Walks backward slowly, then sits down",
  "Dances happily",
] as const;
