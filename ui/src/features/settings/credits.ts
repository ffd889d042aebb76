/**
 * Attributions of the motion capture data that gaits were fitted to, in the wording their authors
 * require.
 */
export const credits = [
  "The data used in this project was obtained from mocap.cs.cmu.edu. The database was created with funding from NSF EIA-0196217.",
];
