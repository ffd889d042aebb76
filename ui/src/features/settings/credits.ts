/** What must be shown of the recordings that gaits were fitted to, in the words that their makers ask for. */
export const credits = [
  "The data used in this project was obtained from mocap.cs.cmu.edu. The database was created with funding from NSF EIA-0196217.",
];
