/** What must be shown of the recordings that were learned from, in the words that their makers ask for. */
export const credits = [
  "The data used in this project was obtained from mocap.cs.cmu.edu. The database was created with funding from NSF EIA-0196217.",
  "Contains motion from AnimatedDrawings, Copyright (c) Meta Platforms, Inc. and affiliates, MIT License.",
];
